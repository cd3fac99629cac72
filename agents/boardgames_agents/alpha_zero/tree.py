"""The kernels of the tree search of AlphaZero: N trees grow in lockstep, so that one pass evaluates N leaves.

At the root, sequential halving chooses among the actions of the highest sums of logit and Gumbel noise; below it, the
action is tried whose share of the visits is furthest below its probability in the improved policy (Danihelka, Guez,
Schrittwieser and Silver, *Policy improvement by planning with Gumbel*, ICLR 2022). The formulas, and the order in which
equal actions are tried, are those of the authors' mctx, `gumbel_muzero_policy` and `muzero_policy` (rule `PUCT`).

All values are points of the seat to move at a node; where the other seat moved before, their sign changes on the way
up. Floating-point numbers are float64, because float32 differs between plain Python and machine code.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_env.history import COUNTERS, CUT, KeptPositions, note_position
from boardgames_env.kernels import ONGOING, copy_row, inlined, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import (
    FLOAT32_1D,
    FLOAT32_2D,
    FLOAT64_1D,
    FLOAT64_2D,
    INT8_2D,
    INT8_2D_READONLY,
    INT8_3D,
    INT16_2D,
    INT32_1D,
    INT32_2D,
    INT32_3D,
    Float32s,
    Float64s,
    Int8s,
    Int16s,
    Int32s,
)

# the columns of a node: its parent and the edge that leads to it from there; its first edge, and the number of its
# edges; how often it was visited; how many edges are not proven; and its proven points, or ONGOING
PARENT, EDGE, FIRST, EDGES, VISITS, OPEN, PROVEN = range(7)
NODE_COLUMNS = 7

# the columns of a tree: its nodes and edges so far, the node that awaits its evaluation, or NONE, the simulations that
# are done, and those that are left
NODES, USED, PENDING, DONE, LEFT = range(5)
TREE_COLUMNS = 5

NONE = -1
ROOT = 0

GUMBEL, PUCT = range(2)
"""The rules by which simulations choose actions."""

_PUCT_BASE, _PUCT_INIT = 19652.0, 1.25
_LEAST_RANGE = 1e-8
_LEAST_SCORE = -1e9
_TINY = 2.0**-1022


class SearchNumbers(NamedTuple):
    """The options of a search.

    ``considered[m, k]`` is the number of visits of the actions that simulation k chooses among if m are considered;
    ``wins`` is the number of points that no outcome exceeds, 0 if nothing is to be proven.
    """

    rule: int
    considered: Int32s
    value_scale: float
    visits_offset: float
    rescale: bool
    wins: int


SEARCH_NUMBERS = named_tuple_type(
    SearchNumbers, types.int64, INT32_2D, types.float64, types.float64, types.boolean, types.int64
)


class Trees(NamedTuple):
    """N trees. The first axis of every array is the tree.

    Of nodes (``nodes``, ``means``, ``raw``, ``states``): their columns, the mean of the values found, the value that
    the network gives, and the state. Of edges, those of a node in a row (``actions`` to ``priors``): the action, the
    node that it leads to or `NONE`, visits, points, and its probability by the network. Of trees: their ``columns``;
    the history up to the root, as `note_position` keeps it; and of each of the root's edges the sum of logit and
    Gumbel noise, and the visits before the search.
    """

    nodes: Int32s
    means: Float64s
    raw: Float64s
    states: Int8s
    actions: Int32s
    children: Int32s
    visits: Int32s
    points: Float64s
    priors: Float64s
    columns: Int32s
    marks: Int16s
    keys: Int8s
    counters: Int32s
    biases: Float64s
    begun: Int32s


TREES = named_tuple_type(
    Trees,
    *(INT32_3D, FLOAT64_2D, FLOAT64_2D, INT8_3D),
    *(INT32_2D, INT32_2D, INT32_2D, FLOAT64_2D, FLOAT64_2D),
    *(INT32_2D, INT16_2D, INT8_3D, INT32_2D, FLOAT64_2D, INT32_2D),
)


class TreeScratch(NamedTuple):
    """Room for one tree at a time: counters, legal actions, and a number for each."""

    counters: Int32s
    actions: Int32s
    weights: Float64s


SCRATCH = named_tuple_type(TreeScratch, INT32_1D, INT32_1D, FLOAT64_1D)


class Found(NamedTuple):
    """What a search has found of n positions.

    Attributes:
        visits: The visits of each action, shape ``(n, num_actions)``, dtype int32; 0 for those that are not legal.
        points: The completed Q values: the points of the seat to move by each legal action, where it has no visit by
            the network and the other actions, shape ``(n, num_actions)``, dtype float64.
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


@kernel(
    types.int64(GAME_KERNELS, TREES, INT8_2D_READONLY, INT8_3D, INT32_1D, FLOAT64_2D, types.int64, INT8_2D),
    compiled_first=True,
)
def begin_search(
    kernels: GameKernels,
    trees: Trees,
    roots: Int8s,
    seen: Int8s,
    counts: Int32s,
    gumbels: Float64s,
    simulations: int,
    leaves: Int8s,
) -> int:
    """Begin a search of each root, in the tree that is there or else a new one.

    Returns:
        How many await evaluation; if the contest is over in root k, -1 - k.

    Args:
        kernels: The game's.
        trees: A tree for each root; one without nodes is new.
        roots: The positions, shape ``(n, state_size)``.
        seen: The positions of each contest before, in order, shape ``(n, rows, state_size)``.
        counts: The number of these, shape ``(n,)``.
        gumbels: The noise of each action, shape ``(n, num_actions)``.
        simulations: The number of simulations.
        leaves: Positions to evaluate, in the order of the trees; they are written.
    """
    waiting = 0
    for tree in range(len(roots)):
        if kernels.outcome(roots[tree]) != ONGOING:
            return -1 - tree
        columns, counters = trees.columns[tree], trees.counters[tree]
        columns[DONE], columns[LEFT] = 0, simulations
        for i in range(COUNTERS):
            counters[i] = 0
        if kernels.is_limited:
            kept = KeptPositions(trees.marks[tree], trees.keys[tree])
            counters[2] = seen[tree, 0, 0] if counts[tree] > 0 else roots[tree, 0]
            for row in range(counts[tree]):
                note_position(seen[tree, row], kept, counters, kernels.symmetries, kernels.limits)
            note_position(roots[tree], kept, counters, kernels.symmetries, kernels.limits)
        if columns[NODES] == 0:
            _add_node(trees, tree, NONE, NONE)
            copy_row(roots[tree], trees.states[tree, ROOT])
            copy_row(roots[tree], leaves[waiting])
            columns[PENDING] = ROOT
            waiting += 1
            for action in range(kernels.num_actions):
                trees.biases[tree, action] = gumbels[tree, action]
        else:
            first = trees.nodes[tree, ROOT, FIRST]
            for i in range(trees.nodes[tree, ROOT, EDGES]):
                trees.begun[tree, i] = trees.visits[tree, first + i]
                noise = gumbels[tree, trees.actions[tree, first + i]]
                trees.biases[tree, i] = noise + math.log(max(_TINY, trees.priors[tree, first + i]))
    return waiting


@kernel(types.int64(GAME_KERNELS, SEARCH_NUMBERS, TREES, SCRATCH, FLOAT32_2D, FLOAT32_1D, INT8_2D), compiled_first=True)
def go_on(
    kernels: GameKernels,
    search: SearchNumbers,
    trees: Trees,
    scratch: TreeScratch,
    logits: Float32s,
    values: Float32s,
    leaves: Int8s,
) -> int:
    """Go on with each search until it awaits the next evaluation, or ends. Return how many await one.

    Args:
        kernels: The game's.
        search: The options.
        trees: The trees. Each needs room for another node, and for its edges.
        scratch: Room.
        logits: Of the positions that were evaluated, shape ``(n, num_actions)``.
        values: Their points for the seat to move, shape ``(n,)``.
        leaves: Positions to evaluate, in the order of the trees; they are written.
    """
    row = waiting = 0
    for tree in range(len(trees.columns)):
        columns = trees.columns[tree]
        node, proven = int(columns[PENDING]), ONGOING
        if node != NONE:
            _expand(kernels, trees, scratch, tree, node, logits[row], values[row])
            columns[PENDING] = NONE
            row += 1
        while columns[PENDING] == NONE:
            if node != NONE:
                _back_up(search, trees, tree, node, proven)
            if columns[LEFT] == 0 or trees.nodes[tree, ROOT, PROVEN] != ONGOING:
                break
            columns[DONE] += 1
            columns[LEFT] -= 1
            before = columns[NODES]
            node = _descend(kernels, search, trees, scratch, tree)
            proven = trees.nodes[tree, node, PROVEN] if node == before else ONGOING
        if columns[PENDING] != NONE:
            copy_row(trees.states[tree, node], leaves[waiting])
            waiting += 1
    return waiting


@inlined
def _add_node(trees: Trees, tree: int, parent: int, edge: int) -> int:
    """Add a node to a tree, and return its number."""
    node = int(trees.columns[tree, NODES])
    trees.columns[tree, NODES] += 1
    made = trees.nodes[tree, node]
    made[PARENT], made[EDGE], made[FIRST], made[EDGES] = parent, edge, 0, 0
    made[VISITS], made[OPEN], made[PROVEN] = 0, 0, ONGOING
    return node


@inlined
def _descend(kernels: GameKernels, search: SearchNumbers, trees: Trees, scratch: TreeScratch, tree: int) -> int:
    """Descend to a new node, which awaits its evaluation unless the contest is over, or to one of proven value."""
    nodes, states = trees.nodes[tree], trees.states[tree]
    kept = KeptPositions(trees.marks[tree], trees.keys[tree])
    if kernels.is_limited:
        copy_row(trees.counters[tree], scratch.counters)
    node = ROOT
    while True:
        edge = _choose_edge(kernels, search, trees, scratch, tree, node)
        child = int(trees.children[tree, edge])
        if child == NONE:
            break
        node = child
        if nodes[node, PROVEN] != ONGOING:
            return node
        if kernels.is_limited:
            note_position(states[node], kept, scratch.counters, kernels.symmetries, kernels.limits)
    child = _add_node(trees, tree, node, edge)
    trees.children[tree, edge] = child
    state = states[child]
    copy_row(states[node], state)
    kernels.play(state, trees.actions[tree, edge])
    result = int(kernels.outcome(state))
    if result == ONGOING and kernels.is_limited:
        result = note_position(state, kept, scratch.counters, kernels.symmetries, kernels.limits)
    if result == ONGOING:
        trees.columns[tree, PENDING] = child
    else:
        points = 0 if result == CUT else (1 - 2 * int(state[0])) * result
        nodes[child, PROVEN] = points
        trees.means[tree, child] = trees.raw[tree, child] = points
    return child


@inlined
def _expand(
    kernels: GameKernels, trees: Trees, scratch: TreeScratch, tree: int, node: int, logits: Float32s, value: float
) -> None:
    """Give a node its edges, with the network's probabilities of the legal actions, and its value."""
    first, made = int(trees.columns[tree, USED]), trees.nodes[tree, node]
    count = int(kernels.legal(trees.states[tree, node], scratch.actions))
    highest = -math.inf
    for i in range(count):
        highest = max(highest, np.float64(logits[scratch.actions[i]]))
    total = 0.0
    for i in range(count):
        edge, action = first + i, scratch.actions[i]
        trees.actions[tree, edge], trees.children[tree, edge], trees.visits[tree, edge] = action, NONE, 0
        trees.points[tree, edge] = 0.0
        prior = math.exp(np.float64(logits[action]) - highest)
        trees.priors[tree, edge] = prior
        total += prior
    for edge in range(first, first + count):
        trees.priors[tree, edge] /= total
    trees.columns[tree, USED] = first + count
    made[FIRST], made[EDGES], made[OPEN], made[VISITS] = first, count, count, 1
    trees.raw[tree, node] = trees.means[tree, node] = np.float64(value)
    if node == ROOT:
        biases = trees.biases[tree]
        for i in range(count):  # (legal actions are in ascending order)
            biases[i] = biases[scratch.actions[i]] + math.log(max(_TINY, trees.priors[tree, first + i]))
            trees.begun[tree, i] = 0


@inlined
def _back_up(search: SearchNumbers, trees: Trees, tree: int, node: int, proven: int) -> None:
    """Take the value of a node up to the root; ``proven`` is its value if that has just been proven, else `ONGOING`.

    A node has a proven value once an action wins, or all are proven (Winands, Björnsson and Saito 2008).
    """
    nodes, means, states = trees.nodes[tree], trees.means[tree], trees.states[tree]
    value = means[node]
    while node != ROOT:
        parent, edge = int(nodes[node, PARENT]), nodes[node, EDGE]
        sign = 1 if states[parent, 0] == states[node, 0] else -1
        value = sign * value
        trees.visits[tree, edge] += 1
        trees.points[tree, edge] = sign * means[node]
        count = nodes[parent, VISITS]
        nodes[parent, VISITS] = count + 1
        if search.wins > 0 and proven != ONGOING:
            proven = _proven(search, trees, tree, parent, sign * proven)
        if search.wins > 0 and proven != ONGOING:
            nodes[parent, PROVEN] = proven
            means[parent] = value = np.float64(proven)
        else:
            means[parent] = (means[parent] * count + value) / (count + 1.0)
        node = parent


@inlined
def _proven(search: SearchNumbers, trees: Trees, tree: int, node: int, points: int) -> int:
    """Return the proven points of a node, one of whose actions has just been proven, or `ONGOING`."""
    columns = trees.nodes[tree, node]
    columns[OPEN] -= 1
    if points == search.wins:
        return points
    if columns[OPEN] > 0:
        return ONGOING
    best = -math.inf
    for edge in range(columns[FIRST], columns[FIRST] + columns[EDGES]):
        best = max(best, trees.points[tree, edge])
    return int(best)


@inlined
def _choose_edge(
    kernels: GameKernels, search: SearchNumbers, trees: Trees, scratch: TreeScratch, tree: int, node: int
) -> int:
    """Return the edge of a node that a simulation follows."""
    if search.rule == PUCT:
        return _by_puct(trees, tree, node)
    if node == ROOT:
        return _by_halving(kernels, search, trees, tree)
    return _by_improved_policy(kernels, search, trees, scratch.weights, tree, node)


class _Completion(NamedTuple):
    """What completes the values of a node: the points of actions without visits, and how points become weights.

    ``(points - offset) * factor`` is what mctx adds to the logit of an action; ``top`` is the highest of these.
    """

    mixed: float
    offset: float
    factor: float
    top: float


@inlined
def _complete(kernels: GameKernels, search: SearchNumbers, trees: Trees, tree: int, node: int) -> _Completion:
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
            points, prior = trees.points[tree, edge], max(_TINY, trees.priors[tree, edge])
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
    factor = (search.visits_offset + most) * search.value_scale
    if search.rescale:
        factor /= max(high - low, _LEAST_RANGE)
    return _Completion(mixed, low, factor, (high - low) * factor)


@inlined
def _by_halving(kernels: GameKernels, search: SearchNumbers, trees: Trees, tree: int) -> int:
    """Return the root's edge of the highest sum of noise, logit and points, of those whose turn it is."""
    first, count = int(trees.nodes[tree, ROOT, FIRST]), trees.nodes[tree, ROOT, EDGES]
    completion = _complete(kernels, search, trees, tree, ROOT)
    row = min(len(search.considered) - 1, count)
    visits = search.considered[row, trees.columns[tree, DONE] - 1]
    best, most = 0, -math.inf
    for i in range(count):
        if trees.visits[tree, first + i] - trees.begun[tree, i] == visits:
            score = _root_score(trees, completion, tree, first, i)
            if score > most:
                best, most = i, score
    return first + best


@inlined
def _root_score(trees: Trees, completion: _Completion, tree: int, first: int, i: int) -> float:
    """Return the sum of noise, logit and points of edge ``i`` of the root."""
    points = trees.points[tree, first + i] if trees.visits[tree, first + i] > 0 else completion.mixed
    score: float = max(_LEAST_SCORE, trees.biases[tree, i] + (points - completion.offset) * completion.factor)
    return score


@inlined
def _by_improved_policy(
    kernels: GameKernels, search: SearchNumbers, trees: Trees, weights: Float64s, tree: int, node: int
) -> int:
    """Return the edge whose share of the visits is furthest below its probability in the improved policy."""
    first, count = int(trees.nodes[tree, node, FIRST]), trees.nodes[tree, node, EDGES]
    visits = np.float64(trees.nodes[tree, node, VISITS])
    best, most = 0, -math.inf
    if visits == 1.0:  # (all points are alike)
        for i in range(count):
            if trees.priors[tree, first + i] > most:
                best, most = i, trees.priors[tree, first + i]
        return first + best
    total = _improve(trees, _complete(kernels, search, trees, tree, node), weights, tree, node)
    for i in range(count):
        score = weights[i] * visits - trees.visits[tree, first + i] * total
        if score > most:
            best, most = i, score
    return first + best


@inlined
def _improve(trees: Trees, completion: _Completion, weights: Float64s, tree: int, node: int) -> float:
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
        completion = _complete(kernels, search, trees, tree, ROOT)
        _improve(trees, completion, weights, tree, ROOT)
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
                    score = _root_score(trees, completion, tree, first, i) if is_finalist else -math.inf
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


@kernel(types.void(TREES, types.int64, TREES, INT32_1D), compiled_first=True)
def take_subtree(source: Trees, top: int, target: Trees, places: Int32s) -> None:
    """Copy the nodes below and including ``top`` of one tree to an empty one, whose root it becomes.

    ``places`` is room for a number of each node. Nodes keep their order, so the parent of each comes before it.
    """
    made = edges = 0
    for node in range(source.columns[0, NODES]):
        columns = source.nodes[0, node]
        parent = places[columns[PARENT]] if node > top else NONE
        places[node] = NONE
        if node != top and parent == NONE:
            continue
        places[node] = made
        copied, first = target.nodes[0, made], columns[FIRST]
        copy_row(columns, copied)
        copied[PARENT] = parent
        copied[FIRST] = edges
        if parent != NONE:
            copied[EDGE] = columns[EDGE] - source.nodes[0, columns[PARENT], FIRST] + target.nodes[0, parent, FIRST]
            target.children[0, copied[EDGE]] = made
        copy_row(source.states[0, node], target.states[0, made])
        target.means[0, made], target.raw[0, made] = source.means[0, node], source.raw[0, node]
        for i in range(columns[EDGES]):
            _copy_edge(source, first + i, target, edges + i)
        edges += columns[EDGES]
        made += 1
    target.columns[0, NODES], target.columns[0, USED], target.columns[0, PENDING] = made, edges, NONE


@inlined
def _copy_edge(source: Trees, edge: int, target: Trees, made: int) -> None:
    """Copy an edge that leads to no node yet."""
    target.actions[0, made], target.children[0, made] = source.actions[0, edge], NONE
    target.visits[0, made], target.points[0, made] = source.visits[0, edge], source.points[0, edge]
    target.priors[0, made] = source.priors[0, edge]
