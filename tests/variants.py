"""Every registered game, with every choice of its options that can be enumerated."""

from typing import Literal, get_args, get_origin, get_type_hints

from boardgames_env import Game, make_game, registered_games


def every_game() -> list[Game]:
    """All registered games as they come, and each again with one option changed."""
    games = []
    for entry in registered_games().values():
        games.append(make_game(entry.name))
        for option, hint in get_type_hints(entry.factory).items():
            if option in entry.options:
                choices = (False, True) if hint is bool else get_args(hint) if get_origin(hint) is Literal else ()
                games += [make_game(entry.name, **{option: choice}) for choice in choices]
    return list(dict.fromkeys(games))


EVERY_GAME = every_game()


def spec_of(game: object) -> str:
    """How a game is called in a test's name."""
    return getattr(game, "spec", str(game))
