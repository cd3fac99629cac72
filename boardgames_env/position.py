"""Positions: legal actions, moves, chance events, outcomes, features and pictures."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boardgames_env.chance import MOST_EVENTS
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.kernels import ONGOING, State
from boardgames_env.kernels.signatures import Int32s

if TYPE_CHECKING:
    from boardgames_env.contest import Turn
    from boardgames_env.game import Game


class IllegalActionError(BadInputError):
    """An action that the rules do not allow in this position."""


@dataclass(frozen=True)
class Event:
    """A chance event, such as a roll of the dice, and the position after it."""

    number: int
    probability: float
    position: "Position"


@dataclass(frozen=True)
class Move:
    """The actions of one turn, and the position they lead to."""

    actions: tuple[int, ...]
    afterstate: "Position"


class Position:
    """A position of a game: the men on the board and the seat to move. Immutable, hashable, picklable.

    ``Position(game, state)`` is ``game.position(state)``, which checks the state; play makes further positions.

    Attributes:
        game: The game it belongs to.
        state: Its state, read-only, shape ``(state_size,)``, dtype int8.
        seat: The seat to move.
    """

    __slots__ = ("_canonical", "_key", "_legal", "_outcome", "game", "seat", "state")

    game: "Game"
    state: State
    seat: int

    _key: bytes
    _canonical: bytes | None
    _legal: tuple[int, ...] | None
    _outcome: int | None

    def __new__(cls, game: "Game", state: Any) -> "Position":
        """Check a state that is made up, and return its position; see `Game.position`."""
        return game.position(state)

    @classmethod
    def unchecked(cls, game: "Game", state: State) -> "Position":
        """Return the position of a state that play has made (not checked); the array becomes read-only."""
        state.flags.writeable = False
        made = object.__new__(cls)
        made.game = game
        made.state = state
        made.seat = state.item(0)
        made._key = state.tobytes()
        made._canonical = made._legal = made._outcome = None
        return made

    @classmethod
    def draft(cls, game: "Game", state: State) -> "Position":
        """Return a state that is being set up as a position to be drawn; the rules are not asked about it."""
        made = cls.unchecked(game, state)
        made._outcome, made._legal = ONGOING, ()
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key == other._key and self.game == other.game

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_position, (self.game, self._key)

    def __deepcopy__(self, memo: object) -> "Position":
        return self

    def __repr__(self) -> str:
        return f"<position of {self.game.spec}: {self.state.tolist()}>"

    def __str__(self) -> str:
        return self.text

    @property
    def key(self) -> bytes:
        """The state as bytes, equal for equal positions of one game."""
        return self._key

    @property
    def canonical(self) -> bytes:
        """The least key of the position's images, equal for positions that are symmetric to each other."""
        if self._canonical is None:
            self._canonical = min(image.tobytes() for image in self.state[self.game.slot_symmetries])
        return self._canonical

    @property
    def outcome(self) -> int | None:
        """The points of seat 0 if the board has decided the contest, otherwise ``None``."""
        if self._outcome is None:
            self._outcome = self.game.rules.outcome.run(self.state)
        return None if self._outcome == ONGOING else self._outcome

    @property
    def is_over(self) -> bool:
        """Whether the board has decided the contest. (`History` applies the limits.)"""
        return self.outcome is not None

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """The legal actions in ascending order; none if the contest is over or a chance event comes first."""
        if self._legal is None:
            if self.is_over or self.awaits_chance:
                self._legal = ()
            else:
                actions = np.empty(self.game.num_actions, dtype=np.int32)
                count = self.game.rules.legal.run(self.state, actions)
                self._legal = tuple(actions[:count].tolist())
        return self._legal

    @property
    def awaits_chance(self) -> bool:
        """Whether a chance event, such as a roll of the dice, comes before the next action."""
        return self.game.rules.has_chance and len(self._cases()) > 0

    def events(self) -> tuple[Event, ...]:
        """Return the chance events that are possible here; none unless the position awaits chance."""
        cases = self._cases()
        total = int(cases.sum())
        return tuple(Event(number, int(each) / total, self.happen(number)) for number, each in enumerate(cases))

    def happen(self, event: int) -> "Position":
        """Return the position after a chance event; raise `BadInputError` if there is no such event."""
        events = len(self._cases())
        if event not in range(events):
            there = f"events are 0 to {events - 1}" if events else "nothing is left to chance"
            raise BadInputError(f"event {event} cannot happen in this position of {self.game.name}; {there}")
        state = self.state.copy()
        self.game.rules.happen.run(state, int(event))
        return Position.unchecked(self.game, state)

    def _cases(self) -> Int32s:
        """Return the number of cases of each event that is possible here."""
        cases = np.empty(MOST_EVENTS, dtype=np.int32)
        return cases[: self.game.rules.chance_events.run(self.state, cases)]

    def play(self, action: int) -> "Position":
        """Return the position after an action; raise `IllegalActionError` if it is not legal here."""
        self.check(action)
        return self.after(int(action))

    def check(self, action: int) -> None:
        """Raise `IllegalActionError` if an action is not legal here."""
        if action not in self.legal_actions:
            why = (
                "the contest is over"
                if self.is_over
                else "chance must decide first"
                if self.awaits_chance
                else f"legal here: {_legal_texts(self)}"
            )
            raise IllegalActionError(f"action {action} is not legal in this position of {self.game.name}; {why}")

    def after(self, action: int, *more: int) -> "Position":
        """Return the position after one or more actions that are known to be legal (not checked)."""
        state = self.state.copy()
        self.game.rules.play.run(state, action)
        for following in more:
            self.game.rules.play.run(state, following)
        return Position.unchecked(self.game, state)

    def moves(self) -> tuple[Move, ...]:
        """Return every way to complete the turn, with the position it leads to."""
        moves = []
        unfinished: list[tuple[tuple[int, ...], Position]] = [((), self)]
        while unfinished:
            played, position = unfinished.pop()
            for action in reversed(position.legal_actions):
                reached = position.after(action)
                actions = (*played, action)
                if reached.seat != self.seat or reached.is_over or reached.awaits_chance:
                    moves.append(Move(actions, reached))
                else:
                    unfinished.append((actions, reached))
        return tuple(sorted(moves, key=lambda move: move.actions))

    def only_move(self) -> tuple[int, ...]:
        """Return actions that complete the turn if all ways to do so lead to the same position; otherwise none."""
        found: tuple[int, ...] = ()
        last: Position | None = None
        seen = {self}
        unfinished: list[tuple[tuple[int, ...], Position]] = [((), self)]
        while unfinished:
            played, position = unfinished.pop()
            for action in position.legal_actions:
                reached, actions = position.after(action), (*played, action)
                if reached.seat != self.seat or reached.is_over or reached.awaits_chance:
                    if last is not None and reached != last:
                        return ()
                    found, last = actions, reached
                elif reached not in seen:  # (it may come up in another order)
                    seen.add(reached)
                    unfinished.append((actions, reached))
        return found

    def points_for(self, seat: int) -> int | None:
        """Return the points of a seat, or ``None`` while the contest goes on."""
        points = self.outcome
        return points if points is None or seat == 0 else -points

    def features(self, viewer: int | None = None) -> NDArray[np.float32]:
        """Return the features as a seat (by default that to move) observes them: float32, ``(num_features,)``."""
        if viewer is None:
            viewer = self.seat
        elif viewer not in (0, 1):
            raise BadInputError(f"viewer={viewer!r} is not allowed; it must be a seat, 0 or 1")
        features = np.empty(self.game.num_features, dtype=np.float32)
        self.game.rules.encode.run(self.state, viewer, features)
        return features

    def images(self) -> tuple["Position", ...]:
        """Return the images of the position under the board's symmetries, in their order."""
        return tuple(Position.unchecked(self.game, self.state[symmetry]) for symmetry in self.game.slot_symmetries)

    @property
    def part(self) -> "Position":
        """The position as one of the games of a match (`Game.part`); itself unless contests are matches."""
        game = self.game.part
        return self if game is self.game else Position.unchecked(game.ready, self.state)

    def as_dict(self, turns: "Iterable[Turn]" = ()) -> dict[str, Any]:
        """Return the position as plain data that JSON can hold, of the schema `plain_data.POSITION_SCHEMA`.

        That is the board by the labels of its locations, the seat to move, the phase of the contest, the legal actions,
        one whole move to each position that the turn can lead to, and the result if the board has decided the contest.

        Args:
            turns: What was played before, as ``history``; see `boardgames_env.contest.turns`.
        """
        from boardgames_env.plain_data import position_as_dict

        return position_as_dict(self, turns)

    @property
    def text(self) -> str:
        """The position drawn with characters."""
        from boardgames_env.render.text import draw_text

        return draw_text(self)

    @property
    def svg(self) -> str:
        """The position drawn as an SVG picture."""
        from boardgames_env.render.svg import draw_svg

        return draw_svg(self)

    def _repr_svg_(self) -> str:
        return self.svg


def _restore_position(game: "Game", key: bytes) -> Position:
    if len(key) != game.state_size:
        raise BadInputError(f"a position of {game.spec} has {game.state_size} slots, not {len(key)} as in this pickle")
    return Position.unchecked(game.ready, np.frombuffer(key, dtype=np.int8).copy())


def demand_game(position: Position, game: "Game") -> None:
    """Raise `BadInputError` for a position of a game with other rules."""
    if position.game is not game and position.game.rules != game.rules:
        raise BadInputError(f"{position!r} is not a position of {game.spec}")


def demand_turn(position: Position, game: "Game") -> None:
    """Raise `BadInputError` for a position of a game with other rules, or one in which no seat is to move."""
    demand_game(position, game)
    if not position.legal_actions:
        raise BadInputError("no seat is to move: the contest is over, or awaits chance")


def demand_states(states: NDArray[np.int8], game: "Game") -> None:
    """Raise `BadInputError` unless rows are states of a game, with a seat to move and slots within bounds.

    Nothing else is checked: no contest need lead to them.
    """
    if not isinstance(states, np.ndarray):
        raise BadInputError(f"states are an array of int8, not {type(states).__name__}")
    if states.dtype.char != "b" or states.shape[1:] != (game.state_size,):
        raise BadInputError(
            f"states of shape {states.shape} and dtype {states.dtype} are not allowed; "
            f"those of {game.spec} are int8 of shape (n, {game.state_size})"
        )
    game.demand_within_bounds(states)


def demand_array(name: str, array: Any, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return an array of a dtype, contiguous, from one of that kind of number that has a shape.

    Raises:
        BadInputError: If it has another shape, other numbers, or numbers that the dtype cannot hold.
    """
    given = np.asarray(array)
    if given.shape != shape:
        raise BadInputError(f"{name} has shape {given.shape}; it must be {shape}")
    if not np.can_cast(given.dtype, dtype, "same_kind"):
        raise BadInputError(f"{name} is of dtype {given.dtype}; it must be {np.dtype(dtype)}")
    with np.errstate(over="ignore"):
        made = np.ascontiguousarray(given, dtype=dtype)
    if not np.can_cast(given.dtype, dtype) and not _is_held(given, made):
        raise BadInputError(f"{name} holds numbers that {np.dtype(dtype)} cannot hold")
    return made


def _is_held(given: NDArray[Any], made: NDArray[Any]) -> bool:
    """Return whether another dtype holds the same whole numbers, or no infinite ones in place of others."""
    is_same = made == given if made.dtype.kind in "iu" else np.isinf(made) == np.isinf(given)
    return bool(is_same.all())


@lru_cache(maxsize=16)
def _legal_texts(position: Position) -> str:
    """Return the texts of the legal actions. (Cached: illegal attempts often come in series.)"""
    return one_of(position.game.action_text(action) for action in position.legal_actions)
