"""Observations as planes and of other types hold what the flat ones hold, in every kind of environment."""

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from hypothesis import given
from numpy.typing import DTypeLike, NDArray
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from boardgames_env import BadInputError, Game, make_game, registered_games
from boardgames_env.envs.aec import BoardGameAECEnv
from boardgames_env.envs.observations import DTYPES, Observations
from boardgames_env.envs.registration import gymnasium_id, pettingzoo_id
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.envs.vector import BoardGameVectorEnv
from tests.boardgames_env.envs.conftest import BY_SPEC, GAMES, only_warning
from tests.boardgames_env.envs.test_aec import UNAVOIDABLE, api_test, parallel_api_test
from tests.boardgames_env.envs.test_vector import assert_equal_runs
from tests.test_every_game import contests, positions_of
from tests.variants import WITH_CHANCE, fast_for, over, sampled

SHAPES = {
    "tic_tac_toe": (3, 3, 3),
    "nine_mens_morris": (7, 7, 7),
    "pong_hau_ki": (4, 3, 3),
    "qubic": (3, 4, 4, 4),
    "mu_torere": (9, 4),
    "english_draughts": (9, 8, 8),
    "backgammon": (24, 27),
}


def by_location(game: Game, planes: NDArray[Any]) -> NDArray[Any]:
    """Planes as ``(locations, channels)``; on a grid, by the coordinates."""
    if planes.ndim == 2:
        return planes
    places = np.array(game.board.coordinates) - np.min(game.board.coordinates, axis=0)
    return np.array([planes[(slice(None), *reversed(place))] for place in places.astype(int).tolist()])


@pytest.mark.parametrize("name", SHAPES)
def test_planes_have_the_axes_of_the_board(name: str) -> None:
    assert Observations(make_game(name), "planes").space.shape == SHAPES[name]


@over(sampled(GAMES, one_in=12))
@given(choices=contests)
def test_planes_hold_the_flat_features_and_nothing_else(game: Game, choices: list[int]) -> None:
    position = positions_of(game, choices)[-1]
    locations, each = game.men_features or (game.board.size, 1)
    shown, first = Observations(game, "planes"), 2 * locations * each
    for viewer in (0, 1):
        flat = position.features(viewer)
        planes = shown.show(flat)
        assert planes in shown.space
        rows = by_location(game, planes)
        men, others, mark = np.split(rows, [2 * each, 2 * each + len(flat) - first], axis=1)
        assert [*men[:, :each].flat, *men[:, each:].flat] == flat[:first].tolist()
        assert (others == flat[first:]).all()
        is_full = rows.shape[0] * rows.shape[1] == planes.size
        assert mark.tolist() == [[]] * locations if is_full else [[1]] * locations
        if not is_full:  # and nothing stands where there is no location
            empty = planes[-1] == 0
            assert empty.sum() == planes[-1].size - locations
            assert not planes[: 2 * each, empty].any()
        # the first channel of each seat shows where its men are, as the state does; that of a further kind is the next
        sign = 1 - 2 * viewer
        men_at = position.state[1 : 1 + locations][:: sign if game.name in WITH_CHANCE else 1] * sign
        for kind in range(1 + len(game.kinds)):
            here, there = (men[:, seat * each + kind] > 0 for seat in (0, 1))
            of_kind = abs(men_at) == 1 + kind if game.kinds else men_at != 0
            assert here.tolist() == ((men_at > 0) & of_kind).tolist()
            assert there.tolist() == ((men_at < 0) & of_kind).tolist()


@over(sampled(GAMES, one_in=12))
@given(choices=contests)
def test_every_dtype_holds_the_same(game: Game, choices: list[int]) -> None:
    flat = positions_of(game, choices)[-1].features()
    for dtype in DTYPES:
        for form in ("flat", "planes"):
            shown = Observations(game, form, dtype)
            seen = shown.show(flat)
            assert seen in shown.space
            scaled = seen / shown.space.high.max()  # type: ignore[attr-defined]
            assert np.allclose(scaled, Observations(game, form).show(flat), rtol=0, atol=1 / 510 + 1e-6)
            most = seen.dtype.type(shown.space.high.max())  # type: ignore[attr-defined]
            assert len({*seen.flat} - {0, most}) == len({*flat.tolist()} - {0.0, 1.0})


FAST = {("five_mens_morris", "planes", "float32"), ("hypergammon", "planes", "uint8")}
"""Games whose batches other tests compile, too: a grid, and locations in a row."""

FORMS = [("planes", "float32"), ("planes", "uint8"), ("flat", "float16"), ("planes", "float64")]


@pytest.mark.parametrize(
    ("game", "form", "dtype"), fast_for(FAST, [(game, *form) for game in GAMES for form in FORMS]), **BY_SPEC
)
def test_every_environment_shows_them(game: Game, form: str, dtype: str) -> None:
    entry, kwargs = registered_games()[game.name], {"observation": form, "dtype": dtype, **game.options}
    shown = Observations(game, form, dtype)

    aec: Any = pettingzoo.make("aec", pettingzoo_id(entry), **kwargs)
    with only_warning(*UNAVOIDABLE, *["Observation has more than 3 dimensions"] * (len(shown.space.shape) > 3)):
        api_test(aec, num_cycles=30)
        parallel_api_test(turn_based_aec_to_parallel(aec), num_cycles=30)
    aec.reset(seed=1)
    position = game.position(aec.state())
    for seat, agent in enumerate(aec.possible_agents):
        assert aec.observation_space(agent)["observation"] == shown.space
        seen = aec.observe(agent)["observation"]
        assert (seen.dtype, seen.tolist()) == (np.dtype(dtype), shown.show(position.features(seat)).tolist())

    single: Any = gymnasium.make(gymnasium_id(entry), **kwargs)
    assert single.observation_space == shown.space
    with only_warning():
        check_env(single.unwrapped, skip_render_check=True)

    ours, theirs = (
        gymnasium.make_vec(gymnasium_id(entry), num_envs=3, vectorization_mode=mode, **kwargs)
        for mode in (None, "sync")
    )
    assert isinstance(ours, BoardGameVectorEnv)
    assert ours.observation_space == theirs.observation_space
    assert ours.reset(seed=7)[0].dtype == dtype
    assert_equal_runs(ours, theirs, 60, 7, 0.1)


@pytest.mark.parametrize("mode", ["SameStep", "Disabled"])
def test_copies_that_are_reset_show_them(mode: str) -> None:
    kwargs: dict[str, Any] = {"observation": "planes", "dtype": "uint8"}
    env, flat = (BoardGameVectorEnv("tic_tac_toe", 2, autoreset_mode=mode, **more) for more in (kwargs, {}))
    shown = Observations(make_game("tic_tac_toe"), "planes", "uint8")
    for each in (env, flat):
        each.reset(seed=1)
    seen, other = (each.step(np.array([-1, 4])) for each in (env, flat))
    assert data_equivalence(seen[0], shown.show(other[0]), exact=True)
    if mode == "SameStep":
        assert data_equivalence(seen[4]["final_obs"][0], shown.show(other[4]["final_obs"][0]), exact=True)
    mask = {"reset_mask": np.array([True, False])}
    seen, other = (each.reset(options=mask) for each in (env, flat))
    assert data_equivalence(seen[0], shown.show(other[0]), exact=True)


@pytest.mark.parametrize(
    "make", [BoardGameAECEnv, BoardGameEnv, lambda game, **more: BoardGameVectorEnv(game, 2, **more)]
)
def test_other_forms_are_refused(make: Any) -> None:
    with pytest.raises(BadInputError, match=r"observation='image' is not allowed; it must be 'flat' or 'planes'"):
        make("tic_tac_toe", observation="image")
    wrong: list[DTypeLike] = ["int8", "spam", None, np.complex64, [("a", "f4")], "U3"]
    for dtype in wrong:
        with pytest.raises(BadInputError, match=r"dtype=.* is not allowed; it must be one of: float32, .* uint8"):
            make("tic_tac_toe", dtype=dtype)
    for men in ((9, 2), (10, 1), (0, 1), (9, -1)):
        with pytest.raises(BadInputError, match=r"no planes of tic_tac_toe: .* declares its men_features"):
            make(replace(make_game("tic_tac_toe"), men_features=men), observation="planes")
