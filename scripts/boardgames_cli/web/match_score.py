"""Matches: contests between the same players until one of them has enough points."""

from dataclasses import dataclass, replace
from typing import Any

from boardgames_env import make_game
from boardgames_env.errors import require
from boardgames_env.game import Game

MOST_LENGTH = 99
"""The largest number of points that win a match."""


@dataclass(frozen=True)
class MatchScore:
    """The score of a match before one of its contests.

    Points count as in single contests: agents play for points, not for the match. In the first contest that a seat may
    win the match with one more point, there is no cube (the Crawford rule).

    Attributes:
        length: The number of points that win the match.
        game: The spec of the game of its contests.
        scores: The points of both seats so far.
        is_crawford: Whether this is the contest without a cube.
        was_crawford: Whether that contest has been played.
    """

    length: int
    game: str
    scores: tuple[int, int] = (0, 0)
    is_crawford: bool = False
    was_crawford: bool = False

    def after(self, points: int) -> "MatchScore":
        """Return the score after a contest with some points of seat 0."""
        one, other = self.scores
        scores = one + max(points, 0), other + max(-points, 0)
        was_crawford = self.was_crawford or self.is_crawford
        is_crawford = not was_crawford and max(scores) == self.length - 1
        return replace(self, scores=scores, is_crawford=is_crawford, was_crawford=was_crawford)

    @property
    def winner(self) -> int | None:
        """The seat that has won the match, if one has."""
        return next((seat for seat in (0, 1) if self.scores[seat] >= self.length), None)

    def game_of_contest(self) -> Game:
        """Return the game of this contest."""
        game = make_game(self.game)
        return without_stake(game) if self.is_crawford else game

    def swapped(self) -> "MatchScore":
        """Return the score with both seats exchanged."""
        return replace(self, scores=self.scores[::-1])


def begun_match(game: Game, length: int) -> MatchScore | None:
    """Return the score at the beginning of a match; ``None`` for a length of 0, which is a single contest."""
    require(0, MOST_LENGTH, match_length=length)
    if not length:
        return None
    score = MatchScore(length, game.spec)
    return score.after(0)


def match_score_of(entry: dict[str, Any] | None) -> MatchScore | None:
    """Return a score that was stored as plain data."""
    return MatchScore(**{**entry, "scores": tuple(entry["scores"])}) if entry else None


def without_stake(game: Game) -> Game:
    """Return a game with its default options if its stake can change and theirs cannot, otherwise the game."""
    usual = make_game(game.name)
    return usual if game.stake and not usual.stake else game
