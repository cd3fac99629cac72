"""`PerfectWithCube`: perfect play of backgammon with few men and a doubling cube, for money."""

from boardgames_agents.experts.exact_points import ExactPoints
from boardgames_agents.policy.explanation import (
    ConsideredMove,
    Explanation,
    explanation_of_moves,
    points_in_words,
    shares_of,
    signed,
)
from boardgames_agents.policy.whole_moves import WholeMovePolicy
from boardgames_env.contest import turn_text
from boardgames_env.game import Game
from boardgames_env.position import Position, demand_turn
from boardgames_env.solve.few_men_with_cube import FewMenWithCube


class PerfectWithCube(WholeMovePolicy):
    """Plays and doubles for the highest exact equity.

    Args:
        game: The game.
        table: Its solution.
    """

    is_memoryless = True

    def __init__(self, game: Game, table: FewMenWithCube) -> None:
        super().__init__()
        self.game, self.table = game, table
        self._points = ExactPoints(game, table)

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Return the actions of the best move, the first of equals."""
        demand_turn(position, self.game)
        if len(position.legal_actions) == 1:
            return position.legal_actions
        values = self._points.values(position)
        return max(values, key=values.__getitem__)

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the moves with their equities; an arrow marks the best move, or the action that was played."""
        position = position.part
        demand_turn(position, self.game)
        values = self._points.values(position)
        ordered = sorted(values, key=lambda move: -values[move])
        weights = shares_of([values[move] for move in ordered])
        best = ordered[0]
        considered = [
            ConsideredMove(
                turn_text(position, move),
                (signed(values[move], 4),),
                mark=signed(values[move], 2),
                weight=weight,
                is_chosen=move == best,
                alike=(move,),
            )
            for move, weight in zip(ordered, weights, strict=True)
        ]
        return explanation_of_moves(
            "decided by the exact equities of the solved game",
            considered,
            numbers=("equity",),
            played=played,
            glossary=("equity: the points that the seat to move expects with the cube, in units of the stake",),
            verdict=f"knows: {turn_text(position, best)}; {points_in_words(position, values[best])}",
        )
