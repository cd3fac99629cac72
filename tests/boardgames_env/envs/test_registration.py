"""What importing the package registers."""

import inspect
import pickle
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

import gymnasium
import pettingzoo
import pytest
from pettingzoo.env_registry.registration import aec_registry

import boardgames_env
from boardgames_env import BadInputError, make_game, registered_games
from boardgames_env.envs import aec
from boardgames_env.envs.aec import BoardGameAECEnv
from boardgames_env.envs.registration import gymnasium_id, pettingzoo_id
from tests.processes import printed
from tests.variants import fast_for


@pytest.mark.parametrize("name", registered_games())
def test_every_game_is_registered_everywhere(name: str) -> None:
    entry = registered_games()[name]
    assert pettingzoo_id(entry) in aec_registry
    spec = gymnasium.spec(gymnasium_id(entry))
    assert spec.vector_entry_point is not None
    assert gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(spec.to_json())).unwrapped.spec is not None
    module = getattr(boardgames_env, f"{name}_v{entry.version}")
    assert f"{name}_v{entry.version}" in dir(boardgames_env)
    for made in (module.env(), module.raw_env(render_mode="ansi")):
        assert type(made) is BoardGameAECEnv
        assert str(made) == f"{name}_v{entry.version}"


@pytest.mark.parametrize(
    "name",
    fast_for(
        ["tic_tac_toe", "five_mens_morris", "hypergammon"],
        ["tic_tac_toe", "five_mens_morris", "nine_mens_morris", "hypergammon", "backgammon"],
    ),
)
def test_the_rules_are_found_from_the_environment(name: str) -> None:
    entry = registered_games()[name]
    page = entry.page
    assert "## Rules" in page
    assert getattr(boardgames_env, f"{name}_v0").__doc__ == page
    assert import_module(f"boardgames_env.{name}_v0").__doc__ == page
    id_ = gymnasium_id(entry)
    for env in (
        *(gymnasium.make(id_), gymnasium.make_vec(id_), gymnasium.make_vec(id_, vectorization_mode="sync").envs[0]),  # type: ignore[attr-defined]
        pettingzoo.make("aec", pettingzoo_id(entry)),
    ):
        assert env.unwrapped.game.page == page
        for each in (env.unwrapped, pickle.loads(pickle.dumps(env.unwrapped))):
            module = inspect.getmodule(each)
            assert module is not None
            assert module.__doc__ == page


@pytest.mark.slow
def test_the_page_is_found_in_another_process_too() -> None:
    program = """
import inspect, pickle, sys
module, env = pickle.loads(bytes.fromhex(sys.argv[1]))
assert inspect.getmodule(env) is module
print(module.__doc__)
"""
    sent = pickle.dumps((boardgames_env.achi_v0, boardgames_env.achi_v0.env())).hex()
    assert printed(program, sent).rstrip("\n") == registered_games()["achi"].page


def test_a_game_that_is_not_registered_has_no_page() -> None:
    game = replace(make_game("tic_tac_toe"), factory=None)
    assert game.page == ""
    assert inspect.getmodule(BoardGameAECEnv(game)) is aec


def test_options_are_arguments() -> None:
    assert boardgames_env.achi_v0.env(adjacent=True).game.spec == "achi(adjacent=True)"
    assert gymnasium.make("boardgames/Achi-v0", adjacent=True).unwrapped.game.spec == "achi(adjacent=True)"  # type: ignore[attr-defined]


def test_there_is_no_module_of_another_name() -> None:
    with pytest.raises(ImportError):
        from boardgames_env import chess_v0  # noqa: F401
    with pytest.raises(AttributeError, match="achi_v0"):
        _ = boardgames_env.achi_v9


@pytest.mark.slow
def test_a_game_registered_later_is_registered_too() -> None:
    program = """
import boardgames_env, gymnasium, pettingzoo.env_registry.registration as registration
from boardgames_env.games import game
from boardgames_env.games.tic_tac_toe import tic_tac_toe

@game(version=3)
def crosses_and_noughts():
    "Another name."
    return tic_tac_toe()

from boardgames_env import crosses_and_noughts_v3
crosses_and_noughts_v3.env().reset()
registration.make("aec", "boardgames/crosses_and_noughts-v3").reset()
gymnasium.make("boardgames/CrossesAndNoughts-v3").reset(seed=0)
gymnasium.make_vec("boardgames/CrossesAndNoughts-v3", num_envs=2).reset(seed=0)
"""
    printed(program, PYTHONWARNINGS="error")


@pytest.mark.parametrize(
    "make",
    [
        lambda **options: gymnasium.make("boardgames/TicTacToe-v0", **options),
        lambda **options: gymnasium.make_vec("boardgames/TicTacToe-v0", num_envs=2, **options),
        lambda **options: pettingzoo.make("aec", "boardgames/tic_tac_toe-v0", **options),
    ],
    ids=["Gymnasium", "a batch", "PettingZoo"],
)
def test_an_unknown_option_is_what_python_says_of_one(make: Callable[..., object]) -> None:
    with pytest.raises(
        BadInputError, match="unexpected keyword argument 'frameskip': tic_tac_toe has no option"
    ) as told:
        make(frameskip=1)
    assert isinstance(told.value, TypeError)
    for argument, taker in {"seed": "Env.reset", "options": "Env.reset", "copy": "SyncVectorEnv"}.items():
        with pytest.raises(BadInputError, match=f"'{argument}': it is an argument of {taker}, not an option"):
            make(**{argument: 1})


@pytest.mark.parametrize("package", ["boardgames_env", "boardgames_agents"])
def test_a_package_lists_every_public_name_and_has_it(package: str) -> None:
    code = f"""
import {package} as it
listed = dir(it)
assert set(it.__all__) <= set(listed) and len(listed) == len(set(listed))
assert all(hasattr(it, name) for name in listed)
"""
    printed(code)
