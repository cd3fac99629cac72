"""The best replies to chance events that are drawn, and the mean over all events."""

import numpy as np

from boardgames_agents.lookahead.evaluator import OTHER_SEAT, DrawnReplies, ReplyEvaluator
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.replies import folded
from boardgames_env.kernels.signatures import Float64s, Int8s


def drawn_replies(search: Expectimax, states: Int8s, draws: Float64s, number: int) -> DrawnReplies:
    """Find the best replies to events by one ply; see `ReplyEvaluator.after_drawn_replies`.

    Args:
        search: A look-ahead, whose evaluator and utility choose replies.
        states: Positions that are not over and await chance, all at the same stakes; shape ``(n, state_size)``.
        draws: For each state a random number from 0 to 1, which draws events; shape ``(n,)``.
        number: The number of events that are drawn for each state.
    """
    evaluator, size = search.evaluator, states.shape[1]
    quick = np.zeros(len(states), dtype=np.bool_)
    if isinstance(evaluator, ReplyEvaluator):
        quick = evaluator.finds_replies(states)
    means = np.empty((len(states), 6), dtype=np.float32)
    reached = np.empty((len(states), number, size), dtype=np.int8)
    predicted = np.empty((len(states), number, 6), dtype=np.float32)
    if isinstance(evaluator, ReplyEvaluator) and quick.any():
        utility, stake = search.utility.of(states[0]), search.replier.stake(states[0])
        found = evaluator.after_drawn_replies(
            states[quick], utility, search.replier.decline, stake, draws[quick], number
        )
        means[quick], reached[quick] = found.means, found.states.reshape(-1, number, size)
        predicted[quick] = found.probabilities.reshape(-1, number, 6)
    if not quick.all():
        found = _listed_replies(search, states[~quick], draws[~quick], number)
        means[~quick], reached[~quick] = found.means, found.states.reshape(-1, number, size)
        predicted[~quick] = found.probabilities.reshape(-1, number, 6)
    return DrawnReplies(means, reached.reshape(-1, size), predicted.reshape(-1, 6))


def _listed_replies(search: Expectimax, states: Int8s, draws: Float64s, number: int) -> DrawnReplies:
    """Find the best replies by listing and evaluating all."""
    replies = search.replier.to(states)
    values = search.values(replies.states, replies.points)
    means, best = folded(replies, values, search.utility.of(states[0]))
    roots = np.arange(len(states))[:, np.newaxis]
    shares = roots + (draws[:, np.newaxis] + np.arange(number)) / number
    first, last = (np.searchsorted(replies.groups[:, 1], roots, side) for side in ("left", "right"))
    group = np.searchsorted(replies.weights.cumsum(), shares, "right").clip(first, last - 1)
    row = best[group].reshape(-1)
    reached, predicted = replies.states[row], values[row]
    is_turned = reached[:, 0] != np.repeat(states[:, 0], number)
    predicted = np.where(is_turned[:, np.newaxis], predicted[:, OTHER_SEAT], predicted)
    return DrawnReplies(means.astype(np.float32), reached, predicted)
