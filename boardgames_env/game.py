"""`Game`: a board, rules and facts about them, as data."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgames_env import kernels
from boardgames_env.actions import Action, Notation, at_each
from boardgames_env.board import BLACK, WHITE, Board, Man
from boardgames_env.chance import no_chance_events, no_event_happens
from boardgames_env.encoding import Encoding
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.guarded_trial import try_out
from boardgames_env.history import Limits
from boardgames_env.kernels import Kernel, State, demand_kernels
from boardgames_env.kernels.bundle import GameKernels
from boardgames_env.match_score import MatchScore
from boardgames_env.position import Position
from boardgames_env.render.shapes import Drawing
from boardgames_env.spec import Spec

OF_A_POSITION = ("score", "post_crawford")
"""The options of a game that is played in matches that positions have as well."""

_OF_A_MATCH = ("match_length", *OF_A_POSITION)
"""The options of a game that is played in matches."""


@dataclass(frozen=True)
class Rules:
    """The kernels of a game; see `boardgames_env.kernels`.

    Raises:
        BadInputError: If one of them is not a kernel of its form.
    """

    initial: Kernel
    legal: Kernel
    play: Kernel
    outcome: Kernel
    encode: Kernel
    chance_events: Kernel = no_chance_events
    happen: Kernel = no_event_happens
    moves: Kernel | None = None

    def __post_init__(self) -> None:
        forms = {field.name: getattr(kernels, field.name.upper()) for field in fields(self)}
        demand_kernels(self, **forms)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """All kernels of the rules."""
        return tuple(each for each in (getattr(self, field.name) for field in fields(self)) if each is not None)

    @property
    def has_chance(self) -> bool:
        """Whether anything is left to chance in the game."""
        return self.chance_events is not no_chance_events


@dataclass(frozen=True)
class Heuristics:
    """The kernels of a game that guide a search; see `boardgames_env.kernels`. Only the first is required.

    Raises:
        BadInputError: If one of them is not a kernel of its form.
    """

    evaluate: Kernel
    gain: Kernel | None = None
    forcing: Kernel | None = None

    def __post_init__(self) -> None:
        demand_kernels(self, evaluate=kernels.EVALUATE, gain=kernels.GAIN, forcing=kernels.LEGAL)


@dataclass(frozen=True)
class Setting:
    """A choice of people who set up a position, beside the men on the board: men in hand, dice, and the like.

    Attributes:
        label: What is chosen, such as ``"black men in hand"``.
        choices: By the text of each choice, the slots of a state that it writes, with their values.
    """

    label: str
    choices: Mapping[str, Mapping[int, int]]


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its board, its rules and facts about it. Made by `boardgames_env.make_game`.

    The first ``1 + board.size`` slots of a state are the seat to move and the men on each location: ``+k`` for
    k men of seat 0, ``-k`` for seat 1; or, in a game with several ``kinds`` of men, for one man of the k-th kind. What
    follows (men in hand, say) is the game's own.

    Attributes:
        name: The name it is registered under.
        version: The version of its rules, increased whenever they change.
        title: The name shown to people.
        board: Locations, lines and symmetries.
        rules: The kernels.
        state_size: Length of a state.
        num_features: Features are 0 to ``num_features - 1``.
        actions: The actions in the order of their numbers, from 0; by default one at every location.
        limits: Recurrences, ply limits and plies without progress.
        men: Names and colours of the two seats' men.
        kinds: Those of men of further kinds, such as kings, in a game that has some; it has one man on a location.
        openings: Weights of the first actions of a good competitor, where a source gives them.
        value: The known value for seat 0 under best play, if any: +1, 0 or -1.
        positions: The number of reachable positions or an upper bound of it; None if it is not known.
        note: A function that describes what the men on the board do not show (men in hand, say).
        note_in_pictures: A function that describes it where a picture shows more than a text; by default ``note``.
        settings: What people choose when they set up a position, besides the men on the board and the seat to move.
        complete: A function that writes the slots of a state that follow from the others, such as the number of men
            placed, for a position that is being set up; None if there are none.
        notation: A notation for whole moves, if people have one for the game.
        drawing: A drawing of positions that are more than men on the locations of the board.
        check: A function that returns why a state cannot occur in a contest, or None.
        slot_bounds: The least and the greatest value of each slot of a state, (0, 1) for slot 0, where kernels find
            their way in tables by them; by default any value of the slots after slot 0 does no harm.
        encodings: Encodings for networks besides the observation; see `boardgames_env.encoding`.
        men_features: The features of men, as ``(locations, n)``: the first ``n * locations`` are the observer's men, n
            features for each location in order, and as many follow for the other seat's. By default there is one for
            each location of the board.
        stake: A function that returns the stake of a state, where a cube can double the points; otherwise None.
        most_points: The most points that a contest can be won by.
        can_draw: Whether a contest can be drawn.
        losses: A function that returns the most points that a seat can still lose in a state, where a contest may count
            more than its stake; otherwise None.
        score: A function that returns the score of the match before the game that a state belongs to; None where
            contests are neither matches nor games of one.
        part_options: The options with which a contest is one of the games of a match, where it is a whole match.
        heuristics: Kernels that guide a search, if there are any.
        board_end: A kernel that returns why the board has ended a contest, a number of `boardgames_env.ending.ENDS`,
            from its last state; by default that is a winning line, else a full board, else the rules.
        family: The rules as data, for a solver of a family of games; see `boardgames_env.solve`.
        own_rules: The rules in words, where they are not those of the page.
        options: The options it was made with, without those left at their default.
        factory: The registered function that makes it.
    """

    title: str
    board: Board
    rules: Rules
    state_size: int
    num_features: int
    actions: tuple[Action, ...] = ()
    limits: Limits = Limits()
    men: tuple[Man, Man] = (BLACK, WHITE)
    kinds: tuple[tuple[Man, Man], ...] = ()
    openings: Mapping[int, float] = field(default_factory=dict)
    value: int | None = None
    positions: int | None = None
    note: Callable[[State], str] | None = None
    note_in_pictures: Callable[[State], str] | None = None
    settings: tuple[Setting, ...] = ()
    complete: Callable[[State], None] | None = None
    notation: Notation | None = None
    drawing: Drawing | None = None
    check: Callable[[State], str | None] | None = None
    slot_bounds: tuple[tuple[int, int], ...] = ()
    heuristics: Heuristics | None = None
    encodings: Mapping[str, Encoding] = field(default_factory=dict)
    men_features: tuple[int, int] | None = None
    stake: Callable[[State], int] | None = None
    most_points: int = 1
    can_draw: bool = True
    losses: Callable[[State, int], int] | None = None
    score: Callable[[State], MatchScore] | None = None
    part_options: Mapping[str, Any] = field(default_factory=dict)
    board_end: Kernel | None = None
    family: object | None = None
    own_rules: str = ""
    # filled in by the registry
    name: str = ""
    version: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    factory: "Callable[..., Game] | None" = None

    def __post_init__(self) -> None:
        demand_kernels(self, board_end=kernels.OUTCOME)
        object.__setattr__(self, "actions", self.actions or at_each(self.board))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game as its factory, options, and the fields that `dataclasses.replace` has changed.

        `BadInputError` is raised if its rules were replaced, or no registered function made it.
        """
        from boardgames_env.games import make_registered  # (the registry imports this module)

        original = make_registered(self.factory, dict(self.options)) if self.factory else None
        if original is self:
            return make_registered, (self.factory, dict(self.options))
        if original is None or original.rules != self.rules:
            raise BadInputError(f"{self!r} cannot be pickled; register it, and make it with make_game")
        changed = {each.name for each in fields(self) if getattr(self, each.name) != getattr(original, each.name)}
        return partial(replace, original, **{name: getattr(self, name) for name in changed}), ()

    def __deepcopy__(self, memo: object) -> "Game":
        return self

    @property
    def num_actions(self) -> int:
        """Actions are 0 to ``num_actions - 1``."""
        return len(self.actions)

    @property
    def is_registered(self) -> bool:
        """Whether `make_game` made it and nothing in it has been replaced."""
        from boardgames_env.games import make_registered

        return self.factory is not None and make_registered(self.factory, dict(self.options)) is self

    def __repr__(self) -> str:
        return f"<game {self.spec}>"

    def _repr_svg_(self) -> str:
        return self.initial.svg

    @cached_property
    def spec(self) -> str:
        """The spec of the game: ``make_game(game.spec)`` makes it again."""
        return str(Spec(self.name, self.options))

    @property
    def page(self) -> str:
        """The game's page, in Markdown: rules, board, actions, observation; empty if the game is not registered."""
        from boardgames_env.games import registered_games  # (the registry imports this module)

        return registered_games()[self.name].page if self.factory else ""

    @cached_property
    def rules_text(self) -> str:
        """The section of the rules of the game's page, or `own_rules`; empty if there is neither."""
        _, _, after = self.page.partition("## Rules\n")
        return self.own_rules or after.partition("\n## ")[0].strip()

    def as_dict(self) -> dict[str, Any]:
        """Return the game as plain data that JSON can hold, of the schema `plain_data.GAME_SCHEMA`."""
        from boardgames_env.plain_data import game_as_dict

        return game_as_dict(self)

    @cached_property
    def part(self) -> "Game":
        """The game whose contests are the games of a match, with the same states; itself unless contests are matches.

        What is decided within one of them, such as by a look-ahead, is decided by its rules.
        """
        from boardgames_env.games import make_registered  # (the registry imports this module)

        if not self.part_options or self.factory is None:
            return self
        return make_registered(self.factory, {**self.options, **self.part_options})

    def at_score(self, score: MatchScore | None) -> "Game":
        """Return the game whose contests are one game of a match, at a score; or without a match.

        Raises:
            BadInputError: If the game is not played in matches.
        """
        from boardgames_env.games import make_game  # (the registry imports this module)

        options = {name: value for name, value in self.options.items() if name not in _OF_A_MATCH}
        if score:
            options |= {"match_length": score.length, "score": score.points, "post_crawford": score.is_post_crawford}
        return make_game(self.name, **options)

    @cached_property
    def ready(self) -> "Game":
        """The game itself, after its trial; the games of this package are tried by its tests.

        `BadInputError` is raised if its sizes are wrong; see `boardgames_env.guarded_trial`.
        """
        is_ours = self.factory is not None and self.factory.__module__.startswith("boardgames_env.games.")
        if not (is_ours and self.is_registered):
            try_out(self)
        return self

    @cached_property
    def kernels(self) -> GameKernels:
        """The kernels, limits and sizes of the game, as one argument for generic kernels."""
        rules = self.ready.rules
        return GameKernels(
            *(rules.initial, rules.legal, rules.play, rules.outcome, rules.encode, rules.chance_events, rules.happen),
            symmetries=self.slot_symmetries,
            limits=self.limits.numbers(self.board.size),
            is_limited=self.limits.are_set,
            has_chance=rules.has_chance,
            state_size=self.state_size,
            num_actions=self.num_actions,
        )

    def men_at(self, slot: int) -> tuple[Man, int]:
        """Return the look of the men that a slot of a state stands for, which is not 0, and how many they are."""
        kind, number = (abs(slot) - 1, 1) if self.kinds else (0, abs(slot))
        return (self.men, *self.kinds)[kind][slot < 0], number

    def wrong_kind(self, state: State) -> str:
        """Return which location of a state holds a man of a kind that the game does not have; empty if none does."""
        men, most = state[1 : 1 + self.board.size].tolist(), 1 + len(self.kinds)
        strange = next((at for at, slot in enumerate(men) if abs(slot) > most), None) if self.kinds else None
        return "" if strange is None else f"location {strange} holds {men[strange]}; it is from {-most} to {most}"

    def demand_within_bounds(self, states: NDArray[np.int8]) -> None:
        """Raise `BadInputError` unless states have a seat to move and slots within bounds.

        Args:
            states: A state in each row, shape ``(n, state_size)``, int8. Without ``slot_bounds`` only the seat is
                checked.
        """
        if not self.slot_bounds:
            if np.count_nonzero(seats := states[:, 0] & ~1):
                row = int(np.flatnonzero(seats)[0])
                raise BadInputError(f"slot 0 of state {row} is the seat to move, 0 or 1, not {states[row, 0]}")
            return
        least, width = self._least_and_width
        beyond = (states - least).view(np.uint8) > width  # (values below the least become large ones)
        if np.count_nonzero(beyond):  # (faster than `any`)
            row, slot = np.argwhere(beyond)[0].tolist()
            low, high = self.slot_bounds[slot]
            raise BadInputError(
                f"no contest of {self.name} reaches state {row}: slot {slot} holds {states[row, slot]}; "
                f"it is from {low} to {high}"
            )

    @cached_property
    def _least_and_width(self) -> tuple[NDArray[np.int8], NDArray[np.uint8]]:
        least, most = np.array(self.slot_bounds).T
        return least.astype(np.int8), (most - least).astype(np.uint8)

    @cached_property
    def initial(self) -> "Position":
        """The position that contests start from."""
        state = np.zeros(self.state_size, dtype=np.int8)
        self.ready.rules.initial(state)
        return Position.unchecked(self, state)

    def position(self, state: Any) -> "Position":
        """Return the position of a state of ``state_size`` integers from -128 to 127.

        Raises:
            BadInputError: If the state is not that, fails the game's own check, or leaves the seat to move without a
                legal action though the contest goes on.
        """
        try:
            given = np.asarray(state)
        except ValueError:  # (rows that differ in length)
            raise BadInputError(f"a state of {self.name} is made of whole numbers from -128 to 127") from None
        if given.shape != (self.state_size,):
            raise BadInputError(
                f"a state of {self.name} has shape ({self.state_size},), not {given.shape}; slot 0 is the seat to move"
            )
        if given.dtype != np.int8 and (given.dtype.kind not in "iu" or given.min() < -128 or given.max() > 127):
            raise BadInputError(f"a state of {self.name} is made of whole numbers from -128 to 127")
        array = given.astype(np.int8)
        if array[0] not in (0, 1):
            raise BadInputError(f"slot 0 of a state is the seat to move, 0 or 1, not {array[0]}")
        if why := self.wrong_kind(array) or (self.check and self.check(array)):
            raise BadInputError(f"no contest of {self.name} reaches this state: {why}")
        made = Position.unchecked(self.ready, array)
        if not (made.is_over or made.awaits_chance or made.legal_actions):
            raise BadInputError(f"no contest of {self.name} reaches this state: it goes on, but nothing is legal")
        return made

    def action_text(self, action: int) -> str:
        """Return an action as people write it; `parse_action` reads it back."""
        if not 0 <= action < self.num_actions:
            raise BadInputError(f"action {action} is not one of {self.name}'s; they are 0 to {self.num_actions - 1}")
        return self._action_texts[action]

    def parse_action(self, text: str) -> int:
        """Return the action that `action_text` writes as ``text``; raise `BadInputError` if there is none."""
        try:
            return self._action_numbers[text.strip()]
        except KeyError:
            raise BadInputError(
                f"{text!r} is not an action of {self.name}; actions are: {one_of(self._action_numbers)}"
            ) from None

    @cached_property
    def _action_texts(self) -> tuple[str, ...]:
        return tuple(action.text(self.board.labels) for action in self.actions)

    @cached_property
    def _action_numbers(self) -> dict[str, int]:
        return {text: action for action, text in enumerate(self._action_texts)}

    @cached_property
    def slot_symmetries(self) -> NDArray[np.int32]:
        """The board's symmetries on states: ``image = state[slot_symmetries[k]]``. The identity comes first."""
        symmetries = np.tile(np.arange(self.state_size, dtype=np.int32), (len(self.board.symmetries), 1))
        for row, symmetry in zip(symmetries, self.board.symmetries, strict=True):
            for location, image in enumerate(symmetry):
                row[1 + image] = 1 + location
        return symmetries

    @cached_property
    def action_symmetries(self) -> NDArray[np.int32]:
        """The board's symmetries on actions: ``action_symmetries[k, action]`` is the action's image."""
        numbers = {action: number for number, action in enumerate(self.actions)}
        return np.array(
            [[numbers[action.moved(symmetry)] for action in self.actions] for symmetry in self.board.symmetries],
            dtype=np.int32,
        )
