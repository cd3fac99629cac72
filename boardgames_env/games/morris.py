"""The morris games: men placed and then moved on squares within squares, where three in a row capture.

## Actions
"""

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris_boards import SIXTEEN, TWENTY_FOUR, morris_board
from boardgames_env.games.morris_kernels import kernels_of
from boardgames_env.games.morris_rules import MorrisRules
from boardgames_env.history import Limits, RecurrenceKey


def _morris(title: str, rules: MorrisRules, limits: Limits, value: int | None = None) -> Game:
    """A game of the family.

    Raises:
        BadInputError: If there are no limits, without which contests need not end.
    """
    if not (limits.recurrences or limits.plies):
        raise BadInputError(
            "recurrences=0 and plies=0 are not allowed together: contests need not end; set at least one of them"
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
        family=rules,
    )


@game(version=0)
def five_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 80,
) -> Game:
    """Five men each on two squares."""
    rules = MorrisRules(SIXTEEN, 5, fly_at, any_capture, capture_each_mill)
    return _morris("Five men's morris", rules, Limits(recurrences, recurrence_key, plies), value=0)


@game(version=0, also_called=("akidada",))
def six_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 80,
) -> Game:
    """Six men each on two squares."""
    rules = MorrisRules(SIXTEEN, 6, fly_at, any_capture, capture_each_mill)
    return _morris("Six men's morris", rules, Limits(recurrences, recurrence_key, plies), value=0)


@game(version=0)
def nine_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 200,
) -> Game:
    """Nine men each on three squares."""
    rules = MorrisRules(TWENTY_FOUR, 9, fly_at, any_capture, capture_each_mill)
    return _morris("Nine men's morris", rules, Limits(recurrences, recurrence_key, plies, plies_draw=False), value=0)
