"""Recipes of TD(λ): they are what their sources say, and what they are named for."""

import shlex
from pathlib import Path

import pytest

import boardgames_agents.backgammon
from boardgames_agents.registry import label_of, labels_of, make_agent, make_learner, recipe_instead, registered_agents
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.network_file import describe_file
from boardgames_agents.td.options import TDOptions
from boardgames_agents.training.run import RunConfig, load_run, train
from boardgames_env import make_game
from boardgames_env.spec import Spec

NETWORKS = Path(boardgames_agents.backgammon.__file__).parent / "nets"
TESAURO = (
    "td(inputs='raw',hidden=40,outputs=4,units='sigmoid',viewer='0',error='squared',epsilon=0,alpha=0.1,decay=0,"
    "lam=0.7,average=0)"
)


def options_of(spec: str, game: str = "backgammon") -> TDOptions:
    learner = make_agent(spec, make_game(game))
    assert isinstance(learner, TDLearner)
    return learner.options


@pytest.mark.parametrize("recipe", ["td_gammon_raw", "td_gammon_1995"])
def test_a_recipe_is_that_of_the_network_of_its_name(recipe: str) -> None:
    words = shlex.split(describe_file(NETWORKS / f"{recipe}.safetensors").about["command"])
    assert options_of(f"td(recipe='{recipe}', seed=1)") == options_of(words[3])
    assert label_of(words[3]) == f"td(recipe='{recipe}', seed=1)"


def test_a_recipe_keeps_its_values_for_ever() -> None:
    assert options_of("td(recipe='tesauro')") == options_of(TESAURO)


def test_every_recipe_has_a_source_and_is_kept_in_the_spec() -> None:
    recipes = registered_agents()["td"].recipes
    assert list(recipes) == ["td_gammon_raw", "td_gammon_1995", "tesauro"]
    for name, recipe in recipes.items():
        assert "Source: " in recipe.summary
        assert make_agent(f"td(recipe={name!r})", make_game("backgammon")).spec == f"td(recipe={name!r})"


@pytest.mark.parametrize(
    ("spec", "game", "better"),
    [
        ("td", "backgammon", "td(recipe='td_gammon_raw')"),
        ("td", "hypergammon", "td(recipe='td_gammon_raw')"),
        ("td", "tic_tac_toe", ""),
        ("td(hidden=80)", "backgammon", "td(recipe='td_gammon_raw', hidden=80)"),
        ("td(recipe='tesauro')", "backgammon", ""),
        ("td(recipe='')", "backgammon", ""),
        (TESAURO, "backgammon", ""),
        ("pubeval", "backgammon", ""),
        ("nobody", "backgammon", ""),
    ],
)
def test_the_recipe_for_a_game(spec: str, game: str, better: str) -> None:
    assert recipe_instead(Spec.parse(spec), make_game(game)) == better


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("td", "td"),
        (TESAURO, "td(recipe='tesauro')"),
        (TESAURO.replace("hidden=40", "hidden=80"), "td(recipe='tesauro', hidden=80)"),
        ("trained(run='runs/ttt')", "runs/ttt"),
        ("td_net(file='mine.safetensors', plies=2)", "mine.safetensors (plies=2)"),
        ("fallible(e=0.1)", "fallible(e=0.1)"),
        ("hoyle(voting='tally') " * 3, "hoyle(voting='tally') " * 3),
        ("td(" + "hidden=4," * 9, "td(" + "hidden=4," * 9),
        ("td(whatever_there_is_not=0.123456789012345)", "td(whatever_there_is_not=0.123456789012345)"),
        ("the player of the house, who is a person of note", "the player of the house, who is a person of note"),
    ],
)
def test_labels(spec: str, label: str) -> None:
    assert label_of(spec) == label


def test_labels_beside_each_other_differ() -> None:
    long = [f"td(inputs='{'raw' * 20}', seed={seed})" for seed in (1, 2)]
    assert labels_of([TESAURO, "td"]) == ["td(recipe='tesauro')", "td"]
    assert labels_of(long) == long
    assert labels_of([TESAURO, TESAURO]) == ["td(recipe='tesauro')"] * 2


def test_a_run_of_a_recipe_is_that_of_its_options(tmp_path: Path) -> None:
    """The configuration keeps what was asked; the run goes on, and is read again, as the same learner."""
    asked = "td(recipe='tesauro', hidden=4)"
    spelled = TESAURO.replace("hidden=40", "hidden=4")
    for contests in (4, 8):
        train(tmp_path / "asked", RunConfig("hypergammon", asked, contests=contests))
        train(tmp_path / "spelled", RunConfig("hypergammon", spelled, contests=contests))
    run, other = load_run(tmp_path / "asked"), load_run(tmp_path / "spelled")
    assert (run.config.learner, run.contests) == (asked, 8)
    assert run.learner.snapshot().digest == other.learner.snapshot().digest
    assert run.config.label == other.config.label == asked
    seeded = make_learner(asked, run.game, seed=3)
    assert seeded.spec == "td(recipe='tesauro', hidden=4, seed=3)"
