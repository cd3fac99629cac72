"""What must hold for every agent in the registry, at every game it can play."""

import subprocess
import sys

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.policy import Learner, MarkovPolicy, Policy
from boardgames_agents.registry import make_agent, registered_agents
from boardgames_env import BadInputError, Game, Position
from tests.dice import Dice
from tests.variants import EACH_GAME, EACH_SMALL_GAME, cut_short

GAMES = [cut_short(game) for game in EACH_GAME]


def agents_that_can(game: Game) -> list[str]:
    """The agents that need no more than the game: no person at a terminal, no trained run.

    Those of other libraries are slow to make, and have tests of their own, at fewer games: `tests.baselines`.
    """
    able = []
    for name, entry in registered_agents().items():
        if not entry.factory.__module__.startswith("boardgames_agents."):
            continue
        try:
            agent = make_agent(name, game)
        except BadInputError:
            continue
        if not agent.interactive:
            able.append(name)
    return able


ABLE = [(game, name) for game in GAMES for name in agents_that_can(game)]


def every_pair(turn: int) -> pytest.MarkDecorator:
    """Every game with every agent that can play it; two of three pairs, whose turn it is not, are slow tests."""
    marked = []
    for row, agent in enumerate(registered_agents()):
        games = [game for game, name in ABLE if name == agent]
        for number, game in enumerate(games):
            slow = number % 3 != (row + turn) % min(3, len(games))
            marks = [pytest.mark.slow] if slow else []
            marked.append(pytest.param(game, agent, marks=marks, id=f"{game.spec}-{agent}"))
    return pytest.mark.parametrize(("game", "name"), marked)


def some_positions(game: Game, count: int) -> list[Position]:
    rng, dice = np.random.default_rng(5), Dice(game, 5)
    found: list[Position] = []
    while len(found) < count:
        position = dice.settled(game.initial)
        while not position.is_over and len(found) < count:
            found.append(position)
            position = dice.settled(position.after(int(rng.choice(position.legal_actions))))
            if rng.random() < 0.02:
                break
    return found


def test_the_usual_agents_can_play_every_small_game() -> None:
    for game in EACH_SMALL_GAME:
        assert {"random", "perfect", "fallible", "reasonable", "worst", "menace", "td"} <= set(agents_that_can(game))


@pytest.mark.parametrize("name", registered_agents())
def test_is_described(name: str) -> None:
    entry = registered_agents()[name]
    assert len(entry.summary) > 20
    assert entry.summary.endswith((".", ")", ":"))


@every_pair(turn=0)
def test_answers_for_every_position(game: Game, name: str) -> None:
    agent = make_agent(name, game)
    for seat in (0, 1):
        agent.begin(game, (seat,), np.random.default_rng(3))
        for position in some_positions(game, 40):
            if position.seat == seat:
                state = position.state.copy()
                assert agent.choose(position) in position.legal_actions
                assert (position.state == state).all()


@every_pair(turn=1)
def test_the_same_seed_gives_the_same_contests(game: Game, name: str) -> None:
    def contests() -> list[tuple[int, ...]]:
        players = (make_agent(name, game), make_agent("random", game))
        return [play_contest(game, players, [9, contest]).actions for contest in range(6)]

    np.random.seed(1)
    first = contests()
    np.random.seed(2)
    assert contests() == first
    assert len(set(first)) > 1


@every_pair(turn=2)
def test_plays_both_seats_and_watches(game: Game, name: str) -> None:
    agent = make_agent(name, game)
    record = play_contest(game, (agent, agent), [4])
    assert record.players == (name, name)
    other = make_agent("random", game)
    watched = play_contest(game, (other, other), [4], watchers=[agent])
    assert watched == play_contest(game, (other, other), [4])


@every_pair(turn=0)
def test_distributions_are_over_legal_actions(game: Game, name: str) -> None:
    agent = make_agent(name, game)
    policy: Policy = agent.frozen() if isinstance(agent, Learner) else agent
    if isinstance(policy, MarkovPolicy):
        for position in some_positions(game, 40):
            actions, probabilities = policy.distribution(position)
            assert set(actions) <= set(position.legal_actions)
            assert len(set(actions)) == len(actions) == len(probabilities)
            assert min(probabilities) > 0
            assert sum(probabilities) == pytest.approx(1)


@pytest.mark.parametrize("name", registered_agents())
def test_unknown_options_are_refused(name: str) -> None:
    with pytest.raises(BadInputError, match=f"{name} has no option 'mood'; its options are"):
        make_agent(f"{name}(mood='good')", GAMES[0])


def test_unknown_agents_are_refused_with_the_list() -> None:
    with pytest.raises(BadInputError, match=r"no agent 'deep_blue'; the agents are: .*perfect"):
        make_agent("deep_blue", GAMES[0])


def test_entry_point_finds_agents() -> None:
    """An environment finds an opponent by its spec, in a process that has not imported the agents."""
    code = """
import gymnasium, boardgames_env, sys
assert "boardgames_agents" not in sys.modules
env = gymnasium.make("boardgames/TicTacToe-v0", opponent="fallible(e=0.5)")
env.reset(seed=0)
print(env.step(4)[0].sum())
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(told.stdout) > 2
