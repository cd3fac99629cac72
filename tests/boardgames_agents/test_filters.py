import numpy as np
import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.filters.parts import DomainRules, SelfTest, Significant
from boardgames_agents.filters.pipeline import Filter, Gate, Pipeline
from boardgames_agents.filters.tested import SelfTested
from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_agent
from boardgames_agents.td.player import TDPlayer
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import BadInputError, Game, make_game

GAME = make_game("tic_tac_toe")


class Below(Filter[float]):
    """Admits numbers below a bound, and keeps what it was asked and told."""

    def __init__(self, bound: float, name: str = "below") -> None:
        self.name, self._bound = name, bound
        self.asked: list[float] = []
        self.told: list[float] = []

    def admits(self, item: float) -> bool:
        self.asked.append(item)
        return item < self._bound

    def passed(self, item: float) -> None:
        self.told.append(item)


# --- gates and the way through them -------------------------------------------------------------------------------


def test_a_gate_asks_up_to_the_first_refusal_and_counts() -> None:
    cheap, dear = Below(10), Below(5)
    gate = Gate(cheap, dear)
    assert [gate.admits(number) for number in (3, 20, 7, 4)] == [True, False, False, True]
    assert (cheap.asked, dear.asked) == ([3, 20, 7, 4], [3, 7, 4])
    assert (gate.accepted, gate.refused) == ([3, 2], [1, 1])


def test_filters_are_told_of_what_all_of_them_admitted() -> None:
    first, second = Below(10), Below(5)
    gate = Gate(first, second)
    for number in (3, 7, 4):
        gate.admits(number)
    assert first.told == second.told == [3, 4]


def test_an_empty_gate_is_open() -> None:
    assert Gate[str]().admits("anything")


def learned(pipeline: Pipeline[float, float], experience: float) -> float:
    """Knowledge is a sum, 0.5 at first, to which experiences are added unless they are 0."""
    return pipeline.learn(0.5, experience, lambda known, number: known + number if number else None)


def test_an_experience_goes_through_two_gates() -> None:
    assert learned(Pipeline(), 5) == 5.5
    assert learned(Pipeline(), 0) == 0.5
    assert learned(Pipeline(experience=Gate(Below(5))), 5) == 0.5
    assert learned(Pipeline(acquisition=Gate(Below(5.5))), 5) == 0.5
    assert learned(Pipeline(acquisition=Gate(Below(5.6))), 5) == 5.5


def test_what_is_refused_at_acquisition_leaves_what_was_known() -> None:
    gate = Gate(Below(5))
    assert [learned(Pipeline(acquisition=gate), number) for number in (5.25, 0.25)] == [0.5, 0.75]
    assert (gate.accepted, gate.refused) == ([1], [1])


def test_nothing_learned_is_not_judged() -> None:
    below = Below(5)
    assert learned(Pipeline(acquisition=Gate(below)), 0) == 0.5
    assert below.asked == []


def test_a_pipeline_goes_on_from_its_snapshot() -> None:
    def made() -> Pipeline[float, float]:
        rules = DomainRules[float](lambda number: number < 9)
        return Pipeline(Gate(Below(10)), acquisition=Gate(rules, SelfTest(lambda number: number, lambda: 2.0)))

    one, other = made(), made()
    for experience in (1.0, 3.0, 11.0, 9.5):
        learned(one, experience)
    other.restore(one.snapshot())
    assert other.snapshot() == one.snapshot()
    assert other.counts() == one.counts()
    assert learned(one, 3.0) == learned(other, 3.0) == 0.5  # 3.5 was accepted before: no better
    assert other.counts()["refused by self-test"] == one.counts()["refused by self-test"]
    with pytest.raises(BadInputError, match="other filters"):
        Pipeline().restore(one.snapshot())


def test_filters_are_known_by_their_names_not_by_how_many_there_are() -> None:
    rules = Pipeline[float, float](acquisition=Gate(DomainRules(bool)))
    tested = Pipeline[float, float](acquisition=Gate(SelfTest(lambda number: number, lambda: 2.0)))
    for one, other in ((rules, tested), (tested, rules)):
        with pytest.raises(BadInputError, match="other filters"):
            one.restore(other.snapshot())


# --- the filters of the paper -------------------------------------------------------------------------------------


def test_differences_are_significant_either_way() -> None:
    significant = Significant[float](lambda number: number, 100)
    assert [significant.admits(each) for each in (99.9, -99.9, 100, -100)] == [False, False, True, True]
    assert Significant[float](lambda number: number, 0).admits(0)


def test_the_domain_rule_must_hold() -> None:
    rules = DomainRules[int](lambda number: number % 2 == 0)
    assert [rules.admits(each) for each in (4, 3, -2)] == [True, False, True]


def test_the_self_test_accepts_only_what_scores_higher_than_what_it_accepted_last() -> None:
    held = []

    def exam(number: float) -> float:
        held.append(number)
        return number

    gate = Gate(SelfTest(exam, lambda: 50.0))
    assert [gate.admits(number) for number in (50, 60, 60, 55, 61)] == [False, True, False, False, True]
    assert held == [50, 50, 60, 60, 55, 61]  # the first to be bettered sits it, too
    assert gate.filters[0].knowledge() == {"exams": 6, "self-test score": 61}


def test_the_self_test_does_not_remember_what_another_filter_refused() -> None:
    test = SelfTest[float](lambda number: number, lambda: 0.0)
    gate = Gate(test, Below(10))
    assert not gate.admits(20)
    assert gate.admits(5)
    assert test.score == 5


# --- any learner, tested ------------------------------------------------------------------------------------------


def examined(options: str = "", game: Game = GAME) -> SelfTested:
    made = make_agent(f"self_tested(learner='td(seed=1,hidden=16,decay=0)',{options})", game)
    assert isinstance(made, SelfTested)
    return made


def practised(learner: Learner, contests: range) -> None:
    assert learner.self_play((3,), contests) is not None


def weights(learner: Learner) -> list[np.ndarray]:
    return [array for name, array in learner.snapshot().arrays.items() if name.startswith("latest ")]


def test_what_passes_never_scores_lower_than_what_passed_before() -> None:
    learner = examined("every=50,contests=40,tester='fallible(e=0.7)'")
    scores = []
    for block in range(12):
        practised(learner, range(50 * block, 50 * (block + 1)))
        player = learner.frozen()
        points = tournament(GAME, player, "fallible(e=0.7)", 40, 0).score.points / 40
        assert points == learner.knowledge()["self-test score"]
        scores.append(points)
    assert scores == sorted(scores)
    knowledge = learner.knowledge()
    assert knowledge["accepted by self-test"] == len({*scores}) >= 2
    assert knowledge["refused by self-test"] == 12 - len({*scores}) >= 1
    assert knowledge["exams"] == 13


def test_what_fails_is_undone() -> None:
    learner, plain = examined("every=50,contests=6,tester='worst'"), make_agent("td(seed=1,hidden=16,decay=0)", GAME)
    assert isinstance(plain, Learner)
    practised(learner, range(1000))
    practised(plain, range(1000))
    knowledge, arrays = learner.knowledge(), learner.snapshot().arrays
    assert knowledge["refused by self-test"] >= 1
    assert knowledge["refused by self-test"] + knowledge["accepted by self-test"] == 20
    for name, array in plain.snapshot().arrays.items():
        assert np.array_equal(arrays[f"latest {name}"], arrays[f"passed {name}"])
        assert not np.array_equal(arrays[f"latest {name}"], array)


def test_what_fails_is_learned_on_from_but_not_played_by() -> None:
    learner = examined("every=50,contests=6,tester='worst',place='utilization'")
    plain = make_agent("td(seed=1,hidden=16,decay=0)", GAME)
    assert isinstance(plain, Learner)
    practised(learner, range(1000))
    practised(plain, range(1000))
    assert learner.knowledge()["refused by self-test"] >= 1
    arrays, player = learner.snapshot().arrays, learner.frozen()
    for name, array in plain.snapshot().arrays.items():
        assert np.array_equal(arrays[f"latest {name}"], array)
        assert not np.array_equal(arrays[f"passed {name}"], array)
    assert isinstance(player, TDPlayer)
    for name, array in player.network.arrays().items():
        assert np.array_equal(array, arrays[f"passed {name}"])


@pytest.mark.parametrize("place", ["acquisition", "utilization"])
def test_exams_come_when_they_are_due_however_contests_come(place: str) -> None:
    one, other = (examined(f"every=40,contests=10,place='{place}'") for _ in range(2))
    practised(one, range(130))
    for part in (range(17), range(17, 90), range(90, 130)):
        practised(other, part)
    assert one.snapshot().data == other.snapshot().data
    assert all(np.array_equal(a, b) for a, b in zip(weights(one), weights(other), strict=True))
    assert one.knowledge()["exams"] == 4


def test_it_learns_under_trainers_and_hands_on_what_it_is_told() -> None:
    learner = examined("every=5,contests=4")
    trainer = make_trainer("fallible(e=0.5)", GAME)
    for contest in range(12):
        trainer.meeting(contest, learner).play(GAME, learner, (1, contest))
    assert learner.knowledge()["exams"] == 3
    assert learner._learner.experts == (0,)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("learner='random'", "does not learn"),
        ("learner='nobody'", "no agent 'nobody'"),
        ("tester='human'", "a person"),
        ("every=0", "every=0"),
        ("contests=0", "contests=0"),
        ("seed=-1", "seed=-1"),
        ("place='memory'", "place='memory'"),
    ],
)
def test_bad_options_are_refused(options: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        make_agent(f"self_tested({options})", GAME)


def test_a_snapshot_of_another_place_is_refused_and_changes_nothing() -> None:
    learner, other = examined("place='utilization'"), examined("every=10,contests=4")
    practised(other, range(20))
    before = learner.snapshot()
    with pytest.raises(BadInputError, match="other filters"):
        learner.restore(other.snapshot())
    after = learner.snapshot()
    assert after.data == before.data
    assert all(np.array_equal(after.arrays[name], array) for name, array in before.arrays.items())


def test_a_tested_learner_can_be_tested_itself() -> None:
    inner = "self_tested(learner='td(hidden=8)',every=10,contests=4,tester='worst')"
    spec = f"self_tested(learner={inner!r},every=30,contests=4,tester='random')"
    one, other = (make_agent(spec, GAME) for _ in range(2))
    assert isinstance(one, Learner)
    assert isinstance(other, Learner)
    practised(one, range(50))
    other.restore(one.snapshot())
    for learner in (one, other):
        practised(learner, range(50, 100))
    assert one.snapshot().data == other.snapshot().data
    arrays = other.snapshot().arrays
    assert all(np.array_equal(arrays[name], array) for name, array in one.snapshot().arrays.items())
