"""Sections 2.3 and 3: maximal power, and the preliminary experiments with a single trainer."""

from collections.abc import Sequence

from boardgames_agents.arena.turing import CHALLENGERS, TuringVerdict, judge
from boardgames_agents.experiments.estimate import wilson
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.ideal_trainer.printed import PASSES, PRINTED, TABLE_1
from boardgames_baselines.papers.ideal_trainer.trials import (
    FOUR,
    GAMES,
    IMPERFECT,
    LADDER,
    PRELIMINARY,
    RUNS,
    STANDARD,
    maximal_power,
    notes_on,
    trial,
    trials_table,
)
from boardgames_baselines.papers.outcome import Outcome, play_trials, sample_note, trial_report

_LIKE_THE_TRAINER = {challenger.name: 100 * challenger.e for challenger in CHALLENGERS}


@experiment("table-1")
def table_1(runner: Runner) -> Report:
    """Maximal power: the percentage of contests that a perfect player wins."""
    rows: list[Row] = []
    for game in GAMES:
        found = maximal_power(runner, game)
        rows.append((f"{game} (paper)", *TABLE_1.power[game]))
        rows.append((game, *(found[name].power for name, _ in IMPERFECT)))
    title = "Table 1: maximal power, in per cent, of the wise perfect player"
    return Report((Table(title, ("game", *(name for name, _ in IMPERFECT)), rows),))


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
    found = play_trials(runner, f"trainers at {game}", {name: trial(game, name) for name in PRELIMINARY}, RUNS)
    maximal = maximal_power(runner, game)
    contests = found["self"].score("random").contests
    bounds = {name: wilson(contests * each.power.low / 100, contests)[0] for name, each in maximal.items()}
    x_axis = "noise e of the trainer in %; filled: challengers like the trainer; circles at the right: self-training"
    reliability = Chart(
        f"{names[0]}: reliability at {game}",
        x_axis,
        "reliability %",
        {name: [(_noise(e), found[e].reliability(name).value) for e in LADDER] for name, _ in FOUR},
        points={name: found["self"].reliability(name).value for name, _ in FOUR},
        printed=_printed(game, FOUR, "reliability"),
        emphasized=_LIKE_THE_TRAINER,
    )
    power = Chart(
        f"{names[1]}: power at {game}; dotted: 95 % lower bounds of maximal power",
        x_axis,
        "power %",
        {name: [(_noise(e), found[e].power(name).value) for e in LADDER] for name, _ in IMPERFECT},
        points={name: found["self"].power(name).value for name, _ in IMPERFECT},
        bounds=bounds,
        printed=_printed(game, IMPERFECT, "power"),
        emphasized=_LIKE_THE_TRAINER,
    )
    table = trials_table(f"Training by fallible trainers and by itself at {game}, n = 10", found)
    return trial_report(found, (table,), (reliability, power), notes_on(found))


def _noise(name: str) -> int:
    """Return e in per cent from a fallible trainer's name."""
    return int(name.removeprefix("e="))


def _printed(game: str, challengers: Sequence[tuple[str, str]], what: str) -> dict[str, list[tuple[float, float]]]:
    """Return the points of the figures that are in the paper's tables."""
    lines = [line for line in PRINTED.get(game, ()) if line.trainer in LADDER and line.standard == STANDARD]
    return {
        name: [(_noise(line.trainer), getattr(line, what)[column]) for line in lines]
        for column, (name, _) in enumerate(challengers)
        if lines
    }


@experiment("turing-test")
def turing_test(runner: Runner) -> Report:
    """The game players' Turing test of the pupils of all trainers at the three games."""
    rows: list[Row] = []
    outcomes = {}
    for game in GAMES:
        maximal = {name: each.power.low for name, each in maximal_power(runner, game).items()}
        trials = {name: trial(game, name) for name in PRELIMINARY} | {
            f"2&7, n={n}": trial(game, "2&7", n) for n in (10, 20)
        }
        for name, outcome in play_trials(runner, f"trainers at {game}", trials, RUNS).items():
            verdict = verdict_on(outcome, maximal)
            failed = ", ".join(condition.split()[0] for condition in verdict.failed)
            claimed = "passes" if name.partition(",")[0] in PASSES[game] and name != "2&7, n=10" else "fails"
            rows.append((game, name, "passes" if verdict.passed else f"fails: {failed}", claimed))
            outcomes[f"{game} {name}"] = outcome
    table = Table("The game players' Turing test", ("game", "trainer", "ours", "paper"), rows)
    notes = (
        sample_note(next(iter(outcomes.values()))),
        "The contests of all runs are pooled. Of four challengers Cox and Stuart's test makes two pairs, which can "
        "reach no level: here the third condition asks that power goes down in neither of them and up in one at least, "
        "and can say nothing of reliability. The eleven challengers of `boardgames test` can.",
        "The paper reads its conditions with some freedom: at tic-tac-toe 2&7 training passes with 94 % against the "
        "perfect challenger, where the 95 % limit of 100 contests is 96.3 %.",
    )
    return trial_report(outcomes, (table,), (), notes)


def verdict_on(outcome: Outcome, maximal: dict[str, float]) -> TuringVerdict:
    """Return the verdict on all runs of a trial together, from the paper's four challengers alone.

    ``maximal`` is maximal power by the challenger's name, the lower end of its interval where it is not exact.
    """
    scores = {challenger: outcome.score(challenger.name) for challenger in CHALLENGERS}
    contests = scores[CHALLENGERS[0]].contests
    conditions = judge(scores, maximal)
    return TuringVerdict(outcome.trial.game, outcome.trial.learner, contests, scores, conditions)
