"""Epstein, *Toward an Ideal Trainer*, Machine Learning 15 (1994), 251–277: tables, figures, questions to the design."""

from collections.abc import Iterable, Mapping

from boardgames_agents.arena.exact_outcomes import Optimum
from boardgames_agents.arena.turing import CHALLENGERS, Challenger, TuringVerdict, cox_stuart, judge
from boardgames_agents.experiments.estimate import wilson
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_baselines.papers import TABLE_1
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.job import play_matches
from boardgames_baselines.papers.outcome import (
    Outcome,
    beside_printed,
    gains_table,
    play_trials,
    sample_note,
    trial_report,
    trials_table,
)
from boardgames_baselines.papers.trial import Trial
from boardgames_env.spec import Spec

# --- the printed results ---


PRINTED: Mapping[str, Mapping[tuple[str, int], tuple[float, ...]]] = {
    "lose_tic_tac_toe": {
        ("2&7", 10): (122.7, 27, 323.0, 17, 63, 77, 95, 92, 88, 90),
        ("2&7", 20): (127.7, 28, 299.0, 18, 63, 85, 100, 98, 97, 100),
        ("e=0", 10): (35.6, 35.6, 89.2, 27, 65, 73, 100, 88, 82, 81),
        ("e=0", 20): (49.3, 49.3, 101.0, 12, 59, 80, 100, 93, 80, 88),
    },
    "tic_tac_toe": {
        ("e=0", 10): (12.0, 12.0, 7.4, 19, 75, 94, 94, 95, 98, 100),
        ("e=0", 20): (22.9, 22.9, 9.0, 15, 84, 94, 100, 100, 100, 100),
        ("e=10", 10): (12.6, 12.6, 13.6, 17, 84, 96, 100, 100, 100, 100),
        ("self", 10): (10.0, 0.0, 1.0, 14, 72, 93, 70, 100, 98, 100),
        ("2&7", 10): (11.6, 2.6, 5.2, 25, 83, 93, 82, 91, 97, 100),
        ("2&7", 20): (50.0, 11.1, 22.6, 18, 84, 97, 94, 97, 100, 100),
    },
}
"""Tables 2 and 3 by the trainer (``2&7``, ``self``, or ``e=`` and the noise in per cent) and the behavioral standard n.

The numbers, means of five runs, are those under `HEADINGS`: contests of learning, those of them against the trainer,
pieces of useful knowledge, per cent won against the expert, the novice and the random challenger, and per cent not lost
against the perfect challenger and these three.
"""

PASSES = {
    "tic_tac_toe": ("e=10", "2&7"),
    "lose_tic_tac_toe": ("2&7",),
    "achi": ("e=10", "e=20", "e=40", "e=50", "e=60", "e=80", "e=90", "e=100", "2&7"),
}
"""The training after which, by the paper, Hoyle passes the game players' Turing test (sections 3.3 and 4).

At achi it passed "after training with all the fallible trainers except e = 30 and 70"; e = 0, the perfect player, is
taken not to be meant.
"""


# --- the trials: games, trainers by the names of the paper's tables, and challengers ---

GAMES = ("tic_tac_toe", "lose_tic_tac_toe", "achi")
LADDER = tuple(f"e={noise}" for noise in range(0, 101, 10))
"""The fallible trainers, e = 0 being the perfect player."""

PRELIMINARY = (*LADDER, "self")
"""The trainers of section 3."""

STANDARD = 10
"""The behavioral standard n of most of the paper's experiments."""

RUNS = 5
LONGEST = 1000
"""Where a training ends that never meets its standard; the paper names no limit."""

STYLE = "opening"
"""'"A perfect player as trainer" is used in the sense of "a wise competitor" throughout this paper': it is wise in its
opening, which is all that note 1 speaks of. One that was wise in its later moves, too, would never lead to Figure 3,
which "the fallible trainer with e = 0 periodically presents".
"""

LEARNER = "hoyle(program='1994')"
PERFECT = f"perfect(style={STYLE!r})"
WISE = "perfect(style='wise')"
"""Whose power is maximal: the player with which Table 1 can be reproduced."""
FOUR = {challenger.name: str(challenger.spec(STYLE)) for challenger in CHALLENGERS}
IMPERFECT = [name for name in FOUR if name != "perfect"]


def trainer(name: str) -> str:
    """Return the spec of a trainer by the paper's name (``e=10``, ``self``, ``2&7``) or spec."""
    if name.startswith("e="):
        return str(Challenger(name, int(name[2:]) / 100).spec(STYLE))
    lessons, is_cycle, practice = name.partition("&")
    if is_cycle and lessons.isdigit():
        return str(Spec("lessons", {"lessons": int(lessons), "practice": int(practice), "expert": PERFECT}))
    return name


def trial(game: str, trainer_name: str, standard: int = STANDARD, contests: int = LONGEST) -> Trial:
    """Return a trial of the paper."""
    return Trial(game, LEARNER, trainer(trainer_name), contests, standard, tuple(FOUR.items()))


def maximal_power(runner: Runner, game: str) -> dict[str, Optimum]:
    """Return a perfect player's results against the imperfect challengers, by their names."""
    return play_matches(runner, game, {name: (WISE, FOUR[name]) for name in IMPERFECT})


PROWESS = (*(f"power {name}" for name in IMPERFECT), *(f"reliability {name}" for name in FOUR))
HEADINGS = ("contests", "lessons", "space", *PROWESS)


def notes_on(found: Mapping[str, Outcome]) -> tuple[str, ...]:
    """Return notes on the sample sizes, and on the runs that did not meet their standard, if there are any."""
    outcomes = list(found.values())
    unmet, runs = sum(each.unmet for each in outcomes), sum(len(each.runs) for each in outcomes)
    ended = f"{unmet} of the {runs} runs had not met their standard after {LONGEST:,} contests, and were ended there."
    return (sample_note(outcomes[0]), ended) if unmet else (sample_note(outcomes[0]),)


Trainers = Mapping[str, tuple[str, int]]
"""Trainers, by the paper's name or spec, and behavioral standards n, by the names of their trials."""


def named(trainers: Iterable[str]) -> Trainers:
    """Return trainers under their own names, with the standard of most experiments."""
    return {name: (name, STANDARD) for name in trainers}


def train(
    runner: Runner, what: str, games: Iterable[str], trainers: Trainers, runs: int = RUNS
) -> dict[str, dict[str, Outcome]]:
    """Return the outcomes of trials by game and name; ``GAME`` in the label stands for the game's name."""
    return {
        game: play_trials(
            runner, what.replace("GAME", game), {name: trial(game, *each) for name, each in trainers.items()}, runs
        )
        for game in games
    }


def together(found: Mapping[str, Mapping[str, Outcome]]) -> dict[str, Outcome]:
    """Return the outcomes at several games by game and name together."""
    return {f"{game} {name}": outcome for game, each in found.items() for name, outcome in each.items()}


def table_by_game(runner: Runner, games: Iterable[str], title: str, trainers: Trainers) -> Report:
    """Return a report with a table for each game; ``GAME`` in the title stands for its name."""
    found = train(runner, title, games, trainers)
    tables = tuple(trials_table(title.replace("GAME", game), each, HEADINGS, "trainer") for game, each in found.items())
    outcomes = together(found)
    return trial_report(outcomes, tables, notes_on(outcomes))


_TIC_TAC_TOES = ("tic_tac_toe", "lose_tic_tac_toe")


# --- sections 2.3 and 3: maximal power, and the preliminary experiments with a single trainer ---


@experiment("table-1")
def table_1(runner: Runner) -> Report:
    """Maximal power: the percentage of contests that a perfect player wins."""
    rows: list[Row] = []
    for game in GAMES:
        found = maximal_power(runner, game)
        rows.append((f"{game} (paper)", *TABLE_1.power[game]))
        rows.append((game, *(found[name].power for name in IMPERFECT)))
    title = "Table 1: maximal power, in per cent, of the wise perfect player"
    return Report((Table(title, ("game", *IMPERFECT), rows),))


@experiment("figures-4-5")
def figures_4_5(runner: Runner) -> Report:
    """Reliability and power at tic-tac-toe after training with noise from 0 to 100 %, and after self-training."""
    return _by_noise(runner, "tic_tac_toe", ("Figure 4", "Figure 5"))


@experiment("figures-6-7")
def figures_6_7(runner: Runner) -> Report:
    """Reliability and power at lose tic-tac-toe after training with noise from 0 to 100 %, and after self-training."""
    return _by_noise(runner, "lose_tic_tac_toe", ("Figure 6", "Figure 7"))


@experiment("achi")
def achi(runner: Runner) -> Report:
    """The same at achi, for which the paper has no figures."""
    return _by_noise(runner, "achi", ("Achi", "Achi"))


def _by_noise(runner: Runner, game: str, names: tuple[str, str]) -> Report:
    """Return two figures as the paper draws them, with a table of their numbers."""
    found = train(runner, "trainers at GAME", [game], named(PRELIMINARY))[game]
    contests = found["self"].score("random").contests
    bounds = {
        name: wilson(contests * each.power.low / 100, contests)[0] for name, each in maximal_power(runner, game).items()
    }
    power = f"{names[1]}: power at {game}; dotted: 95 % lower bounds of maximal power"
    charts = (
        _chart_by_noise(f"{names[0]}: reliability at {game}", "reliability", game, found, dict.fromkeys(FOUR)),
        _chart_by_noise(power, "power", game, found, bounds),
    )
    table = trials_table(f"Training by fallible trainers and by itself at {game}, n = 10", found, HEADINGS, "trainer")
    return trial_report(found, (table,), notes_on(found), charts)


def _chart_by_noise(
    title: str, what: str, game: str, found: dict[str, Outcome], bounds: Mapping[str, float | None]
) -> Chart:
    """Return a chart of reliability or power by the trainer's noise, with a bound for each challenger if it has one."""
    lines = {
        _noise(name): dict(zip(HEADINGS, line, strict=True))
        for (name, standard), line in PRINTED.get(game, {}).items()
        if name in LADDER and standard == STANDARD
    }
    measured = {name: [getattr(found[each], what)(name).value for each in PRELIMINARY] for name in bounds}
    printed = {name: [(noise, line[f"{what} {name}"]) for noise, line in lines.items()] for name in bounds if lines}
    return Chart(
        title,
        "noise e of the trainer in %; filled: challengers like the trainer; circles at the right: self-training",
        f"{what} %",
        {name: list(zip(map(_noise, LADDER), values, strict=False)) for name, values in measured.items()},
        points={name: values[-1] for name, values in measured.items()},
        bounds={name: bound for name, bound in bounds.items() if bound is not None},
        printed=printed,
        emphasized={challenger.name: 100 * challenger.e for challenger in CHALLENGERS},
    )


def _noise(name: str) -> int:
    """Return e in per cent from a fallible trainer's name."""
    return int(name.removeprefix("e="))


@experiment("turing-test")
def turing_test(runner: Runner) -> Report:
    """The game players' Turing test of the pupils of all trainers at the three games."""
    rows: list[Row] = []
    trainers = {**named(PRELIMINARY), "2&7, n=10": ("2&7", 10), "2&7, n=20": ("2&7", 20)}
    found = train(runner, "trainers at GAME", GAMES, trainers)
    for game, outcomes in found.items():
        maximal = {name: each.power.low for name, each in maximal_power(runner, game).items()}
        for name, outcome in outcomes.items():
            verdict = verdict_on(outcome, maximal)
            failed = ", ".join(condition.split()[0] for condition in verdict.failed)
            claimed = "passes" if name.partition(",")[0] in PASSES[game] and name != "2&7, n=10" else "fails"
            rows.append((game, name, "passes" if verdict.passed else f"fails: {failed}", claimed))
    table = Table("The game players' Turing test", ("game", "trainer", "ours", "paper"), rows)
    notes = (
        sample_note(found["achi"]["self"]),
        "The contests of all runs are pooled. Of four challengers Cox and Stuart's test makes two pairs, which can "
        "reach no level: here the third condition asks that power goes down in neither of them and up in one at least, "
        "and can say nothing of reliability. The eleven challengers of `boardgames test` can.",
        "The paper reads its conditions with some freedom: at tic-tac-toe 2&7 training passes with 94 % against the "
        "perfect challenger, where the 95 % limit of 100 contests is 96.3 %.",
    )
    return trial_report(together(found), (table,), notes)


def verdict_on(outcome: Outcome, maximal: dict[str, float]) -> TuringVerdict:
    """Return the verdict on all runs of a trial together, from the paper's four challengers alone.

    ``maximal`` is maximal power by the challenger's name, the lower end of its interval where it is not exact.
    """
    scores = {challenger: outcome.score(challenger.name) for challenger in CHALLENGERS}
    contests = scores[CHALLENGERS[0]].contests
    return TuringVerdict(outcome.trial.game, outcome.trial.learner, contests, scores, judge(scores, maximal))


# --- section 4: the central experiments, lesson and practice training ---


@experiment("table-2")
def table_2(runner: Runner) -> Report:
    """Lesson and practice training at lose tic-tac-toe, beside training by a perfect player."""
    return _printed_above_ours(runner, "lose_tic_tac_toe", "Table 2: lose tic-tac-toe")


@experiment("table-3")
def table_3(runner: Runner) -> Report:
    """Lesson and practice training at tic-tac-toe, beside other training."""
    return _printed_above_ours(runner, "tic_tac_toe", "Table 3: tic-tac-toe")


def _printed_above_ours(runner: Runner, game: str, title: str) -> Report:
    """Return the paper's lines, each above ours."""
    trainers = {f"{name}, n={standard}": (name, standard) for name, standard in PRINTED[game]}
    found = train(runner, title, [game], trainers)[game]
    printed = {name: PRINTED[game][key] for name, key in trainers.items()}
    rows = beside_printed(printed, lambda outcome: outcome.cells(HEADINGS), found)
    return trial_report(found, (Table(title, ("trainer", *HEADINGS), rows),), notes_on(found))


@experiment("comparison")
def comparison(runner: Runner) -> Report:
    """Lesson and practice, key-node training (ours), self-training, and a perfect player with as many lessons."""
    trainers = {
        "key nodes": ("key_nodes(lessons=2, practice=7)", 20),
        "2&7, uniform": ("lessons(lessons=2, practice=7)", 20),  # by the perfect player that steers to the key nodes
        **{name: (name, 20) for name in ("2&7", "self", "e=0")},
    }
    tables: list[Table] = []
    by_game = train(runner, "comparison at GAME", _TIC_TAC_TOES, trainers, runs=20)
    for game in _TIC_TAC_TOES:
        lessons = round(by_game[game]["2&7"].lessons.value)
        as_many = {f"e=0, {lessons} contests": trial(game, "e=0", standard=0, contests=lessons)}
        found = by_game[game] | play_trials(runner, f"as many lessons at {game}", as_many, 20)
        by_game[game] = found
        pairs = {f"{ours} over {name}": (ours, name) for ours in ("2&7", "key nodes") for name in found if name != ours}
        title = f"Comparison at {game}: reliability gained, in percentage points"
        tables += [
            trials_table(f"Comparison of trainers at {game}, n = 20", found, HEADINGS, "trainer"),
            gains_table(title, found, pairs, tuple(FOUR)),
        ]
    outcomes = together(by_game)
    return trial_report(outcomes, tuple(tables), notes_on(outcomes))


@experiment("other-trainers")
def other_trainers(runner: Runner) -> Report:
    """Trainers that the paper mentions and does not try: other cycles, priming, worst moves."""
    growing = {"lessons": 2, "practice": 7, "expert": PERFECT, "growth": 2}
    primed = {"plan": ((10, "watch"), (1, trainer("2&7")))}
    trainers = {
        **{name: (name, 20) for name in ("2&7", "14&1", "4&100")},
        "practice that grows": (str(Spec("lessons", growing)), 20),
        "watching 10, then 2&7": (str(Spec("phases", primed)), 20),
        "worst moves": ("worst", 20),
    }
    return table_by_game(runner, _TIC_TAC_TOES, "Other trainers at GAME, n = 20", trainers)


# --- section 5: questions to the experimental design ---


@experiment("standards")
def standards(runner: Runner) -> Report:
    """Does more training, that is a higher standard n, result in better play?"""
    trainers = ("e=0", "e=10", "e=50", "e=100", "self", "2&7")
    trials = {f"{name}, n={n}": (name, n) for name in trainers for n in (10, 20, 50, 75, 100)}
    return table_by_game(runner, GAMES, "Higher behavioral standards at GAME", trials)


@experiment("time-and-space")
def time_and_space(runner: Runner) -> Report:
    """How do the trainer and its noise affect the time to learn and the space?"""
    found = train(runner, "trainers at GAME", GAMES, named(LADDER))
    measured = {
        "contests": {game: [each.contests.value for each in found[game].values()] for game in GAMES},
        "space": {game: [each.measure("space").value for each in found[game].values()] for game in GAMES},
    }
    rows: list[Row] = []
    charts = []
    for what, by_game in measured.items():
        for game, values in by_game.items():
            trend = cox_stuart(values)
            p = min(trend.p_increase, trend.p_decrease)
            direction = f"{trend.ups} of {trend.ups + trend.downs} up, p = {p:.3f}"
            rows.append((f"{what} at {game}", *(round(value, 1) for value in values), direction))
        curves = {game: list(zip(range(0, 101, 10), values, strict=True)) for game, values in by_game.items()}
        charts.append(Chart(f"{what} by the trainer's noise", "noise e in %", what, curves))
    table = Table("Learning time and space by the trainer's noise, n = 10", ("", *LADDER, "trend"), rows)
    outcomes = together(found)
    note = "The trend is Cox and Stuart's: of five pairs, how many go up, and the smaller tail's probability."
    sample, *unmet = notes_on(outcomes)
    return trial_report(outcomes, (table,), (sample, note, *unmet), tuple(charts))


@experiment("informed")
def informed(runner: Runner) -> Report:
    """Is it different when errors come from lack of foresight or knowledge, not from chance?"""
    depths = {f"informed, depth {depth}": (f"informed(depth={depth})", STANDARD) for depth in (1, 2, 3, 4)}
    return table_by_game(runner, GAMES, "Informed trainers at GAME, n = 10", {**named(("e=0", "e=50")), **depths})


@experiment("fixed-length")
def fixed_length(runner: Runner) -> Report:
    """Why not just train for a fixed number of contests, here 64 of lose tic-tac-toe?"""
    game = "lose_tic_tac_toe"
    names = ("self", "e=0", "e=10", "e=20", "e=50", "e=70", "e=100")
    fixed = play_trials(runner, "64 contests", {name: trial(game, name, 0, 64) for name in names}, runs=3)
    by_standard = play_trials(runner, "n = 10", {name: trial(game, name) for name in names}, RUNS)
    outcomes = {f"{name}, 64 contests": each for name, each in fixed.items()}
    outcomes |= {f"{name}, n=10": each for name, each in by_standard.items()}
    shown = {row: outcomes[row] for name in names for row in (f"{name}, 64 contests", f"{name}, n=10")}
    sample, *unmet = notes_on(by_standard)
    note = f"{len(fixed['self'].runs)} runs of 64 contests. {sample}"
    table = trials_table("A fixed number of contests at lose tic-tac-toe", shown, HEADINGS, "trainer")
    return trial_report(outcomes, (table,), (note, *unmet))


@experiment("outplay")
def outplay(runner: Runner) -> Report:
    """Does a trainer set an upper bound on the learning program's skill?"""
    rows: list[Row] = []
    found = train(runner, "trainers at GAME", GAMES, named(("e=10", "e=70", "e=100")))
    for game, pupils in found.items():
        pairs = {(name, who): (trainer(name), spec) for name in pupils for who, spec in FOUR.items()}
        trainers = play_matches(runner, game, pairs, contests=1000)
        for name, pupil in pupils.items():
            own = [trainers[name, who] for who in FOUR]
            power = [each.power for each in own[1:]]
            rows.append((f"{game}: the trainer {name} itself", *power, *(each.reliability for each in own)))
            rows.append((f"{game}: its pupil", *pupil.cells(PROWESS)))
    table = Table("Pupils and their trainers against the same challengers", ("", *PROWESS), rows)
    outcomes = together(found)
    return trial_report(outcomes, (table,), notes_on(outcomes)[:1])
