from collections import Counter
from collections.abc import Sequence
from math import ceil

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.hoyle.learner import Hoyle
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.weights import Anything
from boardgames_agents.policy import ContestInfo, Policy
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent
from boardgames_env import Game, make_game
from tests.boardgames_agents.hoyle.situation import Steered, advisor_of, comments, view_after, views_of

GAME = "tic_tac_toe"


def watched(contests: Sequence[Sequence[int]], experts: tuple[int, ...]) -> Hoyle:
    """A Hoyle that has watched contests between these players."""
    game = make_game(GAME)
    hoyle, idle = Hoyle(game, HoyleOptions(only="Victory")), make_agent("random", game)
    for actions in contests:
        hoyle.prepare(ContestInfo(experts))
        play_contest(game, (Steered(idle, actions[::2]), Steered(idle, actions[1::2])), [0], watchers=[hoyle])
    return hoyle


def played(game: Game, seat: int) -> tuple[Hoyle, list[Record]]:
    """A Hoyle that has played 20 contests from a seat with a random opponent."""
    hoyle, other = Hoyle(game, HoyleOptions(only="Victory", budget=20)), make_agent("random", game)
    players: tuple[Policy, Policy] = (hoyle, other) if seat == 0 else (other, hoyle)
    return hoyle, [play_contest(game, players, [contest]) for contest in range(20)]


def says(hoyle: Hoyle, name: str, actions: Sequence[int]) -> dict[int, int]:
    """An Advisor's comments by action."""
    return comments(advisor_of(hoyle.useful_knowledge, name), view_after(make_game(GAME), actions))


DRAWN = (4, 0, 8, 2, 1, 7, 5, 3, 6)
WON_BY_X = (0, 4, 8, 6, 2, 1, 5)


CORNERS = (0, 2, 6, 8)


@pytest.mark.parametrize(
    ("contests", "experts", "before", "supported"),
    [
        ([DRAWN], (0,), (), (4,)),
        ([DRAWN], (0,), (4,), ()),  # whoever moved there was no expert
        ([DRAWN], (0,), (0,), ()),
        ([DRAWN], (0, 1), (4,), CORNERS),
        ([DRAWN], (), (), ()),
        ([DRAWN, WON_BY_X], (0,), (), (4, *CORNERS)),
    ],
)
def test_anthropomorph_does_as_experts_did(
    contests: list[Sequence[int]], experts: tuple[int, ...], before: Sequence[int], supported: Sequence[int]
) -> None:
    assert says(watched(contests, experts), "Anthropomorph", before) == dict.fromkeys(supported, 10)


def tried(hoyle: Hoyle, records: Sequence[Record], seat: int) -> dict[tuple[bytes, bytes], set[int]]:
    """The results, for Hoyle, of the contests in which it made each move by a vote."""
    game = make_game(GAME)
    views = views_of(game)
    found: dict[tuple[bytes, bytes], set[int]] = {}
    for record in records:
        for position, action in zip(record.positions(game), record.actions, strict=False):
            view = views.view_of(position)
            wins = any(choice.points == 1 for choice in view.choices)
            if view.seat == seat and not wins and len(view.choices) > 1:
                found.setdefault((view.key, view.choice_of((action,)).key), set()).add(record.points_for(seat))
    return found


@pytest.mark.parametrize("seat", [0, 1])
def test_cyber_and_not_again_go_by_how_contests_ended(seat: int, game: Game) -> None:
    """Where Hoyle has made a move and never lost, Cyber supports it; where it has lost once, Not Again opposes it."""
    hoyle, records = played(game, seat)
    moves = tried(hoyle, records, seat)
    assert {-1 in results for results in moves.values()} == {False, True}
    views = views_of(game)
    cyber, not_again = (advisor_of(hoyle.useful_knowledge, name) for name in ("Cyber", "Not Again"))
    for record in records:
        for position in record.positions(game)[:-1]:
            view = views.view_of(position)
            results = {choice: moves.get((view.key, choice.key)) for choice in view.choices}
            good = {choice for choice, points in results.items() if points and -1 not in points}
            bad = {choice for choice, points in results.items() if points and -1 in points}
            assert cyber.comment(view, view.choices) == dict.fromkeys(good, 8)
            assert not_again.comment(view, view.choices) == dict.fromkeys(bad, 2)


def test_open_knows_the_openings_that_beat_hoyle(game: Game) -> None:
    """The first tenth of the moves, those of whoever moved first: one at this game, two of twenty at a longer one."""
    hoyle, records = played(game, seat=1)
    lost = [record for record in records if record.points_for(1) < 0]
    choice_of = view_after(game, ()).choice_of
    openings = {actions[0] for record in lost for actions in choice_of(record.actions[:1]).alike}
    assert says(hoyle, "Open", ()) == dict.fromkeys(openings, 8) != {}
    assert says(hoyle, "Open", (lost[0].actions[0],)) == {}
    first, records = played(game, seat=0)
    assert any(record.points_for(0) < 0 for record in records)
    assert says(first, "Open", ()) == {}, "it moved first, and lost"
    assert first.useful_knowledge.openings.space == 0


def test_an_opening_is_a_tenth_of_a_long_contest() -> None:
    game = make_game("qubic")
    hoyle = Hoyle(game, HoyleOptions(only="Victory", budget=20))
    record = next(
        record
        for contest in range(50)
        if (record := play_contest(game, (make_agent("random", game), hoyle), [contest])).points_for(1) < 0
    )
    length = ceil(len(record.actions) / 10)
    open_ = advisor_of(hoyle.useful_knowledge, "Open")
    commented = []
    for count in range(len(record.actions)):
        view = view_after(game, record.actions[:count])
        if opinion := open_.comment(view, view.choices):
            commented.append(count)
            assert view.choice_of(record.actions[count : count + 1]) in opinion
    assert length > 2
    assert commented == list(range(0, length, 2))


@pytest.mark.parametrize(("budget", "said"), [(1, {2: 2, 6: 2}), (5000, {})])
def test_leery_avoids_dangerous_states(budget: int, said: dict[int, int], game: Game) -> None:
    """With too small a budget to prove anything, the move that seems to have lost the difficult position."""
    hoyle = Hoyle(game, HoyleOptions(only="Victory,Panic", budget=budget))
    players = Steered(make_agent("random", game), (0, 8, 2, 5)), Steered(hoyle, (4, 6, 1))
    assert play_contest(game, players, [0]).points_for(1) == -1
    assert bool(hoyle.useful_knowledge.states.dangerous) == bool(said)
    assert says(hoyle, "Leery", (0, 4, 8)) == said
    assert says(hoyle, "Leery", (0, 4)) == {}


def test_anything_comments_on_n_moves_with_probability_one_in_two_to_the_n() -> None:
    game = make_game("qubic")
    anything = Anything()
    anything.rng = np.random.default_rng(7)
    view = view_after(game, (0, 1))
    opinions = [anything.comment(view, view.choices) for _ in range(4000)]
    counts = Counter(map(len, opinions))
    for moves in (1, 2, 3, 4):
        expected = 4000 / 2**moves
        assert abs(counts[moves] - expected) < 4 * expected**0.5
    strengths = Counter(strength for opinion in opinions for strength in opinion.values())
    assert sorted(strengths) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert max(strengths.values()) < 1.3 * min(strengths.values())
