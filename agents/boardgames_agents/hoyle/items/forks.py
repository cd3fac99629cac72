"""Forks: plans to win that overlap, learned from the explanation of a single failure (Epstein 1994, note 5; 2001)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
from numba import types

from boardgames_agents.hoyle.game_frame import GameFrame, locations_of, mask_of
from boardgames_agents.hoyle.items import Experience, Item, as_rows, position_of
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy import Snapshot
from boardgames_agents.policy.explanation import Region
from boardgames_agents.policy.knowledge import KnowledgeEntry
from boardgames_env.game import Game
from boardgames_env.kernels import Actions, copy_row, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT8_2D, INT8_2D_READONLY, INT32_1D, Int8s

Fork = tuple[int, int]
"""Two winning lines that share locations, as bit masks, the smaller number first."""

Plan = tuple[int, int]
"""A winning line without an enemy's man, and its empty locations, as bit masks."""


_MOST_STATES = 200_000


@kernel(types.void(GAME_KERNELS, INT8_2D_READONLY, types.int64, INT8_2D, INT32_1D, INT8_2D))
def find_threats(game: GameKernels, states: Int8s, seat: int, lines: Int8s, buffer: Actions, found: Int8s) -> None:
    """Write which lines a seat would complete by an action in each state if it were its turn.

    Args:
        game: The game.
        states: States that are not over, at the beginning of a turn, a row each.
        seat: The seat.
        lines: Whether each location is on each line, shape ``(lines, locations)``.
        buffer: Room for the actions.
        found: 1 for each such line of a state, else 0, shape ``(states, lines)``.
    """
    before, after = np.empty(states.shape[1], dtype=np.int8), np.empty(states.shape[1], dtype=np.int8)
    sign = 1 - 2 * seat
    for row in range(len(states)):
        copy_row(states[row], before)
        before[0] = seat
        for line in range(len(lines)):
            found[row, line] = 0
        for i in range(game.legal(before, buffer)):
            copy_row(before, after)
            game.play(after, buffer[i])
            for line in range(len(lines)):
                was, completed = True, True
                for location in range(lines.shape[1]):
                    if lines[line, location]:
                        was &= before[1 + location] * sign > 0
                        completed &= after[1 + location] * sign > 0
                if completed and not was:
                    found[row, line] = 1


class Threats:
    """The lines that each seat threatens to complete, kept by position."""

    def __init__(self, frame: GameFrame) -> None:
        self._frame = frame
        locations = range(frame.game.board.size)
        self._lines = [
            np.array([[line >> location & 1 for location in locations] for line in lines], dtype=np.int8)
            for lines in frame.goals
        ]
        self._buffer = np.empty(frame.game.num_actions, dtype=np.int32)
        self._kept: dict[tuple[bytes, int], tuple[int, ...]] = {}

    def __reduce__(self) -> "tuple[type[Threats], tuple[GameFrame]]":
        return Threats, (self._frame,)  # (a copy begins with nothing kept)

    def after(self, choice: Choice, seat: int) -> tuple[int, ...]:
        """Return the lines, as bit masks, that a seat threatens to complete after a move; none once it is over."""
        return () if choice.points is not None else self.of_state(choice.state, seat)

    def of_state(self, state: bytes, seat: int) -> tuple[int, ...]:
        """Return the lines that a seat would complete by an action if it were its turn."""
        if (state, seat) not in self._kept:
            self._find([state], seat)
        return self._kept[state, seat]

    def prepare(self, choices: Iterable[Choice]) -> None:
        """Find the threats of both seats after moves at once, which takes less time than one after another."""
        states = [choice.state for choice in choices if choice.points is None]
        for seat in (0, 1):
            self._find([state for state in states if (state, seat) not in self._kept], seat)

    def _find(self, states: Sequence[bytes], seat: int) -> None:
        if not states:
            return
        if len(self._kept) >= _MOST_STATES:
            self._kept.clear()
        game, lines, goals = self._frame.game, self._lines[seat], self._frame.goals[seat]
        found = np.empty((len(states), len(lines)), dtype=np.int8)
        find_threats.run(game.kernels, as_rows(states, game.state_size), seat, lines, self._buffer, found)
        self._kept.update({(state, seat): () for state in states})
        for row in np.flatnonzero(found.any(axis=1)).tolist():
            there = np.flatnonzero(found[row]).tolist()
            self._kept[states[row], seat] = tuple(goals[line] for line in there)


class Forks(Item):
    """Pairs of overlapping winning lines with which a contest has been won.

    A fork is a bipartite graph of two open winning lines and their empty locations. When each line lacks only one more
    location than the one they share, a man on the shared location threatens to win in two ways, of which the other seat
    can block one. A fork is learned from a contest that was not drawn, in a game with static moves: the line that won
    is traced back to the move that left it lacking one location. If that move left another open line through the same
    man lacking one location too, and the loser could not win at once, this explains the failure.

    The explanation is independent of the locations of the two lines that the winner held before, of all other men, of
    the seat, and of the symmetries of the board, so only the pair of lines is kept. (The papers do not say how far a
    fork is generalized, only that it applies to states that are not symmetrically equivalent. Of the pairs that the
    topology of the board allows, we use only those that have occurred.)

    With ``of_captures``, forks are also learned where men move and lines capture men: 001 defines a fork by "a subgoal
    (e.g., piece capture)". Then every capture is traced back to the move before it. If that move threatened several
    lines at once, none of which the other seat could answer by completing one of its own, each of them and the line
    that captured are a fork. (The paper learns forks only where moves are static.)

    Attributes:
        threats: The threats in games in which forks of captures are learned, otherwise ``None``.
    """

    name = "forks"

    def __init__(self, frame: GameFrame, of_captures: bool = False) -> None:
        self._frame = frame
        self.threats = Threats(frame) if of_captures and frame.captures and any(frame.goals) else None
        self._forks: dict[Fork, None] = {}
        self._images: set[Fork] = set()

    def learn(self, experience: Experience) -> None:
        """Learn the forks that explain the loser's failure."""
        found: list[Fork] = []
        if self.threats:
            found = _forks_of_captures(experience, self.threats)
        elif experience.loser is not None and self._frame.static:
            found = _forks_of_win(experience, self._frame)
        for fork in found:
            self._add(fork)

    def threatened(self, choice: Choice, seat: int) -> list[Fork]:
        """Return the known forks of captures of which a seat threatens both lines after a move."""
        lines = self.threats.after(choice, seat) if self.threats and self.space else ()
        return [fork for fork in map(_fork_of, combinations(lines, 2)) if fork in self._images]

    def ready(self, plans: Iterable[Plan]) -> list[Plan]:
        """Return the known forks that need one more move: the location to take, and all that each lacks."""
        nearly = [(line, lacking) for line, lacking in plans if lacking.bit_count() == 2]
        found = []
        for (line, lacking), (other, others) in combinations(nearly, 2):
            if (lacking & others).bit_count() == 1 and _fork_of((line, other)) in self._images:
                found.append((lacking & others, lacking | others))
        return found

    def regions(self, view: PositionView) -> Iterator[Region]:
        """Yield the known forks of both seats that need one more move."""
        game = self._frame.game
        if self.threats:
            forks = {fork: choice for choice in view.choices for fork in self.threatened(choice, view.seat)}
            for fork, choice in forks.items():
                move = " ".join(map(game.action_text, choice.actions))
                title = f"fork that {game.men[view.seat].name} makes by {move}"
                yield Region(title, locations_of(fork[0] | fork[1]))
            return
        sides = (view.lines, view.own, view.enemy, view.seat), (view.enemy_lines, view.enemy, view.own, 1 - view.seat)
        for lines, own, enemy, seat in sides if self.space else ():
            for location, lacking in self.ready(open_plans(lines, own, enemy, 2)):
                (at,) = locations_of(location)
                title = f"fork that {game.men[seat].name} makes at {game.board.labels[at]}"
                yield Region(title, locations_of(lacking))

    def _add(self, fork: Fork) -> None:
        """Add a fork and its images under the symmetries; the smallest image represents them."""
        images = [_fork_of(lines) for lines in zip(*map(self._frame.images, fork), strict=True)]
        self._forks[min(images)] = None
        self._images.update(images)

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """Yield the pairs of lines and the locations that they share."""
        empty = position_of(game, bytes(game.state_size))
        for one, other in self._forks:
            shared = " ".join(game.board.labels[location] for location in locations_of(one & other))
            title = f"two lines meet at {shared}" if shared else "two lines side by side"
            yield KnowledgeEntry(self.name, title, empty, frozenset(locations_of(one | other)))

    @property
    def space(self) -> int:
        """The number of forks kept, up to symmetry."""
        return len(self._forks)

    def snapshot(self) -> Snapshot:
        """Return the forks: whether each location lies on either line, shape ``(n, 2, locations)``, bool."""
        lines = np.zeros((len(self._forks), 2, self._frame.game.board.size), dtype=np.bool_)
        for row, fork in zip(lines, self._forks, strict=True):
            for line, mask in zip(row, fork, strict=True):
                line[list(locations_of(mask))] = True
        return Snapshot({"lines": lines})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the forks of a snapshot."""
        self._forks, self._images = {}, set()
        winning = {*self._frame.goals[0], *self._frame.goals[1]}
        for row in snapshot.arrays["lines"]:
            one, other = (mask_of(np.flatnonzero(line).tolist()) for line in row)
            if not {one, other} <= winning:
                raise ValueError("a fork is of lines that do not win")
            self._add(_fork_of((one, other)))


def open_plans(lines: Sequence[int], own: int, enemy: int, most: int) -> list[Plan]:
    """Return the lines without an enemy's man that lack at most ``most`` locations."""
    plans = [(line, line & ~own) for line in lines if not line & enemy]
    return [plan for plan in plans if plan[1].bit_count() <= most]


def winning_locations(plans: Iterable[Plan]) -> int:
    """Return the locations where a man would complete a line, as a bit mask."""
    mask = 0
    for _, lacking in plans:
        if lacking.bit_count() == 1:
            mask |= lacking
    return mask


def _forks_of_win(experience: Experience, frame: GameFrame) -> list[Fork]:
    """Return the forks with which the contest was won; none if the loser merely overlooked a threat."""
    whole = [turn for turn in experience.turns if turn.whole]
    last = whole[-1]
    seat = last.view.seat
    if seat == experience.loser:
        return []
    earlier = [turn for turn in reversed(whole[:-1]) if turn.view.seat == seat]
    found = []
    for line in frame.goals[seat]:
        if line & ~last.choice.own:
            continue
        turn = next((turn for turn in earlier if turn.choice.own & ~turn.view.own & line), None)
        if turn is None:
            continue
        own, enemy, man = turn.choice.own, turn.choice.enemy, turn.choice.own & ~turn.view.own
        if winning_locations(open_plans(frame.goals[1 - seat], enemy, own, 1)):
            continue
        for other, lacking in open_plans(frame.goals[seat], own, enemy, 1):
            if other & man and lacking & ~line:
                found.append(_fork_of((line, other)))
    return found


def _forks_of_captures(experience: Experience, threats: Threats) -> list[Fork]:
    """Return the forks by which men were captured in a contest."""
    whole = [turn for turn in experience.turns if turn.whole]
    found = []
    for before, turn in zip(whole, whole[2:], strict=False):
        seat = turn.view.seat
        if before.view.seat != seat or turn.choice.enemy.bit_count() >= turn.view.enemy.bit_count():
            continue
        if threats.after(before.choice, 1 - seat):
            continue
        threatened = threats.after(before.choice, seat)
        closed = [line for line in threatened if not line & ~turn.choice.own]
        found += [_fork_of((line, other)) for line in closed for other in threatened if other != line]
    return found


def _fork_of(lines: tuple[int, int]) -> Fork:
    return min(lines), max(lines)
