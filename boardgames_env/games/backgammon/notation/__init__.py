"""The usual notation of whole plays: ``24/18 13/11``, ``bar/20*``, ``8/4*(2)``, ``6/off``.

A play is a few journeys of men, separated by spaces. A journey is the points that a man leaves, touches and reaches,
as the seat to move counts them, with a star where it hits; several men that make the same journey are counted behind
it. Where a man touches down is written only if it hits there.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from boardgames_env.actions import Notation
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.games.backgammon.notation.words import has_dice, roll_text
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, NO_MOVE, OFF, STEPS
from boardgames_env.games.backgammon.rules.legality import demand_backgammon, men_of
from boardgames_env.moves import actions_of, moves_of
from boardgames_env.position import Position

NOTHING = "no move"
"""The text of a turn in which no man can be moved."""

_NOTHING = {
    *("", "-", NOTHING, "no moves", "no play", "none", "cannot move", "can't move", "cannot play", "can't play"),
    *("pass", "passes", "dance", "dances", "fans"),
}
_JOURNEY = re.compile(
    r"(bar|b|\d{1,2})((?:[/-](?:off|o|\d{1,2})\*?)+)(?:(?:\(([1-4])\)|[x×]([1-4]))(\*?))?", re.IGNORECASE
)
_MOST_SHOWN = 8

Journey = tuple[int, ...]


@dataclass(frozen=True)
class _Play:
    """A legal whole play: its actions, the mover's men after it, and the points with hits."""

    actions: tuple[int, ...]
    men: tuple[int, ...]
    hits: frozenset[int]


def play_text(position: Position, actions: Sequence[int]) -> str:
    """Return the text of a whole play in a position with dice to play.

    The text does not depend on the order of the steps: the rearmost man comes first, and the steps of one man are one
    journey.

    Raises:
        IllegalActionError: If one of the actions is not legal.
        BadInputError: If no seat has dice to play.
    """
    _demand_dice(position)
    seat, steps, hits = position.seat, Counter[Journey](), set[int]()
    for action in actions:
        reached = position.play(action)
        if action != NO_MOVE:
            source, die = STEPS[action]
            target = max(source - die, OFF)
            steps[source, target] += 1
            if men_of(reached.state, 1 - seat)[BAR] > men_of(position.state, 1 - seat)[BAR]:
                hits.add(target)
        position = reached
    return _written_journeys(_journeys(steps), hits) or NOTHING


def parse_play(position: Position, text: str) -> tuple[int, ...]:
    """Return one sequence of actions that makes a play, written in any of the usual ways.

    Points may be joined by ``/`` or ``-`` and journeys by spaces or commas; the bar is ``bar``, ``b`` or 25, off is
    ``off``, ``o`` or 0; two men that make the same journey are ``(2)`` or ``x2``. Stars may be missing. A man hits
    nothing on points that its journey does not name, if it can be avoided.

    Raises:
        BadInputError: If the text is not a play, or the rules do not allow it here.
    """
    _demand_dice(position)
    plays = _plays(position)
    if " ".join(text.lower().split()) in _NOTHING:
        meant = [play for play in plays if play.actions == (NO_MOVE,)]
    else:
        meant = _meant(position, _read_journeys(text), plays)
    if len(meant) != 1:
        roll = roll_text(position.state)
        shown = [play_text(position, play.actions) for play in plays[: _MOST_SHOWN + 1]]
        allowed = one_of([*shown[:_MOST_SHOWN], *(["..."] if len(shown) > _MOST_SHOWN else [])])
        problem = "could be more than one play" if meant else "is not a legal play"
        raise BadInputError(f"{text!r} {problem} of {roll} here; such are: {allowed}")
    return meant[0].actions


def roll_of(position: Position) -> str:
    """Return the roll that the seat to move has to play, such as ``31``; empty if it has no dice."""
    return roll_text(position.state) if has_dice(position) else ""


PLAYS = Notation(play_text, parse_play, roll_of)


def _demand_dice(position: Position) -> None:
    demand_backgammon(position.game)
    if not has_dice(position):
        raise BadInputError("a play is written and read only where a seat has dice to play")


def _journeys(steps: Counter[Journey]) -> list[Journey]:
    """Return the steps joined to journeys: each man, from the rear, goes as far as it can."""
    steps = steps.copy()
    journeys = []
    while steps := +steps:
        journey: Journey = (max(steps)[0],)
        while onward := [step for step in +steps if step[0] == journey[-1]]:
            step = max(onward)
            steps[step] -= 1
            journey += (step[1],)
        journeys.append(journey)
    return sorted(journeys, key=lambda journey: (-journey[0], -journey[-1]))


def _written_journeys(journeys: Iterable[Journey], hits: Iterable[int]) -> str:
    """Return the text of journeys; a hit is starred where one ends there, else where one passes."""
    journeys, starred = list(journeys), dict[int, Journey]()
    for hit in hits:
        passing = [journey for journey in journeys if hit in journey[1:]]
        starred[hit] = next((journey for journey in passing if journey[-1] == hit), passing[0])
    written = Counter(
        _journey_text(journey, {hit for hit, where in starred.items() if where == journey}) for journey in journeys
    )
    return " ".join(text + (f"({number})" if number > 1 else "") for text, number in written.items())


def _journey_text(journey: Journey, hits: set[int]) -> str:
    start, *touched = journey
    stops = [
        f"{'off' if point == OFF else point}{'*' * (point in hits)}"
        for point in touched
        if point in hits or point == touched[-1]
    ]
    return "/".join(["bar" if start == BAR else str(start), *stops])


def _read_journeys(text: str) -> tuple[list[Journey], set[int]]:
    """Return the journeys of a text, with all stops that it names, and the points with a star."""
    journeys: list[Journey] = []
    starred = set()
    for word in text.replace(",", " ").split():
        found = _JOURNEY.fullmatch(word)
        # (a star behind the number of men belongs to the last point)
        names = re.split("[/-]", f"{found[1]}{found[2]}{found[5] or ''}") if found else []
        points = tuple(_point_of_name(name) for name in names)
        if not found or points[0] > BAR or any(here <= there for here, there in pairwise(points)):
            raise BadInputError(f"{word!r} is no part of a play; parts are written like 24/18, bar/20*, 6/off, 8/4(2)")
        starred |= {point for point, name in zip(points, names, strict=True) if name.endswith("*")}
        journeys += [points] * int(found[3] or found[4] or 1)
    return journeys, starred


def _point_of_name(name: str) -> int:
    name = name.rstrip("*").lower()
    return int(name) if name.isdigit() else BAR if name.startswith("b") else OFF


def _plays(position: Position) -> list[_Play]:
    """Return all plays with different results."""
    seat, others = position.seat, men_of(position.state, 1 - position.seat)
    plays = []
    for after, row in zip(*moves_of(position.game, position.state), strict=True):
        others_after = men_of(after, 1 - seat)
        hits = frozenset(BAR - point for point in range(1, BAR) if others_after[point] < others[point])
        plays.append(_Play(actions_of(row), tuple(men_of(after, seat)), hits))
    return plays


def _meant(position: Position, written: tuple[list[Journey], set[int]], plays: list[_Play]) -> list[_Play]:
    """Return the plays that journeys may mean: the same men moved, with hits on their stops."""
    journeys, starred = written
    others = men_of(position.state, 1 - position.seat)
    blots = {BAR - point for point in range(1, BAR) if others[point] == 1}
    told = {point for journey in journeys for point in journey[1:] if point in blots}
    men = Counter(dict(enumerate(men_of(position.state, position.seat))))
    men.update(journey[-1] for journey in journeys)
    men.subtract(journey[0] for journey in journeys)
    same = [play for play in plays if play.men == tuple(men.values()) and starred <= told <= play.hits]
    return [play for play in same if play.hits == told] or same
