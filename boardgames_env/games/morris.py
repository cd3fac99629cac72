"""What makes a game of the morris family from its rules."""

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.morris_heuristics import heuristics_of
from boardgames_env.games.morris_kernels import kernels_of
from boardgames_env.games.morris_rules import MorrisRules
from boardgames_env.history import Limits


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
        heuristics=heuristics_of(rules),
        family=rules,
    )
