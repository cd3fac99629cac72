"""Which action a simulation of AlphaZero's search tries, and what the visits say of each.

At the root, sequential halving chooses among the actions of the highest sums of logit and Gumbel noise; below it, the
action is tried whose share of the visits is furthest below its probability in the improved policy (Danihelka, Guez,
Schrittwieser and Silver, *Policy improvement by planning with Gumbel*, ICLR 2022). The formulas, and the order in which
equal actions are tried, are those of the authors' mctx, `gumbel_muzero_policy` and `muzero_policy` (rule `PUCT`).
Floating-point numbers are float64, because float32 differs between plain Python and machine code.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_agents.alpha_zero.tree import DONE, EDGES, FIRST, ROOT, TINY, VISITS, Trees, TreeScratch
from boardgames_env.kernels import inlined
from boardgames_env.kernels.bundle import GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import INT32_2D, Float64s, Int32s

GUMBEL, PUCT = range(2)
"""The rules by which simulations choose actions."""

_PUCT_BASE, _PUCT_INIT = 19652.0, 1.25
_VISITS_OFFSET, _VALUE_SCALE = 50.0, 0.1  # (mctx's: points weigh as much as (offset + most visits) * scale)
_LEAST_RANGE = 1e-8
_LEAST_SCORE = -1e9


class SearchNumbers(NamedTuple):
    """The options of a search.

    ``considered[m, k]`` is the number of visits of the actions that simulation k chooses among if m are considered;
    ``wins`` is the number of points that no outcome exceeds, 0 if nothing is to be proven.
    """

    rule: int
    considered: Int32s
    wins: int


SEARCH_NUMBERS = named_tuple_type(SearchNumbers, types.int64, INT32_2D, types.int64)


@inlined
def choose_edge(
    kernels: GameKernels, search: SearchNumbers, trees: Trees, scratch: TreeScratch, tree: int, node: int
) -> int:
    """Return the edge of a node that a simulation follows."""
    if search.rule == PUCT:
        return _by_puct(trees, tree, node)
    if node == ROOT:
        return _by_halving(kernels, search, trees, tree)
    return _by_improved_policy(kernels, trees, scratch.weights, tree, node)


class Completion(NamedTuple):
    """What completes the values of a node: the points of actions without visits, and how points become weights.

    ``(points - offset) * factor`` is what mctx adds to the logit of an action; ``top`` is the highest of these.
    """

    mixed: float
    offset: float
    factor: float
    top: float


@inlined
def complete(kernels: GameKernels, trees: Trees, tree: int, node: int) -> Completion:
    """Return what completes the values of a node.

    (As in mctx, the mixed value counts for the range if any of all actions is without visits, be it legal or not.)
    """
    first, count = trees.nodes[tree, node, FIRST], trees.nodes[tree, node, EDGES]
    most = seen = 0
    probability = weighted = 0.0
    low, high = math.inf, -math.inf
    for edge in range(first, first + count):
        visits = trees.visits[tree, edge]
        if visits > 0:
            points, prior = trees.points[tree, edge], max(TINY, trees.priors[tree, edge])
            seen += 1
            most = max(most, visits)
            probability += prior
            weighted += prior * points
            low, high = min(low, points), max(high, points)
    mixed = trees.raw[tree, node]
    if seen > 0:
        visits = trees.nodes[tree, node, VISITS]
        mixed = (mixed + (visits - 1) * (weighted / probability)) / visits
    if seen < kernels.num_actions:
        low, high = min(low, mixed), max(high, mixed)
    factor = (_VISITS_OFFSET + most) * _VALUE_SCALE / max(high - low, _LEAST_RANGE)
    return Completion(mixed, low, factor, (high - low) * factor)


@inlined
def _by_halving(kernels: GameKernels, search: SearchNumbers, trees: Trees, tree: int) -> int:
    """Return the root's edge of the highest sum of noise, logit and points, of those whose turn it is."""
    first, count = int(trees.nodes[tree, ROOT, FIRST]), trees.nodes[tree, ROOT, EDGES]
    completion = complete(kernels, trees, tree, ROOT)
    row = min(len(search.considered) - 1, count)
    visits = search.considered[row, trees.columns[tree, DONE] - 1]
    best, most = 0, -math.inf
    for i in range(count):
        if trees.visits[tree, first + i] - trees.begun[tree, i] == visits:
            score = root_score(trees, completion, tree, first, i)
            if score > most:
                best, most = i, score
    return first + best


@inlined
def root_score(trees: Trees, completion: Completion, tree: int, first: int, i: int) -> float:
    """Return the sum of noise, logit and points of edge ``i`` of the root."""
    points = trees.points[tree, first + i] if trees.visits[tree, first + i] > 0 else completion.mixed
    score: float = max(_LEAST_SCORE, trees.biases[tree, i] + (points - completion.offset) * completion.factor)
    return score


@inlined
def _by_improved_policy(kernels: GameKernels, trees: Trees, weights: Float64s, tree: int, node: int) -> int:
    """Return the edge whose share of the visits is furthest below its probability in the improved policy."""
    first, count = int(trees.nodes[tree, node, FIRST]), trees.nodes[tree, node, EDGES]
    visits = np.float64(trees.nodes[tree, node, VISITS])
    best, most = 0, -math.inf
    if visits == 1.0:  # (all points are alike)
        for i in range(count):
            if trees.priors[tree, first + i] > most:
                best, most = i, trees.priors[tree, first + i]
        return first + best
    total = improve(trees, complete(kernels, trees, tree, node), weights, tree, node)
    for i in range(count):
        score = weights[i] * visits - trees.visits[tree, first + i] * total
        if score > most:
            best, most = i, score
    return first + best


@inlined
def improve(trees: Trees, completion: Completion, weights: Float64s, tree: int, node: int) -> float:
    """Write the weights of a node's edges in the improved policy, and return their sum."""
    first, count = trees.nodes[tree, node, FIRST], trees.nodes[tree, node, EDGES]
    mixed, offset, factor, top = completion
    unseen = math.exp((mixed - offset) * factor - top)
    total = 0.0
    for i in range(count):
        weight = unseen
        if trees.visits[tree, first + i] > 0:
            weight = math.exp((trees.points[tree, first + i] - offset) * factor - top)
        weights[i] = trees.priors[tree, first + i] * weight
        total += weights[i]
    return total


@inlined
def _by_puct(trees: Trees, tree: int, node: int) -> int:
    """Return the edge that AlphaZero's rule chooses, with points scaled by those of the node and its edges."""
    first, count = int(trees.nodes[tree, node, FIRST]), trees.nodes[tree, node, EDGES]
    low = high = trees.means[tree, node]
    for edge in range(first, first + count):
        if trees.visits[tree, edge] > 0:
            low, high = min(low, trees.points[tree, edge]), max(high, trees.points[tree, edge])
    visits = np.float64(trees.nodes[tree, node, VISITS])
    weight = math.sqrt(visits) * (_PUCT_INIT + math.log((visits + _PUCT_BASE + 1.0) / _PUCT_BASE))
    scale = 1.0 / max(high - low, _LEAST_RANGE)
    best, most = first, -math.inf
    for edge in range(first, first + count):
        tried = trees.visits[tree, edge]
        score = weight * trees.priors[tree, edge] / (tried + 1)
        if tried > 0:
            score += (trees.points[tree, edge] - low) * scale
        if score > most:
            best, most = edge, score
    return best
