"""Matches of backgammon: games one after another at the score, and one game at a score."""

import numpy as np
import pytest

from boardgames_env import BadInputError, Contest, Position, hypergammon_v0, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import replayed
from boardgames_env.games.backgammon.notation.matches import Match, games_of
from boardgames_env.games.backgammon.notation.position_id import match_options, parse_position, xgid
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.match_score import MatchScore
from tests.boardgames_env.games.backgammon_contests import position_of, random_contest

MATCH = "hypergammon(cube=True,match_length=5)"


@pytest.mark.parametrize("seed", range(5))
def test_a_match_is_its_games(seed: int) -> None:
    """Every game begins at the score after the one before, and is by itself the game at that score."""
    spec = "hypergammon(cube=True, match_length=25)"
    game = make_game(spec)
    match, positions = random_contest(spec, seed, drops=0.05)
    games = games_of(game, match)
    assert len(games) > 1
    assert sum((each.actions for each in games), ()) == match.actions
    assert sum((each.events for each in games), ()) == match.events
    score = MatchScore.begun(25)
    for each, start in zip(games, Match(game, ("a", "b"), games, 25).starts, strict=True):
        assert game.score
        assert game.score(start.state) == score
        assert start.game is game.part
        *_, last = replayed(start, each.actions, each.events)
        assert last.outcome == each.outcome
        assert game.score(last.state) == score
        score = score.after(each.outcome)
    assert score.winner == (0 if match.outcome == 1 else 1)
    assert abs(match.outcome) == 1
    doubling = [each.state for each in positions if board.DOUBLING <= each.state[board.STAGE] <= board.DROPPED]
    assert not any(state[board.CRAWFORD] for state in doubling), "nobody doubles in the Crawford game"


def dropped(game_spec: str, points: tuple[int, int], turned: int = 0) -> Position:
    """A position of a match to 5 in which black has dropped a double, at some score."""
    game = make_game(game_spec)
    state = game.initial.state.copy()
    state[0], state[board.STAGE], state[board.CUBE] = 1, board.DROPPED, turned
    state[board.AWAY : board.AWAY + 2] = [5 - each for each in points]
    state[board.CUBE + 1] = 1 if turned else 0
    return Position.unchecked(game, state)


def test_the_end_of_a_game_awaits_the_opening_roll_of_the_next() -> None:
    ended = dropped(MATCH, (1, 2), turned=1)
    assert not ended.is_over
    assert ended.part.outcome == 2
    assert len(ended.events()) == 30
    following = ended.happen(16)
    assert following.seat == 1
    assert (following.state[board.AWAY], following.state[board.AWAY + 1], following.state[board.CUBE]) == (2, 3, 0)
    assert following.state[1:25].tolist() == make_game(MATCH).initial.state[1:25].tolist()
    decided = dropped(MATCH, (3, 4), turned=1)
    assert (decided.outcome, decided.events()) == (1, ())


def test_the_crawford_game() -> None:
    following = dropped(MATCH, (3, 2)).happen(0)
    assert following.state[board.CRAWFORD] == 1
    state = following.state.copy()
    chance = ChanceStream(following.game, np.random.default_rng(0))
    while state[board.STAGE] not in (board.DOUBLING, board.ROLLING):
        legal = Position.unchecked(following.game, state.copy()).legal_actions
        following.game.rules.play.run(state, legal[0])
    assert state[board.STAGE] == board.ROLLING, "the other seat does not double before its first roll"
    chance.settle(state)
    assert state[board.CRAWFORD] == 1
    after = dropped(MATCH, (2, 4)).happen(0)
    assert after.state[board.CRAWFORD] == 0, "a seat needed one point before, and the Crawford game is over"


def test_one_game_at_a_score() -> None:
    game = make_game("backgammon", cube=True, match_length=7, score=(6, 4))
    assert (game.most_points, game.part) == (192, game)
    assert game.initial.state[board.AWAY :].tolist() == [1, 3, 1]
    later = make_game("backgammon", cube=True, match_length=7, score=(6, 4), post_crawford=True)
    assert later.initial.state[board.AWAY :].tolist() == [1, 3, 0]
    contest = Contest(later)
    contest.happen(0)
    while contest.state[board.STAGE] != board.DOUBLING:
        contest.play(contest.position.legal_actions[0])
    for action in (board.DOUBLE, board.DROP):
        contest.play(action)
    assert contest.is_over
    assert abs(contest.points) == 1
    whole = make_game("backgammon", cube=True, match_length=7)
    assert (whole.part.spec, whole.most_points, whole.stake) == (
        "backgammon(cube=True, match_length=7, score=(0, 0))", 1, None
    )  # fmt: skip


def test_the_observation_has_the_score() -> None:
    game = make_game("backgammon", cube=True, match_length=4, score=(3, 2))
    assert game.num_features == make_game("backgammon", cube=True).num_features + 3
    position = game.initial.happen(3)
    assert position.features(0)[-3:].tolist() == [0.25, 0.5, 1]
    assert position.features(1)[-3:].tolist() == [0.5, 0.25, 1]
    assert "match to 4: white 3, black 2, Crawford game" in game.note(position.state)  # type: ignore[misc]


def test_without_a_match_states_are_what_they_were() -> None:
    for spec in ("backgammon", "backgammon(cube=True)", "hypergammon"):
        game = make_game(spec)
        assert (game.state_size, game.score, game.part) == (board.STATE_SIZE, None, game)


def test_nobody_has_doubled_in_the_crawford_game() -> None:
    game = make_game("hypergammon", cube=True, match_length=5, score=(4, 0))
    at_the_roll = position_of(game.at_score(MatchScore.begun(5, (3, 0))), {24: 3}, {24: 3}, stage=board.DOUBLING)
    state = at_the_roll.state.copy()
    state[board.AWAY], state[board.CRAWFORD] = 1, 1
    with pytest.raises(BadInputError, match="nobody doubles in the Crawford game"):
        game.position(state)


@pytest.mark.parametrize("crawford", [True, False])
def test_an_xgid_has_the_score(crawford: bool) -> None:
    game = make_game("backgammon", cube=True, match_length=7, score=(6, 4), post_crawford=not crawford)
    position = parse_position(game, "start", (3, 1))
    written = xgid(position)
    assert written.endswith(f":31:6:4:{int(crawford)}:7:6")
    options = match_options(written)
    assert make_game("backgammon", cube=True, **options) is game
    assert parse_position(game, written) == position
    assert match_options(xgid(parse_position(make_game("backgammon(cube=True)"), "start"))) == {}
    assert match_options("start") == {}


def test_an_episode_of_an_environment_is_a_match() -> None:
    env = hypergammon_v0.env(match_length=2)
    env.reset(seed=1)
    rng, away, rewards = np.random.default_rng(2), set(), [0.0, 0.0]
    for agent in env.agent_iter():
        seen, reward, terminated, _, _ = env.last()
        rewards[env.possible_agents.index(agent)] += reward
        away.add(tuple(seen["observation"][-3:-1].tolist()))
        env.step(None if terminated else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    assert sorted(rewards) == [-1, 1]
    assert (1.0, 1.0) in away
