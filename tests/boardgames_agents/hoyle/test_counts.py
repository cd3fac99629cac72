"""What is kept of moves by the older program, and what is counted."""

from dataclasses import replace

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.hoyle.items import Experience
from boardgames_agents.hoyle.items.remembered_moves import ExpertMoves, HoyleMoves, Tallies
from boardgames_agents.registry import make_agent
from boardgames_env import Game, make_game
from tests.boardgames_agents.hoyle.situation import hoyle
from tests.boardgames_agents.hoyle.test_states import lost_contests

GAME = "tic_tac_toe"


@pytest.fixture
def lost(game: Game) -> Experience:
    """A contest that somebody lost, every move of which was voted for."""
    experience = next(lost_contests(game, 40))
    return replace(experience, turns=tuple(replace(turn, voted=True) for turn in experience.turns))


def test_of_experts_the_older_program_keeps_the_winners_moves(lost: Experience, game: Game) -> None:
    for seat in (0, 1):
        kept = ExpertMoves(game.state_size, winners=True)
        kept.learn(replace(lost, experts=(seat,), examples=[]))
        won = [turn for turn in lost.turns if turn.view.seat == seat != lost.loser]
        assert kept.space == len(won)
        assert all(set(kept.made_in(turn.view.key)) == {turn.choice.key} for turn in won)


def test_of_its_own_the_older_program_keeps_the_losers_moves(lost: Experience, game: Game) -> None:
    kept = HoyleMoves(game.state_size, losses=True)
    kept.learn(replace(lost, seats=(0, 1)))
    assert kept.space == sum(turn.view.seat == lost.loser for turn in lost.turns)


def test_tallies_tell_who_goes_first_and_wins(lost: Experience) -> None:
    tallies = Tallies()
    tallies.learn(lost)
    first_won = lost.loser == 1
    assert (tallies.contests, tallies.first, tallies.second) == (1, int(first_won), int(not first_won))
    tallies.learn(replace(lost, outcome=-(lost.outcome or 0)))
    assert (tallies.first, tallies.second, tallies.going_first) == (1, 1, 0.0)


@pytest.mark.slow
def test_a_turn_with_a_capture_is_one_move() -> None:
    game = make_game("five_mens_morris")
    learner = hoyle(game, "hoyle(budget=1)")
    opponent = make_agent("random", game)
    records = [play_contest(game, (learner, opponent), (1, contest)) for contest in range(3)]
    plies = sum(record.plies for record in records)
    assert plies < sum(len(record.actions) for record in records)
    assert learner.useful_knowledge.tallies.moves == plies
