"""A league's tables, for people (console, Markdown, HTML) and for programs (CSV)."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boardgames_agents.arena.ratings import Rating
from boardgames_agents.arena.score import Interval, Score
from boardgames_agents.league.league import League
from boardgames_agents.league.standings import Standings


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Attributes:
        title: What it shows.
        headings: The columns' headings.
        rows: The rows.
        names: How many of the first columns are names; the others are figures, which are put to the right.
        shades: How much of the green end of a scale (1) or the red (0) a cell has, by row and column.
    """

    title: str
    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    names: int = 1
    shades: dict[tuple[int, int], float] | None = None


def standings_table(found: Standings) -> Table:
    """How everyone stands at a game."""
    rows = [
        (
            str(rank),
            each.name,
            _rating(each.rating),
            *(f"{count:,}" for count in (each.score.wins, each.score.draws, each.score.losses)),
            _with_interval(each.score.power, each.score.power_interval),
            _with_interval(each.score.reliability, each.score.reliability_interval),
            microseconds(each.seconds),
        )
        for rank, each in enumerate(found.standings, start=1)
    ]
    headings = ("", "agent", "rating", "won", "drawn", "lost", "power %", "reliability %", "µs a decision")
    return Table(f"{found.game}: standings", headings, rows, names=2)


def cross_table(found: Standings) -> Table:
    """Everyone against everyone: contests that the agent of the row has won, drawn and lost."""
    names = [each.name for each in found.standings]
    headings = ("", "agent", *map(str, range(1, len(names) + 1)))
    rows, shades = [], {}
    for rank, one in enumerate(names, start=1):
        cells = []
        for number, other in enumerate(names):
            if one == other:
                cells.append("·")
                continue
            score = found.between(one, other)
            cells.append(f"{score.wins}/{score.draws}/{score.losses}")
            shades[rank - 1, number + 2] = (score.wins + score.draws / 2) / score.contests
        rows.append((str(rank), one, *cells))
    return Table(f"{found.game}: won/drawn/lost by the agent of the row", headings, rows, names=2, shades=shades)


def winners_table(found: Sequence[Standings]) -> Table:
    """Who has won which game."""
    rows = []
    for each in found:
        best = each.standings[0]
        rows.append(
            (
                each.game,
                each.winner,
                ", ".join(each.level) or "–",
                f"{best.score.power:.1f}",
                f"{best.score.reliability:.1f}",
                f"{each.ratings.first_seat:+.0f} ± {each.ratings.first_seat_error:.0f}",
            )
        )
    headings = ("game", "winner", "not told from it", "its power %", "its reliability %", "the first seat")
    return Table("Winners", headings, rows, names=3)


def ratings_table(found: Sequence[Standings]) -> Table:
    """Everyone's rating at every game."""
    names = list(dict.fromkeys(each.name for game in found for each in game.standings))
    ratings = [{each.name: each.rating for each in game.standings} for game in found]
    rows = [(name, *(_rating(game[name]) if name in game else "" for game in ratings)) for name in names]
    return Table("Ratings by game", ("agent", *(each.game for each in found)), rows)


def entrants_table(league: League) -> Table:
    """Who plays, and how they were trained."""
    rows = [
        (each.name, each.agent, str(each.recipe) if each.recipe else "–", ", ".join(each.games) or "all")
        for each in league.entrants
    ]
    return Table("Agents", ("name", "spec", "training", "games"), rows, names=4)


def notes_of(found: Sequence[Standings]) -> list[str]:
    """What a reader must know beside the tables: who did not play what, and who had not learned."""
    notes = [
        f"{name} is left out at {each.game}: {reason}." for each in found for name, reason in each.left_out.items()
    ]
    notes += [f"{name} has learned nothing before it plays {each.game}." for each in found for name in each.untrained]
    for each in found:
        few = [pair for pair in each.pairings if pair.different < pair.score.contests / 2]
        if few:
            least = min(pair.different for pair in few)
            notes.append(
                f"{each.game}: in {len(few)} of {len(each.pairings)} pairs fewer than half of the contests differ, "
                f"down to {least}: there intervals and standard errors are too small."
            )
    return notes


def markdown(table: Table) -> str:
    """A table in Markdown."""
    alignment = ["---" if column < table.names else "---:" for column in range(len(table.headings))]
    lines = [[_escaped(cell) for cell in line] for line in (table.headings, alignment, *table.rows)]
    return "\n".join([f"**{table.title}**", "", *("| " + " | ".join(line) + " |" for line in lines), ""])


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")


def players_csv(found: Sequence[Standings]) -> str:
    """A line for each agent at each game. It holds no times: it is the same in however many processes."""
    heading = ["game", "rank", "agent", "spec", *_SCORE, "power", "power_low", "power_high"]
    heading += ["reliability", "reliability_low", "reliability_high", "rating", "rating_error"]
    return _csv(heading, _player_rows(found))


_SCORE = ("wins", "draws", "losses", "cuts", "points", "plies")


def _player_rows(found: Sequence[Standings]) -> Iterator[tuple[object, ...]]:
    for each in found:
        for rank, one in enumerate(each.standings, start=1):
            score = one.score
            yield (
                *(each.game, rank, one.name, one.player.spec, *_counts(score)),
                *_rounded(score.power, *score.power_interval, score.reliability, *score.reliability_interval),
                *_rounded(one.rating.rating, one.rating.standard_error),
            )


def pairs_csv(found: Sequence[Standings]) -> str:
    """A line for each pair at each game, and for each seat of its first agent."""
    rows = [
        (each.game, pair.a, pair.b, seat, *_counts(score), pair.different)
        for each in found
        for pair in each.pairings
        for seat, score in enumerate((pair.first, pair.second))
    ]
    return _csv(("game", "a", "b", "seat_of_a", *_SCORE, "different_in_both_seats"), rows)


def times_csv(found: Sequence[Standings]) -> str:
    """How long each agent's decisions took; never twice the same."""
    rows = [(each.game, one.name, f"{one.seconds:.3g}") for each in found for one in each.standings]
    return _csv(("game", "agent", "seconds_per_decision"), rows)


def _counts(score: Score) -> Iterator[int]:
    return (getattr(score, name) for name in _SCORE)


def _rounded(*values: float) -> Iterator[str]:
    return (f"{value:.2f}" for value in values)


def _csv(heading: Sequence[str], rows: Sequence[tuple[object, ...]] | Iterator[tuple[object, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([heading, *rows])
    return text.getvalue()


def microseconds(seconds: float) -> str:
    """A time in microseconds, to two digits or so."""
    value = seconds * 1e6
    return f"{value:.1f}" if value < 10 else f"{value:,.0f}"


def _rating(rating: Rating) -> str:
    return f"{rating.rating:+.0f} ± {rating.standard_error:.0f}"


def _with_interval(value: float, interval: Interval) -> str:
    return f"{value:.1f} ({interval[0]:.1f} to {interval[1]:.1f})"
