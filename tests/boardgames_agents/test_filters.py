from itertools import permutations

import numpy as np
import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.filters.parts import Rule, SelfTest
from boardgames_agents.filters.pipeline import Filter, Gate, Pipeline
from boardgames_agents.filters.tested import SelfTested
from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_agent, make_learner
from boardgames_agents.td.learner import TDPlayer
from boardgames_env import BadInputError, Game, make_game
from tests.test_every_learner import train

GAME = "tic_tac_toe"


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


def test_a_gate_asks_up_to_the_first_refusal_counts_and_tells_what_all_admitted() -> None:
    cheap, dear = Below(10), Below(5)
    gate = Gate(cheap, dear)
    assert [gate.admits(number) for number in (3, 20, 7, 4)] == [True, False, False, True]
    assert (cheap.asked, dear.asked) == ([3, 20, 7, 4], [3, 7, 4])
    assert (gate.accepted, gate.refused) == ([3, 2], [1, 1])
    assert cheap.told == dear.told == [3, 4]


def learned(pipeline: Pipeline[float, float], experience: float) -> float:
    """Knowledge is a sum, 0.5 at first, to which experiences are added unless they are 0."""
    return pipeline.learn(0.5, experience, lambda known, number: known + number if number else None)


def test_an_experience_goes_through_two_gates() -> None:
    assert [learned(Pipeline(), number) for number in (5, 0)] == [5.5, 0.5]
    assert learned(Pipeline(experience=Gate(Below(5))), 5) == 0.5
    gate = Gate(Below(5.5))
    assert [learned(Pipeline(acquisition=gate), number) for number in (5, 4.75, 0)] == [0.5, 5.25, 0.5]
    assert (gate.accepted, gate.refused) == ([1], [1]), "nothing learned is not judged"


def rules() -> Rule[float]:
    return Rule("rules", lambda number: number < 9)


def self_test() -> SelfTest[float]:
    return SelfTest(lambda number: number, lambda: 2.0)


def test_a_pipeline_goes_on_from_its_snapshot() -> None:
    one, other = (Pipeline(Gate(Below(10)), acquisition=Gate(rules(), self_test())) for _ in range(2))
    for experience in (1.0, 3.0, 11.0, 9.5):
        learned(one, experience)
    other.restore(one.snapshot())
    assert other.snapshot() == one.snapshot()
    assert other.counts() == one.counts()
    assert learned(one, 3.0) == learned(other, 3.0) == 0.5  # 3.5 was accepted before: no better
    assert other.counts()["refused by self-test"] == one.counts()["refused by self-test"]


def test_a_snapshot_of_other_filters_is_refused() -> None:
    made = [Pipeline(), Pipeline(acquisition=Gate(rules())), Pipeline[float, float](acquisition=Gate(self_test()))]
    for one, other in permutations(made, 2):
        with pytest.raises(BadInputError, match="other filters"):
            one.restore(other.snapshot())


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
    gate = Gate(self_test(), Below(10))
    assert [gate.admits(number) for number in (20, 5)] == [False, True]
    assert gate.filters[0].knowledge() == {"exams": 3, "self-test score": 5}


def examined(options: str = "") -> SelfTested:
    made = make_agent(f"self_tested(learner='td(seed=1,hidden=16,decay=0)',{options})", make_game(GAME))
    assert isinstance(made, SelfTested)
    return made


def practised(learner: Learner, contests: range) -> None:
    assert learner.self_play((3,), contests) is not None


@pytest.mark.slow
def test_what_passes_never_scores_lower_than_what_passed_before(game: Game) -> None:
    learner = examined("every=50,contests=40,tester='fallible(e=0.7)'")
    scores = []
    for block in range(12):
        practised(learner, range(50 * block, 50 * (block + 1)))
        player = learner.frozen()
        points = tournament(game, player, "fallible(e=0.7)", 40, 0).score.points / 40
        assert points == learner.knowledge()["self-test score"]
        scores.append(points)
    assert scores == sorted(scores)
    knowledge = learner.knowledge()
    assert knowledge["accepted by self-test"] == len({*scores}) >= 2
    assert knowledge["refused by self-test"] == 12 - len({*scores}) >= 1
    assert knowledge["exams"] == 13


@pytest.mark.parametrize("place", ["acquisition", "utilization"])
def test_what_fails_is_undone_or_learned_on_from_but_not_played_by(place: str, game: Game) -> None:
    learner = examined(f"every=50,contests=6,tester='worst',place={place!r}")
    plain = make_learner("td(seed=1,hidden=16,decay=0)", game)
    for each in (learner, plain):
        practised(each, range(1000))
    knowledge, arrays, player = learner.knowledge(), learner.snapshot().arrays, learner.frozen()
    assert knowledge["refused by self-test"] >= 1
    assert knowledge["refused by self-test"] + knowledge["accepted by self-test"] == 20
    for name, array in plain.snapshot().arrays.items():
        assert np.array_equal(arrays[f"latest {name}"], array) == (place == "utilization")
        assert np.array_equal(arrays[f"latest {name}"], arrays[f"passed {name}"]) == (place == "acquisition")
    assert isinstance(player, TDPlayer)
    for name, array in player.network.arrays().items():
        assert np.array_equal(array, arrays[f"passed {name}"])


@pytest.mark.parametrize("place", ["acquisition", "utilization"])
def test_exams_come_when_they_are_due_however_contests_come(place: str) -> None:
    one, other = (examined(f"every=40,contests=10,place='{place}'") for _ in range(2))
    practised(one, range(130))
    for part in (range(17), range(17, 90), range(90, 130)):
        practised(other, part)
    assert one.snapshot().digest == other.snapshot().digest
    assert one.knowledge()["exams"] == 4


def test_it_learns_under_trainers_and_hands_on_what_it_is_told(game: Game) -> None:
    learner = examined("every=5,contests=4")
    train(learner, game, "fallible(e=0.5)", range(12))
    assert learner.knowledge()["exams"] == 3
    assert learner._learner.experts == (0,)


def test_a_snapshot_of_another_place_is_refused_and_changes_nothing() -> None:
    learner, other = examined("place='utilization'"), examined("every=10,contests=4")
    practised(other, range(20))
    before = learner.snapshot().digest
    with pytest.raises(BadInputError, match="other filters"):
        learner.restore(other.snapshot())
    assert learner.snapshot().digest == before
