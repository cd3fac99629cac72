"""What is computed for the page of the filters: pieces of work, each of which settles all its chances."""

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from boardgames_agents.fives.exam import MOST_MOVES
from boardgames_agents.fives.making import POSITIONS, make_starts
from boardgames_agents.training.starting_positions import Starts
from boardgames_env import Game, make_game
from boardgames_env.files import digest

GAME = f"fives(paired_moves={MOST_MOVES})"
"""Lessons end after as many moves as exams do."""

SELECTION = range(10_000, 10_300)
"""The seeds of the starting positions that settings were chosen by: of `make_starts`, and of no figure reported."""

_REPORTING = 1_000_000


@cache
def game() -> Game:
    """The game."""
    return make_game(GAME).ready


def reporting(seed: int, number: int) -> int:
    """The seed of the starting positions of a set that figures are reported of.

    Args:
        seed: The experiment's seed.
        number: Which of its sets, less than a million.
    """
    return _REPORTING * (1 + seed) + number


@cache
def starts(role: str, seed: int, count: int = POSITIONS) -> Starts:
    """Starting positions; `make_starts` takes longer over them than students do to learn from them."""
    return make_starts(game(), role, seed, count)


@cache
def _sources() -> str:
    return digest(tuple(sorted(Path(__file__).parent.glob("*.py"))))


@dataclass(frozen=True)
class Piece:
    """A piece of work; see `boardgames_agents.experiments.store.Work`.

    Attributes:
        number: Which of the pieces that differ in their chances alone, from 0.
        seed: The experiment's seed.
    """

    number: int
    seed: int

    def description(self) -> dict[str, Any]:
        """Everything that settles the result."""
        return {"kind": type(self).__name__, "sources": _sources(), **asdict(self)}
