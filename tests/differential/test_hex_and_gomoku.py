"""Hex and gomoku of OpenSpiel and pgx, walked beside ours, action for action."""

import numpy as np
import pytest

from boardgames_env import BadInputError, make_game
from tests.variants import fast_for

HEX = [
    "hex(swap=true)",
    "hex",
    "hex(board_size=3,swap=true)",
    "hex(num_cols=5,num_rows=5)",
    "hex(board_size=13,swap=true)",
]
GOMOKU = ["gomoku", "gomoku(size=12)", "gomoku(size=6,connect=5)", "gomoku(size=5)"]


@pytest.mark.parametrize("contests", fast_for([30], [30, 2000]))
@pytest.mark.parametrize("oracle", [*HEX, *GOMOKU])
def test_random_contests_of_openspiel(oracle: str, contests: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from boardgames_baselines.open_spiel.counterparts import counterpart

    rules = pyspiel.load_game(oracle)
    game = counterpart(rules).game
    assert rules.num_distinct_actions() == game.num_actions
    swaps = 0
    for contest in range(contests):
        rng = np.random.default_rng([24, contest])
        position, theirs = game.initial, rules.new_initial_state()
        while not theirs.is_terminal():
            assert position.seat == theirs.current_player()
            assert position.legal_actions == tuple(theirs.legal_actions())
            action = int(rng.choice(position.legal_actions))
            if position.legal_actions[-1] == game.board.size and contest % 2:  # (half of the second seats swap)
                action = game.board.size
                swaps += 1
            if game.name == "hex":
                assert game.action_text(action) == theirs.action_to_string(action)
            position = position.after(action)
            theirs.apply_action(action)
        assert [position.points_for(seat) for seat in (0, 1)] == theirs.returns()
    assert swaps == (contests // 2 if "swap" in oracle else 0)


@pytest.mark.parametrize(
    "oracle", ["hex(num_cols=5,num_rows=4)", "gomoku(wrap=true)", "gomoku(size=16)", "hex(board_size=2)"]
)
def test_rules_that_are_not_ours_are_refused(oracle: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from boardgames_baselines.open_spiel.counterparts import counterpart

    with pytest.raises(BadInputError, match="has the rules of no game of ours"):
        counterpart(pyspiel.load_game(oracle))


@pytest.mark.slow
def test_random_contests_of_pgxs_hex() -> None:
    """2,000 contests at once; in half of them the second seat swaps. (Of another size than 11 pgx makes no board.)"""
    jax, pgx = (pytest.importorskip(name, reason=f"{name} is not installed") for name in ("jax", "pgx"))
    contests, size, env, game, rng = 2000, 11, pgx.make("hex"), make_game("hex"), np.random.default_rng(23)
    step = jax.jit(jax.vmap(env.step))
    theirs = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), contests))
    first = np.array(theirs.current_player)
    positions, unfinished, swaps = [game.initial] * contests, set(range(contests)), 0
    while unfinished:
        masks, seen = np.array(theirs.legal_action_mask), np.array(theirs.observation)
        actions = np.zeros(contests, dtype=np.int64)
        for which in unfinished:
            position, legal = positions[which], tuple(np.flatnonzero(masks[which]))
            assert legal == position.legal_actions
            own, other, colour, can_swap = seen[which].reshape(size**2, 4).T
            assert position.features()[: 2 * size**2].tolist() == [*own, *other]
            assert colour[0] == position.seat
            assert can_swap[0] == (size**2 in legal)
            actions[which] = size**2 if can_swap[0] and which % 2 else rng.choice(legal)
            swaps += actions[which] == size**2
            positions[which] = position.after(int(actions[which]))
        theirs = step(theirs, actions)
        over, rewards = np.array(theirs.terminated), np.array(theirs.rewards)
        for which in list(unfinished):
            assert over[which] == positions[which].is_over
            if over[which]:
                assert rewards[which, first[which]] == positions[which].outcome
                unfinished.remove(which)
    assert swaps >= contests // 2
