"""The morris games: boards, rules in positions made by hand, and what holds in every position of random play."""

from collections.abc import Collection, Sequence

import numpy as np
import pytest

from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.games.morris.morris_rules import MorrisRules, count_boards
from tests.positions import men_at, play, random_positions
from tests.variants import MORRIS, OWN_RULES, over, sampled, variants_of

OWN_MORRIS = variants_of(MORRIS, OWN_RULES)


def legal(position: Position) -> set[str]:
    """The legal actions, as they are written."""
    return {position.game.action_text(action) for action in position.legal_actions}


def points_of(position: Position, sign: int) -> set[int]:
    return set(np.flatnonzero(position.state[1 : 1 + position.game.board.size] == sign).tolist())


def hands_of(position: Position) -> list[int]:
    return [int(men) for men in position.state[-3:-1]]


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


FIVE, FLYING, NERENCHI = "five_mens_morris", "nine_mens_morris(fly_at=3)", "nerenchi"
EACH_MILL = "five_mens_morris(capture_each_mill=True)"
TWO_MILLS = ({1, 2, 6, 13}, {3, 5, 10, 15})
MILLS_AT_0 = ({1, 2, 9, 22}, {3, 5, 12, 17})
AT_CENTRE = [(line, {0, 24}) for line in ({7, 17}, {4, 7}, {11, 13})]
NEARLY_PLACED = ({0, 2, 4, 6, 9, 12, 16, 18, 20, 22}, {1, 3, 5, 7, 8, 10, 13, 15, 17, 21, 23})
OUT_OF_MEN = ({0, 2, 4, 6, 9, 12, 14, 16, 18, 20, 22, 23}, {1, 3, 5, 7, 8})


@pytest.mark.parametrize(
    ("spec", "men", "hands", "actions", "expected"),
    [
        # a man in a mill is safe, unless all are in mills or an option says otherwise
        (FIVE, ({0, 1, 9}, {3, 4, 5, 12}), (0, 0), "9-2", {"legal": "x12"}),
        (FIVE, ({0, 1, 9}, {3, 4, 5}), (0, 0), "9-2", {"legal": "x3 x4 x5"}),
        ("five_mens_morris(any_capture=True)", ({0, 1, 9}, {3, 4, 5, 12}), (0, 0), "9-2", {"legal": "x3 x4 x5 x12"}),
        # a mill captures by an action of the same seat
        (FIVE, ({0, 1, 9}, {3, 4, 11, 14}), (0, 0), "9-2", {"seat": 0, "outcome": None}),
        (FIVE, ({0, 1, 9}, {3, 4, 11, 14}), (0, 0), "9-2 x14", {"seat": 1, "white": {3, 4, 11}}),
        (FLYING, ({0, 1, 21}, {3, 4, 11}), (0, 0), "21-2", {"legal": "x3 x4 x11"}),
        # a mill that is made again captures again
        (FIVE, ({0, 1, 2}, {3, 7, 11, 13, 15}), (0, 0), "2-9", {"seat": 1}),
        (FIVE, ({0, 1, 2}, {3, 7, 11, 13, 15}), (0, 0), "2-9 11-12 9-2", {"seat": 0, "legal": "x3 x7 x12 x13 x15"}),
        # a man that moves within its mill's line leaves it: 1 is next to 2, but does not make the mill 0-1-2
        (FIVE, ({0, 1, 9}, {3, 7, 11}), (0, 0), "1-2", {"seat": 1}),
        # two mills closed at once capture one man, unless an option says two
        (FIVE, TWO_MILLS, (1, 1), "0 x3", {"seat": 1, "white": {5, 10, 15}}),
        (EACH_MILL, TWO_MILLS, (1, 1), "0 x3", {"seat": 0, "legal": "x5 x10 x15"}),
        (EACH_MILL, TWO_MILLS, (1, 1), "0 x3 x10", {"seat": 1, "white": {5, 15}}),
        # there are no more captures than men
        (FIVE, ({0, 1}, set()), (3, 5), "2", {"seat": 1}),
        (EACH_MILL, ({1, 2, 6, 13}, {3}), (1, 4), "0 x3", {"seat": 1, "outcome": None}),
        # men in hand count
        (FIVE, ({0, 1}, {3, 5}), (3, 1), "2 x3", {"outcome": 1}),
        (FIVE, ({0, 1}, {3, 5}), (3, 2), "2 x3", {"outcome": None, "legal": "3 4 6 7 8 9 10 11 12 13 14 15"}),
        # a full board on which nobody can move is a draw
        ("twelve_mens_morris", (range(12), range(12, 24)), (0, 0), "", {"outcome": 0}),
        ("twelve_mens_morris(fly_at=3)", (range(12), range(12, 24)), (0, 0), "", {"outcome": 0}),
        # diagonals make mills, or only ways
        ("trique", ({0, 3, 7}, {9, 13, 22}), (0, 0), "7-6", {"seat": 0}),
        ("trique(diagonal_mills=False)", ({0, 3, 7}, {9, 13, 22}), (0, 0), "7-6", {"seat": 1}),
        # murabaraba captures for each mill if an option says so; its centre is in no mill unless an option says so
        ("murabaraba(capture_each_mill=True)", MILLS_AT_0, (8, 8), "0 x3", {"seat": 0, "legal": "x5 x12 x17"}),
        ("murabaraba", MILLS_AT_0, (8, 8), "0 x3", {"seat": 1}),
        *(("murabaraba", men, (9, 9), "12", {"seat": 1}) for men in AT_CENTRE),
        *(("murabaraba(centre_mills=True)", men, (9, 9), "12", {"seat": 0}) for men in AT_CENTRE),
        ("murabaraba", ({1, 4}, {0, 24}), (9, 9), "7", {"seat": 0}),
        # a mill placed at nerenchi gives another turn and no capture; one that is moved gives both
        (NERENCHI, ({0, 1}, {9, 10}), (10, 10), "2", {"seat": 1, "legal": "pass"}),
        (NERENCHI, ({0, 1}, {9, 10}), (10, 10), "2 pass", {"seat": 0, "white": {9, 10}}),
        (NERENCHI, ({0, 1}, {9, 10}), (10, 10), "2 pass 22", {"seat": 1}),
        (NERENCHI, ({0, 1, 14, 17}, {10, 11, 16, 20}), (0, 0), "14-2 x11", {"legal": "pass"}),
        # placing at nerenchi ends when two points are empty
        (NERENCHI, NEARLY_PLACED, (2, 1), "14", {"hands": [0, 0], "legal": "10-11 15-11"}),
        (NERENCHI, (NEARLY_PLACED[0] - {0}, NEARLY_PLACED[1]), (3, 1), "14", {"hands": [2, 1]}),
        # until then a seat that is out of men passes
        (NERENCHI, OUT_OF_MEN, (0, 7), "", {"legal": "pass"}),
        (NERENCHI, OUT_OF_MEN, (0, 7), "pass 10", {"seat": 0, "legal": "pass"}),
        # nerenchi may go on to the last man
        (NERENCHI, ({0, 1, 14}, {10, 11, 20}), (0, 0), "14-2 x11", {"outcome": 1}),
        ("nerenchi(lose_at=0)", ({0, 1, 14}, {10, 11, 20}), (0, 0), "14-2 x11", {"outcome": None}),
        ("nerenchi(lose_at=0)", ({0, 1, 14}, {10}), (0, 0), "14-2 x10", {"outcome": 1}),
    ],
)
def test_what_actions_lead_to(
    spec: str, men: Sequence[Collection[int]], hands: tuple[int, int], actions: str, expected: dict[str, object]
) -> None:
    """Black's and white's men, those in hand, and what seat 0 and then the seat to move play."""
    reached = play(men_at(spec, *men, rest=(*hands, 0)), *actions.split())
    found = {
        "seat": reached.seat,
        "legal": " ".join(map(reached.game.action_text, reached.legal_actions)),
        "outcome": reached.outcome,
        "white": points_of(reached, -1),
        "hands": hands_of(reached),
    }
    assert {what: found[what] for what in expected} == expected


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


def test_where_men_may_go() -> None:
    """Only few men fly, and only when all are placed; a way need not be a mill; at nerenchi turns go on."""
    assert "0-23" in legal(men_at(FLYING, {0, 1, 9}, {3, 4, 11, 12}))
    assert "0-23" not in legal(men_at(FLYING, {0, 1, 9, 10}, {3, 4, 11, 12}))
    assert "23" in legal(men_at(FLYING, {0, 1, 9}, {3, 4, 11}, rest=(1, 1, 0)))
    assert "3-6" in legal(men_at("trique(diagonal_mills=False)", {0, 3, 7}, {9, 13, 22}))
    assert "0-3" not in legal(men_at("nine_mens_morris", {0, 9, 14}, {5, 6, 7}))
    assert "11" in legal(play(men_at(NERENCHI, {0, 1}, {9, 10}, rest=(10, 10, 0)), "2", "pass", "22"))
    assert "17-12" in legal(play(men_at(NERENCHI, {0, 1, 14, 17}, {10, 11, 16, 20}), "14-2", "x11", "pass"))


def test_more_men_than_points_are_refused() -> None:
    with pytest.raises(BadInputError, match=r"men=9 is not allowed; .* on 16 points"):
        MorrisRules(make_game("five_mens_morris").board, 9)


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


@over(sampled(OWN_MORRIS, one_in=4))
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


@over(sampled(OWN_MORRIS, one_in=4))
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
