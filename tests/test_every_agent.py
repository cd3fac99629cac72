"""What must hold for every agent in the registry, at every game it can play."""

import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from boardgames_agents.alpha_zero.player import NETS
from boardgames_agents.arena.contest import play_contest
from boardgames_agents.backgammon.gnubg_engine import gnubg_program
from boardgames_agents.policy import Learner, MarkovPolicy, Policy
from boardgames_agents.registry import agent_named, make_agent, registered_agents
from boardgames_env import BadInputError, Game, make_game
from tests.positions import random_positions
from tests.processes import printed
from tests.variants import EACH_GAME, EACH_SMALL_GAME, WITHOUT_CHANCE, cut_short

SOLVED = [*EACH_SMALL_GAME, "five_mens_morris", "seven_mens_morris", "six_mens_morris"]

EXACT = ("fallible", "perfect", "reasonable", "worst")

AGENTS_OF = [
    (WITHOUT_CHANCE, ("alpha_beta", "alpha_zero_learner", "hoyle", "informed", "mc_control", "menace", "q_learning")),
    (SOLVED, EXACT),
    (["fives"], ("fives", "fives_student", "fives_teacher", "fives_tester")),
    (["backgammon"], ("pubeval", "td_gammon_1995", "td_gammon_raw")),
    (["backgammon", "hypergammon"], ("td_gammon",)),
    (["backgammon"] if find_spec("gnubg_nn") else [], ("gnubg",)),
    (["backgammon"] if gnubg_program() else [], ("gnubg_engine",)),
    (sorted(file.stem for file in NETS.iterdir()), ("alpha_zero",)),
    ([], ("chat", "human", "td_net", "trained")),  # (these need more than the game)
]
PLAYS = {name: specs for specs, names in reversed(AGENTS_OF) for name in names}
"""The games of agents that do not play all of them."""

COSTLY = ("alpha_zero_learner", "hoyle", "self_tested", "td")
COSTLY_AT = ("achi", "tic_tac_toe", "five_mens_morris")
"""Agents that think long, or compile kernels for every game, and the games that they play in the fast run."""

LEARNERS = ("alpha_zero_learner", "fives", "hoyle", "mc_control", "menace", "q_learning", "self_tested", "td")


def own_agents() -> list[str]:
    """Return the agents of this package; those of other libraries are slow to make, and have tests of their own."""
    return [
        name for name, entry in registered_agents().items() if entry.factory.__module__.startswith("boardgames_agents.")
    ]


def pairs(names: Sequence[str], specs: Sequence[str], turn: int = 0) -> list[ParameterSet]:
    """Return every agent with every game that it plays; one in sixteen, other ones each turn, is in the fast run."""
    found = []
    for row, name in enumerate(names):
        played = [spec for spec in specs if spec in PLAYS.get(name, EACH_GAME)]
        few = [spec for spec in played if spec in COSTLY_AT and name in COSTLY]
        for number, spec in enumerate(played):
            slow = number % 16 != (row + turn) % min(16, len(played))
            if few:
                slow = spec != few[(row + turn) % len(few)]
            found.append(pytest.param(name, spec, marks=[pytest.mark.slow] if slow else []))
    return found


def every_pair(turn: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("name", "game"), pairs(own_agents(), EACH_GAME, turn), indirect=["game"])


@pytest.fixture(scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    return cut_short(make_game(request.param))


@pytest.mark.slow
@pytest.mark.parametrize("name", own_agents())
def test_plays_the_games_that_it_is_tested_with(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # (where there is no run that `trained` would play by, such as that of `make demo`)
    for spec in EACH_GAME:
        try:
            agent = make_agent(name, make_game(spec))
        except BadInputError:
            assert spec not in PLAYS.get(name, EACH_GAME)
        else:
            # (the exact players think for minutes about connect four's first plies; its search has tests of its own)
            is_tested = spec in PLAYS.get(name, EACH_GAME) or (spec == "connect_four" and name in EXACT)
            assert agent.interactive or is_tested
            assert isinstance(agent, Learner) == (name in LEARNERS)


@every_pair(turn=0)
def test_answers_for_every_position(game: Game, name: str) -> None:
    agent, positions = make_agent(name, game), random_positions(game, 40, seed=5)
    for seat in (0, 1):
        agent.begin(game, (seat,), np.random.default_rng(3))
        for position in positions:
            if position.seat == seat:
                state = position.state.copy()
                assert agent.choose(position) in position.legal_actions
                assert (position.state == state).all()
    policy: Policy = agent.frozen() if isinstance(agent, Learner) else agent
    if isinstance(policy, MarkovPolicy):
        for position in positions:
            actions, probabilities = policy.distribution(position)
            assert set(actions) <= set(position.legal_actions)
            assert len(set(actions)) == len(actions) == len(probabilities)
            assert min(probabilities) > 0
            assert sum(probabilities) == pytest.approx(1)


@every_pair(turn=3)
def test_the_same_seed_gives_the_same_contests(game: Game, name: str) -> None:
    def contests() -> list[tuple[int, ...]]:
        players = (make_agent(name, game), make_agent("random", game))
        return [play_contest(game, players, [9, contest]).actions for contest in range(3)]

    np.random.seed(1)
    first = contests()
    np.random.seed(2)
    assert contests() == first
    assert len(set(first)) > 1


@every_pair(turn=6)
def test_plays_both_seats_and_watches(game: Game, name: str) -> None:
    agent = make_agent(name, game)
    record = play_contest(game, (agent, agent), [4])
    assert record.players == (name, name)
    other = make_agent("random", game)
    watched = play_contest(game, (other, other), [4], watchers=[agent])
    assert watched == play_contest(game, (other, other), [4])


def test_an_agent_is_found_without_the_others() -> None:
    for name, entry in registered_agents().items():
        assert agent_named(name) is entry
    code = "import sys; from boardgames_agents.registry import agent_named; agent_named('menace'); print(*sys.modules)"
    imported = printed(code).split()
    assert "boardgames_agents.tabular.menace" in imported
    assert not [
        name for name in imported if name.startswith(("boardgames_agents.hoyle", "boardgames_agents.backgammon"))
    ]


def test_a_name_that_is_taken_cannot_be_registered_even_before_its_agent_is_imported() -> None:
    code = """
from boardgames_agents.registry import agent
from boardgames_env import BadInputError
try:
    agent("menace")(object)
except BadInputError as error:
    print(error)
"""
    assert printed(code) == "an agent 'menace' is registered already; choose another name\n"


@pytest.mark.parametrize("name", registered_agents())
def test_is_described_and_refuses_unknown_options(name: str) -> None:
    summary = registered_agents()[name].summary
    assert len(summary) > 20
    assert summary.endswith((".", ")", ":"))
    entry = registered_agents()[name]
    assert entry.for_people == f"{entry.title}: {entry.does}"
    assert not re.search(r"_|`|\b(ply|plies|seats?|contests?|spec|Epstein|TD|UCT)\b", entry.for_people)
    with pytest.raises(BadInputError, match=f"{name} has no option 'mood'; its options are"):
        make_agent(f"{name}(mood='good')", make_game("achi"))


@pytest.mark.slow
def test_entry_point_finds_agents() -> None:
    """An environment finds an opponent by its spec, in a process that has not imported the agents."""
    code = """
import gymnasium, boardgames_env, sys
assert "boardgames_agents" not in sys.modules
env = gymnasium.make("boardgames/TicTacToe-v0", opponent="fallible(e=0.5)")
env.reset(seed=0)
print(env.step(4)[0].sum())
"""
    assert float(printed(code)) > 2
