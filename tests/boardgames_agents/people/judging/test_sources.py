"""Sources of values: exact in solved games, predicted with dice, searched elsewhere."""

import re
from pathlib import Path

import pytest

from boardgames_agents.people.judging import sources
from boardgames_agents.people.judging.sources import best_moves
from boardgames_env import BadInputError, make_game
from boardgames_env.games.backgammon.notation.position_id import parse_position
from tests.boardgames_agents.people.judging.test_position_analysis import WITH_CUBE
from tests.positions import after
from tests.processes import printed


def test_values_and_distances_of_a_solved_game_are_exact() -> None:
    found = best_moves(after("tic_tac_toe", *"0314"), 9)
    assert [(hint.text, hint.words) for hint in found.moves[:2]] == [("2", "wins in 1 ply"), ("5", "draws")]
    assert found.moves[-1].words == "loses in 2 plies"
    assert found.source.startswith("exact values of the solved game")
    assert (found.as_good, best_moves(after("tic_tac_toe"), 2).as_good) == ((), tuple("2345678"))


@pytest.mark.parametrize(("spec", "kind"), [("breakthrough", "searched"), ("nine_mens_morris", "estimated")])
def test_moves_that_tie_by_a_search_are_named_with_their_mirror_images(spec: str, kind: str) -> None:
    position = make_game(spec).initial
    found = best_moves(position, 1, nodes=200)
    assert found.kind == kind
    reached = {position.game.action_text(each): position.after(each).canonical for each in position.legal_actions}
    alike = {text for text, key in reached.items() if key == reached[found.moves[0].text]}
    assert len(alike) > 1
    assert alike <= {found.moves[0].text, *found.as_good}


HINTS = """
import time
from boardgames_agents.people.judging.sources import best_moves, hints
from boardgames_env import make_game
from boardgames_env.kernels.background import compiler

position = make_game({game!r}).initial
while position.awaits_chance:
    position = position.happen(1)
first = hints(position)
assert all(actions in [move.actions for move in position.moves()] for actions in [first.moves[0].actions])
print("compiled" in first.source)
compiler.wait({seconds})
print(hints(position) == best_moves(position))
"""


@pytest.mark.slow  # its searches are compiled anew
@pytest.mark.parametrize("game", ["nine_mens_morris", "backgammon"])
def test_the_first_hint_waits_for_no_compiler_and_later_ones_are_the_best_moves(game: str, tmp_path: Path) -> None:
    assert printed(HINTS.format(game=game, seconds=120), BOARDGAMES_CACHE=str(tmp_path)) == "True\nTrue\n"


@pytest.mark.parametrize("game", ["nine_mens_morris", "backgammon"])
def test_hints_are_the_best_moves_where_nothing_has_to_be_compiled(game: str) -> None:
    position = make_game(game).initial
    while position.awaits_chance:
        position = position.happen(1)
    best = best_moves(position)
    assert sources.hints(position) == sources.hints(position) == best


def test_whole_moves_are_hinted_once_each() -> None:
    found = best_moves(after("five_mens_morris", *"0314"), 100)
    texts = [hint.text for hint in found.moves]
    assert len(texts) == len(set(texts))
    assert {"2x3", "2x4"} <= set(texts)
    assert all(hint.words for hint in found.moves)


@pytest.mark.slow
def test_backgammon_is_predicted_by_a_network() -> None:
    game = make_game(WITH_CUBE)
    opening = parse_position(game, "start", (3, 1))
    found = best_moves(opening, 2)
    assert found.moves[0].text == "8/5 6/5"
    assert re.fullmatch(rf"\{found.moves[0].value:+.3f} points \(\+0\.\d{{3}} with the cube\)", found.moves[0].words)
    plain = make_game("backgammon").position(opening.state)
    assert best_moves(plain, 1).moves[0].words == f"{found.moves[0].value:+.3f} points"
    assert found.source.startswith("expected points, as predicted by: Trained network")


def test_cube_actions_have_the_values_of_a_formula() -> None:
    found = best_moves(parse_position(make_game(WITH_CUBE), "start", (3, 1)).moves()[0].afterstate)
    assert {hint.text for hint in found.moves} == {"roll", "double"}
    assert "Janowski" in found.source


def test_other_games_are_searched() -> None:
    found = best_moves(after("qubic", "0", "60", "1", "50", "2", "40"), 2)
    assert (found.moves[0].text, found.moves[0].words) == ("3", "wins in 1 ply")
    assert "20,000 positions" in found.source


@pytest.mark.slow
def test_dice_that_nothing_predicts_are_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "predictor_of", lambda game: None)
    found = best_moves(make_game("hypergammon").initial.events()[3].position)
    assert 1 <= len(found.moves) <= 3
    assert len({hint.text for hint in found.moves}) == len(found.moves)
    assert "2,000 random contests" in found.source


def test_there_is_no_hint_after_the_end_and_no_empty_one() -> None:
    with pytest.raises(BadInputError, match="no seat is to move"):
        best_moves(after("tic_tac_toe", *"03142"))
    with pytest.raises(BadInputError, match="count=0 is not allowed"):
        best_moves(after("tic_tac_toe"), 0)
