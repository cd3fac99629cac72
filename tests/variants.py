"""The games that tests run over, from the registry."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from _pytest.mark import ParameterSet

from boardgames_env import Game, Limits, make_game, registered_games
from boardgames_env.games import GameEntry
from boardgames_env.kernels import content_key

NUMBERS = {"fly_at": 3, "lose_at": 0, "opening": 1, "paired_moves": 25, "plies": 30, "recurrences": 2}
"""What options that are whole numbers are changed to."""

ALONGSIDE = {("recurrence_key", "board"): {"fly_at": 3}, ("beavers", True): {"cube": True}}
"""Options that change nothing unless another is changed, where a game has that one, too.

Men that slide on a board of squares go to a point of the other colour, if points are coloured like a chessboard's:
the same men on the same points are always met with the same seat to move. A beaver turns the cube.
"""

EACH_GAME = [make_game(name) for name in registered_games()]
"""All registered games as they come."""

WITHOUT_CHANCE = [game for game in EACH_GAME if not game.rules.has_chance]
"""Those of them in which nothing is left to chance."""

WITH_CHANCE = [game for game in EACH_GAME if game.rules.has_chance]
"""The others."""


def other_values(entry: GameEntry, option: str) -> list[Any]:
    """What else tests set an option to than its default."""
    hint = get_type_hints(entry.factory)[option]
    choices = (False, True) if hint is bool else get_args(hint) if get_origin(hint) is Literal else (NUMBERS[option],)
    return [choice for choice in choices if choice != entry.options[option].default]


def variants() -> dict[Game, Game]:
    """All registered games with an option changed, and what each is a variant of."""
    found = {}
    for entry in registered_games().values():
        for option in entry.options:
            for value in other_values(entry, option):
                also = {
                    name: other for name, other in ALONGSIDE.get((option, value), {}).items() if name in entry.options
                }
                found[make_game(entry.name, **also, **{option: value})] = make_game(entry.name, **also)
    return found


VARIANTS = variants()
EVERY_GAME = list(dict.fromkeys([*EACH_GAME, *VARIANTS]))


def same_rules(one: Game, other: Game) -> bool:
    """Whether two games differ in nothing but their limits."""
    return all(
        content_key([ours]) == content_key([theirs])
        for ours, theirs in zip(one.rules.kernels, other.rules.kernels, strict=True)
    )


OWN_RULES = [game for game in EVERY_GAME if game not in VARIANTS or not same_rules(game, VARIANTS[game])]
"""Every game but those that differ from another in nothing but their limits."""


def is_small(game: Game) -> bool:
    """Whether a game is solved in a moment, position by position."""
    return game.positions is not None and game.positions <= 20_000


SMALL_GAMES = [game for game in OWN_RULES if is_small(game)]
EACH_SMALL_GAME = [game for game in EACH_GAME if is_small(game)]
EACH_LARGE_GAME = [game for game in EACH_GAME if not is_small(game)]


@cache
def cut_short(game: Game) -> Game:
    """A game with contests of few plies, where those of the game itself are long."""
    return game if is_small(game) else replace(game, limits=Limits(plies=14, plies_draw=False))


def by_turns(one_in: int, *axes: Sequence[Any]) -> list[ParameterSet]:
    """All combinations, of which one in so many is tested at once, each with others by turns; the rest are slow tests.

    Of the combinations of all axes but one of that length, or a multiple of it, each is among those tested at once.
    """
    found = []
    for chosen in product(*map(enumerate, axes)):
        places, values = zip(*chosen, strict=True)
        found.append(pytest.param(*values, marks=[] if sum(places) % one_in == 0 else pytest.mark.slow))
    return found


def spec_of(value: object) -> str:
    """How a game, or what else a test is given, is called in the test's name."""
    return str(getattr(value, "spec", None) or getattr(value, "__name__", value))
