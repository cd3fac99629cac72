"""The score of a match: games between the same players until one of them has enough points."""

from dataclasses import dataclass, replace

from boardgames_env.errors import BadInputError

MOST_LENGTH = 99
"""The largest number of points that win a match."""


def is_crawford_next(fewest: int, fewest_after: int) -> bool:
    """Return whether the next game is the Crawford game, the first one in which a seat needs a single point.

    Args:
        fewest: The points that the seat nearer to winning the match needed before a game.
        fewest_after: The points that the seat nearer to winning needs after it.
    """
    return fewest > 1 and fewest_after == 1


@dataclass(frozen=True)
class MatchScore:
    """The score of a match before one of its games.

    Attributes:
        length: The number of points that win the match.
        points: The points of both seats so far.
        is_crawford: Whether this is the Crawford game, in which nobody may double.
    """

    length: int
    points: tuple[int, int] = (0, 0)
    is_crawford: bool = False

    @classmethod
    def begun(cls, length: int, points: tuple[int, int] = (0, 0), post_crawford: bool = False) -> "MatchScore":
        """Return the score at which a match begins; if a seat needs one point, that is the Crawford game by default.

        Raises:
            BadInputError: If there is no such match, or the Crawford game cannot have been played.
        """
        if not 1 <= length <= MOST_LENGTH:
            raise BadInputError(f"match_length={length} is not allowed; it must be from 1 to {MOST_LENGTH}")
        if len(points) != 2 or not all(type(each) is int and 0 <= each < length for each in points):
            raise BadInputError(
                f"score={points!r} is not allowed; it is the points of both seats, each from 0 to {length - 1}"
            )
        needs_one = max(points) == length - 1
        if post_crawford and not needs_one:
            raise BadInputError(f"post_crawford is not allowed at the score {points!r}, where no seat needs one point")
        if post_crawford and length == 1:
            raise BadInputError("post_crawford is not allowed in a match to 1 point, which has a single game")
        return cls(length, points, needs_one and not post_crawford)

    @property
    def away(self) -> tuple[int, int]:
        """The points that both seats still need."""
        return self.length - self.points[0], self.length - self.points[1]

    @property
    def winner(self) -> int | None:
        """The seat that has won the match, if one has."""
        return next((seat for seat in (0, 1) if self.points[seat] >= self.length), None)

    @property
    def is_post_crawford(self) -> bool:
        """Whether the Crawford game has been played."""
        return min(self.away) == 1 and not self.is_crawford

    @property
    def is_called_crawford(self) -> bool:
        """Whether people call this the Crawford game: a match to 1 point has a single game, and no cube to speak of."""
        return self.is_crawford and self.length > 1

    @property
    def turned(self) -> "MatchScore":
        """The score with both seats exchanged."""
        return replace(self, points=self.points[::-1])

    def after(self, points: int) -> "MatchScore":
        """Return the score after a game that gave seat 0 some points, or less than 0 to seat 1."""
        one, other = self.points
        reached = replace(self, points=(one + max(points, 0), other + max(-points, 0)))
        return replace(reached, is_crawford=is_crawford_next(min(self.away), min(reached.away)))
