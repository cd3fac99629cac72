"""The Python face of a game: `Game`, and `Position`, a value that can be asked what may be played."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgames_env.board import BLACK, WHITE, Board, Man
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.history import Limits
from boardgames_env.kernels import ONGOING, Kernel, State, announce_compilation
from boardgames_env.spec import format_spec


class IllegalActionError(BadInputError):
    """An action that the rules do not allow in this position."""


@dataclass(frozen=True)
class Rules:
    """The kernels of a game; see `boardgames_env.kernels`."""

    initial: Kernel
    legal: Kernel
    play: Kernel
    outcome: Kernel
    encode: Kernel


@dataclass(frozen=True)
class Move:
    """All the actions of one turn, and the position they lead to."""

    actions: tuple[int, ...]
    afterstate: "Position"


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its board, its rules and what is known of it. Made by `boardgames_env.make_game`.

    The first ``1 + board.size`` slots of a state are the seat to move and the men on each location: ``+k`` for
    k men of seat 0, ``-k`` for seat 1. What follows (men in hand, say) is the game's own.

    Attributes:
        name: The name it is registered under.
        version: Goes up whenever its rules change.
        title: The name people use.
        board: Locations, lines and symmetries.
        rules: The kernels.
        state_size: Length of a state.
        num_actions: Actions are 0 to ``num_actions - 1``.
        num_features: Features are 0 to ``num_features - 1``.
        limits: Recurrences and ply limits.
        men: How the two seats' men are named and drawn.
        openings: Weights of the first actions a wise competitor would choose, where a source says so.
        value: The known value for seat 0 under best play, if any: +1, 0 or -1.
        options: The options it was made with, without those left at their default.
        factory: The registered function that makes it.
        extra_actions: The texts of the last actions, those that are not a location (a pass, say).
        action_symmetry: Carries an action along a symmetry of the board; by default an action that is a location
            goes where the location goes, and any other stays.
    """

    title: str
    board: Board
    rules: Rules
    state_size: int
    num_actions: int
    num_features: int
    limits: Limits = Limits()
    men: tuple[Man, Man] = (BLACK, WHITE)
    openings: Mapping[int, float] = field(default_factory=dict)
    value: int | None = None
    extra_actions: tuple[str, ...] = ()
    action_symmetry: Callable[[tuple[int, ...], int], int] | None = None
    # filled in by the registry
    name: str = ""
    version: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    factory: "Callable[..., Game] | None" = None

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is pickled as what makes it, and what `dataclasses.replace` has changed since.

        Raises:
            BadInputError: If its rules were replaced, or no registered function made it.
        """
        from boardgames_env.games import make_registered  # (the registry imports this module)

        original = make_registered(self.factory, dict(self.options)) if self.factory else None
        if original is self:
            return make_registered, (self.factory, dict(self.options))
        if original is None or original.rules != self.rules:
            raise BadInputError(f"{self!r} cannot be pickled; register it, and make it with make_game")
        changed = {each.name for each in fields(self) if getattr(self, each.name) != getattr(original, each.name)}
        return _replaced, (original, {name: getattr(self, name) for name in changed})

    def __deepcopy__(self, memo: object) -> "Game":
        return self

    @property
    def is_registered(self) -> bool:
        """Whether `make_game` made it, and nothing was replaced in it since."""
        from boardgames_env.games import make_registered

        return self.factory is not None and make_registered(self.factory, dict(self.options)) is self

    def __repr__(self) -> str:
        return f"<game {self.spec}>"

    @cached_property
    def spec(self) -> str:
        """The text that makes this game again: ``make_game(game.spec)``."""
        return format_spec(self.name, self.options)

    @cached_property
    def ready(self) -> "Game":
        """The game itself, with all its kernels compiled (which is said in a line if it takes time)."""
        announce_compilation(self.spec, [getattr(self.rules, each.name) for each in fields(self.rules)])
        return self

    @cached_property
    def initial(self) -> "Position":
        """The position a contest starts from."""
        state = np.zeros(self.state_size, dtype=np.int8)
        self.ready.rules.initial(state)
        return Position(self, state)

    def position(self, state: Any) -> "Position":
        """The position of a state.

        Args:
            state: ``state_size`` whole numbers.

        Raises:
            BadInputError: If the state has another shape, or does not consist of small whole numbers.
        """
        given = np.asarray(state)
        if given.shape != (self.state_size,):
            raise BadInputError(
                f"a state of {self.name} has shape ({self.state_size},), not {given.shape}; slot 0 is the seat to move"
            )
        if given.dtype.kind not in "iu" or given.min() < -128 or given.max() > 127:
            raise BadInputError(f"a state of {self.name} is made of whole numbers from -128 to 127")
        array = given.astype(np.int8)
        if array[0] not in (0, 1):
            raise BadInputError(f"slot 0 of a state is the seat to move, 0 or 1, not {array[0]}")
        _ = self.ready
        return Position(self, array)

    def action_text(self, action: int) -> str:
        """An action as people write it; `parse_action` reads it back."""
        self._check_action(action)
        return self._action_texts[action]

    def parse_action(self, text: str) -> int:
        """The action that `action_text` writes as ``text``.

        Raises:
            BadInputError: If no action of the game is written so.
        """
        try:
            return self._action_numbers[text.strip()]
        except KeyError:
            raise BadInputError(
                f"{text!r} is not an action of {self.name}; actions are: {one_of(self._action_numbers)}"
            ) from None

    @cached_property
    def _action_texts(self) -> tuple[str, ...]:
        return self.board.labels + self.extra_actions

    @cached_property
    def _action_numbers(self) -> dict[str, int]:
        return {text: action for action, text in enumerate(self._action_texts)}

    def _check_action(self, action: int) -> None:
        if not 0 <= action < self.num_actions:
            raise BadInputError(f"action {action} is not one of {self.name}'s; they are 0 to {self.num_actions - 1}")

    @cached_property
    def slot_symmetries(self) -> NDArray[np.int32]:
        """The board's symmetries, on states: ``image = state[slot_symmetries[k]]``. The identity comes first."""
        symmetries = np.tile(np.arange(self.state_size, dtype=np.int32), (len(self.board.symmetries), 1))
        for row, symmetry in zip(symmetries, self.board.symmetries, strict=True):
            for location, image in enumerate(symmetry):
                row[1 + image] = 1 + location
        return symmetries

    @cached_property
    def action_symmetries(self) -> NDArray[np.int32]:
        """The board's symmetries, on actions: ``action_symmetries[k, action]`` is the action's image."""
        carry = self.action_symmetry or (
            lambda symmetry, action: (*symmetry, *range(self.board.size, action + 1))[action]
        )
        return np.array(
            [[carry(symmetry, action) for action in range(self.num_actions)] for symmetry in self.board.symmetries],
            dtype=np.int32,
        )


class Position:
    """Where all the men are and whose turn it is. Immutable, hashable, picklable.

    Attributes:
        game: The game it belongs to.
        state: Its state, read-only, shape ``(state_size,)``, dtype int8.
        seat: The seat to move.
    """

    __slots__ = ("_key", "_legal", "_outcome", "game", "seat", "state")

    game: Game
    state: State
    seat: int

    def __init__(self, game: Game, state: State) -> None:
        state.flags.writeable = False
        self.game = game
        self.state = state
        self.seat = int(state[0])
        self._key = state.tobytes()
        self._legal: tuple[int, ...] | None = None
        self._outcome: int | None = None

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

    @property
    def key(self) -> bytes:
        """The state as bytes: what makes two positions of one game the same."""
        return self._key

    @property
    def outcome(self) -> int | None:
        """The points of seat 0 if the board has decided the contest, otherwise ``None``."""
        if self._outcome is None:
            self._outcome = self.game.rules.outcome.run(self.state)
        return None if self._outcome == ONGOING else self._outcome

    @property
    def is_over(self) -> bool:
        """Whether the board has decided the contest. (Limits are a matter of `History`.)"""
        return self.outcome is not None

    @property
    def legal_actions(self) -> tuple[int, ...]:
        """The legal actions in ascending order; none if the contest is over."""
        if self._legal is None:
            if self.is_over:
                self._legal = ()
            else:
                actions = np.empty(self.game.num_actions, dtype=np.int32)
                count = self.game.rules.legal.run(self.state, actions)
                self._legal = tuple(actions[:count].tolist())
        return self._legal

    def play(self, action: int) -> "Position":
        """The position after an action.

        Raises:
            IllegalActionError: If the action is not legal here.
        """
        if action not in self.legal_actions:
            why = (
                "the contest is over"
                if self.is_over
                else f"legal here: {one_of(self.game.action_text(legal) for legal in self.legal_actions)}"
            )
            raise IllegalActionError(f"action {action} is not legal in this position of {self.game.name}; {why}")
        return self.after(int(action))

    def after(self, action: int) -> "Position":
        """The position after an action that is known to be legal (not checked)."""
        state = self.state.copy()
        self.game.rules.play.run(state, action)
        return Position(self.game, state)

    def moves(self) -> tuple[Move, ...]:
        """Every way to complete the turn, with the position each leads to."""
        moves = []
        unfinished: list[tuple[tuple[int, ...], Position]] = [((), self)]
        while unfinished:
            played, position = unfinished.pop()
            for action in reversed(position.legal_actions):
                reached = position.after(action)
                actions = (*played, action)
                if reached.seat != self.seat or reached.is_over:
                    moves.append(Move(actions, reached))
                else:
                    unfinished.append((actions, reached))
        return tuple(sorted(moves, key=lambda move: move.actions))

    def points_for(self, seat: int) -> int | None:
        """The outcome as a seat sees it, or ``None`` while the contest goes on."""
        points = self.outcome
        return points if points is None or seat == 0 else -points

    def features(self, viewer: int | None = None) -> NDArray[np.float32]:
        """The position as the networks and environments see it.

        Args:
            viewer: The seat that looks; by default the seat to move.

        Returns:
            A fresh array, shape ``(num_features,)``, dtype float32.
        """
        features = np.empty(self.game.num_features, dtype=np.float32)
        self.game.rules.encode.run(self.state, self.seat if viewer is None else viewer, features)
        return features

    def images(self) -> tuple["Position", ...]:
        """The positions that the board's symmetries carry this one to, in the symmetries' order."""
        return tuple(Position(self.game, self.state[symmetry]) for symmetry in self.game.slot_symmetries)

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


def _replaced(game: Game, changes: dict[str, Any]) -> Game:
    return replace(game, **changes)


def _restore_position(game: Game, key: bytes) -> Position:
    return Position(game.ready, np.frombuffer(key, dtype=np.int8).copy())
