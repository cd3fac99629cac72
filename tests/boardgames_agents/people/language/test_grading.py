"""Grades of agents at solved games."""

import json
from pathlib import Path

import pytest

from boardgames_agents.people.language.grading import Grader
from boardgames_agents.people.language.player import ChatPlayer
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Position, make_game, solve
from tests.boardgames_agents.people.language.chats import first_listed, serving
from tests.conftest import Run
from tests.positions import reachable

GAME = make_game("tic_tac_toe")


def positions() -> list[Position]:
    return [position for position, _ in reachable("tic_tac_toe").values()]


def exact_shares() -> tuple[float, float]:
    """The share of random decisions that keep the value, over all positions with a choice, and their mean loss."""
    table = solve(GAME)
    shares, losses = [], []
    for position in positions():
        if len(position.legal_actions) > 1:
            values = [table.value_for(position.after(action), position.seat) for action in position.legal_actions]
            shares.append(values.count(max(values)) / len(values))
            losses.append(max(values) - sum(values) / len(values))
    return sum(shares) / len(shares), sum(losses) / len(losses)


def test_perfect_is_100_and_random_is_what_the_tables_say() -> None:
    grader = Grader(GAME, positions=0)
    assert (grader.grade(make_agent("perfect", GAME)).share, grader.grade(make_agent("worst", GAME)).share < 50) == (
        100,
        True,
    )
    share, loss = exact_shares()
    found = grader.grade(make_agent("random", GAME))
    assert found.share == pytest.approx(100 * share)
    assert found.mean("loss") == pytest.approx(loss)
    assert len(found.decisions) == sum(len(each.legal_actions) > 1 for each in positions())
    fallible = grader.grade(make_agent("fallible(e=0.3)", GAME))
    assert fallible.share == pytest.approx(100 * (0.7 + 0.3 * share))
    sample = Grader(GAME, positions=200, seed=3).grade(make_agent("fallible(e=0.3)", GAME))
    assert len({each.position for each in sample.decisions}) == 200
    assert sample.interval[0] < fallible.share < sample.interval[1]


def test_parts_add_up() -> None:
    grade = Grader(GAME, positions=300).grade(make_agent("random", GAME))
    parts = {name: len(each.decisions) for name, each in grade.parts().items()}
    assert parts["all decisions"] == 300
    assert parts["at key nodes"] + parts["elsewhere"] == 300
    assert sum(count for name, count in parts.items() if "choices" in name) == 300
    assert sum(count for name, count in parts.items() if "plies" in name or name == "a draw") == 300
    assert grade.parts()["elsewhere"].share == 100


def test_a_model_is_graded_and_garbage_is_counted(tmp_path: Path) -> None:
    grader = Grader(GAME, positions=15)
    with serving(lambda request, number: "none") as server:
        player = ChatPlayer(GAME, "m", url=server.url, retries=1, transcript=str(tmp_path / "t"))
        grade = grader.grade(player)
    assert grade.as_dict()["illegal"] == 15
    assert grade.share == 0
    assert player.count.illegal == 30


def test_other_games_are_refused() -> None:
    with pytest.raises(BadInputError, match="agents are graded at solved games"):
        Grader(make_game("backgammon"))


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
        Grader(GAME, positions=150, seed=seed).grade(make_agent("random", GAME)).loss_interval for seed in range(20)
    ]
    inside = sum(low < exact_shares()[1] < high for low, high in found)
    assert inside >= 17  # (19 are expected)
    assert all(high - low < 0.3 for low, high in found)
    assert Grader(GAME, positions=1).grade(make_agent("random", GAME)).loss_interval == (0, 2)
    perfect = Grader(GAME, positions=9).grade(make_agent("perfect", GAME))
    assert perfect.loss_interval == (0, 0)
    assert perfect.parts()["at key nodes"].loss_interval[0] == 0


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
