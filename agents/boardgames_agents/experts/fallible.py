"""Players that are perfect most of the time: the challengers and trainers of the papers."""

from boardgames_agents.experts.perfect import PerfectPlayer, Style, TablePlayer
from boardgames_agents.policy import Distribution, mixture, uniform
from boardgames_agents.registry import agent
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.position import Position


@agent("fallible", for_people="Perfect player that slips: now and then it plays any move at all")
class FalliblePlayer(TablePlayer):
    """A perfect player that with probability e plays any legal action, right or wrong (Epstein 1994, section 1).

    e is the opportunity for error, from 0 (perfect) to 1 (random). Epstein's expert challenger has e=0.1, the
    novice e=0.7, the random one e=1.

    Args:
        e: The probability of any legal action.
        style: The style of the perfect player.

    Raises:
        BadInputError: If e is not in [0, 1].
    """

    def __init__(self, game: Game, e: float = 0.1, style: Style = "uniform") -> None:
        super().__init__(game)
        require(0, 1, e=e)
        self.e = float(e)
        self.perfect = PerfectPlayer(game, style)

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """Return the mixture of the perfect player's actions and all legal ones."""
        perfect = self.perfect.distribution(position, left)
        return mixture([(1 - self.e, perfect), (self.e, uniform(position.legal_actions))])


@agent("reasonable", for_people="Sensible player: plays perfectly or, half the time, a move that looks reasonable")
class ReasonablePlayer(TablePlayer):
    """A player of reasonable moves with probability x and otherwise of perfect ones (Epstein 2001, section 3).

    A reasonable move wins at once if any move does; otherwise it avoids a loss in two moves, that is, it leaves no
    reply that wins at once; if there is none, it is any legal move. With x=0.1 this is the strong challenger of that
    paper, with x=0.5 the novice.

    Args:
        x: The probability of a reasonable move.
        style: The style of the perfect player.

    Raises:
        BadInputError: If x is not in [0, 1].
    """

    def __init__(self, game: Game, x: float = 0.1, style: Style = "uniform") -> None:
        super().__init__(game)
        require(0, 1, x=x)
        self.x = float(x)
        self.perfect = PerfectPlayer(game, style)

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """Return the mixture of reasonable moves and the perfect player's."""
        perfect = self.perfect.distribution(position, left)
        return mixture([(self.x, reasonable_moves(position)), (1 - self.x, perfect)])


def reasonable_moves(position: Position) -> Distribution:
    """Return the first actions of the reasonable moves, which are equally likely."""
    moves = position.moves()
    chosen = (
        [move for move in moves if move.afterstate.points_for(position.seat) == 1]
        or [move for move in moves if not _wins_at_once(move.afterstate)]
        or list(moves)
    )
    return mixture([(1 / len(chosen), ((move.actions[0],), (1.0,))) for move in chosen])


def _wins_at_once(position: Position) -> bool:
    """Return whether the contest is lost for the other seat, or the seat to move can win it at once."""
    seat = position.seat
    if position.is_over:
        return position.points_for(1 - seat) == -1
    return any(move.afterstate.points_for(seat) == 1 for move in position.moves())
