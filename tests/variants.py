"""The games that tests run over, from the registry."""

from dataclasses import replace
from typing import Literal, get_args, get_origin, get_type_hints

from boardgames_env import Game, Limits, make_game, registered_games

EACH_GAME = [make_game(name) for name in registered_games()]
"""All registered games as they come."""


def every_game() -> list[Game]:
    """All registered games as they come, and each again with an option changed, where an option has few choices."""
    games = []
    for entry in registered_games().values():
        games.append(make_game(entry.name))
        for option, hint in get_type_hints(entry.factory).items():
            if option in entry.options:
                choices = (False, True) if hint is bool else get_args(hint) if get_origin(hint) is Literal else ()
                games += [make_game(entry.name, **{option: choice}) for choice in choices]
    return list(dict.fromkeys(games))


EVERY_GAME = every_game()


def is_small(game: Game) -> bool:
    """Whether a game is solved in a moment, position by position."""
    return game.positions is not None and game.positions <= 20_000


SMALL_GAMES = [game for game in EVERY_GAME if is_small(game)]
EACH_SMALL_GAME = [game for game in EACH_GAME if is_small(game)]
EACH_LARGE_GAME = [game for game in EACH_GAME if not is_small(game)]


def cut_short(game: Game) -> Game:
    """A game with contests of few plies, where those of the game itself are long."""
    return game if is_small(game) else replace(game, limits=Limits(plies=14, plies_draw=False))


def spec_of(game: object) -> str:
    """How a game is called in a test's name."""
    return getattr(game, "spec", str(game))
