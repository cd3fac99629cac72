"""A look-ahead that follows only some of the rolls beyond the second ply, drawn at random.

With V1 for the evaluator and V2 for two plies of it, a third ply changes the value of a position by the mean of V2 - V1
over the best replies to all rolls. Here this mean is estimated from a few rolls. A fourth ply changes the value of each
of these replies by V2 - V1 after one roll that follows it, and so on: the sum is a short rollout from which luck is
subtracted. Its mean over the draws is the look-ahead of all rolls that examines one reply to each roll more deeply, and
it costs a fraction of that. The error of a label matters little where a network learns from many.

With λ < 1 the value is a mean of all depths instead of the greatest alone, as in TD(λ): the change by ply k counts
λ^(k - 2). At even and odd depths different seats are to move at the horizon; errors that depend on this cancel in the
mean.
"""

import numpy as np

from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities, seen_by
from boardgames_agents.lookahead.expansion import write_points
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING
from boardgames_env.kernels.signatures import Float64s, Int8s

MOST_SAMPLES = 36
"""The largest number of rolls that are drawn: with two dice, each is then drawn as often as it is likely."""
MOST_SAMPLED_PLIES = 20
"""The greatest depth; the noise grows with it."""


class SampledLookahead:
    """Look-ahead of three plies or more by drawn rolls.

    Args:
        game: The game.
        evaluator: The evaluator of the positions at the horizon.
        samples: The number of rolls that are followed beyond the second ply; each is followed by one of every ply more.
        lambda_: λ, from 0 to 1; with 1 the greatest depth counts alone.
    """

    def __init__(self, game: Game, evaluator: Evaluator, samples: int, lambda_: float = 1.0) -> None:
        self._search, self._samples, self._lambda = Expectimax(game, evaluator), samples, lambda_

    def outcome_probabilities(self, states: Int8s, draws: Float64s) -> Probabilities:
        """Return estimates of the probability of each outcome to the seat to move; shape ``(n, 6)``.

        Estimates may be less than 0 or greater than 1.

        Args:
            states: Positions that are not over and await chance; shape ``(n, state_size)``.
            draws: The random numbers from 0 to 1 that draw the rolls, one for each ply beyond the second; shape
                ``(n, plies - 2)``. Of positions with the same numbers the same rolls are drawn.
        """
        return self._estimates(states, draws, self._samples)

    def _estimates(self, states: Int8s, draws: Float64s, number: int) -> Probabilities:
        if draws.shape[1] == 0 or not len(states):
            return self._search.look_ahead(states, 1)
        means, reached, predicted = self._search.best_replies(states, draws[:, 0], number)
        points = np.empty(len(reached), dtype=np.int32)
        write_points.run(self._search.game.rules.outcome, reached, len(reached), points)
        going = points == ONGOING
        # (each of the replies is followed by other rolls)
        following = (draws[:, np.newaxis, 1:] + np.arange(number)[:, np.newaxis] / number) % 1
        following = following.reshape(len(reached), draws.shape[1] - 1)
        deeper = self._estimates(reached[going], following[going], 1)
        deeper = seen_by(np.repeat(states[:, 0], number)[going], reached[going, 0], deeper)
        gains = np.zeros_like(predicted)
        gains[going] = deeper - predicted[going]
        gain = gains.reshape(len(states), number, 6).mean(axis=1)
        return np.asarray(means + np.float32(self._lambda) * gain, dtype=np.float32)
