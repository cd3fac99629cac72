"""The trees of AlphaZero's search: N of them side by side, as arrays of nodes and edges."""

from typing import NamedTuple

from numba import types

from boardgames_env.kernels import ONGOING, STATE, State, copy_row, inlined, kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import (
    FLOAT64_1D,
    FLOAT64_2D,
    INT8_3D,
    INT16_2D,
    INT32_1D,
    INT32_2D,
    INT32_3D,
    Float64s,
    Int8s,
    Int16s,
    Int32s,
)

# the columns of a node: its parent, the edge that leads to it, the first of its edges and their number, its visits, how
# many of its edges are not proven, and its proven points, or ONGOING
PARENT, EDGE, FIRST, EDGES, VISITS, OPEN, PROVEN = range(7)
NODE_COLUMNS = 7

# the columns of a tree: its nodes and edges so far, the node that awaits its evaluation, or NONE, the simulations that
# are done, and those that are left
NODES, USED, PENDING, DONE, LEFT = range(5)
TREE_COLUMNS = 5

NONE = -1
ROOT = 0

TINY = 2.0**-1022
"""The least probability whose logarithm is taken."""


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
    """Room for one tree at a time: counters, legal actions, a number for each, and a state."""

    counters: Int32s
    actions: Int32s
    weights: Float64s
    state: State


SCRATCH = named_tuple_type(TreeScratch, INT32_1D, INT32_1D, FLOAT64_1D, STATE)


@inlined
def add_node(trees: Trees, tree: int, parent: int, edge: int) -> int:
    """Add a node to a tree, and return its number."""
    node = int(trees.columns[tree, NODES])
    trees.columns[tree, NODES] += 1
    made = trees.nodes[tree, node]
    made[PARENT], made[EDGE], made[FIRST], made[EDGES] = parent, edge, 0, 0
    made[VISITS], made[OPEN], made[PROVEN] = 0, 0, ONGOING
    return node


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
