"""Decisions in words."""

import re
from collections import Counter
from typing import NamedTuple

import pytest

from boardgames_agents.hoyle.advisors import registered_advisors
from boardgames_agents.hoyle.decision_text import explanation_of, reason_of
from boardgames_agents.hoyle.forr import Comment, Decision
from boardgames_agents.hoyle.position_view import Choice
from boardgames_agents.policy.explanation import position_after
from boardgames_agents.policy.knowledge import KnowledgeEntry
from boardgames_env import BadInputError, Game, make_game
from tests.boardgames_agents.hoyle.situation import hoyle, view_after
from tests.contests import train
from tests.positions import men_at, play
from tests.variants import WITHOUT_CHANCE, over, sampled

GAME = "tic_tac_toe"


class Shown(NamedTuple):
    """A row of an explanation."""

    mark: str
    move: str
    alike: str
    support: str
    comments: str
    why: str


def rows_of(decision: Decision[Choice], game: Game, played: int | None = None) -> list[Shown]:
    return [Shown(*row) for row in explanation_of(decision, game, played).rows]


def rows_at(spec: str, actions: str, name: str = GAME, played: int | None = None) -> dict[str, Shown]:
    game = make_game(name)
    rows = rows_of(hoyle(game, spec).explain(position_after(game, actions)), game, played)
    return {row.move: row for row in rows}


def test_a_forced_block_is_panics() -> None:
    first, *others = rows_at("hoyle", "4 0 1").values()
    why = "Panic decides: block a move with which the other seat would win at once."
    assert first == ("→", "7", "1", "", "Panic 10", why)
    assert len(others) == 5
    assert {(row.mark, *row[3:]) for row in others} == {("", "", "", "Panic prefers another.")}


def test_a_loss_that_is_avoided_is_explained_by_who_opposes_it() -> None:
    losing = rows_at('hoyle(only="Don\'t Lose, Leery")', "0 4 1 8", "lose_tic_tac_toe")["2"]
    assert losing.why == "Don't Lose opposes it: do not make a move that loses at once."
    assert losing.comments == "Don't Lose 0"


def test_the_only_move_needs_no_reason() -> None:
    (row,) = rows_at("hoyle", "0 1 2 4 3 5 7 6").values()
    assert (row.mark, row.move, row.why) == ("→", "8", "It is the only move, up to symmetry.")


def test_where_nobody_speaks_a_move_is_drawn() -> None:
    """Of moves alike, the one that was played is shown."""
    rows = rows_at("hoyle(only='Cyber')", "")
    assert {move: row.alike for move, row in rows.items()} == {"0": "4", "1": "4", "4": "1"}
    assert {(row.mark, row.support, row.why) for row in rows.values()} == {("→", "+0.00", "It is tied.")}
    game = make_game(GAME)
    told = " ".join(hoyle(game, "hoyle(only='Cyber')").explanation(game.initial).facts)
    assert told.startswith("These 3 moves are tied in the vote: one of them is drawn at random.")
    assert "These Advisors say nothing here: Cyber. Nothing has been learned yet of: " in told
    for played, moves in ((8, ["8", "1", "4"]), (4, ["0", "1", "4"])):
        assert list(rows_at("hoyle(only='Cyber')", "", played=played)) == moves


def test_weights_are_knowledge_once_an_advisor_has_given_an_opinion() -> None:
    game = make_game(GAME)
    learner = hoyle(game, "hoyle")
    assert "Advisor weights" in " ".join(learner.explanation(game.initial).facts)
    train(learner, game, "random", range(3))
    assert "Advisor weights" not in " ".join(learner.explanation(game.initial).facts)


def voted(best: int, support: tuple[float, ...], *comments: tuple[int, int, str], weight: float = 1.0) -> list[Shown]:
    game = make_game(GAME)
    options = view_after(game, ()).choices
    made = tuple(Comment(strength, options[which], advisor) for strength, which, advisor in comments)
    weights = {comment.advisor: weight for comment in made}
    shares = dict(zip(options, support, strict=True))
    return rows_of(Decision(options, options[:best], 3, "vote", made, support=shares, weights=weights), game)


def test_a_vote_is_explained_by_who_counts_most() -> None:
    rows = voted(1, (2.5, -1.5, 1.0), (8, 0, "Cyber"), (7, 0, "Open"), (2, 1, "Leery"), (7, 2, "Open"), weight=0.5)
    assert [(row.move, row.support) for row in rows] == [("0", "+2.50"), ("4", "+1.00"), ("1", "-1.50")]
    assert rows[0].comments == "Cyber 8 × 0.50, Open 7 × 0.50"
    assert [row.why for row in rows] == [
        "It has the most support. Cyber supports it: move as Hoyle did when it did not lose.",
        "It has less support.",
        "It has less support. Leery opposes it by its rule: avoid moves to a dangerous state.",
    ]


def test_a_shared_vote_says_so() -> None:
    rows = voted(2, (1.0, 1.0, 0.0), (7, 0, "A learned one"), (7, 1, "A learned one"))
    most = "It is tied with 1 more for the most support, and one is drawn at random. A learned one supports it."
    assert [(row.mark, row.why) for row in rows] == [("→", most), ("→", most), ("", "It has less support.")]


def test_a_vote_can_be_won_by_being_opposed_least() -> None:
    rows = voted(1, (0.0, -3.0, -3.0), (2, 1, "Leery"), (2, 2, "Leery"))
    assert rows[0].why == "It has the most support: other moves are opposed more."


def test_a_plan_is_named() -> None:
    first, *others = rows_at("hoyle(planning=True, only='Victory, Panic')", "4 1").values()
    assert first.why.startswith("It is the next step of a plan of Forcing: win by force")
    assert {row.why for row in others} == {"Forcing plans another move."}


def test_a_trained_hoyle_gives_reasons_for_all_it_says(game: Game) -> None:
    learner = hoyle(game, contests=30)
    for actions in ("", "0", "0 4", "4 0", "4 0 2", "0 8"):
        position = position_after(game, actions)
        for policy in (learner, learner.frozen()):
            decision = policy.explain(position)
            rows = rows_of(decision, game)
            assert sum(int(row.alike) for row in rows) == len(position.legal_actions)
            assert sum(len(row.comments.split(", ")) for row in rows if row.comments) == len(decision.comments)
            assert [bool(row.mark) for row in rows] == [rank < len(decision.best) for rank in range(len(rows))]
            assert all(re.fullmatch(r"[A-Z].*\.", row.why) for row in rows)
            supports = [float(row.support) for row in rows if row.support]
            assert supports == sorted(supports, reverse=True)
            for option, support in decision.support.items():
                said = [comment for comment in decision.comments if comment.option is option]
                assert support == pytest.approx(
                    sum(decision.weights[each.advisor] * (each.strength - 5) for each in said)
                )
            glossary = policy.explanation(position).glossary
            assert len(glossary) == len({comment.advisor for comment in decision.comments})


def test_every_advisor_has_a_reason_and_unknown_ones_none() -> None:
    for made in registered_advisors():
        assert re.fullmatch(r"[A-Z].*\.", reason_of(made.name)), made.name
    assert reason_of("Deep Thought") == ""


@over(sampled(WITHOUT_CHANCE, one_in=4))
def test_every_game_can_be_explained(game: Game) -> None:
    rows = rows_of(hoyle(game).frozen().explain(game.initial), game)
    assert any(row.mark for row in rows)
    for row in rows:
        assert position_after(game, row.move).seat != game.initial.seat


def test_what_is_left_of_a_turn_is_explained_too() -> None:
    game = make_game("five_mens_morris")
    position = play(game.initial, *"03142")
    rows = rows_of(hoyle(game).explain(position), game)
    assert sum(int(row.alike) for row in rows) == len(position.legal_actions)
    assert all(row.move.startswith("x") for row in rows)


@pytest.mark.parametrize("text", ["4 0", "4,0", " 4 ,  0 "])
def test_positions_are_told_by_the_actions_that_lead_there(text: str, game: Game) -> None:
    assert position_after(game, text) == game.initial.play(4).play(0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4 4", "action 4 is not legal in this position of tic_tac_toe"),
        ("4 x", "'x' is not an action of tic_tac_toe; actions are: 0, 1"),
        ("0 3 1 4 2", "the contest is over after '0 3 1 4 2'"),
        ("0 3 1 4 2 5", "the contest is over"),
    ],
)
def test_what_is_no_position_is_refused(text: str, sentence: str, game: Game) -> None:
    with pytest.raises(BadInputError, match=re.escape(sentence)):
        position_after(game, text)


def test_entries_are_drawn_whole_or_in_part() -> None:
    position = men_at(GAME, [0], [4])
    assert KnowledgeEntry("tallies", "3 contests").text == ""
    assert KnowledgeEntry("states", "won", position).text == position.text
    part = KnowledgeEntry("patterns", "won", position, frozenset({0, 4, 8})).text
    assert " ".join(part.split()) == "X | · | · ---+---+--- · | O | · ---+---+--- · | · | 8"


@pytest.mark.slow
def test_items_show_what_they_know(game: Game) -> None:
    known = hoyle(game, contests=60, trainer="random").useful_knowledge
    shown = [entry for item in known.items for entry in item.entries(game)]
    kinds = Counter(entry.kind for entry in shown)
    assert kinds["significant states"] == len(known.states.significant) > 0
    assert kinds["dangerous states"] == len(known.states.dangerous)
    assert kinds["openings"] == known.openings.space
    assert kinds["forks"] == known.forks.space
    moves = f"{known.hoyle_moves.space} moves from {len(known.hoyle_moves._moves)} positions"
    assert {entry.title for entry in shown if entry.kind == "Hoyle moves"} == {moves}
    significant = [entry for entry in shown if entry.kind == "significant states"]
    for (key, (value, plies)), entry in zip(known.states.significant.items(), significant, strict=True):
        assert entry.position is not None
        assert entry.position.key == key
        mover = game.men[entry.position.seat].name
        assert entry.title.startswith(f"{mover} wins") is (value > 0)
        assert f"within {plies} pl" in entry.title
