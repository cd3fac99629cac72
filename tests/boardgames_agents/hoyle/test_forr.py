"""FORR decides anything: here, a robot on a grid of corridors chooses where to step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pytest

from boardgames_agents.hoyle.forr import Comment, Decision, Forr, ForrAdvisor, Opinion, Option, Planner, Voting
from boardgames_agents.hoyle.voting import PARADIGMS

PLAN = """
#########
#s.A...B#
#.#.###.#
#.#.#d#.#
#C..#D.g#
#########
"""

Room = tuple[int, int]


def room_of(letter: str) -> Room:
    rows = PLAN.strip().splitlines()
    return next((row, line.index(letter)) for row, line in enumerate(rows) if letter in line)


def doors(room: Room) -> list[Room]:
    rows = PLAN.strip().splitlines()
    around = [(room[0] + down, room[1] + right) for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))]
    return [(row, column) for row, column in around if rows[row][column] != "#"]


@dataclass(frozen=True)
class Place:
    """Where the robot is, where it wants to be, and where it came from."""

    room: Room
    goal: Room
    before: Room | None = None

    @property
    def options(self) -> list[Room]:
        return doors(self.room)

    def after(self, room: Room) -> "Place":
        return Place(room, self.goal, self.room)


def rule(name: str, strength: int, holds: Callable[[Place, Room], bool], tier: int = 1) -> ForrAdvisor[Place, Room]:
    """An Advisor that comments with one strength on the rooms of which something holds."""

    class Rule(ForrAdvisor[Place, Room]):
        supports, opposes = strength > 5, strength < 5

        def comment(self, case: Place, options: Sequence[Room]) -> Opinion[Room]:
            return {option: strength for option in options if holds(case, option)}

    Rule.name, Rule.tier = name, tier
    return Rule()


GOAL_IN_REACH = rule("Goal in reach", 10, lambda place, room: room == place.goal)
NO_DEAD_END = rule("No dead end", 0, lambda place, room: len(doors(room)) == 1)
ONLY_THE_WAY_BACK = rule("Only the way back", 0, lambda place, room: room != place.before)
NOT_WEST = rule("Not west", 0, lambda place, room: room[1] < place.room[1])
NORTH = rule("North", 8, lambda place, room: room[0] < place.room[0], tier=3)


class Nearer(ForrAdvisor[Place, Room]):
    """Come nearer to the goal as the crow flies."""

    opposes = True

    def comment(self, case: Place, options: Sequence[Room]) -> Opinion[Room]:
        return {
            option: 7 if self._distance(option, case) < self._distance(case.room, case) else 3 for option in options
        }

    def _distance(self, room: Room, case: Place) -> int:
        return abs(room[0] - case.goal[0]) + abs(room[1] - case.goal[1])


class Route(Planner[Place, Room]):
    """Walk the shortest way; the steps are the rooms. It counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def plan(self, case: Place, options: Sequence[Room]) -> Sequence[Room]:
        self.asked += 1
        ways: list[list[Room]] = [[option] for option in options]
        seen = {case.room, *options}
        for way in ways:
            if way[-1] == case.goal:
                return way
            for room in doors(way[-1]):
                if room not in seen:
                    seen.add(room)
                    ways.append([*way, room])
        return ()

    def option(self, case: Place, options: Sequence[Room], step: object) -> Room | None:
        return next((option for option in options if option == step), None)


class Weighted(Voting):
    """Given weights."""

    def __init__(self, **weights: float) -> None:
        self._weights = weights

    def weight(self, advisor: str) -> float:
        return self._weights.get(advisor, 1.0)

    def support(self, opinions: Mapping[str, Opinion[Option]], options: Sequence[Option]) -> dict[Option, float]:
        shares = [(self.weight(name), opinion) for name, opinion in opinions.items()]
        return {option: sum(weight * (each.get(option, 5) - 5) for weight, each in shares) for option in options}


TALLY = PARADIGMS["tally"]
GOAL = room_of("g")
START = Place(room_of("s"), GOAL)


def decided(
    at: str,
    first: Sequence[ForrAdvisor[Place, Room]] = (),
    third: Sequence[ForrAdvisor[Place, Room]] = (),
    voting: Voting = TALLY,
) -> Decision[Room]:
    """What is decided on the way from a room to the goal, without a plan."""
    place = Place(room_of(at), GOAL)
    return Forr(first, [], third, voting).decide(place, place.options)


def test_the_first_advisor_that_leaves_one_option_decides() -> None:
    beside = Place(room_of("B"), (1, 6))
    decision = Forr([GOAL_IN_REACH, NO_DEAD_END], [Route()], [NORTH], TALLY).decide(beside, beside.options)
    assert (decision.tier, decision.by, decision.best) == (1, "Goal in reach", ((1, 6),))
    assert decision.comments == (Comment(10, (1, 6), "Goal in reach"),)  # nobody else was asked
    assert decision.ruled_out == {(2, 7): "Goal in reach"}


@pytest.mark.parametrize(
    ("room", "goal", "forr", "expected"),
    [
        # a veto leaves less to decide on
        ("D", "s", Forr([NO_DEAD_END], [], [NORTH], TALLY), (1, "No dead end", (4, 6))),
        # tier 1 is asked in order: a later Advisor cannot save what an earlier one has ruled out
        ("D", "d", Forr([GOAL_IN_REACH, NO_DEAD_END], [], [], TALLY), (1, "Goal in reach", room_of("d"))),
        ("D", "d", Forr([NO_DEAD_END, GOAL_IN_REACH], [], [], TALLY), (1, "No dead end", (4, 6))),
        # an only option needs no Advisor
        ("d", "g", Forr([ONLY_THE_WAY_BACK], [Route()], [NORTH], TALLY), (0, "only option", (4, 5))),
        # without a plan, here to a wall, tier 3 decides
        ("A", "#", Forr([], [Route()], [Nearer()], TALLY), (3, "vote", (1, 2))),
        # a plan keeps to what tier 1 has left
        ("A", "s", Forr([], [Route()], [], TALLY), (2, "Route", (1, 2))),
        ("A", "s", Forr([NOT_WEST], [Route()], [], TALLY), (2, "Route", (2, 3))),
    ],
)
def test_who_decides(room: str, goal: str, forr: Forr[Place, Room], expected: tuple[object, ...]) -> None:
    place = Place(room_of(room), room_of(goal))
    decision = forr.decide(place, place.options)
    assert (decision.tier, decision.by, *decision.best) == expected
    assert decision.tier or decision.comments == ()


def test_vetoes_never_leave_nothing() -> None:
    decision = decided("A", [ONLY_THE_WAY_BACK], [NORTH])
    assert decision.tier == 3
    assert decision.ruled_out == {}
    assert len(decision.comments) == len(doors(room_of("A"))) == 3  # it was heard all the same


def test_support_of_several_narrows_to_them() -> None:
    decision = decided("A", [rule("East or west", 10, lambda place, room: room[0] == place.room[0])], [Nearer()])
    assert (decision.tier, decision.best) == (3, ((1, 4),))
    assert decision.ruled_out == {(2, 3): "East or west"}
    assert set(decision.support) == {(1, 2), (1, 4)}


def test_ties_are_all_best_and_sums_that_only_rounding_tells_apart_are_ties() -> None:
    class Thirds(Weighted):
        def support(self, opinions: object, options: Sequence[Option]) -> dict[Option, float]:
            return {option: (0.1 + 0.2 if which else 0.3) for which, option in enumerate(options)}

    for decision in (decided("A"), decided("A", voting=Thirds())):
        assert decision.best == tuple(doors(room_of("A")))
    decision = decided("A", third=[Nearer()])
    assert set(decision.best) == {(1, 4), (2, 3)}
    assert decision.support == {(1, 2): -2, (1, 4): 2, (2, 3): 2}


def test_the_record_says_who_said_what() -> None:
    decision = decided("C", [NO_DEAD_END], [NORTH, Nearer()], Weighted(North=0.5, Nearer=2.0))
    said = {Comment(8, (3, 1), "North"), Comment(3, (3, 1), "Nearer"), Comment(7, (4, 2), "Nearer")}
    assert set(decision.comments) == said
    assert decision.weights == {"North": 0.5, "Nearer": 2.0}
    assert decision.support == {(3, 1): -2.5, (4, 2): 4.0}
    assert (decision.tier, decision.by, decision.best) == (3, "vote", ((4, 2),))


def test_an_advisor_without_weight_is_not_asked() -> None:
    class Loud(Nearer):
        def comment(self, case: Place, options: Sequence[Room]) -> Opinion[Room]:
            raise AssertionError("asked")

    place = Place(room_of("C"), GOAL)
    forr = Forr([], [], [Loud(), Nearer()], Weighted(Loud=0.0))
    decision = forr.decide(place, place.options)
    assert decision.weights == {"Loud": 0.0, "Nearer": 1.0}
    with pytest.raises(AssertionError, match="asked"):
        forr.decide(place, place.options, voting=Weighted())


def walk(forr: Forr[Place, Room], place: Place, steps: int) -> tuple[Place, list[str]]:
    by = []
    for _ in range(steps):
        decision = forr.decide(place, place.options)
        by.append(decision.by)
        place = place.after(decision.best[0])
    return place, by


def test_a_plan_goes_on_until_the_goal() -> None:
    route = Route()
    forr = Forr([GOAL_IN_REACH], [route], [NORTH], TALLY)
    first = forr.decide(START, START.options)
    assert (first.tier, first.by, first.best) == (2, "Route", ((1, 2),))
    assert forr.plan is not None
    assert forr.plan[1][-1] == GOAL
    assert Comment(10, (1, 2), "Route") in first.comments
    forr.plan = None
    end, by = walk(forr, START, 9)
    assert end.room == GOAL
    assert by == ["Route"] * 8 + ["Goal in reach"]
    assert route.asked == 2  # once before the plan was forgotten, once after


def test_what_tier_1_decides_only_interrupts_a_plan() -> None:
    """Tier 1 takes one of the plan's steps itself; the plan goes on after it."""
    beside = Place((1, 2), GOAL, room_of("s"))
    on_to_a = rule("On to A", 10, lambda place, room: place == beside and room == room_of("A"))
    route = Route()
    end, by = walk(Forr([on_to_a], [route], [NORTH], TALLY), START, 4)
    assert by == ["Route", "On to A", "Route", "Route"]
    assert end.room == (1, 5)
    assert route.asked == 1


def test_a_plan_that_cannot_go_on_is_made_anew() -> None:
    route = Route()
    forr = Forr([], [route], [NORTH], TALLY)
    walk(forr, START, 2)
    elsewhere = Place((4, 2), GOAL)
    decision = forr.decide(elsewhere, elsewhere.options)
    assert (decision.by, decision.best) == ("Route", ((4, 3),))
    assert route.asked == 2
