"""The tables of a league, and its results on disk: CSV, Markdown and TensorBoard."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from boardgames_agents.arena.score import Score
from boardgames_agents.experiments.estimate import Interval
from boardgames_agents.experiments.report import Report, report_in_markdown, write_files
from boardgames_agents.experiments.table import Row, Table
from boardgames_agents.experiments.tensorboard_log import RunLog, folders_for, remove_logs
from boardgames_agents.league.round_robin import League
from boardgames_agents.league.standings import Standings
from boardgames_agents.policy.explanation import signed


def standings_table(found: Standings) -> Table:
    """Return the standings at a game."""
    rows = [
        (
            str(rank),
            each.name,
            _with_error(each.rating.rating, each.rating.standard_error),
            *(f"{count:,}" for count in (each.score.wins, each.score.draws, each.score.losses)),
            _with_interval(each.score.power, each.score.power_interval),
            _with_interval(each.score.reliability, each.score.reliability_interval),
            f"{1e6 * each.seconds:.1f}" if 1e6 * each.seconds < 10 else f"{1e6 * each.seconds:,.0f}",
        )
        for rank, each in enumerate(found.standings, start=1)
    ]
    headings = ("", "agent", "rating", "won", "drawn", "lost", "power %", "reliability %", "µs a decision")
    return Table(f"{found.game}: standings", headings, rows, names=2)


def cross_table(found: Standings) -> Table:
    """Return the contests of each pair that the agent of the row has won, drawn and lost."""
    names = [each.name for each in found.standings]
    headings = ("", "agent", *map(str, range(1, len(names) + 1)))
    rows: list[Row] = []
    shades: dict[tuple[int, int], float] = {}
    for row, one in enumerate(names):
        cells = ["·"] * len(names)
        for column, other in enumerate(names):
            score = found.between(one, other)
            if score.contests:
                cells[column] = f"{score.wins}/{score.draws}/{score.losses}"
                shades[row, column + 2] = (score.wins + score.draws / 2) / score.contests
        rows.append((str(row + 1), one, *cells))
    return Table(f"{found.game}: won/drawn/lost by the agent of the row", headings, rows, names=2, shades=shades)


def winners_table(found: Sequence[Standings]) -> Table:
    """Return the winner of each game."""
    rows = [
        (
            each.game,
            each.winner,
            ", ".join(each.tied) or "–",
            f"{each.standings[0].score.power:.1f}",
            f"{each.standings[0].score.reliability:.1f}",
            _with_error(each.ratings.first_seat, each.ratings.first_seat_error),
        )
        for each in found
    ]
    headings = ("game", "winner", "tied with (95 %)", "its power %", "its reliability %", "the first seat")
    return Table("Winners", headings, rows, names=3)


def ratings_table(found: Sequence[Standings]) -> Table:
    """Return the ratings of all agents at all games."""
    ratings = [
        {each.name: _with_error(each.rating.rating, each.rating.standard_error) for each in game.standings}
        for game in found
    ]
    names = dict.fromkeys(name for game in ratings for name in game)
    rows = [(name, *(game.get(name, "") for game in ratings)) for name in names]
    return Table("Ratings by game", ("agent", *(each.game for each in found)), rows)


def report_of(league: League, found: Sequence[Standings]) -> Report:
    """Return all tables of a league with their notes."""
    rows = [(each.name, each.agent, each.training_text, ", ".join(each.games) or "all") for each in league.entrants]
    entrants = Table("Agents", ("name", "spec", "training", "games"), rows, names=4)
    tables = (winners_table(found), ratings_table(found), entrants)
    return Report((*tables, *_game_tables(found)), notes=tuple(notes_of(found)))


def console_report(found: Sequence[Standings]) -> Report:
    """Return the tables of a league that are printed, with the notes."""
    return Report((*_game_tables(found), winners_table(found)), notes=tuple(notes_of(found)))


def _game_tables(found: Sequence[Standings]) -> list[Table]:
    return [table for each in found for table in (standings_table(each), cross_table(each))]


def notes_of(found: Sequence[Standings]) -> list[str]:
    """Return notes on agents left out, on untrained learners and on repeated contests."""
    notes = [
        f"{name} is left out at {each.game}: {reason}." for each in found for name, reason in each.left_out.items()
    ]
    notes += [f"{name} is not trained before it plays {each.game}." for each in found for name in each.untrained]
    for each in found:
        few = [pair for pair in each.pairings if pair.different < pair.score.contests / 2]
        if few:
            least = min(pair.different for pair in few)
            notes.append(
                f"{each.game}: in {len(few)} of {len(each.pairings)} pairs fewer than half of the contests differ, "
                f"down to {least}: there intervals and standard errors are too small."
            )
    return notes


_COUNTS = ("wins", "draws", "losses", "cuts", "points", "plies")


def players_data(found: Sequence[Standings]) -> Table:
    """Return a row for each agent at each game, without times, so that it is the same whenever it is played."""
    shares = ("power", "power_low", "power_high", "reliability", "reliability_low", "reliability_high")
    headings = ("game", "rank", "agent", "spec", *_COUNTS, *shares, "rating", "rating_error")
    rows: list[Row] = []
    for game in found:
        for rank, each in enumerate(game.standings, start=1):
            score, rating = each.score, each.rating
            figures = (score.power, *score.power_interval, score.reliability, *score.reliability_interval)
            rounded = (f"{value:.2f}" for value in (*figures, rating.rating, rating.standard_error))
            rows.append((game.game, rank, each.name, each.spec, *_counts_of_score(score), *rounded))
    return Table("", headings, rows)


def pairs_data(found: Sequence[Standings]) -> Table:
    """Return a row for each pair at each game and each seat of its first agent."""
    rows: list[Row] = [
        (each.game, pair.a, pair.b, seat, *_counts_of_score(score), pair.different)
        for each in found
        for pair in each.pairings
        for seat, score in enumerate((pair.first, pair.second))
    ]
    return Table("", ("game", "a", "b", "seat_of_a", *_COUNTS, "different_in_both_seats"), rows)


def times_data(found: Sequence[Standings]) -> Table:
    """Return the time of each agent's decisions at each game, which is never twice the same."""
    rows = [(each.game, one.name, f"{one.seconds:.3g}") for each in found for one in each.standings]
    return Table("", ("game", "agent", "seconds_per_decision"), rows)


def _counts_of_score(score: Score) -> tuple[int, ...]:
    return tuple(getattr(score, name) for name in _COUNTS)


def _with_error(rating: float, error: float) -> str:
    return f"{signed(rating, 0)} ± {error:.0f}"


def _with_interval(value: float, interval: Interval) -> str:
    return f"{value:.1f} ({interval[0]:.1f} to {interval[1]:.1f})"


def write_league(league: League, found: Sequence[Standings], folder: Path) -> None:
    """Write all results into the league's folder.

    ``players.csv`` and ``pairs.csv`` hold no times, so they are the same whenever and in however many processes the
    contests were played.
    """
    write_files(_tables(league, found, folder))
    _log(found, folder / "tensorboard")


def publish_league(league: League, found: Sequence[Standings], documentation: Path, name: str) -> None:
    """Write the tables into a documentation's folder ``data/NAME/``."""
    write_files(_tables(league, found, documentation / "data" / name))


def _tables(league: League, found: Sequence[Standings], folder: Path) -> dict[Path, bytes]:
    return {
        folder / "tables.md": report_in_markdown(report_of(league, found)).encode(),
        folder / "players.csv": players_data(found).csv().encode(),
        folder / "pairs.csv": pairs_data(found).csv().encode(),
        folder / "times.csv": times_data(found).csv().encode(),
    }


def _log(found: Sequence[Standings], folder: Path) -> None:
    """Write a run for each agent, its ratings by contests of a pair and its final figures, and the winners beside them.

    The event files in the folder are replaced.
    """
    remove_logs(folder)
    growths = [game.growth() for game in found]
    for name, place in folders_for(each.name for game in found for each in game.standings).items():
        points: dict[int, dict[str, float]] = {}
        for game, growth in zip(found, growths, strict=True):
            for contests, ratings in growth.items():
                if name in ratings:
                    points.setdefault(contests, {})[f"rating/{game.game}"] = ratings[name]
            for each in game.standings:
                if each.name == name:
                    last = points[max(growth)]
                    last[f"power/{game.game}"] = each.score.power
                    last[f"reliability/{game.game}"] = each.score.reliability
                    last[f"thinking_time_in_microseconds/{game.game}"] = 1e6 * each.seconds
        with closing(RunLog(folder / "agents" / place)) as log:
            for contests, values in sorted(points.items()):
                log.scalars(values, contests)
    with closing(RunLog(folder)) as log:
        log.text("winners", winners_table(found).markdown())
