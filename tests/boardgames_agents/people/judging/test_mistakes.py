"""What went wrong in a contest, and where that is from."""

from pathlib import Path

import pytest

from boardgames_agents.people.judging import sources
from boardgames_agents.people.judging.cost import exact_errors, judgement_of, mark
from boardgames_agents.people.judging.mistakes import find_mistakes
from boardgames_agents.people.judging.sources import best_moves, source_of
from boardgames_agents.people.session import PlaySession
from boardgames_agents.td.network_file import save_network
from boardgames_env import make_game
from boardgames_env.contest import Turn
from boardgames_env.games.backgammon.notation import parse_play
from boardgames_env.games.backgammon.notation.position_id import parse_position
from tests.boardgames_agents.alpha_zero.self_plays import random_network
from tests.contests import played_out, session_of
from tests.positions import after, random_positions


def played(spec: str, texts: str, resigns: bool = False) -> PlaySession:
    """A session of two people after some actions."""
    session = session_of(spec, *texts.split())
    if resigns:
        session.resign(session.seat)
    return session


def turns_of(session: PlaySession, seats: tuple[int, ...], opening: int = 0) -> list[Turn]:
    return [turn for turn in session.turns if turn.seat in seats and turn.number >= opening]


def test_errors_are_named_with_what_was_better() -> None:
    session = played("tic_tac_toe", "4 1 7 0 2 3 6")
    findings = find_mistakes(turns_of(session, (0, 1)))
    one, other, last = findings.mistakes
    assert (one.error.number, one.error.cost) == (1, 1)
    assert (one.played.text, one.played.words) == ("1", "loses in 6 plies")
    assert (one.best.words, {one.best.text, *one.as_good}) == ("draws", {"0", "2", "6", "8"})
    assert [each.error.number for each in (other, last)] == [2, 5]
    assert findings.source.startswith("exact values")
    assert exact_errors(turns_of(session, (0, 1))) == findings.errors
    assert exact_errors(turns_of(session, (0, 1), opening=2)) == findings.errors[1:]
    assert [each.error.number for each in find_mistakes(turns_of(session, (0,))).mistakes] == [2]


def test_the_sentence_why_is_of_an_agent_that_would_have_been_right() -> None:
    (mistake,) = find_mistakes(turns_of(played("tic_tac_toe", "0 4 1 3 5 2", resigns=True), (1, 0))).mistakes[:1]
    assert "block" in mistake.reason or mistake.reason == ""
    (lost,) = find_mistakes(turns_of(played("tic_tac_toe", "4 0 2 1", resigns=True), (1,))).mistakes
    assert lost.best.text == "6"
    assert lost.reason == "Hoyle would play 6. Panic decides: block a move with which the other seat would win at once."


@pytest.mark.parametrize(("spec", "texts", "number", "reply"), [
    ("tic_tac_toe", "4 0 2 1", 3, "6"),
    ("five_mens_morris", "0 3 1 4", 3, "2x"),
])  # fmt: skip
def test_the_answer_to_an_error_is_the_best_one(spec: str, texts: str, number: int, reply: str) -> None:
    mistake = find_mistakes(turns_of(played(spec, texts), (0, 1))).mistakes[-1]
    assert mistake.error.number == number
    assert mistake.reply == best_moves(mistake.after, 1).moves[0]
    assert mistake.reply is not None
    assert mistake.reply.text[: len(reply)] == reply


@pytest.mark.parametrize(("answer", "shown"), [("5", "5"), ("7", "7"), ("0", "5")])
def test_an_answer_that_was_played_is_shown_if_it_is_as_good(answer: str, shown: str) -> None:
    turns = played("tic_tac_toe", f"2 4 8 3 6 1 {answer}").turns
    mistake = find_mistakes(turns[5:6], turns).mistakes[0]
    assert mistake.reply is not None
    assert (mistake.reply.text, mistake.reply.words) == (shown, "wins in 1 ply")


def test_nothing_answers_an_error_after_which_the_dice_decide_or_the_contest_is_over() -> None:
    turns = played_out("hypergammon", "random", "random", 3).turns
    assert all(each.reply is None for each in find_mistakes(turns[:6]).mistakes)


def test_forced_moves_are_left_out() -> None:
    assert find_mistakes(turns_of(played("tic_tac_toe", "4 0 1 7 2 6 3 5 8"), (0, 1))).turns == 8


KINDS = [
    ("achi", "exact"),
    ("gomoku(size=9)", "searched"),
    ("nine_mens_morris", "estimated"),
    ("backgammon", "predicted"),
]


@pytest.mark.parametrize(("spec", "kind"), KINDS)
def test_a_move_has_the_value_that_hints_give_it(spec: str, kind: str) -> None:
    before = played_out(spec, "random", "random", 3).turns[1].before
    found = best_moves(before, 3)
    assert found.kind == kind
    again = source_of(before).valued(before, found.moves[0].actions)
    assert again is not None
    assert again.value == pytest.approx(found.moves[0].value, abs=1e-5)
    assert again.words == found.moves[0].words


@pytest.mark.slow
def test_a_search_proves_mistakes_or_names_the_move_that_it_liked_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "leading_network", lambda game: None)
    lost = find_mistakes(turns_of(played("qubic", "0 60 1 61 2 62 5 63"), (0,), opening=4))
    assert lost.source.startswith("a search of 20,000 positions")
    assert [each.error.cost for each in lost.mistakes] == [2], "a win was there, and a loss came up"
    assert exact_errors(turns_of(played("qubic", "0 60"), (0,))) is None
    open_ = find_mistakes(turns_of(played("qubic", "0 60 1 61"), (0,)))
    assert not open_.mistakes
    assert open_.shown == ((open_.doubtful,) if open_.doubtful else ())


@pytest.mark.slow
def test_points_given_away_at_backgammon_are_those_usually_marked() -> None:
    found = find_mistakes(turns_of(played_out("backgammon", "random", "td_gammon", 3), (0,)))
    assert found.mistakes
    assert all(each.error.cost >= 0.04 for each in found.mistakes)
    assert found.mistakes[0].best.value - found.mistakes[0].played.value == pytest.approx(found.errors[0].cost)


def test_nothing_is_said_where_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "predictor_of", lambda game: None)
    monkeypatch.setattr(sources, "is_few_men_known", lambda game: False)
    found = find_mistakes(turns_of(played_out("hypergammon", "random", "random", 3), (0,)))
    assert not found.mistakes
    assert found.doubtful is None


def test_a_draw_given_away_costs_a_point_and_a_win_given_to_the_other_two() -> None:
    assert judgement_of(after("tic_tac_toe", "0"), (1,)).cost == 1
    assert judgement_of(after("tic_tac_toe", "0"), (4,)).cost == 0
    both = after("tic_tac_toe", *"0314")  # 2 wins, 8 loses
    found = judgement_of(both, (8,))
    assert (found.cost, found.best.text) == (2, "2")
    assert found.played is not None
    assert found.played.words == "loses in 2 plies"
    assert judgement_of(both, (2,)).fall == 0
    alone = judgement_of(make_game("tic_tac_toe").initial)
    assert (alone.played, alone.cost, alone.fall) == (None, 0, 0)


@pytest.mark.parametrize(
    ("before", "points"),
    [("01", 1), ("012", 0), ("03148", -1)],  # X is to move, and wins; nobody wins; O is to move, and wins
)
def test_values_are_those_of_seat_0(before: str, points: int) -> None:
    assert judgement_of(after("tic_tac_toe", *before)).points == points


def test_predicted_points_count_from_where_they_are_marked() -> None:
    opening = parse_position(make_game("backgammon"), "start", (3, 1))
    assert judgement_of(opening, parse_play(opening, "8/5 6/5")).cost == 0
    bad = judgement_of(opening, parse_play(opening, "6/5 6/3"))
    assert bad.cost == bad.fall > 0.04
    assert bad.points == pytest.approx(bad.best.value)


def test_a_search_proves_what_is_given_away() -> None:
    position, quiet = after("gomoku", 0, 60, 1, 70, 2, 80, 3, 90), after("gomoku", 112)
    assert judgement_of(position).points == 1
    assert judgement_of(position, (4,)).cost == 0
    assert judgement_of(position, (44,)).cost > 0
    assert -1 < judgement_of(quiet).points < 1
    assert judgement_of(quiet, (113,)).cost == 0


@pytest.mark.parametrize("name", ["gomoku", "hex", "othello", "nine_mens_morris", "qubic"])
def test_the_best_move_costs_nothing_and_is_said_to_be_worth_what_it_was(name: str) -> None:
    """Also where it wins by force, which a search of all moves must see, and one of it alone."""
    for position in random_positions(make_game(name), 4, 3):
        best = best_moves(position, 1).moves[0]
        found = judgement_of(position, best.actions)
        assert found.cost == 0
        if "wins" in best.words:
            assert found.played is not None
            assert "wins" in found.played.words


def test_estimates_count_from_where_they_are_marked_and_proofs_in_whole_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = after("qubic", "0", "60", "1", "50", "2", "40")
    file = tmp_path / "qubic.safetensors"
    save_network(file, random_network(position.game))
    own = sources.leading_network
    monkeypatch.setattr(sources, "leading_network", lambda game: file if game is position.game else own(game))
    found = judgement_of(position, (44,))
    assert (found.known.kind, found.best.words, found.best.value) == ("estimated", "wins in 1 ply", 1)
    lost = judgement_of(after("qubic", "0", "60", "1", "61", "2", "62", "5"), (6,))  # (the other seat wins at 63)
    assert (lost.best.text, lost.played and lost.played.words, lost.cost, lost.mark) == (
        "63",
        "loses in 2 plies",
        2,
        "??",
    )
    estimated = best_moves(after("nine_mens_morris", "4", "19"), 24)
    costs = [judgement_of(after("nine_mens_morris", "4", "19"), move.actions).cost for move in estimated.moves]
    falls = [estimated.moves[0].value - move.value for move in estimated.moves]
    assert costs == pytest.approx([fall if fall >= 0.1 else 0 for fall in falls])


def test_means_of_random_contests_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "predictor_of", lambda game: None)
    monkeypatch.setattr(sources, "is_few_men_known", lambda game: False)
    position = make_game("hypergammon").initial.events()[0].position
    found = judgement_of(position, position.moves()[0].actions)
    assert (found.known.kind, found.played, found.cost) == ("tried", None, 0)
    assert -3 <= found.points <= 3


def test_marks() -> None:
    assert [mark(error) for error in (0, 0.039, 0.04, 0.08, 0.159, 0.16, 2)] == ["", "", "?!", "?", "?", "??", "??"]
