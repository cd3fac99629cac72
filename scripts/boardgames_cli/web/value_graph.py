"""The graph of a contest: the value before every turn to seat 0, with the turns that gave something away."""

from collections.abc import Sequence
from dataclasses import dataclass

from boardgames_agents.people.judging.cost import Judgement, mark
from boardgames_agents.people.session import PlaySession
from boardgames_cli.web.opinions import to_judge

WIDTH, HEIGHT = 400.0, 150.0
"""The size of the picture, in its own units."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 12.0, 12.0, 24.0, 20.0


@dataclass(frozen=True)
class GraphPoint:
    """The value before a turn.

    Attributes:
        number: The number of the turn, from 1.
        after: The number of actions before it.
        seat: The seat whose turn it is.
        text: The turn; empty for the position reached.
        words: The value in words.
        points: The value to seat 0.
        error: What was given away and what would have been better, in words; empty if nothing was.
        mark: The usual mark of the error.
        place: The place in the picture.
    """

    number: int
    after: int
    seat: int
    text: str
    words: str
    points: float
    error: str
    mark: str
    place: tuple[float, float]


@dataclass(frozen=True)
class ValueGraph:
    """The graph of a contest.

    Attributes:
        points: The values before the turns that have been judged.
        total: The number of turns to judge, and the position reached.
        source: Where the values are from, and how they are drawn, in words.
        most: The points at the upper edge; those at the lower edge are less by as much.
        end: The place of the outcome; ``None`` while the contest goes on.
        line: The line through all places, as SVG writes it.
        middle: The height of the value 0.
        step: The distance between two turns.
    """

    points: tuple[GraphPoint, ...]
    total: int
    source: str
    most: float
    end: tuple[float, float] | None
    line: str
    middle: float
    step: float

    @property
    def is_complete(self) -> bool:
        """Whether all turns have been judged."""
        return len(self.points) == self.total

    @property
    def errors(self) -> list[GraphPoint]:
        """The turns that gave something away."""
        return [point for point in self.points if point.error]

    def place_of(self, after: int) -> float | None:
        """Return the horizontal place of the position after a number of actions, if it is at the start of a turn."""
        return next((point.place[0] for point in self.points if point.after == after), None)


def graph_of(session: PlaySession, judged: Sequence[Judgement]) -> ValueGraph:
    """Return the graph of a contest, as far as its turns have been judged."""
    turns = to_judge(session)
    is_whole = len(judged) == len(turns)
    outcome = _outcome(session) if session.is_over and is_whole else None
    values = [each.points for each in judged] + ([] if outcome is None else [outcome])
    most = max([1.0, *map(abs, values)])
    steps = max(1, len(turns) - (0 if session.is_over else 1))
    places = [
        (_LEFT + (WIDTH - _LEFT - _RIGHT) * k / steps, _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - value / most) / 2)
        for k, value in enumerate(values)
    ]
    points, done = [], 0
    for number, (judgement, (_, actions), place) in enumerate(zip(judged, turns, places, strict=False), start=1):
        points.append(_point(session, number, done, judgement, place))
        done += len(actions)
    return ValueGraph(
        points=tuple(points),
        total=len(turns),
        source=_source(judged[0]) if judged else "",
        most=most,
        end=None if outcome is None else places[-1],
        line=" ".join(f"{x:.1f},{y:.1f}" for x, y in places),
        middle=(_TOP + HEIGHT - _BOTTOM) / 2,
        step=(WIDTH - _LEFT - _RIGHT) / steps,
    )


def _source(judgement: Judgement) -> str:
    found = judgement.known
    scale = "; the scale is logarithmic, and wins that the search has found are at the edges"
    return found.source + (scale if found.kind == "searched" else "")


def _outcome(session: PlaySession) -> float:
    """Return seat 0's points in units of the stake."""
    stake = session.game.stake(session.position.state) if session.game.stake else 1
    return session.points / stake


def _point(
    session: PlaySession, number: int, after: int, judgement: Judgement, place: tuple[float, float]
) -> GraphPoint:
    name = session.game.men[judgement.seat].name
    played = judgement.played
    error = ""
    if played is not None and judgement.cost:
        error = f"{played.words}; best was {judgement.best.text}, which {judgement.best.clause}"
    return GraphPoint(
        number=number,
        after=after,
        seat=judgement.seat,
        text=played.text if played else next((turn.text for turn in session.turns if turn.number == after), ""),
        words=f"{name} {judgement.best.words}",
        points=judgement.points,
        error=error,
        mark=_mark(judgement),
        place=place,
    )


def _mark(judgement: Judgement) -> str:
    """Return the usual mark of an error: by its points where they are predicted, else ``??`` if a win became a loss."""
    if judgement.known.kind == "predicted" or not judgement.cost:
        return mark(judgement.cost)
    return "??" if judgement.cost > 1 else "?"
