"""A learner: a linear policy that is trained by REINFORCE (Williams 1992)."""

from collections.abc import Mapping

import numpy as np

from boardgames_agents import Learner, Policy
from boardgames_agents.policy import Rng, Snapshot
from boardgames_agents.record import Record
from boardgames_agents.registry import agent
from boardgames_env import BadInputError, Game, Position


class LinearPolicy(Policy):
    """A player of the legal action with the greatest weight of features."""

    def __init__(self, weights: np.ndarray) -> None:
        self.weights = weights

    def logits(self, position: Position) -> np.ndarray:
        return position.features() @ self.weights[:, position.legal_actions]

    def choose(self, position: Position) -> int:
        return position.legal_actions[int(np.argmax(self.logits(position)))]


@agent("reinforce")
class Reinforce(LinearPolicy, Learner):
    """Draws actions from a softmax of linear preferences, and makes those of won contests more likely.

    Args:
        game: The game.
        alpha: Step size.
    """

    def __init__(self, game: Game, alpha: float = 0.05) -> None:
        super().__init__(np.zeros((game.num_features, game.num_actions)))
        self.alpha = alpha

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        super().begin(game, seats, rng)
        self.seats, self.decisions = seats, []

    def probabilities(self, position: Position) -> np.ndarray:
        preferences = np.exp(self.logits(position) - self.logits(position).max())
        return preferences / preferences.sum()

    def choose(self, position: Position) -> int:
        return int(self.rng.choice(position.legal_actions, p=self.probabilities(position)))

    def saw(self, position: Position, action: int) -> None:
        if position.seat in self.seats:
            self.decisions.append((position, action))

    def end(self, record: Record) -> None:
        for position, action in self.decisions:
            gradient = (np.array(position.legal_actions) == action) - self.probabilities(position)
            step = self.alpha * record.points_for(position.seat)
            self.weights[:, position.legal_actions] += step * np.outer(position.features(), gradient)

    def frozen(self) -> Policy:
        return LinearPolicy(self.weights.copy())

    def knowledge(self) -> Mapping[str, float]:
        return {"norm of the weights": float(np.linalg.norm(self.weights))}

    def snapshot(self) -> Snapshot:
        return Snapshot({"weights": self.weights.copy()})

    def restore(self, snapshot: Snapshot) -> None:
        weights = snapshot.arrays.get("weights", np.empty(0))
        if weights.shape != self.weights.shape:
            raise BadInputError("these are not the weights of reinforce at this game")
        self.weights = weights.copy()
