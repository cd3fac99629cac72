"""What makes a game of the morris family from its rules."""

from boardgames_env.board import BLACK, WHITE
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.morris.morris_heuristics import heuristics_of
from boardgames_env.games.morris.morris_kernels import kernels_of
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.history import Limits
from boardgames_env.kernels import State


def morris_game(title: str, rules: MorrisRules, limits: Limits, value: int | None = None) -> Game:
    """A game of the family; its arguments are those of `Game`.

    Raises:
        BadInputError: If nothing limits its contests, which then need not end.
    """
    if not (limits.recurrences or limits.plies):
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
        limits=limits,
        value=value,
        positions=rules.most_positions,
        note=what_is_not_on_the_board,
        heuristics=heuristics_of(rules),
        family=rules,
    )


def what_is_not_on_the_board(state: State) -> str:
    """The men in hand and what the seat to move must do, in words, from the last slots of a state."""
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
