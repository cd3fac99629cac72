"""The games that tests run over: their specs, from the registry. Nothing is made at import.

What these lists say about games that are not made yet is asserted in `tests.test_variants`.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from math import lcm
from typing import Any, Literal, get_args, get_origin

import pytest
from _pytest.mark import ParameterSet

from boardgames_env import Game, Limits, registered_games
from boardgames_env.games import GameEntry
from boardgames_env.spec import Spec

NUMBERS: dict[str, Any] = {
    "columns": 4,
    "fly_at": 3,
    "game": "shisima",
    "in_a_row": 3,
    "lose_at": 0,
    "match_length": 2,
    "opening": 1,
    "paired_moves": 25,
    "plies": 30,
    "quiet_moves": 2,
    "recurrences": 2,
    "rows": 4,
    "score": (1, 0),
    "seed": 1,
    "size": 5,
}
"""The values that tests set options to which are numbers."""

ALONGSIDE: dict[tuple[str, Any], dict[str, Any]] = {
    ("recurrence_key", "board"): {"fly_at": 3},
    ("beavers", True): {"cube": True},
    ("score", (1, 0)): {"match_length": 2},
    ("post_crawford", True): {"cube": True, "match_length": 2, "score": (1, 0)},
}
"""Options that change nothing, or are refused, unless another is changed, where a game has that one, too.

Men that slide on a board of squares go to a point of the other colour, if points are coloured like a chessboard's:
the same men on the same points are always met with the same seat to move. A beaver turns the cube. Scores are those of
a match.
"""

ONLY_LIMITS = {"paired_moves", "plies", "progress", "quiet_moves", "recurrence_key", "recurrences"}
"""Options that change a game's limits and none of its kernels."""

EACH_GAME = list(registered_games())
"""All registered games, with their default options."""

WITH_CHANCE = ["backgammon", "hypergammon"]
"""The games with dice."""

WITHOUT_CHANCE = [name for name in EACH_GAME if name not in WITH_CHANCE]
"""The others."""

MORRIS = [name for name in EACH_GAME if "any_capture" in registered_games()[name].options]
"""The games with the rules of morris."""

WITH_HEURISTICS = sorted(
    [
        *(*MORRIS, "breakthrough", "connect_four", "disguised", "english_draughts", "fives", "gomoku", "hex"),
        *("hexapawn", "othello", "qubic", "tic_tac_toe"),
    ]
)
"""The games with an evaluation of their own for searches."""

EACH_LARGE_GAME = sorted(
    [*WITH_CHANCE, *(name for name in WITH_HEURISTICS if name not in ("disguised", "hexapawn", "tic_tac_toe"))]
)
EACH_SMALL_GAME = [name for name in EACH_GAME if name not in EACH_LARGE_GAME]
"""The games that are solved at once, position by position."""


def other_values(entry: GameEntry, option: str) -> list[Any]:
    """Return the values but the default that tests set an option to."""
    hint = entry.options[option].type
    choices = (False, True) if hint is bool else get_args(hint) if get_origin(hint) is Literal else (NUMBERS[option],)
    return [choice for choice in choices if choice != entry.options[option].default]


def variants() -> dict[str, str]:
    """Return every registered game with one option changed, and the game that it is a variant of."""
    found = {}
    for entry in registered_games().values():
        for option in entry.options:
            for value in other_values(entry, option):
                also = {
                    name: other for name, other in ALONGSIDE.get((option, value), {}).items() if name in entry.options
                }
                found[_spec(entry.name, {**also, option: value})] = _spec(entry.name, also)
    return found


def _spec(name: str, options: dict[str, Any]) -> str:
    return Spec(name, dict(sorted(options.items()))).text


VARIANTS = variants()
EVERY_GAME = list(dict.fromkeys([*EACH_GAME, *VARIANTS]))

OWN_RULES = [spec for spec in EVERY_GAME if not any(f"{option}=" in spec for option in ONLY_LIMITS)]
"""Every game but those that differ from another in nothing but their limits."""


def variants_of(names: Collection[str], specs: Iterable[str]) -> list[str]:
    """Return those of some specs that are of these games, with any options."""
    return [spec for spec in specs if spec.partition("(")[0] in names]


SMALL_GAMES = variants_of(EACH_SMALL_GAME, OWN_RULES)


def over(games: Sequence[str | ParameterSet]) -> pytest.MarkDecorator:
    """Run a test with each of these games as its argument ``game``."""
    return pytest.mark.parametrize("game", games, indirect=True)


def is_small(game: Game) -> bool:
    """Return whether a game is solved at once, position by position."""
    return game.positions is not None and game.positions <= 20_000


@cache
def cut_short(game: Game) -> Game:
    """Return a game with contests of few plies, where those of the game itself are long."""
    return game if is_small(game) else replace(game, limits=Limits(plies=14, plies_draw=False))


def fast_for(fast: Collection[Any], values: Iterable[Any]) -> list[ParameterSet]:
    """Return all values; those among ``fast`` are in the fast run, the others are marked slow.

    A tuple holds the values of several arguments.
    """
    values = list(values)
    assert all(value in values for value in fast)
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)), marks=[] if value in fast else pytest.mark.slow
        )
        for value in values
    ]


def sampled(*axes: Sequence[Any], one_in: int = 1, rounds: int = 1) -> list[ParameterSet]:
    """Return all combinations; those of the fast run hold every value of every axis ``rounds`` times or more.

    With ``one_in``, only one in so many of these is in the fast run; with 0, none is.
    """
    longest = max(map(len, axes))
    fast = sorted({_places(k, shift, longest, axes) for shift in range(rounds) for k in range(longest)})
    fast = fast[::one_in] if one_in else []
    found = []
    for chosen in product(*map(enumerate, axes)):
        places, values = zip(*chosen, strict=True)
        found.append(pytest.param(*values, marks=[] if places in fast else pytest.mark.slow))
    return found


def _places(k: int, shift: int, longest: int, axes: Sequence[Sequence[Any]]) -> tuple[int, ...]:
    """Return the places of the k-th combination of a round; the shorter axes do not go in step with each other."""
    places, period = [], 1
    for number, axis in enumerate(axes):
        if len(axis) < longest:
            period = lcm(period, len(axis))
        laps = k // period if len(axis) < longest else 0
        places.append((k + laps + shift * number) % len(axis))
    return tuple(places)


def spec_of(value: object) -> str:
    """Return the name of a game, or of another argument of a test, in the test's name."""
    return str(getattr(value, "spec", None) or getattr(value, "__name__", value))
