from typing import Any

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.hoyle.advisors.men_and_forks import Pitchfork
from boardgames_agents.hoyle.game_frame import frame_of, mask_of, men_of
from boardgames_agents.hoyle.items.forks import Forks, Threats
from boardgames_agents.hoyle.learner import Hoyle
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy import Policy, Snapshot
from boardgames_agents.policy.explanation import position_after
from boardgames_agents.registry import make_agent
from boardgames_env import Game, Position, make_game
from tests.boardgames_agents.hoyle.situation import (
    Steered,
    actions_of,
    comments,
    contest_of,
    digest,
    hoyle,
    knowledge_of,
    view_after,
    views_of,
    walk,
)
from tests.positions import play

GAME = "tic_tac_toe"
FIVE = "five_mens_morris"
# in the position after these moves, a corner loses and an edge does not (Epstein 1994, Figure 3)
DIFFICULT = "0 4 8"
LOST = f"{DIFFICULT} 6 2 1 5"
CAPTURED = "3 7 8 0 5 2 12 x2"
"""Black's third man threatens to close 3-4-5 and 5-8-12; its fourth closes one of them."""


def learned(*contests: str, spec: str = GAME, **options: Any) -> Knowledge:
    """What contests, cut short where men are captured, have taught of forks, which are those of captures there."""
    game = make_game(spec)
    knowledge = knowledge_of(game, **options or {"capture_forks": spec == FIVE})
    for actions in contests:
        knowledge.forks.learn(contest_of(game, actions_of(game, actions), cut=spec == FIVE))
    return knowledge


def test_a_fork_is_learned_from_one_loss() -> None:
    forks = learned(LOST).forks
    row, column = mask_of((0, 1, 2)), mask_of((2, 5, 8))
    assert forks.space == 1
    assert forks.ready([(row, mask_of((1, 2))), (column, mask_of((2, 5)))]) == [(mask_of((2,)), mask_of((1, 2, 5)))]


def test_a_fork_is_the_same_under_every_symmetry(game: Game) -> None:
    symmetries = frame_of(game).symmetries
    turned = [" ".join(str(symmetry[int(action)]) for action in LOST.split()) for symmetry in symmetries]
    assert len(turned) == 8
    assert len({digest(learned(contest).forks.snapshot()) for contest in turned}) == 1
    assert learned(*turned).forks.space == 1


@pytest.mark.parametrize(
    ("spec", "actions", "forks"),
    [
        (GAME, "0 4 8 1 7 6 2 5 3", 0),  # a draw
        (GAME, "0 3 1 4 8 5", 0),  # X does not look: O wins with a single line
        (GAME, "0 1 2 3 5 4 8", 0),  # O does not look: it leaves a row that O could have completed first
        # O answers the double threat with a threat of its own, which X has to answer before it wins: in layer 0
        # X takes the row 0-3 and the column 0, 4, 8, 12 but for their corner 0; O has three on the last row
        ("qubic", "1 60 2 61 4 50 8 34 0 3 12", 1),
        (FIVE, CAPTURED, 1),
        (FIVE, "3 7 4 0 5 x0", 0),  # one line alone
        (FIVE, "3 7 8 0 5 4 12 x4 1", 1),  # white blocks one of two lines, and black closes the other
        (FIVE, "3 10 8 11 5 0 4 x0", 0),  # white could close 10-11-12 before black carries its fork out
    ],
)
def test_how_many_forks_a_contest_teaches(spec: str, actions: str, forks: int) -> None:
    assert spec == FIVE or play(make_game(spec).initial, *actions.split()).is_over
    assert learned(actions, spec=spec).forks.space == forks


@pytest.mark.parametrize("spec", ["lose_tic_tac_toe", "achi", pytest.param("five_mens_morris", marks=pytest.mark.slow)])
def test_nothing_is_learned_where_lines_lose_or_men_move(spec: str) -> None:
    game = make_game(spec)
    hoyle = Hoyle(game, HoyleOptions(program="2001", only="Victory"))
    lost = 0
    for contest in range(6):
        lost += abs(play_contest(game, (make_agent("random", game), hoyle), [contest]).outcome)
    assert lost
    assert hoyle.useful_knowledge.forks.space == 0


@pytest.mark.parametrize(
    ("lost", "spec", "before", "expected"),
    [
        # a threat whose answer does not carry out the other seat's fork destroys it
        (LOST, GAME, DIFFICULT, {"1": 8, "3": 8, "5": 8, "7": 8}),
        # a fork is carried out if there is time
        (LOST, GAME, "0 4 8 6", {"2": 10}),
        # O threatens to win at once, and not where the lines meet
        (LOST, GAME, "0 4 8 1", {}),
        # a fork is brought within a move
        (LOST, GAME, "0 1", {"7": 6, "8": 6}),
        # X can make no more forks of a row and a column
        (LOST, GAME, "0 8", {}),
        # the lines meet in a corner again, but the men are on edges; O threatens, but where the lines meet
        (LOST, GAME, "5 4 7 0", {"8": 10}),
        # a fork is destroyed by taking any of its locations; X holds 0 and 5
        # (at 7, O threatens to win at 1; when X has answered there, the fork is no fork any more)
        (LOST, GAME, "0 4 5", {"1": 8, "2": 8, "7": 8, "8": 8}),
        # of captures: black carries the fork out; white takes what the fork needs
        (CAPTURED, FIVE, "3 7 8 0", {"5": 10}),
        (CAPTURED, FIVE, "3 7 8", {"4": 8, "5": 8, "12": 8}),
        (CAPTURED, FIVE, "", {}),
        (CAPTURED, FIVE, "3 7 8 0 4", {}),
    ],
)
def test_pitchfork_carries_out_brings_about_and_destroys_forks(
    lost: str, spec: str, before: str, expected: dict[str, int]
) -> None:
    game = make_game(spec)
    found = comments(Pitchfork(learned(lost, spec=spec)), view_after(game, before))
    assert {game.action_text(action): strength for action, strength in found.items()} == expected
    assert comments(Pitchfork(learned(spec=spec)), view_after(game, before)) == {}


def test_forks_are_restored_exactly(game: Game) -> None:
    forks = learned(LOST, "4 1 0 8 3 5 6").forks
    restored = Forks(frame_of(game))
    restored.restore(forks.snapshot())
    assert restored.space == forks.space > 1
    assert digest(restored.snapshot()) == digest(forks.snapshot())
    with pytest.raises(ValueError, match="do not win"):
        restored.restore(Snapshot({"lines": np.ones((1, 2, 9), dtype=np.bool_)}))


def results(player: Policy, contests: range) -> list[int]:
    """Hoyle's points from the difficult position, or one symmetric to it, against the perfect player."""
    game = make_game(GAME)
    perfect, symmetries = make_agent("perfect", game), frame_of(game).symmetries
    found = []
    for contest in contests:
        first, answer, second = (symmetries[contest % 8][action] for action in actions_of(game, DIFFICULT))
        players = Steered(perfect, [first, second]), Steered(player, [answer])
        found.append(play_contest(game, players, [contest]).points_for(1))
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
def test_hoyle_loses_the_difficult_position_once_and_never_again(options: dict[str, str], game: Game) -> None:
    """By its significant states alone, by its forks alone, and by all its reasons."""
    hoyle = Hoyle(game, HoyleOptions(**options))
    played = results(hoyle, range(60))
    assert played.count(-1) == 1
    assert -1 not in results(hoyle.frozen(), range(100, 160))


def test_hoyle_goes_on_losing_the_difficult_position_without_states_and_forks(game: Game) -> None:
    assert results(Hoyle(game, HoyleOptions(only="Victory,Panic")), range(60)).count(-1) > 10


def test_a_fork_of_captures_is_learned_from_a_capture() -> None:
    forks = learned(CAPTURED, spec=FIVE).forks
    (entry,) = forks.entries(make_game(FIVE))
    assert len(entry.locations) == 5  # two lines that share one location, or an image of them
    (region,) = forks.regions(view_after(make_game(FIVE), "3 7 8 0"))
    assert (region.title, region.locations) == ("fork that black makes by 5", (3, 4, 5, 8, 12))


@pytest.mark.parametrize("program", ["2001", "1994"])
def test_papers_programs_learn_no_forks_of_captures(program: str) -> None:
    assert learned(CAPTURED, spec=FIVE, program=program).forks.space == 0


def test_threats_are_those_of_the_rules() -> None:
    game = make_game(FIVE)
    frame = frame_of(game)
    threats, found = Threats(frame), 0
    for position in walk(game, 12):
        if views_of(game).view_of(position).choices[0].actions[1:] or position.awaits_chance:
            continue
        for seat in (0, 1):
            state = position.state.copy()
            state[0] = seat
            asked = Position.unchecked(game, state)
            own = men_of(asked)[seat]
            after = [men_of(asked.play(action))[seat] for action in asked.legal_actions]
            completed = {line for line in frame.goals[seat] for men in after if not line & ~men and line & ~own}
            assert set(threats.of_state(position.key, seat)) == completed
            found += bool(completed)
    assert found > 10


def test_known_forks_are_drawn_with_what_they_lack(game: Game) -> None:
    learner = hoyle(game, "hoyle(only='Victory, Panic')", 10, "random")
    regions = learner.explanation(position_after(game, "0 4 8")).regions
    assert {(each.title, each.locations) for each in regions} == {
        ("fork that X makes at 2", (1, 2, 5)),
        ("fork that X makes at 6", (3, 6, 7)),
    }
    assert learner.explanation(game.initial).regions == ()
    assert hoyle(game).explanation(position_after(game, "0 4 8")).regions == ()
