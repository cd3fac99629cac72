"""Lookahead for men, beside a search in plain Python that tries everything."""

import re

import pytest

from boardgames_agents.hoyle import men_lookahead
from boardgames_agents.hoyle.advisors.tier1 import Farsight, Trap
from boardgames_agents.hoyle.men_lookahead import MenLookahead
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError
from tests.boardgames_agents.hoyle.situation import hoyle, knowledge_of, view_after, views_of, walk, watched
from tests.positions import play

GAME = "five_mens_morris"
LOSING = ("9", "11", "10", "14", "1")
"""After these black threatens to make two threats at once."""

WON = 50


def gain(view: PositionView, choice: Choice, plies: int) -> int:
    """Return the men that a move gains with best play in the plies after it; a contest won counts 50."""
    if choice.points is not None:
        return WON * choice.points if choice.points > 0 else -WON
    taken = view.enemy.bit_count() - choice.enemy.bit_count()
    return taken - (max(gain(choice.then, reply, plies - 1) for reply in choice.replies) if plies else 0)


def some_views(spec: str, count: int) -> list[PositionView]:
    game = make_game(spec)
    views = [view for view in map(views_of(game).view_of, walk(game, 40, 40)) if len(view.choices) > 1]
    return views[:: max(1, len(views) // count)]


@pytest.mark.parametrize(("plies", "count"), [(1, 60), pytest.param(1, 200, marks=pytest.mark.slow), (3, 15)])
@pytest.mark.parametrize("spec", [pytest.param("five_mens_morris", marks=pytest.mark.slow), "six_mens_morris"])
def test_the_moves_that_gain_most_men_are_found(spec: str, plies: int, count: int) -> None:
    lookahead = MenLookahead(make_game(spec), plies)
    told_apart = 0
    for view in some_views(spec, count):
        gains = {choice: max(-3, min(3, gain(view, choice, plies))) for choice in view.choices}
        worse = {choice.key for choice in view.choices if gains[choice] < max(gains.values())}
        assert lookahead.worse(view) == worse, view.state
        told_apart += bool(worse)
    assert told_apart > 1


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["five_mens_morris", "nine_mens_morris", "murabaraba"])
def test_a_loss_is_shown_move_by_move(spec: str) -> None:
    game = make_game(spec)
    lookahead, shown = MenLookahead(game, 5), 0
    for view in some_views(spec, 60):
        for choice in view.choices:
            loss = lookahead.loss_after(view, choice) if choice.key in lookahead.worse(view) else None
            if loss is None or choice.points is not None:
                continue
            shown += 1
            before, men = choice, [choice.own.bit_count()]
            for move in loss.moves:
                assert move in before.replies
                before = move
                men.append((move.enemy if len(men) % 2 else move.own).bit_count())
            assert len(loss.moves) % 2 == 1
            assert before.points is not None or men[-1] < men[-2], "the last move captures"
            assert not loss.line & ~before.own
            assert "lets" in lookahead.text(view, choice)
    assert shown > 10


def test_a_loss_is_told_with_its_line(game: Game) -> None:
    view, lookahead = view_after(game, " ".join(LOSING)), MenLookahead(game, 3)
    texts = {lookahead.text(view, choice) for choice in view.choices if choice.key in lookahead.worse(view)}
    assert texts == {f"{location} lets black close 2-9-15 in two moves" for location in (3, 4, 5, 6, 7, 8, 12)}


@pytest.mark.parametrize("made", [Farsight, Trap])
@pytest.mark.parametrize("spec", ["tic_tac_toe", "achi", "mu_torere"])
def test_nothing_is_said_where_nothing_is_captured(made: type[Farsight | Trap], spec: str) -> None:
    _, views = watched(spec, 3)
    knowledge = knowledge_of(spec, lookahead=7)
    assert all(not made(knowledge).comment(view, view.choices) for view in views)


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ("", {"Farsight"}),
        ("lookahead=3", {"Farsight"}),
        ("lookahead_by='vote'", {"Trap"}),
        ("lookahead=0", set()),
        ("program='2001'", set()),
        ("program='2001', lookahead=3", {"Farsight"}),
        ("program='1994'", set()),
    ],
)
def test_it_is_asked_as_the_options_say(options: str, asked: set[str], game: Game) -> None:
    maker = hoyle(game, f"hoyle({options})").maker
    names = {advisor.name for advisor in (*maker.forr.first, *maker.forr.third)}
    assert names & {"Farsight", "Trap"} == asked


@pytest.mark.parametrize("plies", [-1, 2, 4, 10, 13])
def test_other_numbers_of_plies_are_refused(plies: int) -> None:
    with pytest.raises(BadInputError, match="lookahead"):
        HoyleOptions(lookahead=plies)


def test_a_decision_says_what_a_move_would_lose(game: Game) -> None:
    asked, silent = (
        hoyle(game, spec).frozen().explanation(play(game.initial, *LOSING))
        for spec in ("hoyle", "hoyle(without='Farsight')")
    )
    assert any(re.fullmatch(r"Farsight opposes it: .* lets .*\.", row[-1]) for row in asked.rows)
    assert any("by force" in region.title for region in asked.regions)
    assert not any("by force" in region.title for region in silent.regions)


def test_fewer_plies_are_searched_where_nodes_run_out(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    views = some_views("five_mens_morris", 20)
    exact = {plies: [MenLookahead(game, plies).worse(view) for view in views] for plies in (7, 5, 3, 1)}
    monkeypatch.setattr(men_lookahead, "NODES", 500)
    found = [MenLookahead(game, 7).worse(view) for view in views]
    assert all(each in [exact[plies][number] for plies in exact] for number, each in enumerate(found))
    assert found != exact[7]
    monkeypatch.setattr(men_lookahead, "NODES", 1)
    assert not any(MenLookahead(game, 7).worse(view) for view in views)


@pytest.mark.parametrize("nodes", [1, 30, 100, 300, 1_000, 3_000])
def test_a_move_is_explained_where_nodes_run_out(monkeypatch: pytest.MonkeyPatch, nodes: int, game: Game) -> None:
    monkeypatch.setattr(men_lookahead, "NODES", nodes)
    lookahead = MenLookahead(game, 9)
    for view in some_views("five_mens_morris", 20):
        reasons = [lookahead.text(view, choice) for choice in view.choices]
        assert all(" lets " in reason or reason == "another move leads to more men" for reason in reasons)
        assert all(region.locations for region in lookahead.regions(view))


def test_the_same_whatever_was_asked_before(game: Game) -> None:
    one, other = (MenLookahead(game, 5) for _ in range(2))
    views = some_views("five_mens_morris", 40)
    assert [one.worse(view) for view in views] == [other.worse(view) for view in reversed(views)][::-1]
