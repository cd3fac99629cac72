"""`PerfectWithCube`: perfect play of backgammon with few men and a doubling cube, for money."""

import numpy as np

from boardgames_agents.lookahead.cube.doubler import BEAVER, DOUBLE, DROP, ROLL, TAKE
from boardgames_agents.lookahead.replies import Replier
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
from boardgames_env.kernels import ONGOING
from boardgames_env.moves import actions_of
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
        self._replier = Replier(game)
        texts = (ROLL, DOUBLE, TAKE, DROP, BEAVER)
        self._of_cube = {action for action in range(game.num_actions) if game.action_text(action) in texts}

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Return the actions of the best move, the first of equals."""
        demand_turn(position, self.game)
        if len(position.legal_actions) == 1:
            return position.legal_actions
        values = self.values(position)
        return max(values, key=values.__getitem__)

    def values(self, position: Position) -> dict[tuple[int, ...], float]:
        """Return the points that the seat to move expects after each move, in units of the stake before it."""
        if position.legal_actions[0] in self._of_cube:
            return {(action,): self._worth(position, action) for action in position.legal_actions}
        states, outcomes, moves, _ = self._replier.of_move(position.state)
        going = outcomes == ONGOING
        values = np.where(position.seat == 0, outcomes, -outcomes) / self._replier.stake(position.state)
        values[going] = -self.table.equities(states[going])
        return {actions_of(move): float(value) for move, value in zip(moves, values, strict=True)}

    def _worth(self, position: Position, action: int) -> float:
        """Return what a decision about the cube is worth to the seat that makes it, in units of the stake before it."""
        reached, seat = position.after(action), position.seat
        stakes = self._replier.stake(reached.state) / self._replier.stake(position.state)
        if reached.is_over:
            return (reached.points_for(seat) or 0) / self._replier.stake(position.state)
        if reached.awaits_chance:
            (value,) = self.table.equities(reached.state[np.newaxis], may_double=False)
        else:
            value = max(self.values(reached).values())
        return float(value) * stakes * (1 if reached.seat == seat else -1)

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the moves with their equities; an arrow marks the best move, or the action that was played."""
        position = position.part
        demand_turn(position, self.game)
        values = self.values(position)
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
