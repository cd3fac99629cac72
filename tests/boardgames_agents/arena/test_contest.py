"""Contests with openings."""

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.registry import make_agent
from boardgames_agents.search import LookAhead
from boardgames_agents.training.starting_positions import load_starts
from boardgames_env import BadInputError, IllegalActionError, Position, make_game
from tests.contests import Witness

SMALL = "tic_tac_toe"


def test_nobody_is_asked_or_told_during_an_opening() -> None:
    one, other, watcher = Witness(), Witness(), Witness()
    record = play_contest(make_game(SMALL), (one, other), [0], [watcher], opening=(4, 0))
    start = make_game(SMALL).initial.play(4).play(0)
    assert record.actions == (4, 0, 1, 2, 3, 5, 6, 7, 8)
    assert (one.asked[0], watcher.told[0]) == (start, (start, 1))
    assert len(watcher.told) == 7
    assert record.plies == 9
    assert record.decisions == (4, 3)
    assert record.positions(make_game(SMALL))[2] == start
    assert record.positions(make_game(SMALL))[-1].outcome == record.outcome


def test_an_opening_counts_among_the_plies() -> None:
    game = make_game("fives(paired_moves=25)")
    one, other = (make_agent("random", game) for _ in range(2))
    start = load_starts("exam-1", game)[0]
    short = play_contest(make_game("fives(paired_moves=7)"), (one, other), [0], opening=start.actions)
    assert short.plies == len(short.actions) == 14


def test_who_looks_ahead_knows_how_long_an_opening_was() -> None:
    class Counting(LookAhead):
        def choose(self, position: Position) -> int:
            plies.append((self.plies_before(position), len(self.seen())))
            return position.legal_actions[0]

    plies: list[tuple[int, int]] = []
    play_contest(make_game(SMALL), (Counting(make_game(SMALL)), Counting(make_game(SMALL))), [0], opening=(4, 0))
    assert plies == [(k, k) for k in range(2, 9)]


def test_a_bad_opening_is_refused() -> None:
    players = (Witness(), Witness())
    with pytest.raises(IllegalActionError):
        play_contest(make_game(SMALL), players, [0], opening=(4, 4))
    with pytest.raises(BadInputError, match="over after its opening"):
        play_contest(make_game(SMALL), players, [0], opening=(0, 3, 1, 4, 2))
