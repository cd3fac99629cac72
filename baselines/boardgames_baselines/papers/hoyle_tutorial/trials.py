"""The trials of Epstein 2001, section 6."""

from collections.abc import Mapping, Sequence

from boardgames_agents.arena.turing import Challenger
from boardgames_agents.experiments.estimate import difference
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_baselines.papers.hoyle_tutorial.printed import TABLE_8_4
from boardgames_baselines.papers.jobs.trial import Trial
from boardgames_baselines.papers.outcome import Outcome, play_trials
from boardgames_env.spec import Spec

RUNS = 10
TESTING = 10
FOUR = ("perfect", *TABLE_8_4.errors)
REASONABLE = ("strong (reasonable)", "novice (reasonable)")

# the printed optima are those of players that err at random; the text calls the challengers reasonable: both are met
CHALLENGERS = (
    ("perfect", "perfect"),
    *((name, str(Challenger(name, e).spec())) for name, e in TABLE_8_4.errors.items()),
    *((name, str(Spec("reasonable", {"x": x}))) for name, x in zip(REASONABLE, (0.1, 0.5), strict=True)),
)

TRAINER = str(Spec("perfect", {"style": "opening"}))
"""Opens as in the 1994 paper: then Hoyle loses as often, and keeps about as many moves, as in the paper."""


def trial(game: str, learner: str, trainer: str, contests: int) -> Trial:
    """Return a trial of the tutorial: a fixed number of contests, no standard."""
    return Trial(game, learner, trainer, contests, 0, CHALLENGERS, TESTING)


SMALL = {
    "tic-tac-toe": trial("tic_tac_toe", "hoyle", TRAINER, 100),
    "lose tic-tac-toe": trial("lose_tic_tac_toe", "hoyle", TRAINER, 100),
    "lose tic-tac-toe with patterns": trial("lose_tic_tac_toe", "hoyle(patterns=True)", TRAINER, 100),
}
BUDGET = 20
"""Positions that a search may expand at five men's morris. The paper allows ten seconds, in which its Hoyle found 44
significant states there; with this budget ours finds 25, with 500 thousands.
"""

MORRIS = {
    "five men's morris": trial("five_mens_morris", f"hoyle(budget={BUDGET})", "tutorial", 60),
    "five men's morris with zones": trial("five_mens_morris", f"hoyle(budget={BUDGET}, zones=True)", "tutorial", 60),
}
TRIALS = SMALL | MORRIS
"""By the names of the lines of Tables 8.4 to 8.6."""

BEFORE = {
    "lose tic-tac-toe with patterns": "lose tic-tac-toe",
    "five men's morris with zones": "five men's morris",
}
"""The trial that differs from another in its perceptual enhancement alone."""


def outcomes(runner: Runner) -> dict[str, Outcome]:
    """Return the outcomes of the trials."""
    return play_trials(runner, "Tables 8.4 to 8.6", TRIALS, RUNS)


def prowess(outcome: Outcome, reliable: Sequence[str] = FOUR, powerful: Sequence[str] = FOUR[1:]) -> Row:
    """Return reliability against some challengers, then power against some."""
    return *(outcome.reliability(who) for who in reliable), *(outcome.power(who) for who in powerful)


def prowess_headings(reliable: Sequence[str] = FOUR, powerful: Sequence[str] = FOUR[1:]) -> tuple[str, ...]:
    """Return the headings of a name and of `prowess`."""
    return "", *(f"reliability {who}" for who in reliable), *(f"power {who}" for who in powerful)


def gains_table(title: str, found: Mapping[str, Outcome], before: Mapping[str, str]) -> Table:
    """Return the gain in reliability of trials over others, by name, with Welch's interval over runs."""
    rows: list[Row] = []
    for name, other in before.items():
        gains = [difference(found[name].reliabilities(who), found[other].reliabilities(who)) for who in FOUR]
        rows.append((name, *gains))
    return Table(title, ("", *FOUR), rows)
