from collections.abc import Sequence

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.hoyle.advisors.pitchfork import Pitchfork
from boardgames_agents.hoyle.game_frame import frame_of, mask_of
from boardgames_agents.hoyle.item import Experience, Turn
from boardgames_agents.hoyle.items.forks import Forks
from boardgames_agents.hoyle.learner import Hoyle
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy import Policy, Rng, Snapshot
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent
from boardgames_env import make_game
from boardgames_env.game import Game
from boardgames_env.position import Position

GAME = make_game("tic_tac_toe")
QUBIC = make_game("qubic")
# in the position after these moves, a corner loses and an edge does not (Epstein 1994, Figure 3)
DIFFICULT = (0, 4, 8)
LOST = (*DIFFICULT, 6, 2, 1, 5)


def after(actions: Sequence[int], game: Game = GAME) -> Position:
    position = game.initial
    for action in actions:
        position = position.play(action)
    return position


def experience(actions: Sequence[int], game: Game = GAME, seats: tuple[int, ...] = (0, 1)) -> Experience:
    views = ViewCache(frame_of(game))
    turns = []
    position = game.initial
    for action in actions:
        view = views.view_of(position)
        turns.append(Turn(view, view.choice_of((action,))))
        position = position.play(action)
    return Experience(tuple(turns), position.outcome, seats, (), np.random.default_rng(0))


def learned(*contests: Sequence[int], game: Game = GAME) -> Forks:
    forks = Forks(frame_of(game))
    for actions in contests:
        forks.learn(experience(actions, game))
    return forks


def comments(contests: Sequence[Sequence[int]], position: Sequence[int], game: Game = GAME) -> dict[int, int]:
    """What Pitchfork says of each action in a position, after contests."""
    knowledge = Knowledge(ViewCache(frame_of(game)))
    for actions in contests:
        knowledge.forks.learn(experience(actions, game))
    view = ViewCache(frame_of(game)).view_of(after(position, game))
    opinion = Pitchfork(knowledge).comment(view, view.choices)
    return {actions[0]: strength for option, strength in opinion.items() for actions in option.alike}


def test_a_fork_is_learned_from_one_loss() -> None:
    forks = learned(LOST)
    row, column = mask_of((0, 1, 2)), mask_of((2, 5, 8))
    assert forks.space == 1
    assert forks.ready([(row, mask_of((1, 2))), (column, mask_of((2, 5)))]) == [(mask_of((2,)), mask_of((1, 2, 5)))]


def test_a_fork_is_the_same_under_every_symmetry() -> None:
    frame = frame_of(GAME)
    turned = [[symmetry[action] for action in LOST] for symmetry in frame.symmetries]
    assert len(turned) == 8
    first = learned(LOST).snapshot().arrays["lines"]
    for contest in turned:
        assert np.array_equal(learned(contest).snapshot().arrays["lines"], first)
    assert learned(*turned).space == 1


@pytest.mark.parametrize(
    "actions",
    [
        (0, 4, 8, 1, 7, 6, 2, 5, 3),  # a draw
        (0, 3, 1, 4, 8, 5),  # X does not look: O wins with a single line
        (0, 1, 2, 3, 5, 4, 8),  # O does not look: it leaves a row that O could have completed first
    ],
)
def test_nothing_is_learned_without_a_fork(actions: Sequence[int]) -> None:
    assert after(actions).is_over
    assert learned(actions).space == 0


@pytest.mark.parametrize("spec", ["lose_tic_tac_toe", "achi", "five_mens_morris"])
def test_nothing_is_learned_where_lines_lose_or_men_move(spec: str) -> None:
    game = make_game(spec)
    hoyle = Hoyle(game, HoyleOptions(only="Victory"))
    lost = 0
    for contest in range(6):
        lost += abs(play_contest(game, (make_agent("random", game), hoyle), [contest]).outcome)
    assert lost
    assert hoyle.useful_knowledge.forks.space == 0


def test_a_fork_is_learned_though_the_loser_puts_it_off() -> None:
    """O answers the double threat with a threat of its own; X has to answer that before it wins."""
    # layer 0: X takes the row 0-3 and the column 0, 4, 8, 12 but for their corner 0; O has three on the last row
    actions = [1, 60, 2, 61, 4, 50, 8, 34, 0, 3, 12]
    forks = learned(actions, game=QUBIC)
    assert after(actions, QUBIC).outcome == 1
    assert forks.space == 1


def test_pitchfork_is_silent_before_it_knows_a_fork() -> None:
    assert comments([], DIFFICULT) == {}


def test_pitchfork_destroys_a_fork_by_a_threat_whose_answer_does_not_carry_it_out() -> None:
    assert comments([LOST], DIFFICULT) == {1: 8, 3: 8, 5: 8, 7: 8}


def test_pitchfork_carries_out_a_fork_if_there_is_time() -> None:
    assert comments([LOST], (0, 4, 8, 6)) == {2: 10}
    assert comments([LOST], (0, 4, 8, 1)) == {}  # O threatens to win at once, and not where the lines meet


def test_pitchfork_brings_a_fork_within_a_move() -> None:
    assert comments([LOST], (0, 1)) == {7: 6, 8: 6}
    assert comments([LOST], (0, 8)) == {}  # X can make no more forks of a row and a column


def test_pitchfork_applies_a_fork_to_positions_unlike_the_one_it_was_learned_from() -> None:
    """The lines meet in a corner again, but the men are on edges. O threatens, but where the lines meet."""
    assert comments([LOST], (5, 4, 7, 0)) == {8: 10}


def test_pitchfork_destroys_a_fork_by_taking_any_of_its_locations() -> None:
    """X holds 0 and 5. (At 7, O threatens to win at 1; when X has answered there, the fork is no fork any more.)"""
    assert comments([LOST], (0, 4, 5)) == {1: 8, 2: 8, 7: 8, 8: 8}


def test_forks_are_restored_exactly() -> None:
    forks = learned(LOST, (4, 1, 0, 8, 3, 5, 6))
    restored = Forks(frame_of(GAME))
    restored.restore(forks.snapshot())
    assert restored.space == forks.space > 1
    assert np.array_equal(restored.snapshot().arrays["lines"], forks.snapshot().arrays["lines"])
    with pytest.raises(ValueError, match="do not win"):
        restored.restore(Snapshot({"lines": np.ones((1, 2, 9), dtype=np.bool_)}))


class Steered(Policy):
    """Plays some actions first, and then as another policy does."""

    def __init__(self, policy: Policy, first: Sequence[int]) -> None:
        self._policy, self._first = policy, first

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        self._policy.begin(game, seats, rng)
        self._left = list(self._first)

    def choose(self, position: Position) -> int:
        return self._left.pop(0) if self._left else self._policy.choose(position)

    def saw(self, position: Position, action: int) -> None:
        self._policy.saw(position, action)

    def end(self, record: Record) -> None:
        self._policy.end(record)


def results(player: Policy, contests: range) -> list[int]:
    """Hoyle's points from the difficult position, or one symmetric to it, against the perfect player."""
    perfect = make_agent("perfect", GAME)
    symmetries = frame_of(GAME).symmetries
    found = []
    for contest in contests:
        first, answer, second = (symmetries[contest % 8][action] for action in DIFFICULT)
        players = Steered(perfect, [first, second]), Steered(player, [answer])
        found.append(play_contest(GAME, players, [contest]).points_for(1))
    return found


TIER_1 = "Victory,Wiser,Sadder,Don't Lose,Panic,Enough Rope,Shortsight"


@pytest.mark.parametrize(
    "options",
    [
        {"only": TIER_1},
        {"only": "Victory,Panic,Pitchfork"},
        {"only": "Victory,Panic,Pitchfork", "voting": "tally"},
        {"without": "Pitchfork"},
        {},
    ],
)
def test_hoyle_loses_the_difficult_position_once_and_never_again(options: dict[str, str]) -> None:
    """By its significant states alone, by its forks alone, and by all its reasons."""
    hoyle = Hoyle(GAME, HoyleOptions(**options))
    played = results(hoyle, range(60))
    assert played.count(-1) == 1
    assert -1 not in results(hoyle.frozen(), range(100, 160))


def test_hoyle_goes_on_losing_the_difficult_position_without_states_and_forks() -> None:
    assert results(Hoyle(GAME, HoyleOptions(only="Victory,Panic")), range(60)).count(-1) > 10
