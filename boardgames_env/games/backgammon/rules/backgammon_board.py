"""The backgammon board, the slots of a state, and the actions.

Seat 0 moves from point 24 to point 1, seat 1 the other way: each counts the points from its own end, and its own
point ``p`` is the other's point ``25 - p``. A seat's bar is its point 25, and its tray, for men that are borne off,
its point 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from boardgames_env.actions import Action
from boardgames_env.board import Board, Man
from boardgames_env.errors import BadInputError
from boardgames_env.match_score import MatchScore
from boardgames_env.spec import Label

POINTS = 24
HOME = 6
"""A seat's home board is its own points 1 to 6."""
BAR = 25
"""The bar as a point."""
OFF = 0
"""The tray as a point."""

# slots of a state; slot p is seat 0's point p, from 1 to 24
BARS = 25
"""Slot of seat 0's men on the bar; the next is seat 1's."""
TRAYS = 27
"""Slot of seat 0's men that are off; the next is seat 1's."""
DICE = 28
"""``DICE + d`` is the slot of the number of dice left to play that show d, from 1 to 6."""
MOST_DICE = 4
"""The dice to play after a double."""
STAGE = 35
CUBE = 36
"""Slot of the number of times the cube has been turned; it shows 2 to this power."""
OWNER = 37
"""Slot of the owner of the cube: 1 seat 0, -1 seat 1, 0 nobody yet."""
STATE_SIZE = 38

# further slots of a match's states
AWAY = 38
"""Slot of the points that seat 0 still needs; the next is seat 1's."""
CRAWFORD = 40
"""Slot of whether this is the Crawford game, in which nobody may double: 0 or 1."""
MATCH_STATE_SIZE = 41

# the stages: what happens next
OPENING = 0
"""The roll that decides who begins: a die for each seat, never two alike."""
ROLLING = 1
"""The roll of the seat to move."""
MOVING = 2
"""The seat to move plays its dice."""
DOUBLING = 3
"""The seat to move rolls or doubles."""
DOUBLED = 4
"""The seat to move takes a double, drops, or beavers."""
BEAVERED = 5
"""The seat to move, which has doubled, takes the beaver or drops."""
DROPPED = 6
"""Nothing: the seat to move has dropped."""
OVER = 7
"""Nothing: a seat has borne off all its men."""

MOST_TURNS_OF_THE_CUBE = 6
"""The largest number on the cube is 64."""

# actions; 25 (d - 1) + p - 1 plays a die that shows d from the seat's own point p, which is 25 for the bar
NO_MOVE = 150
ROLL = 151
DOUBLE = 152
TAKE = 153
DROP = 154
BEAVER = 155

_CUBE_ACTIONS = {
    "roll": "rolls",
    "double": "doubles to {doubled}",
    "take": "takes",
    "drop": "drops",
    "beaver": "takes and doubles again",
}
"""The actions beside those of men, and what a seat does by each."""


_MONEY = "Money, with the cube"
_MATCH = "Match to {match_length} points, with cube and Crawford rule"


@dataclass(frozen=True, kw_only=True)
class BackgammonOptions:
    """The options of the games on this board.

    Attributes:
        cube: Whether there is a doubling cube.
        jacoby: Whether gammons and backgammons count only once the cube has been turned; not in a match.
        beavers: Whether a seat that takes a double may turn the cube at once and keep it; not in a match.
        match_length: The number of points that win a match; 0 for a single game, worth points, as in a money session.
        score: The points of both seats, such as ``(3, 5)``: the contest is the one game of the match at that score, and
            is worth its points. By default the contest is the whole match, and worth 1.
        post_crawford: Whether the Crawford game has been played before that score.
    """

    WAYS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "Single game": {"cube": False, "match_length": 0},
        _MONEY: {"cube": True, "match_length": 0},
        _MATCH: {"cube": True, "match_length": 5},
    }

    cube: bool = False
    jacoby: Annotated[bool, Label("Gammons count only once the cube is turned (Jacoby)", way=_MONEY)] = False
    beavers: Annotated[bool, Label("Who takes may double again at once (beaver)", way=_MONEY)] = False
    match_length: int = 0
    score: Annotated[tuple[int, int] | None, Label("Score to begin with, such as 2-3", way=_MATCH)] = None
    post_crawford: Annotated[bool, Label("The Crawford game has been played", way=_MATCH)] = False

    @property
    def is_whole_match(self) -> bool:
        """Whether a contest is a whole match."""
        return bool(self.match_length) and self.score is None

    @property
    def first_score(self) -> MatchScore | None:
        """The score at the start of a contest; ``None`` without a match.

        Raises:
            BadInputError: If the options do not fit together.
        """
        if not self.match_length:
            if self.score is not None or self.post_crawford:
                raise BadInputError("score and post_crawford are those of a match; give its match_length, too")
            return None
        if self.jacoby or self.beavers:
            raise BadInputError("jacoby and beavers are rules of money sessions; leave them out in a match")
        return MatchScore.begun(self.match_length, self.score or (0, 0), self.post_crawford)


@dataclass(frozen=True, kw_only=True)
class BackgammonRules(BackgammonOptions):
    """The rules of a game on this board.

    Attributes:
        men: The men of each seat.
    """

    men: int

    @property
    def state_size(self) -> int:
        """The length of a state."""
        return MATCH_STATE_SIZE if self.match_length else STATE_SIZE

    @property
    def slot_bounds(self) -> tuple[tuple[int, int], ...]:
        """The least and the greatest value of each slot."""
        men, dice = ((-self.men, self.men),) * (TRAYS + 1), ((0, MOST_DICE),) * 6
        single = ((0, 1), *men, *dice, (0, OVER), (0, MOST_TURNS_OF_THE_CUBE), (-1, 1))
        return (*single, (0, 127), (0, 127), (0, 1)) if self.match_length else single


def step_text(source: int, die: int) -> str:
    """Return a step as text: ``24/18``, ``bar/20``, ``6/off``; with a larger die ``4/off(6)``."""
    start = "bar" if source == BAR else str(source)
    if source > die:
        return f"{start}/{source - die}"
    return f"{start}/off" if source == die else f"{start}/off({die})"


STEPS = tuple((source, die) for die in range(1, 7) for source in range(1, BAR + 1))
"""The source and the die of each action that plays a die."""


def actions(cube: bool) -> tuple[Action, ...]:
    """Return the actions by number."""
    steps = tuple(Action(step_text(source, die)) for source, die in STEPS)
    return (
        *steps,
        Action("no move", told="cannot move"),
        *(Action(each, told=told) for each, told in _CUBE_ACTIONS.items() if cube),
    )


def _coordinates_of_points() -> tuple[tuple[float, float], ...]:
    """Return the coordinates: point 1 at the bottom right, 24 at the top right."""
    columns = [*range(13, 7, -1), *range(6, 0, -1)]
    bottom = [(float(column), 10.0) for column in columns]
    top = [(x, 0.0) for x, _ in reversed(bottom)]
    return (*bottom, *top, (7.0, 3.0), (7.0, 7.0), (14.5, 10.0), (14.5, 0.0))


WHITE = Man("white", "O", "disc", "#f7f3ea")
BLACK = Man("black", "X", "disc", "#26221f")

_LOCATIONS = tuple(range(POINTS))

BOARD = Board(
    points=_coordinates_of_points(),
    # (each seat's way from the bar to the tray)
    lines=((24, *reversed(_LOCATIONS), 26), (25, *_LOCATIONS, 27)),
    labels=(*(str(point) for point in range(1, POINTS + 1)), "bar0", "bar1", "off0", "off1"),
    homes=((26,), (27,)),
)
