"""The batched environment does what Gymnasium's own batches of single environments do."""

import copy
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from _pytest.mark import ParameterSet
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from boardgames_agents.experts import RandomPlayer
from boardgames_env import BadInputError, Game, IllegalActionError, Limits, make_game, registered_games
from boardgames_env.ending import ENDS
from boardgames_env.envs import vector
from boardgames_env.envs.registration import gymnasium_id
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.envs.vector import BoardGameVectorEnv, make_vector_env
from tests.boardgames_env.envs.conftest import ACHI_ROUND, ACHI_WITHOUT_A_LINE, BY_SPEC, GAMES, KINDS_OF_COPY
from tests.variants import EACH_SMALL_GAME, fast_for, is_small, sampled

FEW = ["achi", "five_mens_morris", "hypergammon", "tic_tac_toe"]
"""The games whose batches are compiled in the fast run; other tests of batches share them."""

MANY = [name for name in GAMES if name not in FEW]
COPIES = 5


def by_game(*axes: Sequence[Any], fast: Sequence[str] = FEW, slow: Sequence[str] = MANY) -> list[ParameterSet]:
    """Return all combinations of games and other values; few games are in the fast run: each compiles its own batch."""
    return [*sampled(fast, *axes), *sampled(slow, *axes, one_in=0)]


def make(game: Game, mode: str | None = None, **more: Any) -> Any:
    id = gymnasium_id(registered_games()[game.name])
    return gymnasium.make_vec(id, num_envs=COPIES, vectorization_mode=mode, **game.options, **more)


def make_both(game: Game, mode: AutoresetMode, **more: Any) -> tuple[Any, Any]:
    """Our batch and Gymnasium's, with an autoreset mode."""
    ours = make(game, autoreset_mode=mode, **more)
    theirs = make(game, mode="sync", vector_kwargs={"autoreset_mode": mode}, **more)
    assert ours.metadata["autoreset_mode"] == ours.autoreset_mode == theirs.autoreset_mode == mode
    return ours, theirs


def actions(info: dict[str, Any], rng: np.random.Generator, any_of_them: float = 0.0) -> Any:
    """Random actions: legal ones, but for some that may be anything."""
    mask = info["action_mask"]
    legal = (rng.random(mask.shape) * mask).argmax(axis=1)
    anything = rng.integers(-1, mask.shape[1] + 1, size=len(mask))
    return np.where(rng.random(len(mask)) < any_of_them, anything, legal)


def same(seen: tuple[Any, ...], theirs: tuple[Any, ...]) -> bool:
    """Whether a batch returns what Gymnasium's batch of single environments does, whose infos name ends in words."""
    return bool(data_equivalence((*seen[:-1], in_words(seen[-1])), theirs, exact=True))


def in_words(info: dict[str, Any]) -> dict[str, Any]:
    """Infos of a batch, with the words of the ends in the place of their numbers."""
    words = np.array([*ENDS, None], dtype=object)
    said = {"final_info": in_words(info["final_info"])} if "final_info" in info else {}
    ends = info.get("end", words)
    return {**info, **said, **({"end": words[ends]} if ends.dtype == np.int8 else {})}


def assert_equal_runs(one: Any, other: Any, steps: int, seed: Any, any_of_them: float) -> int:
    """Step two batches alike; how many contests ended."""
    rng = np.random.default_rng(0)
    seen = one.reset(seed=seed)
    assert same(seen, other.reset(seed=seed))
    ended = 0
    for _ in range(steps):
        chosen = actions(seen[-1], rng, any_of_them)
        seen = one.step(chosen)
        assert same(seen, other.step(chosen))
        ended += int((seen[2] | seen[3]).sum())
    return ended


@pytest.mark.parametrize(
    ("game", "kwargs", "any_of_them"),
    by_game([{}, {"seat": 0}, {"seat": 1}, {"opponent": None}], [0.0, 0.1]),
    **BY_SPEC,
)
def test_a_batch_equals_single_environments(game: Game, kwargs: dict[str, Any], any_of_them: float) -> None:
    one, other = make(game, **kwargs), make(game, mode="sync", **kwargs)
    assert one.metadata["autoreset_mode"] == other.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert one.observation_space == other.observation_space
    assert one.action_space == other.action_space
    assert assert_equal_runs(one, other, 200 if is_small(game) else 600, 7, any_of_them) > 5
    # without a seed all goes on: whose turn it is to open, and the opponents' chances
    assert_equal_runs(one, other, 30, None, any_of_them)
    assert_equal_runs(one, other, 30, [3, None, 3, 4, None], any_of_them)


STEPS = [{}, {"max_episode_steps": 3}, {"seat": 1}, {"opponent": None, "max_episode_steps": 4}]


@pytest.mark.parametrize(
    ("game", "kwargs", "any_of_them", "mode"), by_game(STEPS, [0.0, 0.1], list(AutoresetMode)), **BY_SPEC
)
def test_copies_are_reset_as_gymnasium_resets_them(
    game: Game, kwargs: dict[str, Any], any_of_them: float, mode: AutoresetMode
) -> None:
    batches = make_both(game, mode, **kwargs)
    rng = np.random.default_rng(0)
    seen, theirs = (batch.reset(seed=5) for batch in batches)
    masks, ended = seen[1]["action_mask"], 0
    for step in range(60 if is_small(game) or "max_episode_steps" in kwargs else 400):
        chosen = actions({"action_mask": masks}, rng, any_of_them)
        seen, theirs = (batch.step(chosen) for batch in batches)
        assert same(seen, theirs)
        masks, over = seen[4]["action_mask"], seen[2] | seen[3]
        ended += over.sum()
        some = over if mode == AutoresetMode.DISABLED else rng.random(COPIES) < 0.05
        if not some.any():
            continue
        seed = [None, step, [None, step, step, None, 1]][step % 3]
        seen, theirs = (batch.reset(seed=seed, options={"reset_mask": some.copy()}) for batch in batches)
        # where Gymnasium has nothing to say of a copy, it is as it was
        assert (seen[1]["action_mask"][~some] == masks[~some]).all()
        masks = seen[1]["action_mask"].copy()
        for key in ("action_mask", "seat"):
            seen[1][key][~some] = 0
        assert same(seen, theirs)
    assert ended > 0


def test_a_batch_that_does_not_reset_itself_asks_for_it() -> None:
    env = make(make_game("tic_tac_toe"), autoreset_mode="Disabled")
    env.reset(seed=0)
    *_, over, _, _ = env.step(np.array([-1, 0, 0, -1, 0]))
    assert over.tolist() == [True, False, False, True, False]
    with pytest.raises(ResetNeeded, match="2 contests are over; reset these copies by the option reset_mask"):
        env.step(np.zeros(COPIES, dtype=np.int64))
    options = {"reset_mask": over}
    env.reset(options=options)
    assert options["reset_mask"] is over  # Gymnasium's wrappers read it again
    env.step(np.full(COPIES, 1))


def test_gymnasiums_statistics_count_the_contests_of_a_batch() -> None:
    for mode in AutoresetMode:
        env = gymnasium.wrappers.vector.RecordEpisodeStatistics(make(make_game("tic_tac_toe"), autoreset_mode=mode))
        _, info = env.reset(seed=1)
        masks, rng = info["action_mask"], np.random.default_rng(0)
        ended = 0
        for _ in range(50):
            _, _, over, _, info = env.step(actions({"action_mask": masks}, rng))
            masks, ended = info["action_mask"], ended + over.sum()
            if mode == AutoresetMode.DISABLED and over.any():
                _, info = env.reset(options={"reset_mask": over})
                masks = info["action_mask"]
        assert env.episode_count == ended > 10
        assert {*env.return_queue} == {-1.0, 0.0, 1.0}
        assert {*env.length_queue} <= {2, 3, 4, 5}


ONE_BY_ONE = "mcts(playouts=2)"
"""A policy that does not play in many copies at once."""


@pytest.mark.parametrize(("mode", "opponent"), sampled(list(AutoresetMode), ["perfect", ONE_BY_ONE]))
def test_batches_against_policies_reset(mode: AutoresetMode, opponent: str, capsys: pytest.CaptureFixture[str]) -> None:
    vector._note_slow_batch.cache_clear()
    game = make_game("tic_tac_toe")
    kwargs = {"opponent": opponent, "max_episode_steps": 3, "disable_env_checker": True}
    one, other = make_both(game, mode, **kwargs)
    steps = 2 if mode == AutoresetMode.DISABLED else 30
    assert_equal_runs(one, other, steps, 7, 0.0)
    make(game, **kwargs)
    assert capsys.readouterr().err.count("is a SyncVectorEnv") == int(opponent == ONE_BY_ONE)


@pytest.mark.parametrize(
    "limits",
    [
        {"recurrences": 2},
        {"recurrences": 3, "key": "symmetry"},
        {"plies": 7, "plies_draw": False},
        {"recurrences": 2, "plies": 12},
        {"quiet_plies": 5, "progress": "capture"},
        {"recurrences": 1000},  # more positions are kept than there is room for to begin with
    ],
    ids=str,
)
def test_limits_hold_in_a_batch(limits: dict[str, Any]) -> None:
    game = replace(make_game("achi"), limits=Limits(**limits))
    one = BoardGameVectorEnv(game, COPIES, None)
    other = SyncVectorEnv([lambda: BoardGameEnv(game, opponent=None) for _ in range(COPIES)])
    one.reset(seed=1)
    other.reset(seed=1)
    plan = (*ACHI_WITHOUT_A_LINE, *ACHI_ROUND * 40)
    ply = ended = 0
    for _ in range(200):
        chosen = np.full(COPIES, plan[ply])
        seen = one.step(chosen)
        assert same(seen, other.step(chosen))
        is_over = (seen[2] | seen[3]).all()
        ended += int(is_over)
        assert not seen[1].any()
        # the step after the last does not play its action
        ply = -1 if is_over else ply + 1
    assert ended > 3 or (ended == 0 and limits == {"recurrences": 1000})


NETWORKS = [
    ("tic_tac_toe", "td"),
    ("five_mens_morris", "td"),
    ("hypergammon", "td(epsilon=0)"),
    ("backgammon", "td_gammon"),
    ("achi", "menace"),
]


@pytest.mark.parametrize(
    ("game", "opponent"), [*sampled(EACH_SMALL_GAME, ["worst"], one_in=9), *fast_for(NETWORKS[:1], NETWORKS)], **BY_SPEC
)
def test_a_batch_with_agents_for_opponents_equals_single_environments(game: Game, opponent: str) -> None:
    one, other = make(game, opponent=opponent), make(game, mode="sync", opponent=opponent)
    assert isinstance(one, BoardGameVectorEnv) == (opponent != "worst" or not game.limits.plies)
    assert assert_equal_runs(one, other, 100, 7, 0.1) > 5


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (lambda states: np.full(len(states), 9), "action 9 is not legal in this position of tic_tac_toe"),
        (lambda states: np.full(len(states), 10**9), "action 1000000000 is not legal"),
        (
            lambda states: (states[:, 1:] == 0).argmin(axis=1),
            "is not legal in this position of tic_tac_toe; legal here: ",
        ),
        (lambda states: np.zeros(len(states) + 1, dtype=int), "the opponent's actions of shape (3,) and dtype int64"),
        (lambda states: np.zeros(len(states)), "they must be whole numbers of shape (2,)"),
        (lambda states: None, "the opponent's actions of shape () and dtype object are not allowed"),
    ],
)
def test_what_opponents_answer_in_batches_is_checked(answers: Callable[[Any], Any], message: str) -> None:
    player = SimpleNamespace(
        seed=lambda copy, rng: None, begin=lambda copies: None, choose=lambda states, copies: answers(states)
    )
    opponent = RandomPlayer(make_game("tic_tac_toe"))
    opponent.in_batch = lambda game, copies: player  # type: ignore[attr-defined]
    env = BoardGameVectorEnv("tic_tac_toe", 2, opponent, seat=0)
    env.reset(seed=1)
    with pytest.raises((BadInputError, IllegalActionError), match=re.escape(message)):
        env.step(np.array([0, 1]))


@pytest.mark.parametrize(("game", "twin"), by_game(KINDS_OF_COPY), **BY_SPEC)
def test_a_copy_goes_on_identically(game: Game, twin: Callable[[Any], Any]) -> None:
    env = make(game, opponent="perfect" if game.spec == "tic_tac_toe" else "random")
    _, info = env.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(10):
        *_, info = env.step(actions(info, rng))
    other = twin(env)
    for _ in range(60):
        chosen = actions(info, rng)
        seen = env.step(chosen)
        assert data_equivalence(seen, other.step(chosen), exact=True)
        info = seen[-1]


@pytest.mark.parametrize("game", by_game(), indirect=True)
def test_what_is_given_out_stays_as_it_is(game: Game) -> None:
    env = make(game, opponent=None)
    seen = [env.reset(seed=0)]
    before = copy.deepcopy(seen[0])
    rng = np.random.default_rng(0)
    for _ in range(20):
        seen.append(env.step(actions(seen[-1][-1], rng)))
    assert data_equivalence(seen[0], before, exact=True)
    # and what is done to it changes nothing
    other = copy.deepcopy(env)
    chosen = actions(seen[-1][-1], rng)
    for array in (*seen[-1][:4], *seen[-1][4].values()):
        array[...] = 1
    assert data_equivalence(env.step(chosen), other.step(chosen), exact=True)


def test_a_batch_is_drawn() -> None:
    env = make(make_game("achi"), render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == (make_game("achi").initial.text,) * COPIES
    with pytest.raises(BadInputError, match="human"):
        make(make_game("achi"), render_mode="human")


def test_each_copy_has_an_opponent_of_its_own() -> None:
    made = make_vector_env("tic_tac_toe", 3, opponent=ONE_BY_ONE)
    assert isinstance(made, SyncVectorEnv)
    with pytest.raises(BadInputError, match="plays one contest at a time; make_vector_env takes any opponent"):
        BoardGameVectorEnv("tic_tac_toe", 3, ONE_BY_ONE)
    assert len({id(env.unwrapped.opponent) for env in made.envs}) == 3  # type: ignore[attr-defined]


def test_bad_input_is_refused() -> None:
    env = BoardGameVectorEnv("tic_tac_toe", 3, None)
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(3, dtype=np.int64))
    env.reset(seed=0)
    for wrong in (np.zeros(2, dtype=np.int64), np.zeros(3), [[0, 0, 0]], 0):
        with pytest.raises(BadInputError, match=r"shape \(3,\)"):
            env.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(BadInputError, match="2 seeds"):
        env.reset(seed=[1, 2])
    for wrong in ([True, False, True], np.ones(3), np.ones(2, dtype=np.bool_), np.zeros(3, dtype=np.bool_)):
        with pytest.raises(BadInputError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
    with pytest.raises(ResetNeeded, match="without reset_mask"):
        BoardGameVectorEnv("tic_tac_toe", 3).reset(options={"reset_mask": np.array([True, False, True])})
    for opponent in ("random", "worst"):
        with pytest.raises(BadInputError, match=r"'Sometimes' is not allowed.*'NextStep', 'SameStep', 'Disabled'"):
            make_vector_env("tic_tac_toe", 3, opponent, autoreset_mode="Sometimes")
        with pytest.raises(BadInputError, match="max_episode_steps=0"):
            make_vector_env("tic_tac_toe", 3, opponent, max_episode_steps=0)
    for opponent in (None, "worst"):
        with pytest.raises(BadInputError, match="num_envs=0"):
            make_vector_env("tic_tac_toe", 0, opponent)
    with pytest.raises(BadInputError, match="num_envs=0"):
        BoardGameVectorEnv("tic_tac_toe", 0)
    with pytest.raises(BadInputError, match="needs an opponent"):
        BoardGameVectorEnv("tic_tac_toe", 2, None, seat=0)
    with pytest.raises(BadInputError, match="threads=2 is not for policies"):
        BoardGameVectorEnv("tic_tac_toe", 3, "worst", threads=2)
    with pytest.raises(BadInputError, match="threads=0"):
        BoardGameVectorEnv("tic_tac_toe", 4, threads=0)
    with pytest.raises(BadInputError, match="threads=2 is not for achi, whose positions are kept"):
        BoardGameVectorEnv("achi", 4, threads=2)


@pytest.mark.parametrize(
    ("which", "actions", "why"),
    [
        ([0, 1], [0], r"actions of shape \(1,\)"),
        ([0], [0, 1], r"actions of shape \(2,\)"),
        (0, 0, r"which of shape \(\)"),
        ([[0, 1]], [[0, 1]], r"which of shape \(1, 2\)"),
        ([0, 1], [0.0, 1.0], "actions of shape .* float64"),
        ([0, 1], [0, np.nan], "actions of shape .* float64"),
        ([0.0, 1.0], [0, 1], "which of shape .* float64"),
        ([True, False, False], [0, 1, 2], "which of shape .* bool"),
        ([0, 3], [0, 0], "which names copy 3, which does not exist; they are 0 to 2"),
        ([-4, 1], [0, 0], "which names copy -4, which does not exist"),
        (np.array([2**63], dtype=np.uint64), [0], "which does not exist"),
        ([1, 1], [0, 3], "which names copy 1 more than once"),
        ([-1, 2], [0, 3], "which names copy 2 more than once"),
    ],
    ids=str,
)
def test_wrong_copies_and_actions_are_refused(which: Any, actions: Any, why: str) -> None:
    env, other = (BoardGameVectorEnv("tic_tac_toe", 3, None) for _ in range(2))
    seen = env.reset(seed=0), other.reset(seed=0)
    with pytest.raises(BadInputError, match=why):
        env.step_some(which, actions)
    chosen = np.array([2, 0]), np.array([3, 10**9])  # (an action that does not exist is illegal, as in `step`)
    seen = env.step_some(*chosen), other.step_some(*chosen)
    assert data_equivalence(*seen, exact=True)
    assert seen[0][2].tolist() == [False, True]


@pytest.mark.parametrize(
    ("game", "size", "opponent"),
    by_game([1, 5, 64], ["random", None], fast=["tic_tac_toe"], slow=["hypergammon", "qubic"]),
    **BY_SPEC,
)
def test_threads_change_nothing(game: Game, size: int, opponent: str | None) -> None:
    more = np.int64(size + 7)  # (more than there are copies, and not even a divisor of their number)
    batches = [BoardGameVectorEnv(game, size, opponent, threads=threads) for threads in (1, 3, more)]
    rng = np.random.default_rng(0)
    steps: list[Any] = [batch.reset(seed=3) for batch in batches]
    for _ in range(40):
        assert all(data_equivalence(steps[0], step) for step in steps[1:])
        actions = rng.integers(game.num_actions, size=size)
        steps = [batch.step(actions) for batch in batches]


@pytest.mark.parametrize("size", range(1, 10))
def test_any_number_of_threads_shares_any_number_of_copies(size: int) -> None:
    actions = np.zeros(size, dtype=np.int64)
    for threads in range(2, 14):
        alone, shared = (BoardGameVectorEnv("tic_tac_toe", size, None, threads=each) for each in (1, threads))
        assert data_equivalence(alone.reset(seed=1), shared.reset(seed=1))
        assert data_equivalence(alone.step(actions), shared.step(actions))


def test_seeds_are_whole_numbers_of_any_type() -> None:
    batches = [BoardGameVectorEnv("hypergammon", np.int64(3)) for _ in range(4)]  # type: ignore[arg-type]
    seeds: list[Any] = [5, np.uint8(5), np.arange(5, 8), [np.int32(5), 6, np.int64(7)]]
    seen = [batch.reset(seed=seed) for batch, seed in zip(batches, seeds, strict=True)]
    assert all(data_equivalence(seen[0], each) for each in seen[1:])
    single = [BoardGameEnv("hypergammon", seat=np.int64(0)).reset(seed=seed) for seed in (5, np.int64(5))]  # type: ignore[arg-type]
    assert data_equivalence(*single)


@pytest.mark.parametrize("seed", [0.5, -1, "1", "123", [1, 2, -3], [1, None, 2.0], np.array([1.0, 2, 3]), [1, [2], 3]])
def test_a_wrong_seed_seeds_nothing(seed: Any) -> None:
    batch, other = (BoardGameVectorEnv("hypergammon", 3) for _ in range(2))
    assert data_equivalence(batch.reset(seed=1), other.reset(seed=1))
    with pytest.raises(BadInputError, match=r"is not allowed; a seed is a whole number of at least 0"):
        batch.reset(seed=seed)
    assert data_equivalence(batch.reset(), other.reset())
    if not isinstance(seed, (list, np.ndarray)):
        with pytest.raises(BadInputError, match="a seed is a whole number"):
            BoardGameEnv("hypergammon").reset(seed=seed)
