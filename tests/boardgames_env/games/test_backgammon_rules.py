"""Backgammon held against the rules written once more in plain Python, and against counts that others have found."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

from boardgames_env import Game, Position, make_game
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.games.backgammon.rules import legality
from boardgames_env.moves import actions_of, moves_of
from tests.boardgames_env.games.backgammon_contests import START, Men, position_of, scattered
from tests.positions import play
from tests.variants import WITH_CHANCE, sampled

GAME = "backgammon"
MONEY = "backgammon(cube=True)"
BEAVERS = "backgammon(beavers=True, cube=True)"

Side = tuple[tuple[int, int], ...]
Play = tuple[tuple[int, int], ...]
"""The source and the die of each step."""


def men_of(position: Position, seat: int) -> Men:
    """A seat's men by its own points, as `position_of` takes them."""
    return {point: number for point, number in enumerate(legality.men_of(position.state, seat)) if number > 0}


def legal_texts(position: Position) -> set[str]:
    return {position.game.action_text(action) for action in position.legal_actions}


# the rules once more, in plain Python: slow, and with no more thought than they were written with
def steps_with(own: Men, other: Men, die: int) -> Iterator[tuple[int, Men, Men]]:
    """Every way to move one man: from where, and both sides' men after it."""
    for source in own:
        if source == 0 or (own.get(25, 0) and source != 25):
            continue
        target = source - die
        if target <= 0:
            if any(point > 6 for point in own) or (target < 0 and any(point > source for point in own)):
                continue
            target = 0
        there = other.get(25 - target, 0) if target else 0
        if there > 1:
            continue
        mine, theirs = dict(own), dict(other)
        mine[source] -= 1
        mine[target] = mine.get(target, 0) + 1
        if there == 1:
            theirs[25 - target] = 0
            theirs[25] = theirs.get(25, 0) + 1
        yield source, {point: n for point, n in mine.items() if n}, {point: n for point, n in theirs.items() if n}


def plays_in_order(own: Men, other: Men, dice: tuple[int, ...]) -> Iterator[tuple[Play, Side, Side]]:
    """Every way to play dice in an order until one cannot be played."""
    found = False
    if dice and any(point > 0 for point in own):
        for source, mine, theirs in steps_with(own, other, dice[0]):
            found = True
            for steps, *sides in plays_in_order(mine, theirs, dice[1:]):
                yield ((source, dice[0]), *steps), sides[0], sides[1]
    if not found:
        yield (), tuple(sorted(own.items())), tuple(sorted(other.items()))


def all_plays(own: Men, other: Men, dice: tuple[int, ...]) -> list[tuple[Play, Side, Side]]:
    """Every legal way to play a roll: as many dice as possible, and the larger if only one of two can be played."""
    found = [each for order in set(permutations(dice)) for each in plays_in_order(own, other, order)]
    longest = max(len(steps) for steps, *_ in found)
    found = [each for each in found if len(each[0]) == longest]
    if longest == 1 and len(set(dice)) == 2 and any(steps[0][1] == max(dice) for steps, *_ in found):
        found = [each for each in found if each[0][0][1] == max(dice)]
    return found


def check(game: Game, seat: int, own: Men, other: Men, dice: tuple[int, ...]) -> int:
    """Hold everything that says what can be played against the rules above; how many positions can be reached."""
    position = position_of(game, own, other, dice, seat)
    expected = all_plays(own, other, dice)
    sides = {(mine, theirs) for _, mine, theirs in expected}
    moves = {move.afterstate for move in position.moves()}
    assert {sides_of(after, seat) for after in moves} == sides
    assert len(moves) == len(sides)

    states, actions = moves_of(game, position.state)
    assert len(states) == len(moves)
    assert {game.position(state) for state in states} == moves
    for state, row in zip(states, actions, strict=True):
        assert play(position, *actions_of(row)) == game.position(state)

    if expected[0][0]:
        firsts = {25 * (die - 1) + source - 1 for (source, die), *_ in (steps for steps, *_ in expected)}
        assert set(position.legal_actions) == firsts
    else:
        assert position.legal_actions == (board.NO_MOVE,)
    return len(states)


def sides_of(position: Position, seat: int) -> tuple[Side, Side]:
    mine, theirs = men_of(position, seat), men_of(position, 1 - seat)
    return tuple(sorted(mine.items())), tuple(sorted(theirs.items()))


@pytest.mark.parametrize(("name", "seat"), sampled(WITH_CHANCE, [0, 1]))
def test_moves_are_those_of_the_rules_wherever_men_may_be(name: str, seat: int) -> None:
    game = make_game(name)
    men = 15 if name == "backgammon" else 3
    rng = np.random.default_rng([men, seat])
    found = set()
    for case in range(120):
        own, other = scattered(rng, men)
        high, low = sorted(rng.integers(1, 7, 2).tolist(), reverse=True)
        # four of a double take the slow way of many men too long: they stand on few points
        if high == low and len(own) > 7:
            low = high % 6 + 1
        if case % 10 == 0:
            dice: tuple[int, ...] = (high,)
        else:
            dice = (high, low) if high != low else (high,) * 4
        if own.get(0, 0) < men:
            found.add((min(check(game, seat, own, other, dice), 3), bool(own.get(25)), max(own) <= 6))
    # blocked, forced and free, with men on the bar and without, bearing off and not
    assert {(1, True, False), (1, False, False), (3, False, False), (3, False, True)} <= found


@pytest.mark.parametrize(("die", "seat"), sampled([1, 2], [0, 1]))
def test_a_double_by_men_that_stand_alone_leads_to_many_positions(die: int, seat: int, game: Game) -> None:
    own: Men = dict.fromkeys(range(9, 24), 1)
    other: Men = {1: 15}
    reached = {tuple(sorted(own.items()))}
    for _ in range(4):
        reached = {tuple(sorted(mine.items())) for men in reached for _, mine, _ in steps_with(dict(men), other, die)}
    states, _ = moves_of(game, position_of(game, own, other, (die,) * 4, seat).state)
    assert len(states) == len(reached) > 1500
    assert {sides_of(game.position(state), seat)[0] for state in states} == reached


@pytest.mark.parametrize(
    ("own", "other", "dice", "legal"),
    [
        # either die can be played, but not both: the larger must be
        ({24: 1, 0: 14}, {8: 2, 0: 13}, (6, 1), {"24/18"}),
        # only the smaller can be played
        ({24: 1, 0: 14}, {7: 2, 8: 2, 0: 11}, (6, 1), {"24/23"}),
        # one way round leads on, the other does not
        ({24: 1, 0: 14}, {3: 2, 0: 13}, (6, 2), {"24/18"}),
        # from the bar first
        ({25: 1, 13: 14}, {6: 2, 0: 13}, (6, 1), {"bar/24"}),
        # nobody enters
        ({25: 1, 13: 14}, {6: 2, 1: 2, 0: 11}, (6, 1), {"no move"}),
        # bearing off: with a larger die from the highest point only, and with none before all men are home
        ({4: 1, 2: 1, 0: 13}, {24: 1, 0: 14}, (6,), {"4/off(6)"}),
        ({7: 1, 2: 1, 0: 13}, {24: 1, 0: 14}, (2,), {"7/5"}),
        ({6: 1, 4: 1, 0: 13}, {24: 1, 0: 14}, (5, 2), {"6/1", "6/4", "4/2"}),
    ],
)
def test_forced_moves(own: Men, other: Men, dice: tuple[int, ...], legal: set[str], game: Game) -> None:
    for seat in (0, 1):
        assert legal_texts(position_of(game, own, other, dice, seat)) == legal
        check(game, seat, own, other, dice)


OPENING_COUNTS = (
    "11:42 21:15 22:75 31:16 32:17 33:73 41:14 42:18 43:17 44:52 51:8 52:8 53:9 54:9 55:4 "
    "61:10 62:14 63:14 64:14 65:7 66:11"
)


def test_the_positions_after_each_first_roll(game: Game) -> None:
    counts, reached = {}, set()
    for high in range(1, 7):
        for low in range(1, high + 1):
            dice = (high, low) if high > low else (high,) * 4
            moves = position_of(game, START, START, dice).moves()
            after = {move.afterstate for move in moves}
            counts[f"{high}{low}"] = len(after)
            reached |= after
    assert counts == {roll: int(count) for roll, count in (each.split(":") for each in OPENING_COUNTS.split())}
    assert sum(counts.values()) == 447
    assert sum(count * (1 if roll[0] == roll[1] else 2) for roll, count in counts.items()) == 637
    assert len(reached) == 406


def test_the_start() -> None:
    for name, men in (("backgammon", START), ("hypergammon", {24: 1, 23: 1, 22: 1})):
        start = make_game(name).initial
        assert men_of(start, 0) == men_of(start, 1) == men
        assert (start.state[board.STAGE], start.awaits_chance) == (board.OPENING, True)


def test_the_opening_roll_settles_who_begins_and_is_no_double(game: Game) -> None:
    events = game.initial.events()
    rolls = set()
    for event in events:
        dice = [die for die in range(1, 7) for _ in range(event.position.state[board.DICE + die])]
        assert len(set(dice)) == 2
        rolls.add((event.position.seat, *dice))
        assert event.probability == pytest.approx(1 / 30)
    assert len(rolls) == len(events) == 30


def test_a_roll_is_one_of_21(game: Game) -> None:
    waiting = position_of(game, START, START, seat=1)
    faces = slice(board.DICE + 1, board.DICE + 7)
    chances = {tuple(event.position.state[faces].tolist()): event.probability for event in waiting.events()}
    assert len(chances) == 21
    for dice, probability in chances.items():
        assert probability == pytest.approx(1 / 36 if max(dice) == 4 else 2 / 36)
        assert sum(dice) == (4 if max(dice) == 4 else 2)
    assert all(event.position.seat == 1 for event in waiting.events())


def test_a_seat_that_cannot_move_loses_its_turn(game: Game) -> None:
    shut_out = position_of(game, {25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {0: 3}, (6, 6, 6, 6))
    after = play(shut_out, "no move")
    assert (after.seat, after.awaits_chance, after.legal_actions) == (1, True, ())
    assert men_of(after, 0) == {25: 1, 6: 14}
    assert not after.state[board.DICE + 1 : board.DICE + 7].any()


def ended(game: Game | str, other: Men, seat: int = 0, **slots: int) -> int | None:
    """The points for a seat that bears off its last man, while the other's men are where they are."""
    over = play(position_of(game, {1: 1, 0: 14}, other, (2, 1), seat, **slots), "1/off(2)")
    assert (over.is_over, over.awaits_chance, over.legal_actions) == (True, False, ())
    assert over.state[board.STAGE] == board.OVER
    return over.points_for(seat)


@pytest.mark.parametrize(
    ("other", "points"),
    [
        ({1: 14, 0: 1}, 1),
        ({23: 14, 0: 1}, 1),  # one man that is off saves the others
        ({25: 14, 0: 1}, 1),
        ({1: 15}, 2),
        ({18: 15}, 2),
        ({19: 1, 1: 14}, 3),  # a man in the winner's home board
        ({23: 1, 1: 14}, 3),
        ({25: 1, 1: 14}, 3),
    ],
)
def test_gammons_and_backgammons(other: Men, points: int, game: Game) -> None:
    jacoby = make_game("backgammon", cube=True, jacoby=True)
    for seat in (0, 1):
        assert ended(game, other, seat) == points
        assert ended(MONEY, other, seat) == points
        assert ended(MONEY, other, seat, cube=3, owner=1) == 8 * points
        # Jacoby: they count once the cube has been turned
        assert ended(jacoby, other, seat) == 1
        assert ended(jacoby, other, seat, cube=1, owner=-1) == 2 * points


def doubling(game: Game | str = MONEY, seat: int = 0, **slots: int) -> Position:
    return position_of(game, START, START, (), seat, stage=board.DOUBLING, **slots)


def mark(seat: int) -> int:
    """How a state says that the cube is a seat's."""
    return 1 - 2 * seat


def test_a_seat_doubles_before_its_roll_unless_the_cube_is_the_others() -> None:
    for seat in (0, 1):
        for owner, stage in ((None, board.DOUBLING), (seat, board.DOUBLING), (1 - seat, board.ROLLING)):
            turned, owned = (0, 0) if owner is None else (1, mark(owner))
            after = play(position_of(MONEY, START, START, (1,), 1 - seat, cube=turned, owner=owned), "6/5")
            assert (after.seat, after.state[board.STAGE]) == (seat, stage)
            assert legal_texts(after) == ({"roll", "double"} if stage == board.DOUBLING else set())


def test_nobody_doubles_before_the_first_roll_nor_without_a_cube(game: Game) -> None:
    opened = make_game(MONEY).initial.events()[0].position
    assert opened.state[board.STAGE] == board.MOVING
    after = game.initial.events()[0].position
    while after.seat == 0 and not after.awaits_chance:
        after = after.play(after.legal_actions[0])
    assert after.state[board.STAGE] == board.ROLLING


@pytest.mark.parametrize("seat", [0, 1])
def test_a_double_is_taken_or_dropped(seat: int) -> None:
    rolling = play(doubling(seat=seat), "roll")
    assert (rolling.seat, rolling.awaits_chance, rolling.state[board.CUBE]) == (seat, True, 0)
    assert len(rolling.events()) == 21
    doubled = play(doubling(seat=seat), "double")
    assert doubled.seat == 1 - seat
    assert legal_texts(doubled) == {"take", "drop"}
    assert not doubled.awaits_chance

    taken = play(doubled, "take")
    assert (taken.seat, taken.awaits_chance) == (seat, True)
    assert (taken.state[board.CUBE], taken.state[board.OWNER]) == (1, mark(1 - seat))

    dropped = play(doubled, "drop")
    assert dropped.points_for(seat) == 1
    assert play(doubling(seat=seat, cube=2, owner=mark(seat)), "double", "drop").points_for(seat) == 4


@pytest.mark.parametrize("seat", [0, 1])
def test_a_beaver_doubles_again_and_keeps_the_cube(seat: int) -> None:
    doubled = play(doubling(BEAVERS, seat), "double")
    assert legal_texts(doubled) == {"take", "drop", "beaver"}
    beavered = play(doubled, "beaver")
    assert (beavered.seat, beavered.state[board.STAGE]) == (seat, board.BEAVERED)
    assert legal_texts(beavered) == {"take", "drop"}
    taken = play(beavered, "take")
    assert (taken.seat, taken.awaits_chance) == (seat, True)
    assert (taken.state[board.CUBE], taken.state[board.OWNER]) == (2, mark(1 - seat))
    assert play(beavered, "drop").points_for(seat) == -2


def test_the_cube_ends_at_64() -> None:
    turn = position_of(MONEY, START, START, (1,), 1, cube=6, owner=1)
    assert play(turn, "6/5").state[board.STAGE] == board.ROLLING
    assert play(doubling(cube=5, owner=1), "double", "take").state[board.CUBE] == 6
    last = position_of(BEAVERS, START, START, seat=1, stage=board.DOUBLED, cube=5, owner=1)
    assert legal_texts(last) == {"take", "drop"}  # a beaver would turn it to 128
    assert "beaver" in legal_texts(position_of(BEAVERS, START, START, seat=1, stage=board.DOUBLED, cube=4, owner=1))
