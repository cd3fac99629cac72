"""Self-play of many contests at once, on a device: alone, a contest teaches what it does in the kernel."""

from dataclasses import replace

import numpy as np
import pytest

from boardgames_agents.td.batched import BatchedLearner
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.network import Network
from boardgames_env import BadInputError, Game
from tests.boardgames_agents.td.learners import td
from tests.boardgames_agents.td.test_kernel import CASES, FAST, game_of
from tests.variants import fast_for

GAME = "tic_tac_toe"


@pytest.mark.parametrize("case", fast_for(FAST[1:], [case for case in CASES if not case.startswith("backgammon")]))
def test_one_contest_at_a_time_is_what_the_kernel_does(case: str) -> None:
    _, design, options, contests = CASES[case]
    first = TDLearner(Network(game_of(case), design, seed=4), options)
    first.self_play([5], range(contests.start))
    one, other = first.network.copy(), first.network.copy()
    kernel = TDLearner(one, options).self_play([5], contests)
    batched = BatchedLearner(other, replace(options, device="cpu", batch=1)).self_play([5], contests)
    np.testing.assert_array_equal(batched.points, kernel.points)
    np.testing.assert_array_equal(batched.plies, kernel.plies)
    assert 0 in batched.points or case != "draws by recurrence"
    for name, layer in one.arrays().items():
        np.testing.assert_allclose(other.arrays()[name], layer, rtol=0, atol=1e-5, err_msg=name)


def test_contests_at_once_are_those_that_would_be_played_one_by_one(game: Game) -> None:
    """Where nothing is learned, so that the network stays the same."""
    one, other = (
        td(game, hidden=8, alpha=0, temperature=0.5, openings=4, device=device, batch=7) for device in ("", "cpu")
    )
    kernel, batched = one.self_play([3], range(40)), other.self_play([3], range(40))
    np.testing.assert_array_equal(batched.points, kernel.points)
    np.testing.assert_array_equal(batched.plies, kernel.plies)
    assert one.knowledge() == pytest.approx(other.knowledge(), abs=1e-5)


def test_weights_move_by_the_mean_of_what_the_contests_ask_for(game: Game) -> None:
    """With steps too small to matter to one another."""

    def change(batch: int, contests: range) -> dict[str, np.ndarray]:
        learner = td(game, hidden=8, alpha=1e-3, decay=0, epsilon=0.3, device="cpu", batch=batch)
        before = learner.network.arrays()
        learner.self_play([3], contests)
        return {name: layer - before[name] for name, layer in learner.network.arrays().items()}

    together, alone = change(4, range(4)), [change(1, range(contest, contest + 1)) for contest in range(4)]
    for name, moved in together.items():
        mean = np.mean([each[name] for each in alone], axis=0)
        assert np.abs(mean).max() > 1e-5
        np.testing.assert_allclose(moved, mean, atol=0.02 * np.abs(mean).max())


def test_traces_that_do_not_fit_are_told_of(game: Game) -> None:
    learner = td(game, hidden=100_000, outputs=6, device="cpu", batch=65_536)
    with pytest.raises(BadInputError, match="cpu has no room for the traces of 65536 contests; make batch smaller"):
        learner.self_play([1], range(65_536))


def test_a_device_that_is_not_here_is_told_of_when_it_practises(game: Game) -> None:
    learner = td(game, hidden=3, device="cuda:99")
    assert learner.frozen().distribution(game.initial)  # what was trained elsewhere plays here
    with pytest.raises(BadInputError, match="there is no device 'cuda:99' here; the devices are: cpu"):
        learner.self_play([1], range(2))


def test_a_gpu_learns_what_the_processor_does(game: Game) -> None:
    import torch

    if not torch.cuda.is_available():
        pytest.skip("there is no GPU")
    one, other = (td(game, hidden=16, alpha=0.1, device=device, batch=4) for device in ("cpu", "cuda"))
    one.self_play([1], range(20))
    other.self_play([1], range(20))
    for name, layer in one.network.arrays().items():
        np.testing.assert_allclose(other.network.arrays()[name], layer, atol=1e-3)
