"""What a search of AlphaZero has found: visits, points and policy of each root, and the action to play."""

import math
from typing import NamedTuple

from numba import types

from boardgames_agents.alpha_zero.choice import (
    GUMBEL,
    PUCT,
    SEARCH_NUMBERS,
    SearchNumbers,
    complete,
    improve,
    root_score,
)
from boardgames_agents.alpha_zero.tree import (
    EDGES,
    FIRST,
    NONE,
    PROVEN,
    ROOT,
    SCRATCH,
    TREES,
    Trees,
    TreeScratch,
)
from boardgames_env.kernels import ONGOING, inlined, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import FLOAT64_1D, FLOAT64_2D, INT32_1D, INT32_2D, Float64s, Int32s


class Found(NamedTuple):
    """What a search has found of n positions.

    Attributes:
        visits: The visits of each action, shape ``(n, num_actions)``, dtype int32; 0 for those that are not legal.
        points: The completed Q values, shape ``(n, num_actions)``, dtype float64: the points of the seat to move by
            each legal action. Those of an action without visits are a mixture of the network's value of the position
            and the points of the other actions.
        policy: The probability of each action in the improved policy, shape ``(n, num_actions)``, dtype float64; with
            ``puct``, its share of the visits. Actions proven to be worse have none.
        actions: The action to play, shape ``(n,)``, dtype int32.
        values: The mean points of the seat to move, or its proven points, shape ``(n,)``, dtype float64.
    """

    visits: Int32s
    points: Float64s
    policy: Float64s
    actions: Int32s
    values: Float64s


FOUND = named_tuple_type(Found, INT32_2D, FLOAT64_2D, FLOAT64_2D, INT32_1D, FLOAT64_1D)


@kernel(types.void(GAME_KERNELS, SEARCH_NUMBERS, TREES, SCRATCH, FOUND), compiled_first=True)
def conclude(kernels: GameKernels, search: SearchNumbers, trees: Trees, scratch: TreeScratch, results: Found) -> None:
    """Write what was found of each root."""
    weights = scratch.weights
    for tree in range(len(trees.columns)):
        first, count = int(trees.nodes[tree, ROOT, FIRST]), trees.nodes[tree, ROOT, EDGES]
        visits, points, policy = results.visits[tree], results.points[tree], results.policy[tree]
        for action in range(kernels.num_actions):
            visits[action] = 0
            points[action] = policy[action] = 0.0
        completion = complete(kernels, trees, tree, ROOT)
        improve(trees, completion, weights, tree, ROOT)
        if search.rule == PUCT:
            for i in range(count):
                weights[i] = trees.visits[tree, first + i]
        _leave_out_worse(search, trees, weights, tree)
        results.values[tree] = trees.means[tree, ROOT]
        total, most, new = 0.0, -math.inf, -1
        for i in range(count):
            if weights[i] >= 0.0:
                total += weights[i]
                new = max(new, trees.visits[tree, first + i] - trees.begun[tree, i])
        for i in range(count):
            action, tried = trees.actions[tree, first + i], trees.visits[tree, first + i]
            visits[action] = tried
            points[action] = trees.points[tree, first + i] if tried > 0 else completion.mixed
            if weights[i] >= 0.0:
                policy[action] = weights[i] / total
                score = float(tried)
                if search.rule == GUMBEL:
                    is_finalist = tried - trees.begun[tree, i] == new
                    score = root_score(trees, completion, tree, first, i) if is_finalist else -math.inf
                if score > most:
                    results.actions[tree], most = action, score


@inlined
def _leave_out_worse(search: SearchNumbers, trees: Trees, weights: Float64s, tree: int) -> None:
    """Write -1 for the weight of the root's actions that are proven to lose, and of all but the best if it is proven.

    If nothing is left to weigh, such as where no visit went to a proven action, those that may be played are equal.
    """
    first, count = int(trees.nodes[tree, ROOT, FIRST]), trees.nodes[tree, ROOT, EDGES]
    value = trees.nodes[tree, ROOT, PROVEN]
    total = 0.0
    for i in range(count):
        child = trees.children[tree, first + i]
        known = ONGOING if child == NONE else trees.nodes[tree, child, PROVEN]
        if search.wins > 0 and value != -search.wins:
            points = ONGOING if known == ONGOING else int(trees.points[tree, first + i])
            if points == -search.wins or value not in (ONGOING, points):
                weights[i] = -1.0
        total += max(0.0, weights[i])
    for i in range(count):
        if total == 0.0 and weights[i] >= 0.0:
            weights[i] = 1.0
