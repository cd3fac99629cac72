"""A look-ahead that follows only some of the rolls beyond the second ply, drawn at random.

With V1 for the evaluator and V2 for two plies of it, a third ply changes the value of a position by the mean of V2 - V1
over the best replies to all rolls. Here this mean is estimated from a few rolls. A fourth ply changes the value of each
of these replies by V2 - V1 after one roll that follows it, and so on: the sum is a short rollout from which luck is
subtracted. The estimate is right on average, and costs a fraction of all rolls. The error of a label matters little
where a network learns from many.

With λ < 1 the value is a mean of all depths instead of the greatest alone, as in TD(λ): the change by ply k counts
λ^(k - 2). Two plies differ from three in one respect, whose turn it is at the horizon, so errors that depend on it
cancel in this mean.
"""

import numpy as np

from boardgames_agents.lookahead.evaluator import OTHER_SEAT, Evaluator, Probabilities, ReplyEvaluator
from boardgames_agents.lookahead.expansion import write_points
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.replies import folded
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING
from boardgames_env.kernels.signatures import Float64s, Int8s

MOST_SAMPLES, MOST_SAMPLED_PLIES = 36, 20
"""The largest number of rolls that are drawn, and the greatest depth."""


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
        means, reached, predicted = self._replies(states, draws[:, 0], number)
        points = np.empty(len(reached), dtype=np.int32)
        write_points.run(self._search.game.rules.outcome, reached, len(reached), points)
        going = points == ONGOING
        # (each of the replies is followed by other rolls)
        following = (draws[:, np.newaxis, 1:] + np.arange(number)[:, np.newaxis] / number) % 1
        following = following.reshape(len(reached), draws.shape[1] - 1)
        deeper = self._estimates(reached[going], following[going], 1)
        is_turned = reached[going, 0] != np.repeat(states[:, 0], number)[going]
        deeper = np.where(is_turned[:, np.newaxis], deeper[:, OTHER_SEAT], deeper)
        gains = np.zeros_like(predicted)
        gains[going] = deeper - predicted[going]
        gain = gains.reshape(len(states), number, 6).mean(axis=1)
        return np.asarray(means + np.float32(self._lambda) * gain, dtype=np.float32)

    def _replies(self, states: Int8s, draws: Float64s, number: int) -> tuple[Probabilities, Int8s, Probabilities]:
        """Return the means and the best replies; see `ReplyEvaluator.after_drawn_replies`."""
        search, evaluator = self._search, self._search.evaluator
        quick = np.zeros(len(states), dtype=np.bool_)
        if isinstance(evaluator, ReplyEvaluator):
            quick = evaluator.finds_replies(states)
        means = np.empty((len(states), 6), dtype=np.float32)
        reached = np.empty((len(states), number, states.shape[1]), dtype=np.int8)
        predicted = np.empty((len(states), number, 6), dtype=np.float32)
        if isinstance(evaluator, ReplyEvaluator) and quick.any():
            utility, stake = search.utility.of(states[0]), search.replier.stake(states[0])
            terms = (utility, search.replier.decline, stake)
            found = evaluator.after_drawn_replies(states[quick], *terms, draws[quick], number)
            means[quick] = found[0]
            reached[quick], predicted[quick] = (each.reshape(-1, number, each.shape[1]) for each in found[1:])
        if not quick.all():
            found = self._listed_replies(states[~quick], draws[~quick], number)
            means[~quick] = found[0]
            reached[~quick], predicted[~quick] = (each.reshape(-1, number, each.shape[1]) for each in found[1:])
        return means, reached.reshape(-1, states.shape[1]), predicted.reshape(-1, 6)

    def _listed_replies(
        self, states: Int8s, draws: Float64s, number: int
    ) -> tuple[Probabilities, Int8s, Probabilities]:
        """Find the same by evaluating all replies."""
        replies = self._search.replier.to(states)
        values = self._search.values(replies.states, replies.points)
        means, best = folded(replies, values, self._search.utility.of(states[0]))
        roots = np.arange(len(states))[:, np.newaxis]
        shares = roots + (draws[:, np.newaxis] + np.arange(number)) / number
        first, last = (np.searchsorted(replies.groups[:, 1], roots, side) for side in ("left", "right"))
        group = np.searchsorted(replies.weights.cumsum(), shares, "right").clip(first, last - 1)
        row = best[group].reshape(-1)
        reached, predicted = replies.states[row], values[row]
        is_turned = reached[:, 0] != np.repeat(states[:, 0], number)
        predicted = np.where(is_turned[:, np.newaxis], predicted[:, OTHER_SEAT], predicted)
        return means.astype(np.float32), reached, predicted
