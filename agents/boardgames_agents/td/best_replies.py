"""Two plies in one kernel: a network's predictions after the best reply to each chance event.

A look-ahead of two plies compares some 400 replies to each position. Here each is evaluated by what it changes (see
`boardgames_agents.td.evaluation`), and no replies are listed: this takes a fraction of the time of a look-ahead that
evaluates them as positions. Where a second, faster network filters the replies, only those that it likes best are
evaluated by the first: this is the idea of GNU Backgammon's pruning networks.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardgames_agents.lookahead.expansion import decline_in
from boardgames_agents.td.evaluation import (
    NETWORK,
    NetworkBundle,
    Workspace,
    evaluate_changes,
    make_workspace,
    sum_before,
)
from boardgames_agents.td.outputs import MOST_POINTS, write_outcome
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.kernels import MOVES, ONGOING, State, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import (
    FLOAT32_2D,
    FLOAT64_1D,
    FLOAT64_2D,
    INT8_2D,
    INT32_1D,
    Float32s,
    Float64s,
    Int8s,
    Int32s,
)
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES

_OUTCOMES = 2 * MOST_POINTS
_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)


@helper
def _expected(utility: Float64s, seat: int, probabilities: Float32s, row: int) -> float:
    """Return a seat's expected utility of six outcomes."""
    total = 0.0
    for k in range(_OUTCOMES):
        total += utility[seat, k] * probabilities[row, k]
    return total


@helper
def _write_result(points: int, probabilities: Float32s, row: int) -> None:
    """Write the points of a seat at the end as the probabilities of the six outcomes, over zeros."""
    if points == 0:  # (as `boardgames_agents.lookahead.replies.finished` does)
        probabilities[row, 0] = probabilities[row, MOST_POINTS] = _HALF
    elif points > 0:
        probabilities[row, min(points, MOST_POINTS) - 1] = _ONE
    else:
        probabilities[row, MOST_POINTS - 1 + min(-points, MOST_POINTS)] = _ONE


class Terms(NamedTuple):
    """What kernels need to compare replies, beside the network and the rules.

    Attributes:
        decline: The action that leaves the stakes as they are, or -1.
        stake: The value of a point.
        utility: The utility by which seats choose, shape ``(2, 6)``.
        columns: The outcome of each of the network's outputs.
        within: Whether its gammons are within the wins.
    """

    decline: int
    stake: int
    utility: Float64s
    columns: Int32s
    within: bool


class ReplyFilter(NamedTuple):
    """What kernels need to filter replies.

    Attributes:
        network: The network that filters them.
        kept: The number of replies to an event that are left, the best; 0 for all.
    """

    network: NetworkBundle
    kept: int


class DrawnRows(NamedTuple):
    """The best replies to events that are drawn, the same number for each root.

    Attributes:
        draws: By root, the random number from 0 to 1 that draws its events; see `average_best_replies`.
        states: The states after the replies, those of a root one after the other; none if no events are drawn.
        outcomes: The outcome probabilities there, those of the mover of the root, shape ``(N, 6)``.
    """

    draws: Float64s
    states: Int8s
    outcomes: Float32s


_FILTER = named_tuple_type(ReplyFilter, NETWORK, types.int64)
_DRAWN = named_tuple_type(DrawnRows, FLOAT64_1D, INT8_2D, FLOAT32_2D)
_TERMS = named_tuple_type(Terms, types.int64, types.int64, FLOAT64_2D, INT32_1D, types.boolean)


@helper
def _best_reply(
    game: GameKernels,
    terms: Terms,
    workspace: Workspace,
    afterstates: Int8s,
    number: int,
    seat: int,
    outcomes: Float32s,
) -> int:
    """Write the outcome probabilities after each reply of a seat. Return the best reply, the first of equals.

    They are those of the viewer: of the seat, or where the reply's sign is negative of the other.
    """
    _, stake, utility, columns, within = terms
    predictions, signs = workspace.predictions, workspace.signs
    best, highest = 0, -np.inf
    for move in range(number):
        for k in range(_OUTCOMES):
            outcomes[move, k] = _ZERO
        if signs[move] == 0:
            points = game.outcome(afterstates[move]) // stake
            _write_result(points if seat == 0 else -points, outcomes, move)
        else:
            write_outcome(predictions, columns, within, move, outcomes, move)
        if signs[move] >= 0:
            expected = _expected(utility, seat, outcomes, move)
        else:
            expected = -_expected(utility, 1 - seat, outcomes, move)
        if expected > highest:
            best, highest = move, expected
    return best


@helper
def keep_best(values: Float32s, number: int, kept: int, afterstates: Int8s) -> int:
    """Move the ``kept`` best of more replies to the front, in their order. Return their number.

    Of equals the first are kept. Values are overwritten.
    """
    for _ in range(kept):
        best = 0
        for reply in range(1, number):
            if values[reply] > values[best]:
                best = reply
        values[best] = -np.inf
    found = 0
    for reply in range(number):
        if values[reply] == -np.inf:
            copy_row(afterstates[reply], afterstates[found])
            found += 1
    return found


@helper
def _write_drawn(
    drawn: DrawnRows, root: int, place: int, share: float, afterstate: State, outcomes: Float32s, turned: int
) -> int:
    """Write the reply to an event in the places of a root that lie below a share. Return the next place."""
    number = len(drawn.states) // max(len(drawn.draws), 1)
    while place < number and not (drawn.draws[root] + place) / number >= share:  # (so that no place is left without)
        row = root * number + place
        copy_row(afterstate, drawn.states[row])
        for k in range(_OUTCOMES):
            drawn.outcomes[row, k] = outcomes[(k + turned) % _OUTCOMES]
        place += 1
    return place


@kernel(types.void(GAME_KERNELS, MOVES, NETWORK, _FILTER, _TERMS, INT8_2D, FLOAT32_2D, _DRAWN), compiled_first=True)
def average_best_replies(
    game: GameKernels,
    moves: Any,
    network: NetworkBundle,
    reply_filter: ReplyFilter,
    terms: Terms,
    roots: Int8s,
    means: Float32s,
    drawn: DrawnRows,
) -> None:
    """Write the mean over the chance events of the outcome probabilities after the best reply, those of the mover.

    Some of the best replies are written, too. With m events drawn and a random number u, they are those to the events
    at the quantiles (u + k) / m of the cumulative distribution, for k from 0 to m - 1, in the order of the events. Each
    event is drawn in proportion to its probability, and different events are drawn together (systematic sampling).

    Args:
        game: The game's kernels.
        moves: The kernel of its whole moves.
        network: The network.
        reply_filter: The filter of the replies that it evaluates.
        terms: What replies are compared by.
        roots: Positions that are not over; shape ``(N, state_size)``.
        means: The result, shape ``(N, 6)``.
        drawn: The replies to the events that are drawn.
    """
    workspace = make_workspace(network.predictor, MOST_MOVES)
    filtering, kept = reply_filter
    filter_workspace = make_workspace(filtering.predictor, MOST_MOVES)
    afterstates = np.empty((MOST_MOVES, roots.shape[1]), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    values = np.empty(MOST_MOVES, dtype=np.float32)
    cases, unused = np.empty(MOST_EVENTS, dtype=np.int32), np.empty(MOST_EVENTS, dtype=np.int32)
    here = np.empty(roots.shape[1], dtype=np.int8)
    outcomes = np.empty((MOST_MOVES, _OUTCOMES), dtype=np.float32)
    sums = np.empty(_OUTCOMES, dtype=np.float64)
    before, filter_before = -1, -1  # (no inputs yet)
    for root in range(len(roots)):
        share, place = 0.0, 0
        events = game.chance_events(roots[root], cases)
        total = 0
        for event in range(events):
            total += cases[event]
        sums[:] = 0.0
        for event in range(max(events, 1)):
            copy_row(roots[root], here)
            if events > 0:
                game.happen(here, event)
            number = moves(here, afterstates, actions)
            for move in range(number):
                if game.outcome(afterstates[move]) == ONGOING:
                    decline_in(game.chance_events, game.play, terms.decline, afterstates[move], unused)
            if 0 < kept < number:
                filter_before = sum_before(filtering, here, filter_before, filter_workspace)
                evaluate_changes(
                    filtering, game.outcome, here, filter_before, afterstates, number, filter_workspace, values
                )
                number = keep_best(values, number, kept, afterstates)
            before = sum_before(network, here, before, workspace)
            evaluate_changes(network, game.outcome, here, before, afterstates, number, workspace, values)
            best = _best_reply(game, terms, workspace, afterstates, number, here[0], outcomes)
            weight = cases[event] / total if events > 0 else 1.0
            is_of_replier = workspace.signs[best] >= 0
            turned = 0 if is_of_replier == (here[0] == roots[root, 0]) else MOST_POINTS
            for k in range(_OUTCOMES):
                sums[k] += weight * outcomes[best, (k + turned) % _OUTCOMES]
            share = share + weight if event < events - 1 else np.inf  # (rounding errors leave no event out)
            place = _write_drawn(drawn, root, place, share, afterstates[best], outcomes[best], turned)
        for k in range(_OUTCOMES):
            means[root, k] = sums[k]
