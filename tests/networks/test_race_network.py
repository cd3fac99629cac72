"""The training of the network for races: what it learns, and the shipped network beside what it has learned."""

import shlex
from collections.abc import Callable
from dataclasses import fields
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.backgammon.race_network import (
    OUTPUTS,
    ROLLS,
    ROLLS_TO_FIRST,
    SHIPPED,
    load_weights,
    save_weights,
    shipped_weights,
)
from boardgames_agents.backgammon.td_gammon import td_gammon
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.array_file import read_arrays
from boardgames_env.files import FileKind
from boardgames_env.games.backgammon.rules.backgammon_board import OFF, POINTS
from boardgames_env.games.backgammon.rules.turns import ROLLS as DICE_ROLLS
from boardgames_env.moves import moves_of
from boardgames_env.solve.bearoff import MEN, bearoff
from networks.race_network import (
    RaceTraining,
    arrangements_of,
    inputs_of,
    look_ahead,
    race_network,
    random_starts,
    train,
)
from tests.boardgames_agents.backgammon.test_race_network import IS_RACE, NUMBER
from tests.boardgames_env.games.backgammon_contests import position_of, state_of

GAME = "backgammon"


def mean_rolls(outputs: np.ndarray) -> np.ndarray:
    """The mean number of rolls until all men are off."""
    return np.asarray(outputs[..., :ROLLS] @ np.arange(ROLLS))


def predicted(men: np.ndarray) -> np.ndarray:
    """The outputs of the shipped network for some arrangements."""
    weights = shipped_weights()
    units = np.maximum(inputs_of(men) @ weights.hidden + weights.hidden_bias, 0)
    logits = units @ weights.output + weights.output_bias
    groups = np.split(logits, [ROLLS, ROLLS + ROLLS_TO_FIRST], axis=1)
    parts = [np.exp(part - part.max(axis=1, keepdims=True)) for part in groups]
    return np.hstack([part / part.sum(axis=1, keepdims=True) for part in parts])


def test_one_roll_before_home_the_look_ahead_is_exact() -> None:
    """A man on the 7 point comes home with every roll, so that only the tables count."""
    men = {7: 1, 6: 2, 4: 1, 3: 2, OFF: 9}
    row = np.zeros((1, POINTS + 1), dtype=np.int8)
    row[0, [*men]] = [*men.values()]
    tables, game = bearoff(), make_game(GAME)
    targets, _ = look_ahead(game, shipped_weights(), row, np.ones((1, 2)) / 2)
    means = tables.rolls @ np.arange(tables.rolls.shape[1])
    expected = 0.0
    for high, low in DICE_ROLLS:
        position = position_of(game, men, {OFF: 14, 1: 1}, (high, low) if high != low else (high,) * 4)
        reached = min(means[NUMBER.run(state, 0, MEN)] for state in moves_of(game, position.state)[0])
        expected += (1 + reached) * (1 if high == low else 2) / 36
    assert mean_rolls(targets[0]) == pytest.approx(expected, abs=1e-5)
    assert targets[0, :ROLLS].sum() == pytest.approx(1, abs=1e-5)


@pytest.fixture(scope="module")
def arrangements() -> np.ndarray:
    """Arrangements in races of sensible players."""
    game = make_game(GAME)
    return arrangements_of(game, evaluator_of("td_gammon_raw", game), 150, np.random.default_rng(7))[::2][:400]


@pytest.mark.slow
def test_the_shipped_network_agrees_with_its_look_ahead(arrangements: np.ndarray) -> None:
    rng, men = np.random.default_rng(1), arrangements
    assert len(men) == 400
    targets, following = look_ahead(make_game(GAME), shipped_weights(), men, rng.random((len(men), 2)))
    errors = mean_rolls(predicted(men)) - mean_rolls(targets)
    assert np.sqrt(np.mean(np.square(errors))) < 0.1
    assert (following[:, OFF] >= men[:, OFF]).all()
    assert (following.sum(axis=1) == MEN).all()
    groups = np.split(targets, [ROLLS, ROLLS + ROLLS_TO_FIRST], axis=1)
    asked = (np.ones(400, dtype=bool), men[:, OFF] == 0, men[:, 19:].any(axis=1))
    for group, is_asked in zip(groups, asked, strict=True):  # (hardly any probability is beyond the outputs)
        assert group.sum(axis=1) == pytest.approx(is_asked.astype(float), abs=1e-3)


@pytest.mark.slow
def test_the_shipped_network_agrees_with_races_that_are_played(arrangements: np.ndarray) -> None:
    """They are played by the network until all men are home; from there the tables are exact."""
    rng, tables = np.random.default_rng(2), bearoff()
    means = tables.rolls @ np.arange(tables.rolls.shape[1])
    for men, outputs in zip(arrangements[::60], predicted(arrangements[::60]), strict=True):
        races, rolls = np.repeat(men[None], 100, axis=0), np.zeros(100)
        while len(away := np.flatnonzero(races[:, 7:].any(axis=1))):
            drawn = np.column_stack([rng.random(len(away)), np.ones(len(away))])
            _, races[away] = look_ahead(make_game(GAME), shipped_weights(), races[away], drawn)
            rolls[away] += 1
        rolls += [means[home(each)] for each in races]
        error = rolls.std(ddof=1) / np.sqrt(len(rolls))
        assert mean_rolls(outputs) == pytest.approx(rolls.mean(), abs=4 * error + 0.05)


def home(men: np.ndarray) -> int:
    """The number of an arrangement at home."""
    return NUMBER.run(state_of(make_game(GAME), dict(enumerate(men)), {}), 0, MEN)


@pytest.mark.slow
def test_the_same_training_gives_the_same_network_and_the_error_falls(game: Game, tmp_path: Path) -> None:
    training = RaceTraining(rounds=6, races=150, contests=3, hidden=8, batch=32, alpha=0.03, seed=3)
    evaluator = evaluator_of("td_gammon_raw", game)
    first, again = (list(train(game, evaluator, training)) for _ in range(2))
    assert all((one == other).all() for one, other in zip(first[-1].weights, again[-1].weights, strict=True))
    assert first[-1].error < first[0].error / 1.5
    save_weights(tmp_path / "race.safetensors", first[-1].weights, {})
    read = load_weights(tmp_path / "race.safetensors")
    assert all((one == other).all() for one, other in zip(first[-1].weights, read, strict=True))


def test_other_games_are_refused() -> None:
    game = make_game("hypergammon")
    evaluator = evaluator_of("td_gammon_raw", make_game(GAME))
    with pytest.raises(BadInputError, match="is trained with 15 men a seat, not in hypergammon"):
        next(train(game, evaluator, RaceTraining(rounds=1)))


def test_the_arrangements_of_contests(game: Game) -> None:
    found = arrangements_of(game, evaluator_of("td_gammon_raw", game), 10, np.random.default_rng(4))
    assert len(found) > 20
    assert (found.sum(axis=1) == MEN).all()
    assert (found >= 0).all()
    assert found[:, 7:].any(axis=1).all()


def test_probabilities_are_none_below_0() -> None:
    game, rng = make_game(GAME), np.random.default_rng(9)
    men = random_starts(800, rng)
    apart = [pair for pair in zip(men[::2], men[1::2], strict=True) if not (pair[0][:0:-1] * pair[1][1:]).any()]
    made = [state_of(game, dict(enumerate(own)), dict(enumerate(other))) for own, other in apart]
    states = np.array([state for state in made if IS_RACE.run(state)])
    found = td_gammon(game).evaluator.outcome_probabilities(states)
    assert len(states) > 50
    assert found.min() >= 0
    assert found.sum(axis=1) == pytest.approx(np.ones(len(states)), abs=1e-5)


def test_the_file_was_made_by_the_command_as_it_comes() -> None:
    _, data = read_arrays(SHIPPED, FileKind("a network"))
    words = shlex.split(data["made by"])
    assert words[1:3] == ["race-network", "FILE"]
    made = dict(zip(words[3::2], words[4::2], strict=True))
    options = {each.name: each.default for each in fields(RaceTraining) if each.name != "batch"}
    options["agent"] = signature(race_network).parameters["agent"].default
    assert made == {f"--{name}": str(value) for name, value in options.items()}
    assert SHIPPED.stat().st_size < 100_000


def test_the_rounds_that_are_learned_from() -> None:
    last_quarter = RaceTraining(rounds=40, races=10, batch=4)
    last_two = RaceTraining(rounds=3, races=10, batch=4, window=2)
    assert [last_quarter.recent(number) for number in (1, 3, 4, 19, 20, 40)] == [1, 3, 4, 4, 5, 10]
    assert [last_two.recent(number) for number in (1, 2, 3)] == [1, 2, 2]
    assert last_two.steps == 3 + 5 + 5


def test_the_command(networks: Callable[..., None], capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "race.safetensors"
    networks("race-network", path, "--rounds", 2, "--races", 40, "--contests", 3, "--hidden", 4)
    assert "the network is in" in capfd.readouterr().out
    assert load_weights(path).output.shape == (4, OUTPUTS)
    with pytest.raises(SystemExit, match="2"):
        networks("race-network", path, "--rounds", 0)
    assert "rounds=0 is not allowed" in capfd.readouterr().err
