"""Games of OpenSpiel as games of ours."""

import pickle
from time import process_time
from typing import Any

import numpy as np
import pettingzoo
import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.registry import make_agent
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import BadInputError, Game, make_game, registered_games
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.games import HEADINGS
from boardgames_env.render.layout import draw
from boardgames_env.render.shapes import Circle, Text
from boardgames_env.solve import solve
from tests import made_up_states
from tests.differential.lockstep import play_both

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'boardgames-env[open_spiel]'")


@pytest.fixture(scope="module")
def spiel() -> Any:
    import boardgames_baselines.open_spiel

    return boardgames_baselines.open_spiel


@pytest.fixture(scope="module")
def nim(spiel: Any) -> Game:
    return make_game("open_spiel(load='nim')")


@pytest.mark.parametrize("load", ["nim", "breakthrough(rows=4,columns=3)", "connect_four(rows=4,columns=3,x_in_row=3)"])
def test_contests_are_those_of_openspiel(spiel: Any, load: str) -> None:
    game = make_game("open_spiel", load=load)
    assert play_both(game, load, range(game.num_actions), contests=200) > 1000


def test_a_game_that_both_have_is_the_same_game(spiel: Any) -> None:
    """Position by position: legal actions, outcomes, values, and what is drawn and observed."""
    ours, theirs = make_game("tic_tac_toe"), make_game("open_spiel(load='tic_tac_toe')")
    assert ours.positions == theirs.positions == 5478
    one, other = solve(ours), solve(theirs)
    pairs, seen = [(ours.initial, theirs.initial)], set()
    while pairs:
        mine, copy = pairs.pop()
        if mine in seen:
            continue
        seen.add(mine)
        assert (mine.outcome, mine.legal_actions) == (copy.outcome, copy.legal_actions)
        assert (one.value(mine), one.distance(mine)) == (other.value(copy), other.distance(copy))
        pairs += [(mine.play(action), copy.play(action)) for action in mine.legal_actions]
    assert len(seen) == 5478
    position = theirs.initial.play(4).play(0)
    assert position.text == "o..\n.x.\n...\n\nplayer 0 to move"
    shapes = draw(position, before=theirs.initial.play(4))
    assert [shape.text for shape in shapes if isinstance(shape, Text)] == [*"o...x....", "player 0 to move"]
    assert sum(isinstance(shape, Circle) for shape in shapes) == 1, "the last move is marked"


def test_what_is_observed(spiel: Any) -> None:
    """Bits of OpenSpiel's tensor: planes stay as they are, and a number is told by the levels it has reached."""
    game, theirs = make_game("open_spiel"), pyspiel.load_game("tic_tac_toe")
    position, state = game.initial, theirs.new_initial_state()
    for action in (4, 0, 8):
        position = position.play(action)
        state.apply_action(action)
    for viewer in (0, 1):
        features = position.features(viewer)
        assert features[:-2].tolist() == state.observation_tensor(viewer)
        assert features[-2:].tolist() == [position.seat == viewer, viewer == 0]
    from boardgames_baselines.open_spiel.numbering import _levels

    seen = np.array([[[0, 3, 7]], [[1, 3, 2]], [[0, 3, 5]]], dtype=np.float32).repeat(2, axis=1)
    assert _levels(seen)[:, 0].tolist() == [[False, True, True], [True, False, False], [False, True, False]]


def test_made_up_states_are_refused_or_played_on_from(nim: Game) -> None:
    assert made_up_states.try_states(nim.spec, 200) > 3


def test_it_is_made_again_from_its_spec(nim: Game) -> None:
    assert make_game(nim.spec) is nim
    position = nim.initial.play(nim.initial.legal_actions[-1])
    assert pickle.loads(pickle.dumps(position)) == position
    assert nim.position(position.state.copy()) == position
    for wrong in ([1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 127, 127]):
        with pytest.raises(BadInputError, match="no contest of open_spiel reaches this state"):
            nim.position(wrong)


def test_its_page_follows_the_template(spiel: Any) -> None:
    page = registered_games()["open_spiel"].page
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == list(HEADINGS)


def test_environments_and_agents_have_it(nim: Game) -> None:
    """The second seat wins nim with piles of 1, 3, 5 and 7, by Bouton's theorem, also where the last taker loses."""
    aec = pettingzoo.make("aec", "boardgames/open_spiel-v0", load="nim")
    aec.reset(seed=1)
    for agent in aec.agent_iter():
        observation, _, termination, _, _ = aec.last()
        aec.step(None if termination else aec.action_space(agent).sample(observation["action_mask"]))
    env = BoardGameEnv(nim, opponent="perfect", seat=0)
    _, info = env.reset(seed=1)
    over, reward = False, 0.0
    while not over:
        _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert reward == -1
    assert solve(nim).value(nim.initial) == -1
    score = tournament(nim, "perfect", "random", contests=40, seed=1).score
    assert score.wins > 35
    assert tournament(nim, "mcts(playouts=200)", "random", contests=10, seed=1).score.wins >= 8


def test_learners_learn_it(nim: Game) -> None:
    learner, trainer = make_agent("q_learning", nim), make_trainer("self", nim)
    for contest in range(300):
        trainer.meeting(contest, learner).play(nim, learner, (1, contest))  # type: ignore[arg-type]
    assert learner.knowledge()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_networks_learn_it(nim: Game) -> None:
    learner = make_agent("td(hidden=4)", nim)
    assert learner.self_play((1,), range(20)) is not None  # type: ignore[attr-defined]


def test_bots_play_it_in_openspiel(spiel: Any) -> None:
    game = pyspiel.load_game("nim")
    bots = [pyspiel.make_uniform_random_bot(0, 3), spiel.PolicyBot("perfect", game, 1)]
    assert [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[1] for seed in range(10)] == [1] * 10


@pytest.mark.parametrize(
    ("load", "why"),
    [
        ("no_such_game", "OpenSpiel has no game 'no_such_game'"),
        ("tic_tac_toe(size=4)", "OpenSpiel cannot load"),
        ("pig", "not without chance"),
        ("kuhn_poker", "not without chance"),
        ("matrix_rps", "not played in turns"),
        ("chess", "can take 17,695 actions"),
    ],
)
def test_what_cannot_be_a_game_of_ours_is_refused(spiel: Any, load: str, why: str) -> None:
    with pytest.raises(BadInputError, match=why):
        make_game("open_spiel", load=load)


LARGE = ["connect_four", "breakthrough", "othello"]


@pytest.mark.parametrize("load", [*LARGE, "go(board_size=2)"])
def test_a_game_without_tables_is_followed_by_its_histories(spiel: Any, load: str) -> None:
    """Go is small, but its text leaves out what superko forbids."""
    game = make_game("open_spiel", load=load)
    assert play_both(game, load, range(game.num_actions), contests=20) > 100
    position, state = game.initial, pyspiel.load_game(load).new_initial_state()
    for _ in range(4):
        state.apply_action(position.legal_actions[0])
        position = position.play(position.legal_actions[0])
    assert position.text.startswith(str(state).rstrip())
    for viewer in (0, 1):
        assert position.features(viewer)[:-2].tolist() == state.observation_tensor(viewer)
        assert position.features(viewer)[-2:].tolist() == [position.seat == viewer, viewer == 0]
    assert pickle.loads(pickle.dumps(position)) == game.position(position.state.copy()) == position
    for slot, wrong in ((0, 1 - position.seat), (1, 1), (2, 127)):
        made_up = position.state.copy()
        made_up[slot] = wrong
        with pytest.raises(BadInputError, match="no contest of open_spiel reaches this state"):
            game.position(made_up)


@pytest.mark.parametrize("agent", ["random", "mcts(playouts=10)", "alpha_beta(depth=1)"])
@pytest.mark.parametrize("load", LARGE)
def test_agents_that_need_no_tables_play_it_in_openspiel(spiel: Any, load: str, agent: str) -> None:
    game = pyspiel.load_game(load)
    bots = [spiel.PolicyBot(agent, game, 0), pyspiel.make_uniform_random_bot(1, 3)]
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 5)) == 0


@pytest.mark.parametrize("load", LARGE)
def test_who_needs_tables_refuses_it_at_once(spiel: Any, load: str) -> None:
    begun = process_time()
    with pytest.raises(BadInputError, match="too large to be solved"):
        spiel.PolicyBot("perfect", pyspiel.load_game(f"{load}()"), 0)
    assert process_time() - begun < 1.5


def test_tables_have_a_size(spiel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from boardgames_baselines.open_spiel import numbering

    monkeypatch.setattr(numbering, "MOST_ARRIVALS", 1000)
    with pytest.raises(numbering.NoTableError, match="more than 1,000 actions"):
        numbering.numbered(pyspiel.load_game("breakthrough(rows=4,columns=3)"))
    monkeypatch.setattr(numbering, "MOST_BYTES", 100)
    with pytest.raises(numbering.NoTableError, match="its observations take"):
        numbering.numbered(pyspiel.load_game("nim(pile_sizes=3;4)"))
