"""Backgammon with few men is solved: its values are those of one ply of look-ahead with the game's own moves."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.experts.exact_points import ExactPoints
from boardgames_agents.experts.perfect_with_cube import PerfectWithCube
from boardgames_agents.lookahead.evaluator import POINTS
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.registry import make_agent
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.games.backgammon.backgammon import backgammon_game
from boardgames_env.games.backgammon.rules.backgammon_board import (
    BARS,
    CUBE,
    DOUBLING,
    OWNER,
    ROLLING,
    STAGE,
    TRAYS,
    BackgammonOptions,
)
from boardgames_env.kernels.signatures import Int8s
from boardgames_env.solve.few_men import FewMen
from boardgames_env.solve.few_men_tables import known_few_men, solve_few_men
from boardgames_env.solve.few_men_with_cube import FewMenWithCube
from boardgames_env.solve.placings import placings_of


def game_of(men: int, **options: bool) -> Game:
    """Return backgammon with up to three men a seat; it is not registered, so that nothing is kept."""
    return backgammon_game("Few men", tuple((24 - k, 1) for k in range(men)), BackgammonOptions(**options))


def states_of(game: Game, count: int, seed: int) -> Int8s:
    """Return random states in which a seat is to roll."""
    rng, states = np.random.default_rng(seed), []
    men = game.family.men
    while len(states) < count:
        state = np.zeros(game.state_size, dtype=np.int8)
        state[0], state[STAGE] = rng.integers(2), ROLLING
        for seat, sign in ((0, 1), (1, -1)):
            for point in rng.integers(0, 26, men):
                on_board = point if seat == 0 else 25 - point
                slot = {25: BARS + seat, 0: TRAYS + seat}.get(int(point), on_board)
                state[slot] = state[slot] + sign if state[slot] * sign >= 0 else 99
        if not (state == 99).any() and abs(state[TRAYS]) < men and abs(state[TRAYS + 1]) < men:
            states.append(state)
    return np.array(states)


@pytest.mark.parametrize(("men", "placings", "positions"), [(1, 26, 601), (2, 351, 106_552), (3, 3276, 7_953_353)])
def test_positions_are_counted(men: int, placings: int, positions: int) -> None:
    """The largest number is that of an independent program."""
    found = placings_of(game_of(men))
    assert len(found.points) == placings
    apart = (found.own[1:, np.newaxis] & found.taken[np.newaxis, 1:]) == 0
    assert np.count_nonzero(apart) == positions
    for number in range(0, placings, 7):
        key = sum(int(point) * 26**digit for digit, point in enumerate(found.points[number][::-1]))
        assert found.number_at[key] == number
    assert (np.diff(found.points.sum(axis=1, dtype=np.int64)) >= 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("men", [1, 2])
def test_values_are_those_of_one_ply_more(men: int) -> None:
    game = game_of(men)
    table = solve_few_men(game)
    search, states = Expectimax(game, table), states_of(game, 200, seed=men)
    chances = table.outcome_probabilities(states)
    found = search.look_ahead(states, 1)
    np.testing.assert_allclose(found @ POINTS, chances @ POINTS, atol=1e-5)
    # (of plays with the same equity the chances may differ)
    assert (np.abs(found - chances).max(axis=1) < 3e-6).mean() > 0.98
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=3e-6)
    opening = table.outcome_probabilities(game.initial.state[np.newaxis])
    np.testing.assert_allclose(search.look_ahead(game.initial.state[np.newaxis], 1), opening, atol=3e-6)
    assert abs(opening @ POINTS) < 1e-6 < table.opening @ POINTS
    # nobody wins a gammon of a man that is off
    off = states[:, TRAYS] * (1 - states[:, 0]) + np.abs(states[:, TRAYS + 1]) * states[:, 0]
    assert not chances[off > 0, 4:].any()


@pytest.mark.slow
def test_gammons_do_not_count_by_the_jacoby_rule() -> None:
    table, plain = solve_few_men(game_of(1, jacoby=True)), solve_few_men(game_of(1))
    assert not table.chances[..., [1, 2, 4, 5]].any()
    assert table.opening[0] >= plain.opening[:3].sum() - 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("men", "options"), [(1, {}), (2, {"jacoby": True}), (2, {"jacoby": True, "beavers": True}), (2, {})]
)
def test_values_with_the_cube_are_those_of_one_roll_more(men: int, options: dict[str, bool]) -> None:
    """Every roll is played, and every double answered, by the game's own moves."""
    game = game_of(men, cube=True, **options)
    table = solve_few_men(game)
    assert isinstance(table, FewMenWithCube)
    points, rng = ExactPoints(game, table), np.random.default_rng(men)
    for state in states_of(game, 60, seed=men + 10):
        owner = int(rng.integers(-1, 2))
        state[CUBE], state[OWNER] = (2, owner) if owner else (0, 0)
        rolls = Position.unchecked(game, state)
        expected = 0.0
        for event in rolls.events():
            moving = event.position
            expected += event.probability * max(points.values(moving).values())
        (found,) = table.equities(state[np.newaxis], may_double=False)
        assert found == pytest.approx(expected, abs=2e-6)
    own, other = np.nonzero(table.rolled.any(axis=2))
    centred, owned, without = table.rolled[own, other].T
    assert (owned >= without - 1e-6).all()
    if not options:
        assert (owned >= centred - 1e-6).all()
        assert (centred >= without - 1e-6).all()


@pytest.mark.slow
def test_who_plays_perfectly_doubles_and_answers_by_the_exact_equities() -> None:
    game = game_of(1, cube=True, beavers=True)
    table = solve_few_men(game)
    player, points = PerfectWithCube(game, table), ExactPoints(game, table)
    seen = set[str]()
    for state in states_of(game, 300, seed=3):
        state[STAGE] = DOUBLING
        position = Position.unchecked(game, state)
        values = {game.action_text(action): value for (action,), value in points.values(position).items()}
        (may,) = table.equities(state[np.newaxis])
        assert may == pytest.approx(max(values.values()), abs=1e-6)
        (chosen,) = player.choose_move(position)
        if values["double"] > values["roll"]:
            assert game.action_text(chosen) == "double"
            asked = position.after(chosen)
            (answer,) = player.choose_move(asked)
            seen.add(game.action_text(answer))
            assert player.explanation(asked).rows[0][1] == game.action_text(answer)
    assert seen == {"take", "drop"}  # (who doubles is ahead, so that nobody beavers)


def test_other_games_are_refused() -> None:
    refused = [("backgammon", {}), ("backgammon", {"cube": True}), ("hypergammon", {"match_length": 3})]
    for spec, options in refused:
        with pytest.raises(BadInputError, match="cannot be solved: of the games with dice only hyper"):
            solve_few_men(make_game(spec, **options))
    with pytest.raises(BadInputError, match=r"^backgammon cannot be solved"):
        make_agent("perfect", make_game("backgammon"))


def test_a_game_that_is_not_solved_yet_names_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    agents = [
        partial(make_agent, "perfect"),
        *(partial(make_trainer, each) for each in ("perfect", "watch", "lessons")),
    ]
    for make in (known_few_men, *agents):
        with pytest.raises(
            BadInputError, match=r"^hypergammon has not been solved; boardgames solve 'hypergammon' does"
        ):
            make(make_game("hypergammon"))


def test_states_of_another_form_are_refused() -> None:
    table = FewMen(game_of(1), np.zeros((26, 26, 6), dtype=np.float32), np.zeros(6, dtype=np.float32))
    game = game_of(1, cube=True)
    with_cube = FewMenWithCube(game, np.zeros((26, 26, 3), dtype=np.float32), np.zeros(3, dtype=np.float32))
    for ask in (table.outcome_probabilities, with_cube.equities):
        with pytest.raises(BadInputError):
            ask(np.zeros((2, 5), dtype=np.int8))
        with pytest.raises(BadInputError, match="slot 0 holds 99; it is from 0 to 1"):
            ask(np.full((2, game.state_size), 99, dtype=np.int8))


@pytest.mark.parametrize(
    "arrays", [((5, 5, 6), (6,), np.float32), ((26, 26, 6), (5,), np.float32), ((26, 26, 6), (6,), np.float64)]
)
def test_tables_of_another_form_are_refused(arrays: tuple[tuple[int, ...], tuple[int, ...], type]) -> None:
    table, opening, dtype = arrays
    with pytest.raises(BadInputError, match="is no solution; it is float32 of shape"):
        FewMen(game_of(1), np.zeros(table, dtype=dtype), np.zeros(opening, dtype=dtype))


ONE_MAN = '''
from boardgames_env.games import game
from boardgames_env.games.backgammon.backgammon import backgammon_game
from boardgames_env.games.backgammon.rules.backgammon_board import BackgammonOptions


@game(version=0, options=BackgammonOptions)
def one_man(options: BackgammonOptions):
    """Backgammon with one man a seat.

    ## Rules

    Those of backgammon.
    """
    return backgammon_game("One man", ((24, 1),), options)
'''


@pytest.mark.slow
def test_the_command_solves_and_agents_play_by_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setenv("BOARDGAMES_CACHE", str(kept))
    (tmp_path / "one_man.py").write_text(ONE_MAN, encoding="utf-8")

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "boardgames_cli", "--import", "one_man.py", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "601 positions in which a seat is to roll" in run("solve", "one_man")
    assert '"positions": 601' in run("solve", "one_man", "--json")
    assert "perfect" in run("match", "one_man", "perfect", "random", "--contests", "20", "--luck", "perfect")
    tested = run("exploitability", "one_man", "perfect")
    assert "0.00000" in tested
    assert "100.00" in tested
    assert "601 positions" in run("solve", "one_man(cube=True)")
    agents = ("perfect", "random", "perfect(doubling='janowski')")
    words = ("--game", "one_man(cube=True)", "--with", "perfect", "--contests", "20", "--json")
    rates = {(row["agent"], row["phase"]): row for row in json.loads(run("error-rate", *agents, *words))}
    for phase in ("double", "answer"):
        perfect, rolled, formula = (rates[agent, phase] for agent in agents)
        assert perfect["decisions"] > 0
        assert (perfect["rate"], perfect["exact"]) == (0.0, 100.0)
        assert perfect["rate"] <= formula["rate"] < rolled["rate"]
    for game in ("one_man", "one_man(cube=True)"):
        graded = json.loads(run("grade", "perfect", game, "--positions", "20", "--json"))[0]
        assert graded["grade"]["all decisions"]["kept"] == graded["beside"]["perfect"]["kept"] == 100
        assert "a draw" not in graded["grade"]
    command = [sys.executable, "-m", "boardgames_cli", "--import", "one_man.py"]
    table, _ = kept.glob("tables/one_man-*.safetensors")
    for words, why in {
        "exploitability one_man perfect --actions 5": "--actions is for games without dice",
        "exploitability one_man random": "random cannot be tested exactly at one_man",
        f"solve one_man --dir {table}": "is a file; give a folder",
    }.items():
        done = subprocess.run(
            [*command, *words.split()], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
        )
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert why in done.stderr
    code = """
import numpy as np
import one_man
from boardgames_agents.people.judging.cost import judgement_of
from boardgames_agents.arena.solved_game import SolvedGame
from boardgames_agents.people.judging.sources import best_moves
from boardgames_agents.people.levels import levels_of
from boardgames_env import make_game
game = make_game("one_man")
assert [*levels_of(game)][-1] == "perfect", levels_of(game)
position = game.initial.events()[4].position
found = best_moves(position, 3)
assert found.source.startswith("exact expected points"), found
assert found.moves[0].value == max(each.value for each in found.moves)
game = make_game("one_man", cube=True)
doubling = next(SolvedGame(game).positions(9, np.random.default_rng(0)))
found = best_moves(doubling, 3)
assert found.source.startswith("exact expected points"), found
assert found.moves[0].words.endswith("of the stake"), found
assert judgement_of(doubling, found.moves[-1].actions).fall == found.moves[0].value - found.moves[-1].value
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
