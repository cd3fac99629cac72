"""Error rates: the plays of agents in the same positions, judged by a look-ahead."""

import json
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.experiments.runner import Workers
from boardgames_agents.lookahead.cube.formulas import Janowski
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.people.judging.error_rates import KINDS, DecisionsJob, Judge, error_rates, play_of
from boardgames_agents.people.judging.match_analysis import Analyst
from boardgames_agents.policy import Policy
from boardgames_agents.registry import make_player
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import save_network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, IllegalActionError, Position, make_game
from boardgames_env.games.backgammon.inputs.phases import PHASE_NAMES
from tests.conftest import Run

GAME = "hypergammon"
MATCHES_AND_CUBES = ("cube=True", "match_length=3", "match_length=3,score=(1,1)")


def untrained(path: Path, seed: int) -> str:
    """An agent that plays by an untrained network."""
    save_network(path, Network(make_game(GAME), Design(inputs="raw", hidden=4, outputs=6), seed))
    return f"td_net(file={str(path)!r})"


@pytest.fixture
def net(tmp_path: Path) -> str:
    return untrained(tmp_path / "net.safetensors", 1)


def test_a_judge_has_no_errors_and_others_have(net: str) -> None:
    rates = error_rates(GAME, [net, "random"], Judge(net, plies=1), 6, seed=2)
    assert rates[net]["all"].rate == rates[net]["all"].error == 0
    assert rates["random"]["all"].rate > 0 < rates["random"]["all"].error
    assert rates["random"]["all"].decisions == sum(rates["random"][name].decisions for name in PHASE_NAMES)


def test_errors_are_those_of_an_analysis_of_the_contest(net: str, tmp_path: Path) -> None:
    game, other = make_game(GAME), untrained(tmp_path / "other.safetensors", 2)
    judged = DecisionsJob(GAME, (other,), Judge(net, plies=2, candidates=3), (5, 0)).run()
    player = make_player(other, game)
    analyst = Analyst(Expectimax(game, evaluator_of(net, game), 2, 3), Janowski())
    plays = [each for each in analyst.decisions(play_contest(game, (player, player), (5, 0))) if each.counts]
    assert [lost for _, [lost] in judged] == pytest.approx([each.error for each in plays])
    assert sum(lost for _, [lost] in judged) > 0


def test_the_rate_is_the_mean_and_its_error_that_of_contests(net: str) -> None:
    jobs = [DecisionsJob(GAME, (net, "random"), Judge(net, plies=1), (7, k)) for k in range(5)]
    losses = [[lost[1] for _, lost in job.run()] for job in jobs]
    rate = error_rates(GAME, [net, "random"], Judge(net, plies=1), 5, seed=7)["random"]["all"]
    assert rate.decisions == sum(map(len, losses))
    assert rate.rate == pytest.approx(1000 * np.mean(np.concatenate(losses)))
    residuals = [sum(each) - rate.rate / 1000 * len(each) for each in losses]
    assert rate.error == pytest.approx(1000 * np.sqrt(5 / 4) * np.linalg.norm(residuals) / rate.decisions)


def test_one_contest_has_no_standard_error(net: str) -> None:
    rates = error_rates(GAME, ["random", "random"], Judge(net, plies=1), 1, seed=7)
    assert list(rates) == ["random"]
    assert rates["random"]["all"].rate > 0
    assert np.isnan(rates["random"]["all"].error)
    assert np.isnan(rates["random"]["contact"].rate)  # (hypergammon has no such positions)


class Careless(Policy):
    """An agent that always chooses action 0."""

    spec = "careless"

    def choose(self, position: Position) -> int:
        return 0


def test_an_illegal_play_is_said_to_be_illegal() -> None:
    position = make_game(GAME).initial
    while 0 in position.legal_actions or position.awaits_chance:
        position = position.happen(5) if position.awaits_chance else position.play(position.legal_actions[0])
    with pytest.raises(IllegalActionError, match="careless"):
        play_of(Careless(), position)


@pytest.mark.slow
def test_the_same_with_two_processes(net: str) -> None:
    one, two = (error_rates(GAME, [net, "random"], Judge(net), 4, 1, Workers(jobs)) for jobs in (1, 2))
    assert repr(one) == repr(two)  # (rates without decisions are NaN)


@pytest.mark.parametrize(
    ("game", "agent", "judge", "sentence"),
    [
        *(
            (game, "random", Judge("td_gammon"), "in single games without a cube, not in")
            for game in ("tic_tac_toe", *(f"backgammon({each})" for each in MATCHES_AND_CUBES))
        ),
        ("backgammon", "random", Judge("random"), "does not predict"),
        ("backgammon", "random", Judge("td_gammon", 5), "plies=5"),
        ("backgammon", "human", Judge("td_gammon"), "human is a person"),
    ],
)
def test_what_cannot_be_judged_is_refused(game: str, agent: str, judge: Judge, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        error_rates(game, [agent], judge, 1, 0)


def test_the_command_prints_a_table_or_rows(boardgames: Run, net: str) -> None:
    words = ("error-rate", net, "random", "--with", net, "--plies", 1, "--game", GAME, "--contests", 2)
    printed = boardgames(*words)
    assert "0.00 ± 0.00" in printed
    rows = json.loads(boardgames(*words, "--json"))
    assert [(row["agent"], row["phase"]) for row in rows] == [
        (agent, phase) for agent in (net, "random") for phase in ("all", *KINDS)
    ]
    assert f"all ({rows[0]['decisions']:,})" in printed
