"""The jobs of the filters' experiments."""

from functools import cache

from boardgames_agents.fives.exam import MOST_MOVES
from boardgames_agents.fives.making import POSITIONS, make_starts
from boardgames_agents.training.starting_positions import Starts
from boardgames_env import Game, make_game

GAME = f"fives(paired_moves={MOST_MOVES})"
"""Lessons end after as many moves as exams do."""

SELECTION = range(10_000, 10_300)
"""Seeds of `make_starts` by which settings were chosen; no reported figure uses them."""

_REPORTING = 1_000_000


@cache
def game() -> Game:
    """Return the game."""
    return make_game(GAME).ready


def reporting(seed: int, number: int) -> int:
    """Return the seed of the starting positions of a reported set, whose number is less than a million."""
    return _REPORTING * (1 + seed) + number


@cache
def starts(role: str, seed: int, count: int = POSITIONS) -> Starts:
    """Return starting positions; making them takes longer than learning from them."""
    return make_starts(game(), role, seed, count)
