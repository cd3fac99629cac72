"""Section 6: Tables 8.4 to 8.6, Hoyle's prowess, speed and frugality at three games."""

from boardgames_agents.arena.turing import Challenger
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.hoyle_tutorial.printed import PRINTED, TABLE_8_4
from boardgames_baselines.papers.hoyle_tutorial.trials import (
    BEFORE,
    FOUR,
    REASONABLE,
    gains_table,
    outcomes,
    prowess,
    prowess_headings,
)
from boardgames_baselines.papers.jobs.exact_match import play_matches
from boardgames_baselines.papers.outcome import sample_note, trial_report

_OPTIMA_CONTESTS = 1000  # as many as the paper's; `boardgames optima` plays more


@experiment("table-8.4")
def table_8_4(runner: Runner) -> Report:
    """Hoyle's reliability and power at three games, with and without perceptual enhancement."""
    found = outcomes(runner)
    rows: list[Row] = []
    for name, outcome in found.items():
        printed = PRINTED[name]
        rows += [(f"{name} (paper)", *printed.reliability, *printed.power), (name, *prowess(outcome))]
    rows += _optima(runner, {outcome.trial.game for outcome in found.values()})
    reasonable = [(name, *prowess(outcome, REASONABLE, REASONABLE)) for name, outcome in found.items()]
    tables = (
        Table("Table 8.4: Hoyle's performance on three games", prowess_headings(), rows),
        Table("Against 10 % and 50 % reasonable players", prowess_headings(REASONABLE, REASONABLE), reasonable),
        gains_table("Reliability gained by perceptual enhancement, in percentage points", found, BEFORE),
    )
    return trial_report(found, tables, (), (sample_note(found["tic-tac-toe"]),))


def _optima(runner: Runner, games: set[str]) -> list[Row]:
    """Return rows for a perfect player in Hoyle's place."""
    rows: list[Row] = []
    for game in TABLE_8_4.power:
        if game not in games:
            continue
        pairs = {name: ("perfect", str(Challenger(name, e).spec())) for name, e in TABLE_8_4.errors.items()}
        found = play_matches(runner, game, {"perfect": ("perfect", "perfect"), **pairs}, contests=_OPTIMA_CONTESTS)
        rows.append((f"optima at {game} (paper)", *[100] * len(FOUR), *TABLE_8_4.power[game]))
        reliability, power = [found[name].reliability for name in FOUR], [found[name].power for name in FOUR[1:]]
        rows.append((f"optima at {game}", *reliability, *power))
    return rows


@experiment("table-8.5")
def table_8_5(runner: Runner) -> Report:
    """Hoyle's decision time in a contest, in seconds."""
    rows: list[Row] = []
    for name, outcome in outcomes(runner).items():
        rows.append((f"{name} (paper)", *(f"{seconds:.2f}" for seconds in PRINTED[name].seconds)))
        rows.append((name, *(f"{outcome.seconds(who):.4f}" for who in FOUR)))
    table = Table("Table 8.5: decision time in seconds a contest", ("", *FOUR), rows)
    return Report((table,), notes=("Times are of the machine that played the runs, and differ from one to the next.",))


_SPACE = ("Hoyle moves", "expert moves", "dangerous states", "significant states")


@experiment("table-8.6")
def table_8_6(runner: Runner) -> Report:
    """Hoyle's space requirements during testing."""
    rows: list[Row] = []
    for name, outcome in outcomes(runner).items():
        perceived = "patterns" if "patterns" in name else "zones"
        rows.append((f"{name} (paper)", *("—" if each is None else each for each in PRINTED[name].space)))
        measured: list[float] = [round(outcome.measure(item).value, 1) for item in _SPACE]
        enhanced: list[float] = [round(outcome.measure(item).value, 1) for item in (perceived, "new Advisors")]
        rows.append((name, *measured, *(enhanced if name in BEFORE else ["—", "—"])))
    headings = ("", *_SPACE, "patterns or zones", "new Advisors")
    return Report((Table("Table 8.6: useful knowledge after learning, means", headings, rows),))
