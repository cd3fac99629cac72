"""The expert features of backgammon: each by hand, and the shots against all that 36 rolls can be played to."""

import math
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from numba import types

from boardgames_env import Game, make_game
from boardgames_env.encoding import encoding_of
from boardgames_env.games.backgammon.inputs.expert_inputs import NAMES, of_a_seat, of_both, of_contact, of_exposure
from boardgames_env.games.backgammon.inputs.phases import PHASES, find_phase
from boardgames_env.games.backgammon.inputs.raw_inputs import SIZE
from boardgames_env.games.backgammon.inputs.side import EXPOSURE, shots_of, side_of
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, BARS, NO_MOVE, POINTS, TRAYS
from boardgames_env.games.backgammon.rules.steps import count, points_of, sources, step
from boardgames_env.games.backgammon.rules.turns import ROLLS
from boardgames_env.kernels import READ_ONLY_STATE, Actions, State, helper, kernel
from boardgames_env.moves import moves_of
from tests.boardgames_env.games.backgammon_contests import START, Men, before_rolls, dense, scattered, state_of
from tests.variants import fast_for

GAME = "backgammon"


def position(own: Men, other: Men, to_roll: int = 0) -> State:
    """A position by both seats' men, seat 0's first; of 15 men the rest is off."""
    sides = [{**men, 0: 15 - sum(men.values())} for men in (own, other)]
    return state_of(make_game(GAME), sides[to_roll], sides[1 - to_roll], to_roll)


def turned(state: State) -> State:
    """The position with the seats' men exchanged."""
    other = state.copy()
    other[1 : POINTS + 1] = -state[POINTS:0:-1]
    for slot in (BARS, TRAYS):
        other[slot], other[slot + 1] = -state[slot + 1], -state[slot]
    other[0] = 1 - state[0]
    return other


WITHOUT_EXPOSURE = [name.removeprefix("own_") for name in NAMES[: 1 + NAMES.index("own_blots")]]


@kernel(types.UniTuple(types.float64, len(WITHOUT_EXPOSURE))(READ_ONLY_STATE, types.int64))
def all_features(state: State, seat: int) -> tuple[float, ...]:
    """The features of a seat but for `of_exposure`."""
    side = side_of(state, seat, 15)
    return of_both(state, side) + of_a_seat(state, side) + of_contact(state, side)


def feature(name: str, state: State, seat: int = 0) -> float:
    return all_features.run(state, seat)[WITHOUT_EXPOSURE.index(name)]


@kernel(types.UniTuple(types.float64, len(EXPOSURE))(READ_ONLY_STATE, types.int64))
def exposure(state: State, seat: int) -> tuple[float, ...]:
    """The features of the other seat that a seat's shots make."""
    return of_exposure(shots_of(side_of(state, seat, 15)))


@kernel(types.UniTuple(types.int64, 4)(READ_ONLY_STATE, types.int64))
def shots(state: State, seat: int) -> tuple[int, ...]:
    """Whether it is a seat's turn, and its rolls that hit, that hit two, and the pips they cost."""
    found = shots_of(side_of(state, seat, 15))
    return int(found.now), found.hits, found.doubled, found.pips


@helper
def reach(state: State, seat: int, dice: Actions, left: int, before: State, reached: Actions) -> int:
    """Play some of the dice that are left, the last first: the most men hit, the dearest, and two at once."""
    hit = abs(state[BARS + 1 - seat]) - abs(before[BARS + 1 - seat])
    reached[0] = max(reached[0], hit)
    for point in range(1, POINTS + 1):
        if count(before, seat, point) == -1 and count(state, seat, point) >= 0:
            reached[1] = max(reached[1], point)
    if left > 0:
        own, barred = points_of(state, seat)
        possible = sources(own, barred, dice[left - 1])
        for source in range(1, BAR + 1):
            if possible >> source & 1:
                after = state.copy()
                step(after, seat, source, dice[left - 1])
                reach(after, seat, dice, left - 1, before, reached)
    return 0


@kernel(types.UniTuple(types.int64, 3)(READ_ONLY_STATE, types.int64))
def shots_by_playing(state: State, seat: int) -> tuple[int, int, int]:
    """`shots` by playing every roll in every way, a move stopping where it likes."""
    hits, doubled, pips = 0, 0, 0
    dice, reached = np.zeros(4, dtype=np.int32), np.zeros(2, dtype=np.int32)
    for high in range(1, 7):
        for low in range(1, high + 1):
            reached[:] = 0
            dice[0], dice[1], dice[2], dice[3] = high, low, high, low
            reach(state, seat, dice, 4 if high == low else 2, state, reached)
            if high != low:
                dice[0], dice[1] = low, high
                reach(state, seat, dice, 2, state, reached)
            cases = 1 if high == low else 2
            hits += cases * (reached[0] > 0)
            doubled += cases * (reached[0] > 1)
            pips += cases * reached[1]
    return hits, doubled, pips


def legal_hits(state: State, seat: int) -> tuple[int, int, int]:
    """The rolls of which a whole legal move hits, of which one hits two, and of which there is no move."""
    game, hits, doubled, blocked = make_game(GAME), 0, 0, 0
    for event, (high, low) in enumerate(ROLLS):
        rolled = state.copy()
        rolled[0] = seat
        game.rules.happen.run(rolled, event)
        afterstates, actions = moves_of(game, rolled)
        hit = max(abs(int(after[BARS + 1 - seat])) for after in afterstates) - abs(int(state[BARS + 1 - seat]))
        cases = 1 if high == low else 2
        hits += cases * (hit > 0)
        doubled += cases * (hit > 1)
        blocked += cases * (actions[0, 0] == NO_MOVE)
    return hits, doubled, blocked


@cache
def positions() -> list[State]:
    anywhere = [state_of(make_game(GAME), *scattered(np.random.default_rng(seed), 15), seed % 2) for seed in range(300)]
    return anywhere + before_rolls("backgammon", 300)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("away", "rolls"), [*enumerate((11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1), start=1)]
)
def test_rolls_that_hit_a_man_so_far_away(away: int, rolls: int) -> None:
    assert shots.run(position({20: 1}, {25 - (20 - away): 1}), 0) == (True, rolls, 0, rolls * (20 - away))


@pytest.mark.parametrize(("own", "other", "expected"), [
    # the other's men by its own points: its point 19 is the seat's 6
    ({12: 1, 11: 1}, {19: 1}, (28, 0, 28 * 6)),  # 6 and 5 away: any of these, and 4-2, 3-3, 2-2, 4-1, 3-2
    ({12: 1}, {19: 1, 18: 2, 14: 2}, (15, 0, 15 * 6)),  # 6 away, without 5-1 where both points on the way are closed
    ({12: 1}, {19: 1, 17: 2}, (16, 0, 16 * 6)),  # without 2-2 and 4-2 by way of the 8 point; the other way is open
    ({12: 1}, {19: 1, 20: 1}, (21, 2, 17 * 6 + 4 * 5)),  # 6 and 7 away: 6-1 hits both with one man
    ({12: 1}, {19: 1, 22: 1}, (19, 3, 17 * 6 + 2 * 3)),  # 6 and 9 away: 6-3 and 3-3 hit both
    ({12: 1, 9: 1}, {19: 1, 22: 1}, (30, 4, 28 * 6 + 2 * 3)),  # and 6-6, with two men
    ({BAR: 1}, {5: 1}, (15, 0, 15 * 20)),  # 5, 4-1 and 3-2
    ({BAR: 1}, {5: 1, 4: 2, 1: 2}, (13, 0, 13 * 20)),  # without 4-1, where both points on the way are closed
    ({BAR: 1, 8: 1}, {19: 1}, (12, 0, 12 * 6)),  # a 2 besides what enters, and 1-1
    ({BAR: 2}, {1: 1, 3: 1}, (20, 3, 11 * 24 + 9 * 22)),  # both: 3-1, and 1-1, with which one of the two goes on
    ({BAR: 2, 8: 2}, {19: 1}, (2, 0, 2 * 6)),  # 2-2 and 1-1: other rolls leave no die to those on the board
    ({BAR: 4, 8: 2}, {19: 1}, (0, 0, 0)),
    ({5: 2}, {2: 1}, (0, 0, 0)),  # passed
])  # fmt: skip
def test_shots_by_hand(own: Men, other: Men, expected: tuple[int, int, int]) -> None:
    assert shots.run(position(own, other), 0) == (True, *expected)


@pytest.mark.slow
def test_shots_are_what_playing_every_roll_in_every_way_finds() -> None:
    hits = 0
    for state in positions():
        for seat in range(2):
            found = shots.run(state, seat)
            assert found == (state[0] == seat, *shots_by_playing.run(state, seat)), state.tolist()
            hits += found[1] > 0
    assert hits > 400


@pytest.mark.slow
def test_shots_are_what_legal_moves_hit_but_for_few_rolls_that_must_be_played_otherwise() -> None:
    """And rolls that can be played are those that have a move."""
    differ, doubled_differ = 0, 0
    for state in positions():
        for seat in range(2):
            _, most_hits, most_doubled, _ = shots.run(state, seat)
            hits, doubled, blocked = legal_hits(state, seat)
            assert feature("playable_rolls", state, seat) == pytest.approx(1 - blocked / 36)
            assert hits <= most_hits
            assert doubled <= most_doubled
            differ += hits != most_hits
            doubled_differ += doubled != most_doubled
    assert 0 < differ <= 0.02 * 2 * len(positions())
    assert doubled_differ == 0


def test_rolls_that_must_be_played_otherwise_count_as_shots() -> None:
    # from the 20 point 6-1 hits with the 1, and then there is no 6; but 20/14 and then a 1 plays both dice
    state = position({20: 1}, {6: 1, 12: 2})
    assert shots.run(state, 0)[1] == 11
    assert legal_hits(state, 0)[0] == 9


PRIME = dict.fromkeys(range(2, 8), 2)

BY_HAND = [
    ("contact", START, START, 1),
    ("contact", {12: 2}, {12: 2}, 0),
    ("contact", {13: 2}, {13: 2}, 1),
    ("contact", {13: 2}, {}, 0),
    ("racing_chance", START, START, 0.5 + 0.5 * math.erf(4 / math.sqrt(330))),
    ("pip_count", START, START, 1),
    ("pip_count", {BAR: 2, 3: 1}, START, 53 / 167),
    ("lead", START, START, 0),
    ("lead", {10: 1}, {10: 3}, 20 / 40),
    ("pips_to_pass", START, START, (167 - 15) / 167),
    ("pips_to_pass", {20: 1, 12: 1, 10: 3}, {14: 1}, (9 + 1) / 167),
    ("pips_to_pass", {BAR: 2, 12: 1}, {BAR: 1}, 62 / 167),
    ("timing", START, START, (15 + 6 + 35) / 100),
    ("timing", {18: 1, 19: 1, 2: 4, 1: 5}, START, (12 + 2) / 100),
    ("waste", START, START, 2 / 20),
    ("waste", {1: 3, 2: 2, 3: 5, 4: 1}, {}, (4 + 1 + 2 + 2) / 20),
    ("has_some_off", START, START, 0),
    ("has_some_off", {1: 14}, START, 1),
    ("gammon_pips", START, START, (36 + 35 + 6 + 6) / 100),
    ("gammon_pips", {BAR: 1, 2: 14}, {}, (19 + 2) / 100),
    ("gammon_pips", {7: 14}, {}, 0),
    ("gammon_danger", START, START, 0),
    ("gammon_danger", {7: 1, 6: 14}, {1: 2}, (7 * 6 / 49 - 1 - 1 + 0.5) / 8 + 0.5),
    ("gammon_danger", {20: 15}, {1: 2}, 1),
    ("gammon_danger", {20: 14}, {1: 2}, 0),
    ("backgammon_pips", START, START, 12 / 100),
    ("backgammon_pips", {BAR: 1, 19: 1, 18: 13}, {}, 8 / 100),
    ("backgammon_pips", {BAR: 1, 19: 1}, {}, 0),
    ("rearmost", START, START, 24 / 25),
    ("rearmost", {BAR: 1, 6: 2}, {}, 1),
    ("men_back", START, START, 2 / 15),
    ("men_back", {BAR: 2, 20: 2, 18: 2}, START, 4 / 15),
    ("anchors", START, START, 1 / 2),
    ("anchors", {24: 2, 21: 2, 20: 2}, {}, 1),
    ("anchors", {24: 1, 18: 2}, {}, 0),
    ("best_anchor", START, START, 1 / 7),
    ("best_anchor", {24: 2, 20: 2, 19: 1}, {}, 5 / 7),
    ("best_anchor", {17: 2}, {}, 0),
    ("home_points", PRIME, {24: 2}, 5 / 6),
    ("keeping_out", PRIME, {24: 2}, 25 / 36),
    ("longest_prime", START, START, 1 / 6),
    ("longest_prime", PRIME | {8: 2}, {24: 2}, 1),
    ("longest_prime", {4: 2, 5: 2, 6: 1, 7: 2}, {}, 2 / 6),
    ("prime_ahead", {2: 2, 3: 2, 4: 2, 6: 2, 7: 2}, {20: 1}, 2 / 6),
    ("prime_ahead", PRIME, {BAR: 1}, 1),
    ("holding", START, START, 12 / 36),  # 4-1, 3-2, 6-1, 5-2, 4-3, 5-5 and 6-6
    ("holding", PRIME, {24: 1}, 1),
    ("holding", {}, {24: 1}, 0),
    ("containment", PRIME, {}, 1),
    ("containment", {}, START, 0),
    ("containment", {6: 2}, {}, 6 / 36),  # on the bar: 5-1, 4-2, 3-3, and 6-6
    ("trapped", START, START, 0),
    ("trapped", PRIME, {BAR: 1, 24: 2, 17: 2}, 3 / 15),
    ("trapped", {4: 2, 5: 2, 6: 2}, {24: 2}, 0),
    ("open_steps", START, START, 20 / 23),
    ("open_steps", {BAR: 1, 6: 2}, {1: 2, 3: 2, 5: 1}, 4 / 6),
    ("point_making_rolls", START, START, 16 / 36),  # 3-1, 4-2, 5-3, 6-4, 6-1 and all doubles
    ("point_making_rolls", {8: 1, 5: 1}, {}, (6 + 8 + 1) / 36),  # 4-1, 5-2, 6-3; other rolls with a 3; 3-3
    ("point_making_rolls", {**START, BAR: 1}, START, 0),
    ("blots", {20: 1, 7: 1, 2: 1}, {21: 2}, 2 / 5),
]


@pytest.mark.parametrize(
    ("name", "own", "other", "value"),
    [pytest.param(*each, marks=pytest.mark.slow if number % 3 else []) for number, each in enumerate(BY_HAND)],
)
def test_features_by_hand(name: str, own: Men, other: Men, value: float) -> None:
    state = position(own, other)
    assert feature(name, state) == pytest.approx(value)
    # and of the other seat, where the men are exchanged
    assert feature(name, turned(state), 1) == pytest.approx(value)


def test_every_feature_is_tested() -> None:
    by_hand = {each[0] for each in BY_HAND} - {"contact", "racing_chance"} | {"playable_rolls"}
    exposure = {f"{what}_{when}" for what in ("hit", "hit_twice", "pips_at_risk") for when in ("now", "later")}
    names = {f"{whose}_{name}" for whose in ("own", "other") for name in by_hand | exposure}
    assert set(NAMES) == names | {"contact", "racing_chance"}
    assert len(set(NAMES)) == len(NAMES)


def test_exposure_tells_what_can_happen_at_once_from_what_can_later() -> None:
    own, other = {7: 1, 6: 2}, {24: 1, 6: 2}
    for to_roll in range(2):
        hit, hit_twice, pips = 17 / 36, 0, 17 * 18 / (36 * 12)  # 6 away; 5-1 has another way than by the 6 point
        found = exposure.run(position(own, other, to_roll), 1)
        now, later = (found[::2], found[1::2])
        assert (now if to_roll == 1 else later) == pytest.approx((hit, hit_twice, pips))
        assert (later if to_roll == 1 else now) == (0, 0, 0)


def test_turns_matter_to_the_race_and_to_the_danger_of_a_gammon() -> None:
    now, later = (position({20: 1, 2: 14}, {5: 5}, to_roll) for to_roll in range(2))
    assert feature("racing_chance", later) < feature("racing_chance", now)
    assert feature("racing_chance", now, 1) == pytest.approx(1 - feature("racing_chance", now))
    assert feature("gammon_danger", later) == pytest.approx(feature("gammon_danger", now) + 1 / 8)


@pytest.mark.slow
def test_the_encoding_is_the_raw_one_and_each_feature_in_its_place(game: Game) -> None:
    races = 0
    for state in [*positions()[::3], position({5: 3, 2: 2}, {6: 3, 1: 1})]:
        for viewer in range(2):
            touching = feature("contact", state, viewer)
            expected = [*all_features.run(state, viewer)[:2]]
            for seat in (viewer, 1 - viewer):
                found = all_features.run(state, seat)[2:]
                expected += found[:8]
                expected += [touching * each for each in found[8:] + exposure.run(state, 1 - seat)]
            inputs = dense(game, "expert", state, viewer)
            assert len(inputs) == SIZE + len(NAMES)
            np.testing.assert_array_equal(inputs[:SIZE], dense(game, "raw", state, viewer))
            np.testing.assert_array_equal(inputs[SIZE:], np.array(expected, dtype=np.float32))
            np.testing.assert_array_equal(inputs, dense(game, "expert", turned(state), 1 - viewer))
            races += touching == 0
    assert races > 0


@pytest.mark.parametrize("name", fast_for(["expert_by_phase"], ["raw", "expert", "raw_by_phase", "expert_by_phase"]))
def test_changes_are_what_the_base_of_one_position_lacks_of_all_inputs_of_another(game: Game, name: str) -> None:
    encoding = encoding_of(game, name)
    assert encoding.base is not None
    assert encoding.changes is not None
    indices = np.zeros(2 * encoding.size, dtype=np.int32)
    values = np.zeros(2 * encoding.size, dtype=np.float32)
    found = before_rolls("backgammon", 400)
    by_phase = {phase: [state for state in found if find_phase.run(state, 15) == phase][:6] for phase in range(PHASES)}
    some = [state for states in by_phase.values() for state in states]
    assert len(some) == 6 * PHASES
    for before, after in [*pairwise(found[:100]), *product(some, some)]:
        for viewer in range(2):
            inputs = np.zeros(encoding.size, dtype=np.float32)
            n = encoding.base(before, viewer, indices, values)
            inputs[indices[:n]] = values[:n]
            n = encoding.changes(before, after, viewer, indices, values)
            np.add.at(inputs, indices[:n], values[:n])
            np.testing.assert_allclose(inputs, dense(game, name, after, viewer), atol=1e-6)


def test_features_are_about_one_at_most(game: Game) -> None:
    inputs = np.array([dense(game, "expert", state, 0)[SIZE:] for state in before_rolls("backgammon", 300)])
    assert (inputs >= 0).all()
    assert inputs.max() < 2.5
    assert (inputs.mean(axis=0) < 1.2).all()
    assert ((inputs != 0).any(axis=0)).mean() > 0.9
