"""Zones: the kernel against a slow reading of the paper, the expressions, and what is learned of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from boardgames_agents.hoyle.advisors.shapes import ZoneRanger
from boardgames_agents.hoyle.game_frame import frame_of, locations_of, mask_of
from boardgames_agents.hoyle.items import Experience
from boardgames_agents.hoyle.items.zone_kernels import FEATURES, STATISTICS, TYPES
from boardgames_agents.hoyle.items.zones import ZoneAdvisor, ZoneLesson, Zones
from boardgames_agents.hoyle.items.zoning import (
    DRAWN,
    LOST,
    PLACING,
    SLIDING,
    VALUES,
    WON,
    Samples,
    Zoning,
    kind_of,
    stage_of,
)
from boardgames_agents.hoyle.position_view import PositionView
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.board import Board
from tests.boardgames_agents.hoyle.situation import contest_of, digest, knowledge_of, view_after
from tests.variants import fast_for

GAME = "five_mens_morris"
FIGURE_8_5 = (mask_of([1, 4, 8, 9, 13]), mask_of([2, 3, 12, 15]))
"""A position of which all holds that the paper says of its Figure 8.5."""


@pytest.fixture(scope="module")
def zoning(game: Game) -> Zoning:
    return Zoning(frame_of(game))


def value(kind: str, feature: str, statistic: str = "total") -> int:
    return VALUES.index(f"{statistic} {feature} of {kind} zones")


def random_men(game: Game, count: int) -> Iterator[tuple[int, int]]:
    rng = np.random.default_rng(7)
    for _ in range(count):
        order = rng.permutation(game.board.size).tolist()
        own, other = (int(each) for each in rng.integers(1, game.board.size // 2, size=2))
        yield mask_of(order[:own]), mask_of(order[own : own + other])


def test_there_are_432_expressions() -> None:
    assert 2 * len(VALUES) == 432
    assert len(set(VALUES)) == len(VALUES) == len(TYPES) * len(FEATURES) * len(STATISTICS)
    kinds = [name.partition(" of ")[2].removesuffix(" zones") for name in VALUES]
    assert [TYPES[kind_of(number)] for number in range(len(VALUES))] == kinds


@pytest.mark.parametrize(
    "name",
    fast_for(["five_mens_morris", "achi"], ["five_mens_morris", "nine_mens_morris", "murabaraba", "achi", "mu_torere"]),
)
def test_the_kernel_does_what_the_paper_says_and_locations_are_those_that_values_count(name: str) -> None:
    game = make_game(name)
    zoning, men = Zoning(frame_of(game)), list(random_men(game, 25))
    for (own, other), values in zip(men, zoning.values(men), strict=True):
        expected = values_of(game.board, set(locations_of(own)), set(locations_of(other)))
        np.testing.assert_allclose(values, expected, atol=1e-12, err_msg=f"{locations_of(own)} {locations_of(other)}")
        for number, kind in enumerate(TYPES):
            zones = zoning.locations((own, other), number)
            assert zones & own == own
            assert not zones & other
            assert len(locations_of(zones)) == round(values[value(kind, "locations")])


def test_figure_8_5(zoning: Zoning) -> None:
    (values,) = zoning.values([FIGURE_8_5])
    one_step, multi_step = ([values[value(kind, each)] for each in FEATURES] for kind in ("one-step", "multi-step"))
    assert one_step == [5, 9, 5 / 9, 1, 3, 2, 1, 8, 1]
    assert multi_step == [5, 12, 5 / 12, 1, 5, 4, 1, 9, 1]
    assert [values[value("piece-bounded", "pieces", each)] for each in STATISTICS] == [1, 4, 5 / 2, 5]
    assert values[value("extended-private", "zones")] == 2


def test_a_contestant_without_men_has_no_values(zoning: Zoning) -> None:
    values = zoning.values([(0, 1), (1, 0)])
    assert np.isnan(values[0]).all()
    assert not np.isnan(values[1]).any()


@pytest.mark.parametrize(("men", "compactness"), [(([0], [1, 3, 4]), 1), (([0, 1, 2], [3, 4, 5]), 0)])
def test_degenerate_zones_have_a_compactness(men: tuple[list[int], list[int]], compactness: int) -> None:
    (values,) = Zoning(frame_of(make_game("achi"))).values([(mask_of(men[0]), mask_of(men[1]))])
    assert values[value("one-step", "compactness")] == compactness


def test_changes_are_the_movers_less_the_others(game: Game, zoning: Zoning) -> None:
    start, view = view_after(game, ()), view_after(game, (1, 3, 4, 8))
    before = zoning.values([(view.own, view.enemy), (view.enemy, view.own)])
    options = view.choices[::-1]
    for row, option in zip(zoning.changes(view, options), options, strict=True):
        after = zoning.values([(option.own, option.enemy), (option.enemy, option.own)])
        mine, theirs = np.sign(np.round(after - before, 6))
        assert row.tolist() == (mine - theirs).tolist()
    assert not zoning.changes(start, start.choices).any()


def test_boards_without_predrawn_lines_have_no_zones() -> None:
    game = make_game("tic_tac_toe")
    knowledge, view = knowledge_of(game, zones=True), view_after(game, ())
    knowledge.learn(contest_of(game, (4,), 1))
    assert knowledge.zones is not None
    assert (knowledge.zones.contests, knowledge.zones.space) == (0, 0)
    assert ZoneRanger(knowledge).comment(view, view.choices) == {}


def test_boards_too_large_are_refused() -> None:
    board = Board(tuple((float(x), 0.0) for x in range(64)), lines=(tuple(range(64)),))
    game = make_game("achi")
    with pytest.raises(BadInputError, match="at most 63 locations; this one has 64"):
        Zoning(replace(frame_of(game), game=replace(game, board=board)))


def test_the_stage_of_a_move(game: Game) -> None:
    rest = view_after(game, (0, 3, 1, 4, 2))
    assert rest.own == mask_of([0, 1, 2])
    for view, stage in (
        (view_after(game, (0, 3, 1, 4)), PLACING),  # one of the moves captures as well
        (rest, PLACING),
        (view_after(make_game("mu_torere"), ()), SLIDING),
    ):
        assert {stage_of(view, choice) for choice in view.choices} == {stage}


def samples(won: list[float], drawn: list[float], lost: list[float]) -> Samples:
    made = Samples(2, 1)
    for outcome, values in ((WON, won), (DRAWN, drawn), (LOST, lost)):
        made.add(outcome, 0, np.array(values)[:, None])
    return made


LOW, HIGH = [1.0, 1.1, 0.9, 1.05] * 5, [2.0, 2.1, 1.9, 2.05] * 5


@pytest.mark.parametrize(
    ("won", "drawn", "lost", "of_winners", "of_losers"),
    [
        (HIGH, LOW, LOW, 1, 0),
        (HIGH, HIGH, LOW, 0, -1),
        (LOW, [1.5 + each / 100 for each in LOW], HIGH, -1, 1),
        (HIGH, [], LOW, 0, 0),
        ([2.0], LOW, LOW, 0, 0),
        ([2.0] * 3, [1.0] * 3, [1.0] * 3, 1, 0),
        ([0.1] * 7, [0.1] * 1000, [0.1] * 3, 0, 0),
    ],
)
def test_attitudes(won: list[float], drawn: list[float], lost: list[float], of_winners: int, of_losers: int) -> None:
    found = samples(won, drawn, lost)
    assert found.attitudes(WON).tolist() == [[of_winners], [0]]
    assert found.attitudes(LOST).tolist() == [[of_losers], [0]]


@pytest.mark.slow
def test_significance_is_that_of_welchs_test() -> None:
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(200):
        won, rest = rng.normal(1, 1, int(rng.integers(2, 12))), rng.normal(0, 2, int(rng.integers(2, 30)))
        test = ttest_ind(won, rest, equal_var=False)
        expected = int(np.sign(test.statistic)) if test.pvalue <= 0.01 else 0
        assert samples(won.tolist(), rest.tolist(), rest.tolist()).attitudes(WON)[0, 0] == expected
        seen.add(expected)
    assert {0, 1} <= seen


def test_spreads() -> None:
    made = samples([1.0, 3.0], [2.0, 2.0], [2.5, 2.5])
    assert made.spreads()[:, 0].tolist() == [pytest.approx(2**0.5), np.inf]
    np.testing.assert_allclose(made.means[:, 0, 0], [2, 2, 2.5])
    np.testing.assert_allclose(made.variances[:, 0, 0], [2, 0, 0])


SPREAD_OUT = [0, 3, 15, 4, 13, 5]  # black in the corners, white in a row; nothing of what follows depends on the rules
TOGETHER = [0, 3, 1, 9, 6, 12]


def taught_by(number: int) -> Experience:
    """Black wins by staying together, loses spread out, and draws in between."""
    actions, outcome = [(TOGETHER, 1), (SPREAD_OUT, -1), ([0, 8, 1, 10, 15, 12], 0)][number % 3]
    return contest_of(make_game(GAME), actions, outcome)


def taught(contests: int) -> Zones:
    zones = Zones(frame_of(make_game(GAME)))
    for number in range(contests):
        zones.learn(taught_by(number))
    return zones


def test_expressions_become_active_after_twenty_contests() -> None:
    zones = taught(0)
    directions = []
    for number in range(40):
        zones.learn(taught_by(number))
        directions.append(np.count_nonzero(zones.directions))
    assert not any(directions[:21])  # there is no attitude before the third contest, and that makes it the 22nd
    assert directions[21] > 0
    assert not zones.directions[SLIDING].any()
    assert zones.space == directions[-1]


def test_a_lost_attitude_is_not_active(game: Game) -> None:
    zones = taught(40)
    before = zones.directions.copy()
    for _ in range(13):  # now those who stay together lose
        zones.learn(contest_of(game, TOGETHER, -1))
        zones.learn(contest_of(game, SPREAD_OUT, 1))
    assert np.count_nonzero(zones.directions[before != 0] == before[before != 0]) < np.count_nonzero(before) / 2


def test_what_tells_nothing_is_given_up() -> None:
    number_of_zones = VALUES.index("maximum zones of one-step zones")
    assert not taught(25).snapshot().arrays["given up"].any()
    given_up = taught(26).snapshot().arrays["given up"]
    assert given_up[PLACING, number_of_zones]
    assert not given_up.all()
    assert not given_up[SLIDING].any()  # never seen


def test_contests_cut_short_teach_nothing(game: Game) -> None:
    zones = taught(3)
    before = zones.snapshot()
    zones.learn(contest_of(game, TOGETHER, cut=True))
    assert digest(before) == digest(zones.snapshot())


def test_winners_and_losers_have_their_own_lists(game: Game) -> None:
    zones = taught(0)
    zones.learn(contest_of(game, TOGETHER, 1))
    found = zones.snapshot().arrays
    # the initial position has no men; white has none in the next
    assert found["counts"][:, PLACING].tolist() == [6, 0, 5]
    sums = found["sums"][:, PLACING, value("one-step", "pieces")].tolist()
    assert sums == [1 + 1 + 2 + 2 + 3 + 3, 0, 1 + 1 + 2 + 2 + 3]


def test_importance_makes_an_advisor_at_the_tenth_contest(game: Game) -> None:
    zones = taught(28)
    view = view_after(game, (0, 3, 1, 4))
    stage, which = np.argwhere(zones.directions)[0].tolist()
    direction = int(zones.directions[stage, which])
    advisor = ZoneAdvisor(zones.zoning, ZoneLesson(stage, which, direction, WON))
    strengths = advisor.comment(view, view.choices)
    right = frozenset(option.key for option in view.choices if strengths.get(option, 5) == max(strengths.values()))
    example = contest_of(game, TOGETHER, 1)
    example.examples.extend([(view, right)] * 10)
    zones.learn(example)
    lessons = [lesson for lesson in zones.lessons if (lesson.stage, lesson.value) == (stage, which)]
    assert [lesson.direction for lesson in lessons] == [direction]
    assert zones.directions[stage, which] == 0
    assert zones.advisors() == ()
    zones.learn(contest_of(game, SPREAD_OUT, -1))
    assert zones.contests == 30
    assert advisor.name in [each.name for each in zones.advisors()]
    assert len({each.name for each in zones.advisors()}) == len(zones.advisors()) == len(zones.lessons)
    made = next(each for each in zones.advisors() if each.name == advisor.name)
    assert made.comment(view, view.choices) == strengths
    shown = [entry.kind for entry in zones.entries(game)]
    assert shown.count("important zone expressions") == len(zones.lessons)
    assert shown.count("active zone expressions") == np.count_nonzero(zones.directions)


def ranger(view: PositionView, *wanted: tuple[int, int, int]) -> ZoneRanger:
    knowledge = knowledge_of(view.frame.game, zones=True)
    assert knowledge.zones is not None
    for stage, which, direction in wanted:
        knowledge.zones.directions[stage, which] = direction
    return ZoneRanger(knowledge)


def test_zone_ranger_knows_the_right_direction(game: Game) -> None:
    view = view_after(game, (0, 15))
    pieces = value("piece-bounded", "pieces", "maximum")
    joined = {option for option in view.choices if option.own & mask_of([1, 6])}  # next to its man in the corner
    for wanted, strength in (((PLACING, pieces, 1), 10), ((PLACING, pieces, -1), 0)):
        assert ranger(view, wanted).comment(view, view.choices) == dict.fromkeys(joined, strength)
        assert ranger(view, wanted).comment(view, ()) == {}
    for nothing in ((), [(SLIDING, pieces, 1)]):
        assert ranger(view, *nothing).comment(view, view.choices) == {}


def test_zone_ranger_looks_at_the_other_contestant_too(game: Game, zoning: Zoning) -> None:
    view = view_after(game, (0, 3, 1, 4, 2))  # a capture is due: the mover's own men stay as they are
    pieces = value("two-step", "pieces")
    for direction, alone, joint in ((1, 8, 10), (-1, 2, 0)):
        advisor = ZoneAdvisor(zoning, ZoneLesson(PLACING, pieces, direction, LOST))
        assert advisor.comment(view, view.choices) == dict.fromkeys(view.choices, alone)
        opinion = ranger(view, (PLACING, pieces, direction)).comment(view, view.choices)
        assert opinion == dict.fromkeys(view.choices, joint)


def test_zone_ranger_weighs_all_the_evidence(game: Game, zoning: Zoning) -> None:
    view = view_after(game, (0, 15, 1, 14))
    wanted = [(PLACING, value("one-step", feature), 1) for feature in FEATURES]
    opinion = ranger(view, *wanted).comment(view, view.choices)
    changes = zoning.changes(view, view.choices)[:, [which for _, which, _ in wanted]].astype(int)
    for option, row in zip(view.choices, changes, strict=True):
        gains, losses = row[row > 0].sum(), -row[row < 0].sum()
        strength = round(5 + 5 * (gains - losses) / (gains + losses)) if gains + losses else 5
        assert opinion.get(option, 5) == strength


def test_zones_of_active_expressions_are_drawn_for_both_seats(game: Game) -> None:
    zones, view = Zones(frame_of(game)), view_after(game, (0, 3))
    assert list(zones.regions(view)) == []
    zones.directions[PLACING, value("one-step", "pieces")] = 1
    zones.directions[SLIDING, value("two-step", "pieces")] = 1
    zones.lessons.append(ZoneLesson(PLACING, value("private", "lines"), -1, WON))
    found = list(zones.regions(view))
    titles = [f"{kind} zones of {men}" for kind in ("one-step", "private") for men in ("black", "white")]
    assert [each.title for each in found] == titles
    assert found[0].locations == (0, *game.board.adjacency[0])


def test_restored_zones_go_on_just_the_same(game: Game) -> None:
    view = view_after(game, (0, 3, 1, 4))
    right = frozenset([view.choices[0].key, view.choices[1].key])

    def learn(zones: Zones, contests: range) -> Zones:
        for number in contests:
            experience = taught_by(number)
            experience.examples.extend([(view, right)] * 4)
            zones.learn(experience)
        return zones

    whole, other = learn(taught(0), range(41)), taught(0)
    other.restore(learn(taught(0), range(29)).snapshot())
    learn(other, range(29, 41))
    assert digest(whole.snapshot()) == digest(other.snapshot())
    assert np.array_equal(whole.directions, other.directions)
    assert np.count_nonzero(whole.directions) > 0
    assert [each.name for each in whole.advisors()] == [each.name for each in other.advisors()] != []


# the values of zones, read off the paper with sets of locations and without haste


def distances(board: Board, start: int, through: set[int]) -> dict[int, int]:
    """How many slides it takes to get from a location to others by way of some; the start is at distance 0."""
    found, frontier = {start: 0}, [start]
    while frontier:
        here = frontier.pop(0)
        for there in board.adjacency[here]:
            if there in through and there not in found:
                found[there] = found[here] + 1
                frontier.append(there)
    return found


def nearest(board: Board, men: set[int], empty: set[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for man in men:
        for location, distance in distances(board, man, empty).items():
            found[location] = min(distance, found.get(location, 99))
    return found


def features_of(board: Board, zone: set[int], own: set[int]) -> list[float]:
    xs, ys = [board.points[each][0] for each in zone], [board.points[each][1] for each in zone]
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    compact = 1.0 if len(zone) == 1 else 0.0 if 0 in (width, height) else min(width / height, height / width)
    lines = [line for line in board.lines if set(line) <= zone]
    longest = max(max(distances(board, location, zone).values()) for location in zone)
    pieces = len(zone & own)
    short = sum(len(line) == 2 for line in lines)
    return [pieces, len(zone), pieces / len(zone), compact, len(lines), short, len(lines) - short, longest, 1]


def values_of(board: Board, own: set[int], other: set[int]) -> list[float]:
    """All values of a contestant, in the kernel's order."""
    empty = set(range(board.size)) - own - other
    from_own, from_other = nearest(board, own, empty), nearest(board, other, empty)
    qualifies: list[Callable[[int, int], bool]] = [
        lambda mine, theirs: mine == 1,  # one-step
        lambda mine, theirs: mine <= 2,  # two-step
        lambda mine, theirs: mine < 99,  # multi-step
        lambda mine, theirs: theirs == 99,  # piece-bounded
        lambda mine, theirs: mine == 1 and theirs != 1,  # private
        lambda mine, theirs: mine <= 2 and theirs > 2,  # extended-private
    ]
    values = []
    for is_in in qualifies:
        ground = own | {each for each in empty if is_in(from_own.get(each, 99), from_other.get(each, 99))}
        zones = {frozenset(distances(board, man, ground)) for man in own}
        for each in zip(*(features_of(board, set(zone), own) for zone in zones), strict=True):
            values += [min(each), max(each), sum(each) / len(each), sum(each)]
    return values
