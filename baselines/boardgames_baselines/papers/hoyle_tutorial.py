"""Epstein, *Learning to Play Expertly: A Tutorial on Hoyle* (2001): its tables, and why Hoyle works."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from boardgames_agents.arena.turing import Challenger
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_agents.hoyle.weights import Anything
from boardgames_baselines.papers import TABLE_8_4
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.job import play_matches
from boardgames_baselines.papers.outcome import (
    Outcome,
    beside_printed,
    gains_table,
    play_trials,
    prowess,
    sample_note,
    trial_report,
    trials_table,
)
from boardgames_baselines.papers.trial import Trial
from boardgames_env.spec import Spec

TABLE_8_4_LINES = {
    "tic-tac-toe": (100, 100, 100, 100, 25, 64, 94),
    "lose tic-tac-toe": (97, 93, 92, 95, 15, 47, 74),
    "lose tic-tac-toe with patterns": (100, 99, 100, 99, 16, 65, 76),
    "five men's morris": (83, 82, 83, 96, 12, 53, 80),
    "five men's morris with zones": (97, 91, 90, 95, 0, 27, 57),
}
"""Per cent not lost against the perfect, the strong, the novice and the random player; won against the last three."""

TABLE_8_5 = {
    "tic-tac-toe": (0.19, 0.18, 0.16, 0.14),
    "lose tic-tac-toe": (0.19, 0.18, 0.19, 0.19),
    "lose tic-tac-toe with patterns": (0.38, 0.37, 0.33, 0.35),
    "five men's morris": (22.31, 21.96, 19.76, 16.19),
    "five men's morris with zones": (25.26, 25.05, 21.79, 17.54),
}
"""Decision time in a contest against each of the four, in seconds."""

TABLE_8_6: Mapping[str, Row] = {
    "tic-tac-toe": (8.8, 37.1, 0.0, 42.8, "—", "—"),
    "lose tic-tac-toe": (14.6, 40.2, 0.6, 160.6, "—", "—"),
    "lose tic-tac-toe with patterns": (14.5, 40.4, 0.4, 182.5, 67.3, 4.2),
    "five men's morris": (62.1, 600.9, 0.3, 44.3, "—", "—"),
    "five men's morris with zones": (57.1, 600.7, 0.7, 39.2, 221.5, 19.9),
}
"""Pieces of knowledge, as `SPACE` names them."""

UNSEEN = {"lose tic-tac-toe": 51.48, "five men's morris": 75.55}
"""Per cent of the testing positions that were never seen during training (section 5)."""

COMMENTS = {"five men's morris with zones": {"Zone Ranger": 98.69, "Anthropomorph": 32.03, "Material": 7.00}}
"""Per cent of the testing positions in which an Advisor offers advice (section 7)."""

HIGH_WEIGHTS = {
    "tic-tac-toe": ("Cyber", "Anthropomorph"),
    "lose tic-tac-toe": ("Anthropomorph", "Cyber", "Leery"),
    "five men's morris": ("Material", "Vulnerable", "Anthropomorph", "Freedom", "Cyber"),
}
"""The Advisors that end with a high weight, without perceptual enhancement (section 7)."""

RUNS, _ABLATION_RUNS = 10, 5
FOUR = ("perfect", *TABLE_8_4.errors)
REASONABLE = ("strong (reasonable)", "novice (reasonable)")

# the printed optima are those of players that err at random; the text calls the challengers reasonable: both are met
CHALLENGERS = (
    ("perfect", "perfect"),
    *((name, str(Challenger(name, e).spec())) for name, e in TABLE_8_4.errors.items()),
    *zip(REASONABLE, ("reasonable(x=0.1)", "reasonable(x=0.5)"), strict=True),
)

TRAINER = "perfect(style='opening')"
"""Opens as in the 1994 paper: then Hoyle loses as often, and keeps about as many moves, as in the paper."""


BUDGET = 20
"""Positions that a search may expand at five men's morris. The paper allows ten seconds, in which its Hoyle found 44
significant states there; with this budget ours finds 25, with 500 thousands.
"""


def _faithful(**options: object) -> str:
    """Return the spec of the paper's program with some options."""
    return str(Spec("hoyle", {"program": "2001", **options}))


_trial = partial(Trial, challengers=CHALLENGERS, testing=10)

TRIALS = {
    "tic-tac-toe": _trial("tic_tac_toe", _faithful(), TRAINER, 100),
    "lose tic-tac-toe": _trial("lose_tic_tac_toe", _faithful(), TRAINER, 100),
    "lose tic-tac-toe with patterns": _trial("lose_tic_tac_toe", _faithful(patterns=True), TRAINER, 100),
    "five men's morris": _trial("five_mens_morris", _faithful(budget=BUDGET), "tutorial", 60),
    "five men's morris with zones": _trial("five_mens_morris", _faithful(budget=BUDGET, zones=True), "tutorial", 60),
}
"""By the names of the lines of Tables 8.4 to 8.6."""

ENHANCED = {
    "lose tic-tac-toe with patterns": ("lose tic-tac-toe with patterns", "lose tic-tac-toe"),
    "five men's morris with zones": ("five men's morris with zones", "five men's morris"),
}
"""The trials with perceptual enhancement, each beside the one that differs from it in nothing else."""


def outcomes(runner: Runner) -> dict[str, Outcome]:
    """Return the outcomes of the trials."""
    return play_trials(runner, "Tables 8.4 to 8.6", TRIALS, RUNS)


PROWESS = prowess(FOUR, FOUR[1:])
_PROGRAMS_TESTING = 40
_OPTIMA_CONTESTS = 1000  # as many as the paper's; `boardgames optima` plays more


@experiment("table-8.4")
def table_8_4(runner: Runner) -> Report:
    """Hoyle's reliability and power at three games, with and without perceptual enhancement."""
    found = outcomes(runner)
    rows = [
        *beside_printed(TABLE_8_4_LINES, lambda outcome: outcome.cells(PROWESS), found),
        *_rows_of_perfect_player(runner),
    ]
    tables = (
        Table("Table 8.4: Hoyle's performance on three games", ("", *PROWESS), rows),
        trials_table("Against 10 % and 50 % reasonable players", found, prowess(REASONABLE, REASONABLE)),
        gains_table("Reliability gained by perceptual enhancement, in percentage points", found, ENHANCED, FOUR),
    )
    return trial_report(found, tables, (sample_note(found["tic-tac-toe"]),))


def _rows_of_perfect_player(runner: Runner) -> list[Row]:
    """Return rows for a perfect player in Hoyle's place."""
    rows: list[Row] = []
    for game, printed in TABLE_8_4.power.items():
        pairs = {name: ("perfect", str(Challenger(name, e).spec())) for name, e in TABLE_8_4.errors.items()}
        found = play_matches(runner, game, {"perfect": ("perfect", "perfect"), **pairs}, contests=_OPTIMA_CONTESTS)
        rows.append((f"optima at {game} (paper)", *[100] * len(FOUR), *printed))
        reliability, power = [found[name].reliability for name in FOUR], [found[name].power for name in FOUR[1:]]
        rows.append((f"optima at {game}", *reliability, *power))
    return rows


@experiment("table-8.5")
def table_8_5(runner: Runner) -> Report:
    """Hoyle's decision time in a contest, in seconds."""
    printed = {name: tuple(f"{seconds:.2f}" for seconds in line) for name, line in TABLE_8_5.items()}
    rows = beside_printed(printed, partial(_seconds, digits=4), outcomes(runner))
    table = Table("Table 8.5: decision time in seconds a contest", ("", *FOUR), rows)
    return Report((table,), notes=("Times are of the machine that played the runs, and differ from one to the next.",))


def _seconds(outcome: Outcome, digits: int) -> Row:
    return tuple(f"{outcome.seconds(who):.{digits}f}" for who in FOUR)


SPACE = ("Hoyle moves", "expert moves", "dangerous states", "significant states", "patterns or zones", "new Advisors")


@experiment("table-8.6")
def table_8_6(runner: Runner) -> Report:
    """Hoyle's space requirements during testing."""
    rows = beside_printed(TABLE_8_6, _space, outcomes(runner))
    return Report((Table("Table 8.6: useful knowledge after learning, means", ("", *SPACE), rows),))


def _space(outcome: Outcome) -> Row:
    """Return the means under `SPACE`; the last two are without a meaning where nothing enhances perception."""
    enhanced = [option for option in ("patterns", "zones") if option in outcome.trial.learner]
    items = (*SPACE[:4], *enhanced, *SPACE[5:]) if enhanced else SPACE[:4]
    means = [round(outcome.measure(item).value, 1) for item in items]
    return *means, *["—"] * (len(SPACE) - len(means))


_NEAREST: dict[str, object] = {
    "budget": BUDGET,
    "lookahead": 3,
    "capture_forks": True,
    "net_lines": True,
    "corrected_weights": True,
    "staged_weights": True,
}
"""What the text leaves room for: forks of captures within three plies, lines left by a slide, chance in weights."""

PROGRAMS = {
    "faithful": _faithful(budget=BUDGET),
    "faithful, with zones": _faithful(budget=BUDGET, zones=True),
    "nearest to the text": _faithful(**_NEAREST),
    "nearest to the text, with zones": _faithful(**_NEAREST, zones=True),
    "ours, 5 plies": "hoyle(lookahead=5)",
    "ours, 7 plies": "hoyle(lookahead=7)",
    "ours": "hoyle",
    "ours, with zones": "hoyle(zones=True)",
    "7 plies and no other Advisor": "hoyle(only='Farsight', lookahead=7)",
}
"""Hoyle's at five men's morris, by name."""


@experiment("lookahead")
def lookahead(runner: Runner) -> Report:
    """Five men's morris with lookahead for men and other weights, beside the paper and the faithful program."""
    trials = {
        name: replace(TRIALS["five men's morris"], learner=spec, testing=_PROGRAMS_TESTING)
        for name, spec in PROGRAMS.items()
    }
    found = play_trials(runner, "five men's morris", trials, RUNS)
    rows: list[Row] = [("paper", *TABLE_8_4_LINES["five men's morris"])]
    rows += [("paper, with zones", *TABLE_8_4_LINES["five men's morris with zones"])]
    rows += [(name, *outcome.cells(PROWESS)) for name, outcome in found.items()]
    seconds = [(name, *_seconds(outcome, 3)) for name, outcome in found.items()]
    gains = {name: (name, name.removesuffix(", with zones")) for name in PROGRAMS if name.endswith("with zones")}
    tables = (
        Table("Five men's morris: Hoyle as in the paper, and as it can be", ("", *PROWESS), rows),
        gains_table("Reliability gained by zones, in percentage points", found, gains, FOUR),
        Table("Decision time in seconds a contest", ("", *FOUR), seconds),
    )
    return trial_report(found, tables, (sample_note(found["ours"]),))


_SHOWN = 12
_BUDGETS = (100, 500)


@experiment("unseen")
def unseen(runner: Runner) -> Report:
    """The share of the testing positions that were never seen during training."""
    found = outcomes(runner)
    measures = ("unseen", "unseen, different", "voted")
    rows = tuple(
        (name, UNSEEN.get(name), *(outcome.measure(each) for each in measures)) for name, outcome in found.items()
    )
    headings = ("", "unseen % (paper)", "unseen %", "unseen % of different positions", "decided by vote %")
    note = (
        "The positions in which Hoyle decides, against all six challengers together, are counted with multiplicity or "
        "once each. A position has been seen if a symmetric one has."
    )
    return Report((Table("Testing positions never seen during training", headings, rows),), notes=(note,))


@experiment("comments")
def comments(runner: Runner) -> Report:
    """The frequency of each Advisor's comments in testing."""
    rows: list[Row] = []
    for name, outcome in outcomes(runner).items():
        commenting = list(outcome.means("comments of ").items())
        printed = COMMENTS.get(name, {})
        listed = [*commenting[:_SHOWN], *(each for each in commenting[_SHOWN:] if each[0] in printed)]
        rows += [(f"{name}: {advisor}", printed.get(advisor), round(share, 2)) for advisor, share in listed]
    headings = ("", "comments in % (paper)", "comments in % of votes")
    note = "Advisors whose weight is no better than that of random comments are not asked in testing."
    return Report((Table("Advisors that comment in testing", headings, rows),), notes=(note,))


@experiment("weights")
def weights(runner: Runner) -> Report:
    """The Advisors with the highest weights after training."""
    rows: list[Row] = []
    for name, outcome in outcomes(runner).items():
        learned = list(outcome.means("weight of ").items())[:_SHOWN]
        high = ", ".join(HIGH_WEIGHTS.get(name, ()))
        rows.append((name, high, ", ".join(f"{advisor} {weight:.2f}" for advisor, weight in learned)))
    headings = ("", "high weights (paper)", f"the {_SHOWN} highest, means over runs")
    return Report((Table("Learned weights", headings, rows),))


_ADDED: dict[str, dict[str, object]] = {
    "Shortcut": {"also": "Shortcut"},
    "patterns": {"patterns": True},
    "zones": {"zones": True},
    "planning": {"planning": True},
    "the paradigm tally": {"voting": "tally"},
}
"""Options that the program does not have by default, by name."""


@experiment("ablations")
def ablations(runner: Runner) -> Report:
    """Five men's morris without one Advisor, with further options, and with other budgets of search."""
    full = TRIALS["five men's morris"]
    voters = play_trials(runner, "ablations", {"all": full}, _ABLATION_RUNS)["all"].means("weight of ")
    learners = {
        f"without {name}": _faithful(budget=BUDGET, without=name) for name in sorted(voters) if name != Anything.name
    }
    learners |= {f"with {name}": _faithful(budget=BUDGET, **options) for name, options in _ADDED.items()}
    learners |= {f"budget {budget}": _faithful(budget=budget) for budget in _BUDGETS}
    trials = {"all": full} | {name: replace(full, learner=learner) for name, learner in learners.items()}
    found = play_trials(runner, "ablations", trials, _ABLATION_RUNS)
    gains = {name: (name, "all") for name in learners}
    tables = (
        trials_table("Five men's morris without one Advisor, and with other budgets", found, PROWESS),
        gains_table("Reliability gained or lost by it, in percentage points", found, gains, FOUR),
    )
    return trial_report(found, tables, (sample_note(found["all"]),))
