"""The morris games: boards, rules in positions made by hand, and what holds in every position of random play."""

import numpy as np
import pytest

from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.games.morris.morris_rules import MorrisRules, count_boards
from tests.dice import random_positions
from tests.positions import men_at, play
from tests.variants import MORRIS, OWN_RULES, VARIANTS, over

OWN_MORRIS = [spec for spec in OWN_RULES if spec.partition("(")[0] in MORRIS]


def legal(position: Position) -> set[str]:
    """The legal actions, as they are written."""
    return {position.game.action_text(action) for action in position.legal_actions}


def points_of(position: Position, sign: int) -> set[int]:
    return set(np.flatnonzero(position.state[1 : 1 + position.game.board.size] == sign).tolist())


def hands_of(position: Position) -> list[int]:
    return [int(men) for men in position.state[-3:-1]]


# ---------------------------------------------------------------------------------------------------- boards


def test_the_lines_of_nine_mens_morris() -> None:
    """As the papers number them, from 1."""
    printed = (
        "1-2-3 4-5-6 7-8-9 10-11-12 13-14-15 16-17-18 19-20-21 22-23-24 "
        "1-10-22 4-11-19 7-12-16 2-5-8 17-20-23 9-13-18 6-14-21 3-15-24"
    )
    lines = {tuple(int(point) - 1 for point in line.split("-")) for line in printed.split()}
    assert set(make_game("nine_mens_morris").board.lines) == lines


@pytest.mark.parametrize(
    ("points", "men", "boards"),
    [
        (16, 5, 9_194_901),
        (16, 6, 21_094_789),
        (24, 9, 143_122_694_691),
        (24, 11, 244_214_565_435),
        (25, 12, 776_940_475_741),
    ],
)
def test_numbers_of_boards(points: int, men: int, boards: int) -> None:
    """The search spaces of "from 9 million to 776 billion states" that the papers print."""
    assert count_boards(points, men) == boards


# ----------------------------------------------------------------------------------- rules that all have in common


def test_a_man_in_a_mill_is_safe_unless_all_are_in_mills() -> None:
    assert legal(play(men_at("five_mens_morris", {0, 1, 9}, {3, 4, 5, 12}), "9-2")) == {"x12"}
    assert legal(play(men_at("five_mens_morris", {0, 1, 9}, {3, 4, 5}), "9-2")) == {"x3", "x4", "x5"}
    assert legal(play(men_at("five_mens_morris(any_capture=True)", {0, 1, 9}, {3, 4, 5, 12}), "9-2")) == {
        *("x3", "x4", "x5", "x12")
    }


def test_a_mill_captures_by_an_action_of_the_same_seat() -> None:
    closed = play(men_at("five_mens_morris", {0, 1, 9}, {3, 4, 11, 14}), "9-2")
    assert (closed.seat, closed.outcome) == (0, None)
    captured = play(closed, "x14")
    assert captured.seat == 1
    assert points_of(captured, -1) == {3, 4, 11}


def test_a_mill_that_is_made_again_captures_again() -> None:
    opened = play(men_at("five_mens_morris", {0, 1, 2}, {3, 7, 11, 13, 15}), "2-9")
    assert opened.seat == 1
    closed = play(opened, "11-12", "9-2")
    assert closed.seat == 0
    assert legal(closed) == {"x3", "x7", "x12", "x13", "x15"}


def test_a_man_that_moves_within_its_mill_s_line_leaves_it() -> None:
    """1 is next to 2, but the mill 0-1-2 is not made by the man that was in it."""
    moved = play(men_at("five_mens_morris", {0, 1, 9}, {3, 7, 11}), "1-2")
    assert moved.seat == 1


def test_two_mills_closed_at_once_capture_one_man_unless_an_option_says_two() -> None:
    men = {1, 2, 6, 13}, {3, 5, 10, 15}
    one = play(men_at("five_mens_morris", *men, rest=(1, 1, 0)), "0", "x3")
    assert (one.seat, points_of(one, -1)) == (1, {5, 10, 15})
    each = play(men_at("five_mens_morris(capture_each_mill=True)", *men, rest=(1, 1, 0)), "0", "x3")
    assert (each.seat, legal(each)) == (0, {"x5", "x10", "x15"})
    each = play(each, "x10")
    assert (each.seat, points_of(each, -1)) == (1, {5, 15})


def test_there_are_no_more_captures_than_men() -> None:
    none = play(men_at("five_mens_morris", {0, 1}, set(), rest=(3, 5, 0)), "2")
    assert none.seat == 1
    single = play(men_at("five_mens_morris(capture_each_mill=True)", {1, 2, 6, 13}, {3}, rest=(1, 4, 0)), "0", "x3")
    assert single.seat == 1
    assert single.outcome is None


def test_men_in_hand_count() -> None:
    assert play(men_at("five_mens_morris", {0, 1}, {3, 5}, rest=(3, 1, 0)), "2", "x3").outcome == 1
    more = play(men_at("five_mens_morris", {0, 1}, {3, 5}, rest=(3, 2, 0)), "2", "x3")
    assert more.outcome is None
    assert len(legal(more)) == 12


@pytest.mark.parametrize("seat", [0, 1])
def test_who_cannot_move_has_lost(seat: int) -> None:
    men = [{0, 1, 2}, {4, 6, 9}]
    black, white = men if seat == 0 else men[::-1]
    assert men_at("five_mens_morris", black, white, seat).points_for(seat) == -1
    assert men_at("five_mens_morris", black, white, 1 - seat).outcome is None
    assert men_at("five_mens_morris", black, white, seat, rest=(1, 1, 0)).outcome is None
    flying = men_at("five_mens_morris(fly_at=3)", black, white, seat)
    assert flying.outcome is None
    assert len(legal(flying)) == 3 * 10


def test_only_few_men_fly_and_only_when_all_are_placed() -> None:
    spec = "nine_mens_morris(fly_at=3)"
    assert "0-23" in legal(men_at(spec, {0, 1, 9}, {3, 4, 11, 12}))
    assert "0-23" not in legal(men_at(spec, {0, 1, 9, 10}, {3, 4, 11, 12}))
    assert "23" in legal(men_at(spec, {0, 1, 9}, {3, 4, 11}, rest=(1, 1, 0)))
    flown = play(men_at(spec, {0, 1, 21}, {3, 4, 11}), "21-2")
    assert legal(flown) == {"x3", "x4", "x11"}


def test_a_full_board_on_which_nobody_can_move_is_a_draw() -> None:
    assert men_at("twelve_mens_morris", range(12), range(12, 24)).outcome == 0
    assert men_at("twelve_mens_morris(fly_at=3)", range(12), range(12, 24)).outcome == 0


# ---------------------------------------------------------------------------------------------- games of their own


def test_diagonals_make_mills_or_only_ways() -> None:
    men = {0, 3, 7}, {9, 13, 22}
    assert play(men_at("trique", *men), "7-6").seat == 0
    assert play(men_at("trique(diagonal_mills=False)", *men), "7-6").seat == 1
    assert "3-6" in legal(men_at("trique(diagonal_mills=False)", *men))
    assert "0-3" not in legal(men_at("nine_mens_morris", {0, 9, 14}, {5, 6, 7}))


def test_murabaraba_captures_for_each_mill_if_an_option_says_so() -> None:
    men = {1, 2, 9, 22}, {3, 5, 12, 17}
    both = play(men_at("murabaraba(capture_each_mill=True)", *men, rest=(8, 8, 0)), "0", "x3")
    assert (both.seat, legal(both)) == (0, {"x5", "x12", "x17"})
    assert play(men_at("murabaraba", *men, rest=(8, 8, 0)), "0", "x3").seat == 1


def test_the_centre_of_murabaraba_is_in_no_mill_unless_an_option_says_so() -> None:
    for line in ({7, 17}, {4, 7}, {11, 13}):
        placed = men_at("murabaraba", line, {0, 24}, rest=(9, 9, 0))
        assert play(placed, "12").seat == 1
        assert play(men_at("murabaraba(centre_mills=True)", line, {0, 24}, rest=(9, 9, 0)), "12").seat == 0
    assert play(men_at("murabaraba", {1, 4}, {0, 24}, rest=(9, 9, 0)), "7").seat == 0


def test_a_mill_placed_at_nerenchi_gives_another_turn_and_no_capture() -> None:
    closed = play(men_at("nerenchi", {0, 1}, {9, 10}, rest=(10, 10, 0)), "2")
    assert (closed.seat, legal(closed)) == (1, {"pass"})
    again = play(closed, "pass")
    assert again.seat == 0
    assert points_of(again, -1) == {9, 10}
    assert play(again, "22").seat == 1
    assert "11" in legal(play(again, "22"))


def test_a_mill_moved_at_nerenchi_captures_and_gives_another_turn() -> None:
    closed = play(men_at("nerenchi", {0, 1, 14, 17}, {10, 11, 16, 20}), "14-2", "x11")
    assert legal(closed) == {"pass"}
    assert "17-12" in legal(play(closed, "pass"))


def test_placing_at_nerenchi_ends_when_two_points_are_empty() -> None:
    black, white = {0, 2, 4, 6, 9, 12, 16, 18, 20, 22}, {1, 3, 5, 7, 8, 10, 13, 15, 17, 21, 23}
    ended = play(men_at("nerenchi", black, white, rest=(2, 1, 0)), "14")
    assert hands_of(ended) == [0, 0]
    assert legal(ended) == {"10-11", "15-11"}
    still = play(men_at("nerenchi", black - {0}, white, rest=(3, 1, 0)), "14")
    assert hands_of(still) == [2, 1]


def test_a_seat_out_of_men_passes_until_placing_at_nerenchi_is_over() -> None:
    black = {0, 2, 4, 6, 9, 12, 14, 16, 18, 20, 22, 23}
    waiting = men_at("nerenchi", black, {1, 3, 5, 7, 8}, rest=(0, 7, 0))
    assert legal(waiting) == {"pass"}
    placed = play(waiting, "pass", "10")
    assert (placed.seat, legal(placed)) == (0, {"pass"})


def test_nerenchi_may_go_on_to_the_last_man() -> None:
    men = {0, 1, 14}, {10, 11, 20}
    assert play(men_at("nerenchi", *men), "14-2", "x11").outcome == 1
    assert play(men_at("nerenchi(lose_at=0)", *men), "14-2", "x11").outcome is None
    assert play(men_at("nerenchi(lose_at=0)", {0, 1, 14}, {10}), "14-2", "x10").outcome == 1


# ----------------------------------------------------------------------------------------------------- options


@over([spec for spec in VARIANTS if spec.partition("(")[0] in MORRIS])
def test_options_reach_the_rules_and_limits(game: Game) -> None:
    plain = make_game(VARIANTS[game.spec])
    assert (game.family, game.limits) != (plain.family, plain.limits)
    reached = vars(game.family) | vars(game.limits) | {"recurrence_key": game.limits.key}
    for option, value in game.options.items():
        assert reached.get(option, value) == value


def test_more_men_than_points_are_refused() -> None:
    with pytest.raises(BadInputError, match=r"men=9 is not allowed; .* on 16 points"):
        MorrisRules(make_game("five_mens_morris").board, 9)


def test_akidada_is_six_mens_morris() -> None:
    assert make_game("akidada") is make_game("six_mens_morris")


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("five_mens_morris(fly_at=3, any_capture=True)", None),
        ("six_mens_morris(capture_each_mill=True)", None),
        ("seven_mens_morris(fly_at=3)", None),
        ("nine_mens_morris", None),
        ("nine_mens_morris(fly_at=3)", 0),
        ("nine_mens_morris(fly_at=3, any_capture=True)", None),
        ("murabaraba", None),
    ],
)
def test_values_are_told_only_where_someone_has_found_them(spec: str, value: int | None) -> None:
    assert make_game(spec).value == value


# --------------------------------------------------------------------------------------- what holds in random play


@over(OWN_MORRIS)
def test_men_are_placed_moved_or_captured_and_never_lost(game: Game) -> None:
    rules = game.family
    assert isinstance(rules, MorrisRules)
    kinds = set()
    rng = np.random.default_rng(1)
    for position in random_positions(game, 300, 1):
        number = int(rng.choice(position.legal_actions))
        action, after = game.actions[number], position.play(number)
        kinds.add(action.kind)
        own = 1 - 2 * position.seat
        mine, theirs = points_of(position, own), points_of(position, -own)
        taken = {"capture": {*action.locations}}.get(action.kind, set())
        placed = {"at": {*action.locations}, "move": {*action.locations[1:]}}.get(action.kind, set())
        left = {*action.locations[:1]} if action.kind == "move" else set()
        assert left <= mine
        assert taken <= theirs
        assert not placed & (mine | theirs)
        assert points_of(after, own) == (mine - left) | placed
        assert points_of(after, -own) == theirs - taken
        hands = hands_of(position)
        hands[position.seat] -= action.kind == "at"
        empty = game.board.size - len(points_of(after, 1) | points_of(after, -1))
        assert hands_of(after) == ([0, 0] if empty <= rules.placing_ends else hands)
        assert (after.seat == position.seat) == (after.state[-1] > 0)
    assert kinds >= {"at", "move", "capture"}


@over(OWN_MORRIS)
def test_forcing_actions_close_mills_or_capture(game: Game) -> None:
    assert game.heuristics is not None
    assert game.heuristics.forcing is not None
    buffer = np.zeros(game.num_actions, dtype=np.int32)
    found = 0
    for position in random_positions(game, 300, 2):
        count = game.heuristics.forcing(position.state, buffer)
        expected = [action for action in position.legal_actions if _is_forcing(position, action)]
        assert buffer[:count].tolist() == expected
        found += count
    assert found


def _is_forcing(position: Position, number: int) -> bool:
    game, action = position.game, position.game.actions[number]
    if action.kind in ("capture", "pass"):
        return True
    mine = points_of(position.play(number), 1 - 2 * position.seat)
    return any(action.locations[-1] in mill and mine >= set(mill) for mill in game.board.winning_lines)


def test_a_man_more_outweighs_a_mill() -> None:
    heuristics = make_game("five_mens_morris").heuristics
    assert heuristics is not None
    few, more = (men_at("five_mens_morris", {0, 1, 2, 3}, men).state for men in ({6, 8, 14}, {4, 6, 8, 9, 14}))
    assert heuristics.evaluate(few) > 0 > heuristics.evaluate(more)
