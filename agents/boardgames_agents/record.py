"""The record of a contest."""

from dataclasses import dataclass, field

from boardgames_env.contest import replayed
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position


@dataclass(frozen=True)
class Record:
    """A contest that was played.

    Attributes:
        players: The specs of the two seats' policies.
        actions: Every action in order, including those of an opening.
        outcome: Seat 0's points; 0 also for a contest that a limit cut short.
        cut: Whether a limit cut the contest short without making it a draw by rule.
        decisions: The number of actions that each seat chose.
        seconds: The time that each seat's decisions took. Not compared.
        events: Every chance event (roll of the dice) in order.
    """

    game: str
    players: tuple[str, str]
    actions: tuple[int, ...]
    outcome: int
    cut: bool
    plies: int
    decisions: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = field(default=(0.0, 0.0), compare=False)
    events: tuple[int, ...] = ()

    def points_for(self, seat: int) -> int:
        """Return the points of a seat."""
        return self.outcome if seat == 0 else -self.outcome

    def positions(self, game: Game) -> tuple[Position, ...]:
        """Replay the contest at its game; return the position before each action, and the last one.

        Raises:
            BadInputError: If an action is illegal in this game, or chance events are missing.
        """
        positions = []
        for position in replayed(game.initial, self.actions, self.events):
            if position.awaits_chance:
                raise BadInputError(f"the record ends where chance must decide; it is not one of {game.spec}")
            positions.append(position)
        return tuple(positions)
