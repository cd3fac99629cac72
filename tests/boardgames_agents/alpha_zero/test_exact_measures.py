"""The exact measures of a network: counted again, position by position, with the solved table."""

from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.alpha_zero.exact_measures import ExactMeasures, SampledMeasures, exact_measures
from boardgames_agents.alpha_zero.network import PolicyNetwork
from boardgames_agents.arena.position_graph import graph_of
from boardgames_env import make_game
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind
from boardgames_env.solve import solve
from tests.boardgames_agents.alpha_zero.self_plays import random_network


@pytest.mark.parametrize("name", ["hexapawn", "tsoro_yematatu"])
def test_the_errors_of_a_network_are_counted_over_all_positions(name: str) -> None:
    network = random_network(make_game(name))
    table, losses = solve(network.game), []
    graph = graph_of(network.game)
    for position in map(graph.position, np.flatnonzero(graph.ongoing).tolist()):
        if len(position.legal_actions) < 2:
            continue
        logits = network.evaluate(position.state[None])[0][0]
        action = max(position.legal_actions, key=lambda each: logits[each])
        losses.append(table.value_for(position, position.seat) - table.value_for(position.play(action), position.seat))
    found = ExactMeasures(network.game).measure(network, 16)
    assert found["value kept alone"] == pytest.approx(np.mean([loss == 0 for loss in losses]))
    assert found["mean loss alone"] == pytest.approx(np.mean(losses))
    assert found["value kept alone"] < found["value kept with search"] <= 1
    assert found["exploitability alone"] > 0
    assert found["value kept where reached alone"] == pytest.approx(np.mean(kept_where_reached(network)))


def kept_where_reached(network: PolicyNetwork) -> list[bool]:
    """Whether the network's action keeps the value, in each position that may come up while it plays a seat."""
    table, kept = solve(network.game), list[bool]()
    for seat in (0, 1):
        new, seen = [network.game.initial], {network.game.initial.key}
        while new:
            position = new.pop()
            actions = position.legal_actions
            if position.seat == seat:
                logits = network.evaluate(position.state[None])[0][0]
                actions = (max(actions, key=lambda each: logits[each]),)
                kept.append(table.value_for(position, seat) == table.value_for(position.play(actions[0]), seat))
            reached = {each.key: each for each in map(position.play, actions) if not each.is_over}
            new += [each for key, each in reached.items() if key not in seen]
            seen |= reached.keys()
    return kept


def test_a_search_of_a_tiny_game_is_perfect() -> None:
    network = random_network(make_game("hexapawn"))
    found = ExactMeasures(network.game).measure(network, 2000)
    assert found["value kept with search"] == 1
    assert found["mean loss with search"] == found["exploitability with search"] == 0


def test_a_larger_solved_game_is_measured_at_decisions_of_random_contests(tmp_path: Path) -> None:
    network, file = random_network(make_game("connect_four(columns=4, rows=4)")), tmp_path / "decisions.safetensors"
    measures = exact_measures(network.game, file)
    assert isinstance(measures, SampledMeasures)
    found, table, kept = measures.measure(network, 200), solve(network.game), list[bool]()
    for state in read_arrays(file, FileKind("decisions", ""))[0]["states"]:
        position = network.game.position(state)
        logits = network.evaluate(state[None])[0][0]
        action = max(position.legal_actions, key=lambda each: logits[each])
        kept.append(table.value_for(position, position.seat) == table.value_for(position.play(action), position.seat))
    assert len(kept) == 500
    assert found["value kept alone"] == pytest.approx(np.mean(kept))
    assert found["value kept alone"] < found["value kept with search"] <= 1
    again = exact_measures(network.game, file)
    assert again is not None
    assert again.measure(network, 200) == found


def test_decisions_that_are_damaged_are_named(tmp_path: Path) -> None:
    file = tmp_path / "decisions.safetensors"
    file.write_bytes(b"nothing")
    with pytest.raises(BadInputError, match=r"decisions of a solved game.*remove it"):
        exact_measures(make_game("connect_four(columns=4, rows=4)"), file)
    states, losses = np.zeros((3, 19), dtype=np.int8), np.zeros((3, 4))
    for positions, lost, spec in [
        (states, losses, "connect_four(columns=5, rows=4)"),
        (states[:, :10], losses, "connect_four(columns=4, rows=4)"),
        (states, losses[:, :2], "connect_four(columns=4, rows=4)"),
    ]:
        write_arrays(file, {"states": positions, "losses": lost}, {"game": spec})
        with pytest.raises(BadInputError, match=r"decisions\.safetensors.*remove it"):
            exact_measures(make_game("connect_four(columns=4, rows=4)"), file)


@pytest.mark.parametrize("name", ["nine_mens_morris", "othello", "fives"])
def test_games_that_cannot_be_solved_have_none(name: str, tmp_path: Path) -> None:
    assert exact_measures(make_game(name), tmp_path / "decisions.safetensors") is None
    assert not list(tmp_path.iterdir())
