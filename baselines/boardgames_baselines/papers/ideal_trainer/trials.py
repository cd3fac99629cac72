"""The trials of Epstein 1994: games, trainers by the names of its tables, and challengers."""

from collections.abc import Iterable, Mapping

from boardgames_agents.arena.optima import Optimum
from boardgames_agents.arena.turing import CHALLENGERS, Challenger
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Table
from boardgames_baselines.papers.job import play_matches
from boardgames_baselines.papers.outcome import Outcome, play_trials, sample_note, trial_report
from boardgames_baselines.papers.trial import Trial
from boardgames_env.spec import Spec

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
PERFECT = str(Spec("perfect", {"style": STYLE}))
WISE = str(Spec("perfect", {"style": "wise"}))
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


def prowess(outcome: Outcome) -> tuple[Cell, ...]:
    """Return the cells under `PROWESS`."""
    return *(outcome.power(name) for name in IMPERFECT), *(outcome.reliability(name) for name in FOUR)


def cells(outcome: Outcome) -> tuple[Cell, ...]:
    """Return a line of Tables 2 and 3, under `HEADINGS`."""
    counts = (outcome.contests, outcome.lessons, outcome.measure("space"))
    return *(round(each.value, 1) for each in counts), *prowess(outcome)


def trials_table(title: str, found: Mapping[str, Outcome]) -> Table:
    """Return a table with a row for each trial."""
    return Table(title, ("trainer", *HEADINGS), [(name, *cells(outcome)) for name, outcome in found.items()])


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
    tables = tuple(trials_table(title.replace("GAME", game), each) for game, each in found.items())
    outcomes = together(found)
    return trial_report(outcomes, tables, notes_on(outcomes))
