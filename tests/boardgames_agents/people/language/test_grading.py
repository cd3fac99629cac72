"""Grades of agents at solved games."""

import json
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from boardgames_agents.people.language.grading import Grade, Grader
from boardgames_agents.people.language.player import ChatPlayer
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Position, make_game, solve
from tests.boardgames_agents.people.language.chats import first_listed, serving, tic_tac_toe
from tests.conftest import Run
from tests.positions import reachable


def positions() -> list[Position]:
    return [position for position, _ in reachable("tic_tac_toe").values()]


def exact_shares() -> tuple[float, float]:
    """The share of random decisions that keep the value, over all positions with a choice, and their mean loss."""
    table = solve(tic_tac_toe())
    shares, losses = [], []
    for position in positions():
        if len(position.legal_actions) > 1:
            values = [table.value_for(position.after(action), position.seat) for action in position.legal_actions]
            shares.append(values.count(max(values)) / len(values))
            losses.append(max(values) - sum(values) / len(values))
    return sum(shares) / len(shares), sum(losses) / len(losses)


def test_perfect_is_100_and_random_is_what_the_tables_say() -> None:
    game = tic_tac_toe()
    grader = Grader(game, positions=0)
    assert grader.grade(make_agent("perfect", game)).share == 100
    assert grader.grade(make_agent("worst", game)).share < 50
    share, loss = exact_shares()
    found = grader.grade(make_agent("random", tic_tac_toe()))
    assert found.share == pytest.approx(100 * share)
    assert found.mean("loss") == pytest.approx(loss)
    assert len(found.decisions) == sum(len(each.legal_actions) > 1 for each in positions())
    fallible = grader.grade(make_agent("fallible(e=0.3)", tic_tac_toe()))
    assert fallible.share == pytest.approx(100 * (0.7 + 0.3 * share))
    sample = Grader(tic_tac_toe(), positions=200, seed=3).grade(make_agent("fallible(e=0.3)", tic_tac_toe()))
    assert len({each.position for each in sample.decisions}) == 200
    assert sample.interval[0] < fallible.share < sample.interval[1]


def test_parts_add_up() -> None:
    grade = Grader(tic_tac_toe(), positions=300).grade(make_agent("random", tic_tac_toe()))
    parts = {name: len(each.decisions) for name, each in grade.parts().items()}
    assert parts["all decisions"] == 300
    assert parts["at key nodes"] + parts["elsewhere"] == 300
    assert sum(count for name, count in parts.items() if "choices" in name) == 300
    assert sum(count for name, count in parts.items() if "plies" in name or name == "a draw") == 300
    assert grade.parts()["elsewhere"].share == 100


def test_a_model_is_graded_and_garbage_is_counted(tmp_path: Path) -> None:
    grader = Grader(tic_tac_toe(), positions=15)
    with serving(lambda request, number: "none") as server:
        player = ChatPlayer(tic_tac_toe(), "m", url=server.url, retries=1, transcript=str(tmp_path / "t"))
        grade = grader.grade(player)
    assert grade.as_dict()["illegal"] == 15
    assert grade.share == 0
    assert player.count.illegal == 30


def test_a_model_is_asked_in_many_positions_at_once_with_the_same_grade(boardgames: Run, tmp_path: Path) -> None:
    together = Barrier(10, timeout=20)

    def reply(request: dict[str, Any], number: int) -> str:
        together.wait()  # (ten questions are there at once, or none is answered)
        return "0" if number % 2 else "none"

    with serving(reply) as server:
        spec = f"chat(model='m', url='{server.url}', retries=0, transcript='{tmp_path / 't'}')"
        words = ("grade", spec, "tic_tac_toe", "--positions", 20, "--json")
        first = json.loads(boardgames(*words, "--jobs", 10))[0]
        again = json.loads(boardgames(*words))[0]
        assert len(server.requests) == 20
    assert first["grade"] == again["grade"]
    assert first["chat"]["exchanges"] == first["chat"]["asked"] == again["chat"]["exchanges"] == 20
    assert first["chat"]["tokens"] == again["chat"]["tokens"] == [200, 40]
    assert again["chat"]["asked"] == 0


def test_other_games_are_refused() -> None:
    with pytest.raises(BadInputError, match="that can be solved only, and backgammon is not one"):
        Grader(make_game("backgammon"))
    with pytest.raises(BadInputError, match=r"positions=3.5 is not allowed; it must be a whole number at least 0"):
        Grader(tic_tac_toe(), positions=3.5)  # type: ignore[arg-type]


def test_the_command(boardgames: Run, tmp_path: Path) -> None:
    out = boardgames("grade", "perfect", "tic_tac_toe", "--positions", 20, "--contests", 2)
    assert "100" in out
    assert "the level easy" in out
    assert "menace after 100 contests with itself" in out
    assert "passed: reliability within the 95 % confidence limit of 100 %" in out
    found = json.loads(boardgames("grade", "random", "tic_tac_toe", "--positions", 0, "--json"))[0]
    assert found["grade"]["all decisions"]["kept"] == pytest.approx(100 * exact_shares()[0])
    assert found["beside"]["random"] == found["grade"]["all decisions"]
    assert found["turing"] is None
    low, high = found["grade"]["all decisions"]["mean_loss_interval"]
    assert low < exact_shares()[1] < high
    with serving(first_listed) as server:
        spec = f"chat(model='m', url='{server.url}', transcript='{tmp_path / 't'}')"
        out = boardgames("grade", spec, "tic_tac_toe", "--positions", 5)
    assert "5 exchanges (5 asked of the server)" in out


def test_the_mean_loss_has_an_interval() -> None:
    found = [
        Grader(tic_tac_toe(), positions=150, seed=seed).grade(make_agent("random", tic_tac_toe())).loss_interval
        for seed in range(20)
    ]
    inside = sum(low < exact_shares()[1] < high for low, high in found)
    assert inside >= 19
    assert all(0.25 < high - low < 0.35 for low, high in found)
    few, many = (
        Grader(tic_tac_toe(), positions=each).grade(make_agent("perfect", tic_tac_toe())).loss_interval
        for each in (9, 300)
    )
    assert few[0] == many[0] == 0
    assert few == (0, pytest.approx(2 * 0.2991, abs=1e-3))  # (nine decisions without a fault prove little)
    assert many[1] < 0.03
    assert Grade(()).loss_interval == (0, 2)


def test_the_interval_of_the_mean_loss_is_within_what_can_be_lost() -> None:
    for agent in ("random", "perfect", "worst"):
        parts = Grader(tic_tac_toe(), positions=60).grade(make_agent(agent, tic_tac_toe())).parts()
        assert parts["elsewhere"].loss_interval == (0, 0)
        assert parts["a draw"].loss_interval[1] <= 1
        assert all(each.loss_interval[0] <= each.mean("loss") <= each.loss_interval[1] for each in parts.values())
    drawn = Grade(tuple(each for each in parts["a draw"].decisions if each.is_key))
    assert drawn.mean("loss") == drawn.loss_interval[1] == 1


def test_an_answer_without_a_move_is_worse_than_any_move(tmp_path: Path) -> None:
    grader, table = Grader(tic_tac_toe(), positions=40), solve(tic_tac_toe())
    with serving(lambda request, number: "none") as server:
        player = ChatPlayer(tic_tac_toe(), "m", url=server.url, retries=0, transcript=str(tmp_path / "t"))
        grade = grader.grade(player)
    assert [each.loss for each in grade.decisions] == [2 + table.value(each.position) for each in grade.decisions]
    assert {each.loss for each in grade.decisions} == {1, 2, 3}
    parts = grade.parts()
    assert all(each.loss_interval[0] <= each.mean("loss") <= each.loss_interval[1] for each in parts.values())
    assert parts["elsewhere"].mean("loss") > 0


def test_the_turing_test_is_that_of_examinations(boardgames: Run) -> None:
    found = json.loads(boardgames("grade", "random", "tic_tac_toe", "--positions", 5, "--contests", 20, "--json"))[0]
    assert not found["turing"]["passed"]
    assert found["turing"]["scores"] == found["scores"]
    assert "power within the 95 % confidence limit of maximal power" in found["turing"]["failed"]
    found = json.loads(boardgames("grade", "perfect", "hexapawn", "--positions", 5, "--contests", 1, "--json"))[0]
    assert (len(found["scores"]), found["turing"]) == (4, None)


@pytest.mark.slow
def test_a_large_game_is_graded_in_positions_of_random_contests() -> None:
    game = make_game("five_mens_morris")
    grader = Grader(game, positions=20)
    assert grader.grade(make_agent("perfect", game)).share == 100
    with pytest.raises(BadInputError, match="too many positions to ask in all"):
        Grader(game, positions=0)
