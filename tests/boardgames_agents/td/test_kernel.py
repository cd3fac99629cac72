"""Self-play in a kernel against the same rule in torch's autograd, weight for weight."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from numba import types

from boardgames_agents.td.hidden_units import ROWS, activate_last, activate_rows
from boardgames_agents.td.layers import LAYERS, Layers, Sparse, sum_units
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design, TDOptions
from boardgames_env import make_game
from boardgames_env.chance import streams_for
from boardgames_env.history import Limits
from boardgames_env.kernels import Kernel
from boardgames_env.kernels.signatures import FLOAT32_1D, FLOAT32_2D, INT32_1D
from tests.variants import fast_for

PLAIN = TDOptions(alpha=0.1, decay=0, lam=0.7, error="squared", epsilon=0, average=0)
RAW = Design("raw", 6, 4)
SEEN = Design("observation", 8, 1)
WIDE = replace(SEEN, hidden=64, units="rectified")
EXPLORED = replace(PLAIN, epsilon=0.1, openings=4, error="cross_entropy")

Case = tuple[str, Design, TDOptions, range]

CASES: dict[str, Case] = {
    "backgammon, four outputs": ("backgammon", RAW, PLAIN, range(1)),
    "backgammon, seat 0": ("backgammon", replace(RAW, viewer="0"), replace(PLAIN, lam=1), range(1)),
    "backgammon, six outputs": ("backgammon", replace(RAW, outputs=6), replace(PLAIN, error="cross_entropy"), range(2)),
    "backgammon, one output": ("backgammon", replace(RAW, outputs=1, units="rectified"), PLAIN, range(2)),
    "lambda 0": ("hypergammon", RAW, replace(PLAIN, lam=0), range(6)),
    "lambda 1, seat 0": ("hypergammon", replace(RAW, viewer="0"), replace(PLAIN, lam=1), range(6)),
    "lambda falls": ("hypergammon", replace(RAW, outputs=6), replace(PLAIN, lam_decay=3), range(6)),
    "six outputs, seat 0": ("hypergammon", replace(RAW, outputs=6, viewer="0"), PLAIN, range(6)),
    "one output, alpha falls": ("hypergammon", replace(RAW, outputs=1), replace(PLAIN, decay=3), range(4, 10)),
    "one output, seat 0": ("hypergammon", replace(RAW, outputs=1, viewer="0", units="rectified"), PLAIN, range(6)),
    "temperature and openings": ("hypergammon", RAW, replace(PLAIN, temperature=0.1, openings=5), range(6)),
    "epsilon": ("tic_tac_toe", SEEN, replace(PLAIN, epsilon=0.4, error="cross_entropy"), range(20)),
    "temperature": ("tic_tac_toe", replace(SEEN, units="rectified"), replace(PLAIN, temperature=0.3), range(20)),
    "openings": ("tic_tac_toe", replace(SEEN, viewer="0"), replace(PLAIN, openings=9), range(20)),
    "all three": ("tic_tac_toe", SEEN, replace(PLAIN, lam=1, epsilon=0.2, temperature=0.5, openings=3), range(20)),
    # (it must learn first not to lose)
    "draws by recurrence": ("achi(recurrences=2)", WIDE, EXPLORED, range(1520, 1535)),
    "cut short": ("achi(recurrences=2)", SEEN, replace(PLAIN, epsilon=0.3), range(12)),
}


FAST = ["lambda falls", "lambda 0", "six outputs, seat 0", "one output, alpha falls"]
FAST += ["temperature and openings", "all three", "draws by recurrence", "cut short"]
"""The cases of the fast run, which hold every option."""


@pytest.mark.parametrize("case", fast_for(FAST, CASES))
def test_the_kernel_learns_what_autograd_does(case: str) -> None:
    """In none of these contests are the two best moves worth the same but for rounding, which would part the two."""
    from tests.boardgames_agents.td.reference import Reference

    spec, design, options, contests = CASES[case]
    game = make_game(spec)
    if case == "cut short":
        game = replace(game, limits=Limits(plies=6, plies_draw=False))
    learner = TDLearner(Network(game, design, seed=4), options)
    learner.self_play([5], range(contests.start))
    before = learner.network.arrays()
    reference = Reference(learner.network, options)
    practised = learner.self_play([5], contests)
    streams = streams_for([5], contests)
    told = np.array([reference.learn(contest, streams, contest - contests.start) for contest in contests])
    np.testing.assert_array_equal(practised.points, told[:, 0])
    np.testing.assert_array_equal(practised.plies, told[:, 1])
    for name, layer in learner.network.arrays().items():
        np.testing.assert_allclose(layer, reference.weights[name].detach(), rtol=0, atol=1e-5, err_msg=name)
        assert np.abs(layer - before[name]).max() > 1e-4
    if case == "draws by recurrence":
        assert 0 in practised.points
    if case == "cut short":
        assert np.isnan(practised.points).any()


@pytest.mark.parametrize("outputs", [1, 4, 6])
@pytest.mark.parametrize("hidden", [3, 8, 41])
def test_stand_ins_sum_in_the_order_of_the_kernels(outputs: int, hidden: int) -> None:
    rng = np.random.default_rng(outputs * hidden)
    weights, bias, units = (rng.normal(size=shape).astype(np.float32) for shape in ((outputs, hidden), outputs, hidden))
    plain, compiled = np.zeros((2, outputs), dtype=np.float32)
    signature = types.void(FLOAT32_2D, FLOAT32_1D, FLOAT32_1D, FLOAT32_1D)
    Kernel(vars(sum_units)["py_func"], signature, compiled_first=True)(weights, bias, units, compiled)
    sum_units(weights, bias, units, plain)
    assert plain.tobytes() == compiled.tobytes()


@pytest.mark.parametrize("rectified", [False, True])
@pytest.mark.parametrize("widths", [(8, 4), (7, 9, 5), (6, 4, 8, 3)])
def test_further_layers_of_several_positions_are_those_of_each(widths: tuple[int, ...], rectified: bool) -> None:
    rng = np.random.default_rng(sum(widths))
    sizes = (sum(a * b for a, b in pairwise(widths)), sum(widths[1:]))
    inner, inner_bias, sums = (rng.normal(size=each).astype(np.float32) for each in (*sizes, (ROWS, widths[0])))
    nothing = np.zeros((1, widths[0]), dtype=np.float32)
    layers = Layers(nothing, nothing[0], inner, inner_bias, nothing, nothing[0])
    numbers = np.array(widths, dtype=np.int32)
    plain, compiled = np.zeros((2, ROWS, sizes[1]), dtype=np.float32)
    signature = types.void(LAYERS, INT32_1D, types.boolean, FLOAT32_2D, FLOAT32_2D)
    kernel = Kernel(vars(activate_rows)["py_func"], signature, compiled_first=True)
    kernel(layers, numbers, rectified, sums.copy(), compiled)
    activate_rows(layers, numbers, rectified, sums.copy(), plain)
    assert plain.tobytes() == compiled.tobytes()
    active = Sparse(np.empty(max(widths), dtype=np.int32), np.empty(max(widths), dtype=np.float32))
    for row in range(ROWS):
        units, deeper = np.empty(widths[-1], dtype=np.float32), np.empty(max(widths), dtype=np.float32)
        activate_last(layers, numbers, rectified, False, sums[row], active, deeper, units)
        np.testing.assert_array_equal(units, compiled[row, -widths[-1] :])
