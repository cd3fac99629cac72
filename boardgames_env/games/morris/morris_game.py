"""What the morris games have in common: their options, and how a game is made of its rules."""

from dataclasses import dataclass
from typing import Any

from boardgames_env.board import BLACK, WHITE, Board
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.morris.morris_check import check_of
from boardgames_env.games.morris.morris_heuristics import heuristics_of
from boardgames_env.games.morris.morris_kernels import kernels_of
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.history import Limits, RecurrenceKey
from boardgames_env.kernels import State


@dataclass(frozen=True, kw_only=True)
class MorrisOptions:
    """The options that all morris games have.

    Attributes:
        fly_at: A seat with no man in hand and at most this many on the board may move to any empty point; 0 for never.
        any_capture: Whether men in mills may be captured like others.
        capture_each_mill: Whether a turn captures as many men as it closes mills.
        recurrences: A contest is drawn when a position comes up for this many times; 0 for never.
        recurrence_key: What counts as the same: the position, the board alone, or the position up to symmetry.
        plies: A contest ends after this many plies; 0 for never.
    """

    fly_at: int = 0
    any_capture: bool = False
    capture_each_mill: bool = False
    recurrences: int = 3
    recurrence_key: RecurrenceKey = "position"
    plies: int = 200

    def rules(self, board: Board, men: int, **others: Any) -> MorrisRules:
        """Return the rules on a board with a number of men of each seat; others are arguments of `MorrisRules`."""
        return MorrisRules(board, men, self.fly_at, self.any_capture, self.capture_each_mill, **others)


def morris_game(
    title: str, rules: MorrisRules, options: MorrisOptions, value: int | None = None, plies_draw: bool = False
) -> Game:
    """Return a game of the family; raise `BadInputError` if nothing limits its contests, which then need not end."""
    if not (options.recurrences or options.plies):
        raise BadInputError(
            "recurrences=0 and plies=0 are not allowed together, or contests need not end; set at least one of them"
        )
    return Game(
        title=title,
        board=rules.board,
        rules=kernels_of(rules),
        state_size=rules.state_size,
        num_features=rules.num_features,
        actions=rules.actions,
        limits=Limits(options.recurrences, options.recurrence_key, options.plies, plies_draw),
        value=value,
        positions=rules.most_positions,
        note=what_is_not_on_the_board,
        check=check_of(rules),
        heuristics=heuristics_of(rules),
        family=rules,
    )


def what_is_not_on_the_board(state: State) -> str:
    """Return in words how many men are in hand and what the seat to move must do."""
    first, second, pending = state[-3:].tolist()
    notes = []
    if pending > 0:
        notes.append("captures a man" if pending == 1 else f"captures {pending} men")
    if pending < 0:
        notes.append("misses this turn")
    if pending == 0 and first + second > 0 and (first, second)[state[0]] == 0:
        notes.append("waits until all men are placed")
    if first or second:
        notes.append(f"in hand: {BLACK.name} {first}, {WHITE.name} {second}")
    return "; ".join(notes)
