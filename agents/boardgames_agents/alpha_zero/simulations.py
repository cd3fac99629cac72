"""The kernels of AlphaZero's search: N trees grow in lockstep, so that one pass evaluates N leaves.

All values are points of the seat to move at a node; where the other seat moved before, their sign changes on the way
up. What a simulation tries is in `choice`.
"""

import math

import numpy as np
from numba import types

from boardgames_agents.alpha_zero.choice import (
    SEARCH_NUMBERS,
    SearchNumbers,
    choose_edge,
)
from boardgames_agents.alpha_zero.network import LOSS, MEMORY, WIN, EvaluatedPositions, predict_rows
from boardgames_agents.alpha_zero.tree import (
    DONE,
    EDGE,
    EDGES,
    FIRST,
    LEFT,
    NODES,
    NONE,
    OPEN,
    PARENT,
    PENDING,
    PROVEN,
    ROOT,
    SCRATCH,
    TINY,
    TREES,
    USED,
    VISITS,
    Trees,
    TreeScratch,
    add_node,
)
from boardgames_agents.td.evaluation import PREDICTOR, Predictor, make_workspace
from boardgames_env.history import COUNTERS, CUT, KeptPositions, note_position
from boardgames_env.kernels import ONGOING, State, copy_row, helper, inlined, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import (
    FLOAT32_1D,
    FLOAT32_2D,
    FLOAT64_2D,
    INT8_2D,
    INT8_2D_READONLY,
    INT8_3D,
    INT32_1D,
    Float32s,
    Float64s,
    Int8s,
    Int32s,
)

NO_ACTION, NO_NUMBERS = -1, -2
"""Why no search can go on: no action is legal in a position, or its evaluation is not finite."""


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
            add_node(trees, tree, NONE, NONE)
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
                trees.biases[tree, i] = noise + math.log(max(TINY, trees.priors[tree, first + i]))
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
    """Go on with each search until it awaits the next evaluation, or ends.

    Returns:
        How many await one; `NO_ACTION` or `NO_NUMBERS` if none can go on.

    Args:
        kernels: The game's.
        search: The options.
        trees: The trees. Each needs room for another node, and for its edges.
        scratch: Room.
        logits: Of the positions that were evaluated, shape ``(n, num_actions)``.
        values: Their points for the seat to move, shape ``(n,)``.
        leaves: Positions to evaluate, in the order of the trees; they are written.
    """
    return _go_on(kernels, search, trees, scratch, logits, values, leaves)


@kernel(
    types.int64(
        *(GAME_KERNELS, SEARCH_NUMBERS, TREES, SCRATCH, PREDICTOR, MEMORY),
        *(FLOAT32_2D, FLOAT32_2D, FLOAT32_1D, INT8_2D, types.int64, types.int64),
    ),
    compiled_first=True,
)
def go_on_with_network(
    kernels: GameKernels,
    search: SearchNumbers,
    trees: Trees,
    scratch: TreeScratch,
    predictor: Predictor,
    memory: EvaluatedPositions,
    logits: Float32s,
    outcomes: Float32s,
    values: Float32s,
    leaves: Int8s,
    waiting: int,
    rounds: int,
) -> int:
    """Go on with each search for some rounds, in each of which a network evaluates the leaves.

    Returns:
        How many leaves await evaluation after these; `NO_ACTION` or `NO_NUMBERS` if no search can go on.

    A search of one position takes a quarter to a third of the time of one that evaluates from Python.

    Args:
        kernels: The game's.
        search: The options.
        trees: The trees. Each needs room for as many nodes as there are rounds, and for their edges.
        scratch: Room.
        predictor: The network.
        memory: What it has found before.
        logits: Room, shape ``(n, num_actions)``.
        outcomes: Room, shape ``(n, 3)``.
        values: Room, shape ``(n,)``.
        leaves: Positions to evaluate, in the order of the trees; they are written.
        waiting: The number of these.
        rounds: The most rounds.
    """
    workspace = make_workspace(predictor, 0)
    for _ in range(rounds):
        predict_rows(predictor, memory, workspace, leaves[:waiting], logits, outcomes)
        for row in range(waiting):
            values[row] = outcomes[row, WIN] - outcomes[row, LOSS]
        waiting = _go_on(kernels, search, trees, scratch, logits, values, leaves)
        if waiting <= 0:
            break
    return waiting


@helper
def _go_on(
    kernels: GameKernels,
    search: SearchNumbers,
    trees: Trees,
    scratch: TreeScratch,
    logits: Float32s,
    values: Float32s,
    leaves: Int8s,
) -> int:
    """Go on with each search until it awaits the next evaluation, or ends; the body of `go_on`."""
    row = waiting = 0
    for tree in range(len(trees.columns)):
        columns = trees.columns[tree]
        node, proven = int(columns[PENDING]), ONGOING
        if node != NONE:
            total = _expand(kernels, trees, scratch, tree, node, logits[row], values[row])
            if trees.nodes[tree, node, EDGES] == 0:
                return NO_ACTION
            if not math.isfinite(total + values[row]):
                return NO_NUMBERS
            if node == ROOT and search.wins > 0:
                _win_at_once(kernels, search, trees, scratch, tree)
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
def _descend(kernels: GameKernels, search: SearchNumbers, trees: Trees, scratch: TreeScratch, tree: int) -> int:
    """Descend to a new node, which awaits its evaluation unless the contest is over, or to one of proven value."""
    nodes, states = trees.nodes[tree], trees.states[tree]
    kept = KeptPositions(trees.marks[tree], trees.keys[tree])
    if kernels.is_limited:
        copy_row(trees.counters[tree], scratch.counters)
    node = ROOT
    while True:
        edge = choose_edge(kernels, search, trees, scratch, tree, node)
        child = int(trees.children[tree, edge])
        if child == NONE:
            break
        node = child
        if nodes[node, PROVEN] != ONGOING:
            return node
        if kernels.is_limited:
            note_position(states[node], kept, scratch.counters, kernels.symmetries, kernels.limits)
    child = add_node(trees, tree, node, edge)
    trees.children[tree, edge] = child
    state = states[child]
    copy_row(states[node], state)
    kernels.play(state, trees.actions[tree, edge])
    result = int(kernels.outcome(state))
    if result == ONGOING and kernels.is_limited:
        result = note_position(state, kept, scratch.counters, kernels.symmetries, kernels.limits)
    if result != ONGOING:
        points = 0 if result == CUT else (1 - 2 * int(state[0])) * result
    elif search.wins > 0 and _winning_action(kernels, search, scratch, state) != NONE:
        points = search.wins
    else:
        trees.columns[tree, PENDING] = child
        return child
    nodes[child, PROVEN] = points
    trees.means[tree, child] = trees.raw[tree, child] = points
    return child


@inlined
def _winning_action(kernels: GameKernels, search: SearchNumbers, scratch: TreeScratch, state: State) -> int:
    """Return the place, among the legal actions, of one that wins at once, or `NONE`."""
    reached, sign = scratch.state, 1 - 2 * int(state[0])
    for i in range(kernels.legal(state, scratch.actions)):
        copy_row(state, reached)
        kernels.play(reached, scratch.actions[i])
        if int(kernels.outcome(reached)) == sign * search.wins:
            return i
    return NONE


@inlined
def _expand(
    kernels: GameKernels, trees: Trees, scratch: TreeScratch, tree: int, node: int, logits: Float32s, value: float
) -> float:
    """Give a node its edges, with the network's probabilities of the legal actions, and its value.

    Returns:
        What the probabilities were divided by, to add up to 1: finite if the logits are.
    """
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
            biases[i] = biases[scratch.actions[i]] + math.log(max(TINY, trees.priors[tree, first + i]))
            trees.begun[tree, i] = 0
    return total


@inlined
def _win_at_once(kernels: GameKernels, search: SearchNumbers, trees: Trees, scratch: TreeScratch, tree: int) -> None:
    """Prove the value of a new root with an action that wins at once, which has a visit then."""
    found = _winning_action(kernels, search, scratch, trees.states[tree, ROOT])
    if found == NONE:
        return
    edge = int(trees.nodes[tree, ROOT, FIRST]) + found
    child = add_node(trees, tree, ROOT, edge)
    trees.children[tree, edge], trees.visits[tree, edge], trees.points[tree, edge] = child, 1, search.wins
    copy_row(scratch.state, trees.states[tree, child])
    sign = 1 if scratch.state[0] == trees.states[tree, ROOT, 0] else -1
    trees.nodes[tree, child, PROVEN] = sign * search.wins
    trees.means[tree, child] = trees.raw[tree, child] = sign * search.wins
    trees.nodes[tree, ROOT, PROVEN] = search.wins
    trees.means[tree, ROOT] = search.wins


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
