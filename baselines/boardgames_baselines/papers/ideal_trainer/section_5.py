"""Section 5: probing the experimental design, question by question."""

from boardgames_agents.arena.turing import Trend, cox_stuart
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.ideal_trainer.trials import (
    FOUR,
    GAMES,
    HEADINGS,
    IMPERFECT,
    LADDER,
    POWER_HEADINGS,
    RELIABILITY_HEADINGS,
    RUNS,
    cells,
    notes_on,
    table_by_game,
    trainer,
    trial,
)
from boardgames_baselines.papers.jobs.exact_match import play_matches
from boardgames_baselines.papers.outcome import Outcome, play_trials, trial_report

STANDARDS = (10, 20, 50, 75, 100)
_FIXED_CONTESTS, _FIXED_RUNS = 64, 3


@experiment("standards")
def standards(runner: Runner) -> Report:
    """Does more training, that is a higher standard n, result in better play?"""
    trainers = ("e=0", "e=10", "e=50", "e=100", "self", "2&7")
    return table_by_game(
        runner,
        GAMES,
        "Higher behavioral standards at GAME",
        lambda game: {f"{name}, n={n}": trial(game, name, n) for name in trainers for n in STANDARDS},
    )


@experiment("time-and-space")
def time_and_space(runner: Runner) -> Report:
    """How do the trainer and its noise affect the time to learn and the space?"""
    found = {
        game: play_trials(runner, f"trainers at {game}", {name: trial(game, name) for name in LADDER}, RUNS)
        for game in GAMES
    }
    measured = {
        "contests": {game: [each.contests.value for each in found[game].values()] for game in GAMES},
        "space": {game: [each.measure("space").value for each in found[game].values()] for game in GAMES},
    }
    rows: list[Row] = []
    charts = []
    for what, by_game in measured.items():
        for game, values in by_game.items():
            rows.append((f"{what} at {game}", *(round(value, 1) for value in values), _direction(cox_stuart(values))))
        curves = {game: list(zip(range(0, 101, 10), values, strict=True)) for game, values in by_game.items()}
        charts.append(Chart(f"{what} by the trainer's noise", "noise e in %", what, curves))
    table = Table("Learning time and space by the trainer's noise, n = 10", ("", *LADDER, "trend"), rows)
    outcomes = {f"{game} {name}": each for game in GAMES for name, each in found[game].items()}
    trend = "The trend is Cox and Stuart's: of five pairs, how many go up, and the smaller tail's probability."
    sample, *unmet = notes_on(outcomes)
    return trial_report(outcomes, (table,), tuple(charts), (sample, trend, *unmet))


def _direction(trend: Trend) -> str:
    p = min(trend.p_increase, trend.p_decrease)
    return f"{trend.ups} of {trend.ups + trend.downs} up, p = {p:.3f}"


@experiment("informed")
def informed(runner: Runner) -> Report:
    """Is it different when errors come from lack of foresight or knowledge, not from chance?"""
    trainers = {"e=0": "e=0", "e=50": "e=50"} | {f"informed, depth {d}": f"informed(depth={d})" for d in (1, 2, 3, 4)}
    return table_by_game(
        runner,
        GAMES,
        "Informed trainers at GAME, n = 10",
        lambda game: {name: trial(game, spec) for name, spec in trainers.items()},
    )


@experiment("fixed-length")
def fixed_length(runner: Runner) -> Report:
    """Why not just train for a fixed number of contests, here 64 of lose tic-tac-toe?"""
    game = "lose_tic_tac_toe"
    names = ("self", "e=0", "e=10", "e=20", "e=50", "e=70", "e=100")
    fixed = play_trials(
        runner, "64 contests", {name: trial(game, name, 0, _FIXED_CONTESTS) for name in names}, _FIXED_RUNS
    )
    by_standard = play_trials(runner, "n = 10", {name: trial(game, name) for name in names}, RUNS)
    rows: list[Row] = []
    for name in names:
        rows += [(f"{name}, 64 contests", *cells(fixed[name])), (f"{name}, n=10", *cells(by_standard[name]))]
    outcomes = {f"{name}, 64 contests": each for name, each in fixed.items()}
    outcomes |= {f"{name}, n=10": each for name, each in by_standard.items()}
    sample, *unmet = notes_on(by_standard)
    note = f"{len(fixed['self'].runs)} runs of 64 contests. {sample}"
    table = Table("A fixed number of contests at lose tic-tac-toe", ("trainer", *HEADINGS), rows)
    return trial_report(outcomes, (table,), (), (note, *unmet))


@experiment("outplay")
def outplay(runner: Runner) -> Report:
    """Does a trainer set an upper bound on the learning program's skill?"""
    rows: list[Row] = []
    outcomes: dict[str, Outcome] = {}
    for game in GAMES:
        names = ("e=10", "e=70", "e=100")
        found = play_trials(runner, f"trainers at {game}", {name: trial(game, name) for name in names}, RUNS)
        pairs = {(name, who): (trainer(name), spec) for name in names for who, spec in FOUR}
        trainers = play_matches(runner, game, pairs, contests=1000)
        for name, outcome in found.items():
            own = [trainers[name, who] for who, _ in FOUR]
            power = [each.power for each in own[1:]]
            rows.append((f"{game}: the trainer {name} itself", *power, *(each.reliability for each in own)))
            learned = [outcome.power(who) for who, _ in IMPERFECT], [outcome.reliability(who) for who, _ in FOUR]
            rows.append((f"{game}: its pupil", *learned[0], *learned[1]))
            outcomes[f"{game} {name}"] = outcome
    table = Table(
        "Pupils and their trainers against the same challengers",
        ("", *POWER_HEADINGS, *RELIABILITY_HEADINGS),
        rows,
    )
    return trial_report(outcomes, (table,), (), notes_on(outcomes)[:1])
