"""The game frame: what Hoyle knows of a game before it competes, induced from questions to the rules.

The rules are opaque: they give legal actions and outcomes, and nothing else. Before its first contest Hoyle watches
some random ones and asks questions of the form "if state A is a win, is state B, too?" (Epstein 1994, section 2.2;
2001, section 3.1). From the answers it induces

* the standard symmetries of the plane (reflections in four axes, rotations by 90°, 180° and 270° about the centre) that
  preserve the game: the outcomes of final positions and the legal actions of all positions;
* the lines of the board that win when a seat holds them, for each seat; if none does, those that capture a man;
* whether moves are *static* (a man, once placed, stays in place), and whether men are captured.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.chance import refuse_chance
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT8_2D, INT32_1D, INT64_1D, Int8s, Int32s, Int64s
from boardgames_env.position import Position

_WATCHED_CONTESTS = 60
_LONGEST_CONTEST = 200
_MOST_PLIES = 4000

Lines = tuple[int, ...]
"""Sets of locations as bit masks."""


@dataclass(frozen=True, eq=False)
class GameFrame:
    """The knowledge of a game before any contest.

    Attributes:
        game: The game.
        symmetries: The induced symmetries on locations, the identity first; ``symmetry[location]`` is the image.
        slots: The symmetries on states: ``image = state[slots[k]]``; shape ``(k, state_size)``, int32.
        goals: For each seat, the lines that it plays for: those that win when it holds them or, if no line wins, those
            by which it captures a man. (A fork is about "a subgoal (e.g., piece capture)", Epstein 2001, section 3.1.)
        lines: The predrawn lines.
        static: Whether a man, once placed, stays in place.
        captures: Whether a move can capture an enemy's man.
    """

    game: Game
    symmetries: tuple[tuple[int, ...], ...]
    slots: NDArray[np.int32]
    goals: tuple[Lines, Lines]
    lines: Lines
    static: bool
    captures: bool

    @cached_property
    def neighbours(self) -> Lines:
        """The locations adjacent to each location on a predrawn line."""
        return tuple(mask_of(each) for each in self.game.board.adjacency)

    @cached_property
    def lines_at(self) -> tuple[Lines, ...]:
        """The predrawn lines through each location."""
        return self._at(self.lines)

    @cached_property
    def goals_at(self) -> tuple[tuple[Lines, ...], tuple[Lines, ...]]:
        """For each seat, the goals through each location."""
        return self._at(self.goals[0]), self._at(self.goals[1])

    def _at(self, lines: Lines) -> tuple[Lines, ...]:
        size = self.game.board.size
        return tuple(tuple(line for line in lines if line >> location & 1) for location in range(size))

    @cached_property
    def symmetry_names(self) -> tuple[str, ...]:
        """The names of the symmetries, in their order; two names of the same one are joined by "or"."""
        standard = _standard_symmetries(self.game)
        return tuple(
            " or ".join(name for name, image in standard.items() if image == symmetry) for symmetry in self.symmetries
        )

    def images(self, mask: int) -> list[int]:
        """Return the images of a set of locations under each symmetry."""
        return _images_of(mask, self.symmetries)


def mask_of(locations: Iterable[int]) -> int:
    """Return a set of locations as a bit mask."""
    mask = 0
    for location in locations:
        mask |= 1 << location
    return mask


def locations_of(mask: int) -> tuple[int, ...]:
    """Return the locations of a bit mask in ascending order."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return tuple(found)


def men_of(position: Position) -> tuple[int, int]:
    """Return the locations of the men of seat 0 and of seat 1 as bit masks."""
    men = position.state[1 : 1 + position.game.board.size]
    return mask_of(np.flatnonzero(men > 0).tolist()), mask_of(np.flatnonzero(men < 0).tolist())


@lru_cache(maxsize=64)
def frame_of(game: Game) -> GameFrame:
    """Return the frame of a game. It is always the same, because the contests watched have fixed seeds.

    Raises:
        BadInputError: If the game is one of chance.
    """
    refuse_chance(game, "Hoyle knows no dice")
    contests = _watch(game)
    standard = _standard_symmetries(game).values()
    states = np.array([position.state for contest in contests for position in contest])
    symmetries = [symmetry for symmetry in standard if _is_valid(game, symmetry, states)]
    slots = np.array([_on_states(game, symmetry) for symmetry in symmetries], dtype=np.int32)
    steps = [step for contest in contests for step in pairwise(contest)]
    return GameFrame(
        game,
        tuple(symmetries),
        slots,
        _goals(game, symmetries, contests),
        tuple(mask_of(line) for line in game.board.lines),
        static=not any(_moves_men(one, other) for one, other in steps),
        captures=any(_captures_man(one, other) for one, other in steps),
    )


def _watch(game: Game) -> list[list[Position]]:
    """Return the positions of some random contests."""
    contests: list[list[Position]] = []
    plies = 0
    while len(contests) < _WATCHED_CONTESTS and plies < _MOST_PLIES:
        rng = np.random.default_rng([len(contests), 1])
        positions = [game.initial]
        while not positions[-1].is_over and len(positions) < _LONGEST_CONTEST:
            legal = positions[-1].legal_actions
            positions.append(positions[-1].after(legal[int(rng.integers(len(legal)))]))
        plies += len(positions)
        contests.append(positions)
    return contests


_PLANE = {
    "identity": ((1, 0), (0, 1)),
    "rotation by 90°": ((0, -1), (1, 0)),
    "rotation by 180°": ((-1, 0), (0, -1)),
    "rotation by 270°": ((0, 1), (-1, 0)),
    "reflection in the vertical axis": ((-1, 0), (0, 1)),
    "reflection in the rising diagonal": ((0, -1), (-1, 0)),
    "reflection in the horizontal axis": ((1, 0), (0, -1)),
    "reflection in the falling diagonal": ((0, 1), (1, 0)),
}
"""The standard symmetries of the plane, as matrices: y points down, and rotations are clockwise."""


def _standard_symmetries(game: Game) -> dict[str, tuple[int, ...]]:
    """Return the symmetries that map locations to locations and actions to actions, by name, the identity first."""
    places = np.array(game.board.coordinates, dtype=float)
    middle = (places[:, :2].max(axis=0) + places[:, :2].min(axis=0)) / 2
    names = {rounded(place): location for location, place in enumerate(places)}
    actions = set(game.actions)
    found = {}
    for name, matrix in _PLANE.items():
        moved = places.copy()
        moved[:, :2] = (places[:, :2] - middle) @ np.array(matrix).T + middle
        image = tuple(names.get(rounded(place), -1) for place in moved)
        if -1 not in image and all(action.moved(image) in actions for action in actions):
            found[name] = image
    return found


def rounded(place: NDArray[np.float64]) -> tuple[int, ...]:
    """Return coordinates in millionths, the same for places that differ by rounding alone."""
    return tuple(np.rint(place * 1e6).astype(int).tolist())


def _on_states(game: Game, symmetry: tuple[int, ...]) -> NDArray[np.int32]:
    slots = np.arange(game.state_size, dtype=np.int32)
    for location, image in enumerate(symmetry):
        slots[1 + image] = 1 + location
    return slots


def _is_valid(game: Game, symmetry: tuple[int, ...], states: Int8s) -> bool:
    """Return whether a symmetry preserves outcomes and legal actions in the states watched."""
    numbers = {action: number for number, action in enumerate(game.actions)}
    image_of = np.array([numbers[action.moved(symmetry)] for action in game.actions])
    return bool(_preserves(game.kernels, states, _on_states(game, symmetry), image_of))


@kernel(types.boolean(GAME_KERNELS, INT8_2D, INT32_1D, INT64_1D), compiled_first=True)
def _preserves(game: GameKernels, states: Int8s, slots: Int32s, image_of: Int64s) -> bool:
    """Return whether the images of states have the same outcomes and the images of the legal actions."""
    image = np.empty(game.state_size, dtype=np.int8)
    found = np.empty(game.num_actions, dtype=np.int32)
    is_legal = np.zeros(game.num_actions, dtype=np.bool_)
    for i in range(len(states)):
        for slot in range(game.state_size):
            image[slot] = states[i, slots[slot]]
        result = game.outcome(states[i])
        if game.outcome(image) != result:
            return False
        if result != ONGOING:
            continue
        is_legal[:] = False
        count = game.legal(states[i], found)
        for k in range(count):
            is_legal[image_of[found[k]]] = True
        if game.legal(image, found) != count:
            return False
        for k in range(count):
            if not is_legal[found[k]]:
                return False
    return True


def _goals(game: Game, symmetries: list[tuple[int, ...]], contests: list[list[Position]]) -> tuple[Lines, Lines]:
    """Return the lines with which each seat always won or, if no line ever won, always captured a man.

    A win together with a capture does not count for the line. If some line has served, a line that a seat never
    completed is presumed to serve too.
    """
    lines = {mask_of(line) for line in game.board.winning_lines}
    completed = []
    for one, other in (step for contest in contests for step in pairwise(contest)):
        before, after = men_of(one)[one.seat], men_of(other)[one.seat]
        made = [line for line in lines if line & after == line and line & before != line]
        takes = _captures_man(one, other)
        wins = not takes and (other.points_for(one.seat) or 0) > 0
        may_go_on = not other.is_over and other.seat == one.seat  # (with a capture)
        completed += [(line, one.seat, wins, takes or may_go_on) for line in made]
    for serves in (2, 3):  # to win, or else to capture
        if any(each[serves] for each in completed):
            failed: tuple[set[int], set[int]] = (set(), set())
            for each in completed:
                if not each[serves]:
                    failed[each[1]].update(_images_of(each[0], symmetries))
            return tuple(sorted(lines - failed[0])), tuple(sorted(lines - failed[1]))
    return (), ()


def _images_of(mask: int, symmetries: Sequence[tuple[int, ...]]) -> list[int]:
    there = locations_of(mask)
    return [mask_of(symmetry[location] for location in there) for symmetry in symmetries]


def _moves_men(one: Position, other: Position) -> bool:
    """Return whether some man has left its location."""
    return any(before & ~after for before, after in zip(men_of(one), men_of(other), strict=True))


def _captures_man(one: Position, other: Position) -> bool:
    """Return whether the seat that is not to move has fewer men than before."""
    enemy = 1 - one.seat
    return men_of(other)[enemy].bit_count() < men_of(one)[enemy].bit_count()
