"""One contest in progress, in Python and inside kernels.

`Contest` is the only loop in Python that plays one action after another. Kernels play contests with the same three
parts in the same order: the game's ``play``, `boardgames_env.chance.settle`, and `note_result`. Where an action takes
less than a microsecond (random playouts, tree searches, batches) they call `note_position` itself: each array that a
helper takes costs some ten nanoseconds a call.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from boardgames_env.chance import MOST_EVENTS, ChanceStream
from boardgames_env.ending import End, board_end
from boardgames_env.errors import BadInputError
from boardgames_env.history import COUNTERS, CUT, History, KeptPositions, doubled, note_position
from boardgames_env.kernels import ONGOING, Actions, State, helper
from boardgames_env.kernels.bundle import GameKernels
from boardgames_env.kernels.signatures import Int32s
from boardgames_env.position import Position
from boardgames_env.render.svg import draw_svg

if TYPE_CHECKING:
    from boardgames_env.game import Game


class Contest:
    """One contest in progress.

    1. A contest has begun, at ``start`` or the initial position, when it is made; a ``start`` of another game must be
       one that `Game.position` takes. `play` checks an action and plays it, `advance` plays one that is known to be
       legal; both return the result.
    2. With a `ChanceStream`, chance events happen as soon as they can, before `position` is asked for. Without one,
       `position` awaits chance, and the caller chooses each event with `happen`.
    3. The result is `ONGOING` until the board or a limit ends the contest. A position counts for the limits once
       nothing in it is left to chance. Nothing may be played after the end; `advance` does not check that.
    4. `state` is changed in place. `position` is a copy of it, made when it is first asked for.
    5. A deep copy goes on by itself, with the same chance events. Contests of registered games can be pickled.

    Attributes:
        game: The game.
        state: The current state, shape ``(state_size,)``, dtype int8.
        result: `ONGOING`, the points of seat 0, or `CUT` if a limit has cut the contest short.
        actions: The actions played, in order.
        events: The chance events that happened, in order.
    """

    def __init__(self, game: "Game", chance: ChanceStream | None = None, start: Position | None = None) -> None:
        self.game = game
        start = start or game.initial
        self._start = start if start.game is game else game.position(start.state)
        self.state = self._start.state.copy()
        self.result = ONGOING
        self.actions: list[int] = []
        self.events: list[int] = []
        self._chance = chance
        self._has_chance = game.rules.has_chance
        self._history = History(game)
        self._has_begun = False
        self._position: Position | None = None
        self._settle()

    def __deepcopy__(self, memo: dict[int, object]) -> "Contest":
        """Copy the contest; what no contest changes is shared."""
        twin = copy(self)
        twin.state, twin.actions, twin.events = self.state.copy(), self.actions.copy(), self.events.copy()
        twin._history, twin._chance = deepcopy(self._history, memo), deepcopy(self._chance, memo)
        return twin

    @property
    def position(self) -> Position:
        """The current position."""
        if self._position is None:
            self._position = Position.unchecked(self.game, self.state.copy())
        return self._position

    @property
    def seat(self) -> int:
        """The seat to move."""
        seat: int = self.state.item(0)
        return seat

    @property
    def plies(self) -> int:
        """Number of plies played."""
        return self._history.plies

    @property
    def is_over(self) -> bool:
        """Whether the contest has ended."""
        return self.result != ONGOING

    @property
    def is_cut(self) -> bool:
        """Whether a limit that is no rule has ended the contest."""
        return self.result == CUT

    @property
    def points(self) -> int:
        """The points of seat 0; 0 while the contest goes on, and if it was cut short."""
        return 0 if self.result in (ONGOING, CUT) else self.result

    @property
    def end(self) -> End | Literal[""]:
        """Why the contest has ended, by the board or a limit; empty while it goes on."""
        if self.result == ONGOING:
            return ""
        return self._history.limit or board_end(self.game, self.state)

    def before_last_move(self) -> Position | None:
        """Return the position before the last turn, which may be going on; ``None`` if nothing has been played.

        The contest is played again for this, so that others pay nothing for it.
        """
        *_, (_, before) = with_last_moves(replayed(self._start, self.actions, self.events))
        return before

    def _repr_svg_(self) -> str:
        return draw_svg(self.position, before=self.before_last_move())

    def play(self, action: int) -> int:
        """Play an action and return the result.

        Raises:
            BadInputError: If a limit has ended the contest, or (`IllegalActionError`) the action is not legal.
        """
        if self.result != ONGOING and not self.position.is_over:
            raise BadInputError(f"the contest of {self.game.spec} is over: a limit has ended it")
        self.position.check(action)
        return self.advance(int(action))

    def advance(self, action: int) -> int:
        """Play an action that is known to be legal (not checked) and return the result."""
        self.game.rules.play.trusting(self.state, action)
        self.actions.append(action)
        return self._settle()

    def happen(self, event: int) -> int:
        """Make a chance event happen, in a contest without a stream of its own, and return the result."""
        self.state = self.position.happen(event).state.copy()
        self.events.append(event)
        return self._settle()

    def _settle(self) -> int:
        """Settle chance, note the position for the limits unless it still awaits chance, and return the result."""
        self._position = None
        if self._has_chance:
            if self._chance is not None:
                self.events += self._chance.settle(self.state)
            elif self.position.awaits_chance:
                return self.result
        if self._has_begun:
            self.result = self._history.add_played(self.state)
        else:
            self._history.begin(self.state)
            self._has_begun = True
        return self.result


def replayed(start: Position, actions: Iterable[int], events: Iterable[int]) -> Iterator[Position]:
    """Play a contest again; yield the position before each action, and the last one.

    A position awaits chance where no event is left.

    Raises:
        BadInputError: If an action is not legal (`IllegalActionError`), or an event cannot happen.
    """
    left = iter(events)
    position = _with_chance(start, left)
    for action in actions:
        yield position
        position = _with_chance(position.play(action), left)
    yield position


@dataclass(frozen=True)
class Turn:
    """Actions that a seat played in a row with no chance event between them, or a chance event.

    Attributes:
        before: The position before it.
        actions: The actions, in order; none for a chance event.
        after: The position after it, before chance decides anything more.
        number: The number of actions in the contest before it.
        event: The chance event; ``None`` if a seat played.
    """

    before: Position
    actions: tuple[int, ...]
    after: Position
    number: int
    event: int | None = None

    @property
    def seat(self) -> int:
        """The seat that played."""
        return self.before.seat

    @property
    def chance(self) -> str:
        """What chance decided for the turn, in the game's notation, such as the roll ``31``; empty if nothing."""
        notation = self.before.game.notation
        return notation.chance(self.before) if notation and notation.chance else ""

    @property
    def told(self) -> str:
        """What the seat does in words where it moves no man: ``passes``, ``doubles to 4``; empty where it moves men."""
        game = self.before.game
        told = game.actions[self.actions[0]].told if self.actions else ""
        stake = game.stake(self.before.state) if game.stake else None
        return told.format(doubled=2 * stake) if stake else told.removesuffix(" to {doubled}")

    @property
    def text(self) -> str:
        """The actions in the game's notation: ``6/1* 6/5*``, ``0-1x7``, ``15x22x31``."""
        return turn_text(self.before, self.actions)


def turns(start: Position, actions: Iterable[int], events: Iterable[int] = ()) -> Iterator[Turn]:
    """Play a contest again, as far as its actions and chance events go; yield its turns, chance events among them.

    Raises:
        BadInputError: If an action is not legal (`IllegalActionError`), or an event cannot happen.
    """
    position, number, actions, events = start, 0, iter(actions), iter(events)
    while not position.is_over:
        if position.awaits_chance:
            if (event := next(events, None)) is None:
                return
            reached = position.happen(event)
            yield Turn(position, (), reached, number, event)
        else:
            reached, played = position, list[int]()
            while not played or is_same_turn(position.seat, reached):
                if (action := next(actions, None)) is None:
                    break
                reached = reached.play(action)
                played.append(action)
            if not played:
                return
            yield Turn(position, tuple(played), reached, number)
            number += len(played)
        position = reached


def is_same_turn(seat: int, reached: Position) -> bool:
    """Return whether a seat's turn goes on in the position after one of its actions."""
    return reached.seat == seat and not (reached.is_over or reached.awaits_chance)


@lru_cache(maxsize=8192)
def _written_turn(position: Position, actions: tuple[int, ...]) -> str:
    """Return the text of a turn. (Cached: lists of moves have all turns of a contest after each of them.)"""
    game = position.game
    if game.notation:
        try:
            return game.notation.write(position, actions)
        except BadInputError:  # (it is one for some moves only: not for those of the doubling cube, say)
            pass
    text, reached = "", tuple[int, ...]()
    for action in actions:
        played, written = game.actions[action], game.action_text(action)
        if played.kind == "jump" and reached == played.locations[:1]:  # (the same man jumps on)
            text += written[written.index("x") :]
        else:
            text += ("" if played.kind == "capture" or not text else " ") + written
        reached = played.locations[-1:]
    return text


def turn_text(position: Position, actions: Sequence[int]) -> str:
    """Return the text of actions played in a row: in the game's own notation where it has one for them."""
    return _written_turn(position, tuple(actions))


def with_last_moves(positions: Iterable[Position]) -> Iterator[tuple[Position, Position | None]]:
    """Yield each position of a contest with the one before its last turn, which may be going on; ``None`` at first."""
    before = None
    for position in positions:
        yield position, before
        if before is None or position.seat != before.seat:
            before = position


def _with_chance(position: Position, events: Iterator[int]) -> Position:
    """Let events happen until none is possible or left."""
    while position.awaits_chance and (event := next(events, None)) is not None:
        position = position.happen(event)
    return position


class ContestArrays(NamedTuple):
    """The arrays of one contest in progress inside a kernel. All of them change in place.

    ``kept`` and ``counters`` are those of `note_position`; the last two are room for legal actions and cases of chance.
    """

    state: State
    kept: KeptPositions
    counters: Int32s
    actions: Actions
    cases: Actions


@helper
def make_arrays(kernels: GameKernels, rows: int) -> ContestArrays:
    """Make the arrays of a contest, with room for ``rows`` positions; `with_room` makes more."""
    return ContestArrays(
        np.zeros(kernels.state_size, dtype=np.int8),
        KeptPositions(np.zeros(rows, dtype=np.int16), np.zeros((rows, kernels.state_size), dtype=np.int8)),
        np.zeros(COUNTERS, dtype=np.int32),
        np.zeros(kernels.num_actions, dtype=np.int32),
        np.zeros(MOST_EVENTS, dtype=np.int32),
    )


@helper
def note_start(kernels: GameKernels, contest: ContestArrays) -> None:
    """Begin the history at the current state, as `History.begin` does."""
    contest.counters[0], contest.counters[1], contest.counters[2], contest.counters[3] = 0, 0, contest.state[0], 0
    if kernels.is_limited:
        note_position(contest.state, contest.kept, contest.counters, kernels.symmetries, kernels.limits)


@helper
def note_result(kernels: GameKernels, contest: ContestArrays) -> int:
    """Note the state just reached and return the result, as `History.add` does; ``kept`` needs room for it."""
    points = int(kernels.outcome(contest.state))
    if points != ONGOING or not kernels.is_limited:
        return points
    return note_position(contest.state, contest.kept, contest.counters, kernels.symmetries, kernels.limits)


@helper
def with_room(contest: ContestArrays) -> ContestArrays:
    """Return the contest with room for another position."""
    if contest.counters[0] < len(contest.kept.marks):
        return contest
    return ContestArrays(contest.state, doubled(contest.kept), contest.counters, contest.actions, contest.cases)
