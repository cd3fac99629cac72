"""Filters of knowledge, and learners whose knowledge is examined."""

from itertools import permutations

import numpy as np
import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.registry import make_agent, make_learner
from boardgames_agents.td.learner import TDPlayer
from boardgames_agents.training.self_tested import Filter, Filters, SelfTest, SelfTested
from boardgames_env import BadInputError, Game, make_game
from tests.contests import train

GAME = "tic_tac_toe"


def below(bound: float, name: str = "below") -> Filter[float]:
    return Filter(name, lambda number: number < bound)


def self_test() -> SelfTest[float]:
    return SelfTest(lambda number: number, lambda: 2.0)


def test_filters_are_asked_up_to_the_first_refusal_and_counted() -> None:
    cheap, dear = below(10), below(5)
    filters = Filters(experience=[cheap, dear])
    assert [filters.admit("experience", number) for number in (3, 20, 7, 4)] == [True, False, False, True]
    assert [(each.accepted, each.refused) for each in (cheap, dear)] == [(3, 1), (2, 1)]
    assert filters.admit("acquisition", 20), "a place without filters admits everything"


def test_filters_go_on_from_their_snapshot() -> None:
    one, other = (Filters(experience=[below(10)], acquisition=[below(9, "rules"), self_test()]) for _ in range(2))
    for number in (1.0, 3.0, 11.0, 9.5):
        if one.admit("experience", number):
            one.admit("acquisition", number)
    other.restore(one.snapshot())
    assert other.snapshot() == one.snapshot()
    for each in (one, other):
        assert not each.admit("acquisition", 3.0)  # 3 was accepted before: no better
    assert other.knowledge() == one.knowledge()
    assert one.knowledge()["refused by self-test"] == 2


def test_a_snapshot_of_other_filters_is_refused_and_changes_nothing() -> None:
    made = [Filters(), Filters(acquisition=[below(9)]), Filters(acquisition=[self_test()])]
    for one, other in permutations(made, 2):
        with pytest.raises(BadInputError, match="other filters"):
            one.restore(other.snapshot())
    learner, teacher = examined("place='utilization'"), examined("every=10,contests=4")
    teacher.self_play((3,), range(20))
    before = learner.snapshot().digest
    with pytest.raises(BadInputError, match="other filters"):
        learner.restore(teacher.snapshot())
    assert learner.snapshot().digest == before


def test_the_self_test_accepts_only_what_scores_higher_than_what_it_accepted_last() -> None:
    held: list[float] = []

    def exam(number: float) -> float:
        held.append(number)
        return number

    test = SelfTest(exam, lambda: 50.0)
    assert [test.admits(number) for number in (50, 60, 60, 55, 61)] == [False, True, False, False, True]
    assert held == [50, 50, 60, 60, 55, 61]  # the first to be bettered sits it, too
    known = {"accepted by self-test": 2, "refused by self-test": 3, "exams": 6, "self-test score": 61}
    assert test.knowledge() == known


def examined(options: str = "") -> SelfTested:
    made = make_agent(f"self_tested(learner='td(seed=1,hidden=16,decay=0)',{options})", make_game(GAME))
    assert isinstance(made, SelfTested)
    return made


@pytest.mark.slow
def test_what_passes_never_scores_lower_than_what_passed_before(game: Game) -> None:
    learner, scores = examined("every=50,contests=40,tester='fallible(e=0.7)'"), []
    for block in range(12):
        learner.self_play((3,), range(50 * block, 50 * (block + 1)))
        scores.append(tournament(game, learner.frozen(), "fallible(e=0.7)", 40, 0).score.points / 40)
        assert scores[-1] == learner.knowledge()["self-test score"]
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
        each.self_play((3,), range(1000))
    knowledge, arrays, player = learner.knowledge(), learner.snapshot().arrays, learner.frozen()
    assert knowledge["refused by self-test"] >= 1
    assert knowledge["refused by self-test"] + knowledge["accepted by self-test"] == 20
    for name, array in plain.snapshot().arrays.items():
        assert np.array_equal(arrays[f"latest {name}"], array) == (place == "utilization")
        assert np.array_equal(arrays[f"latest {name}"], arrays[f"passed {name}"]) == (place == "acquisition")
    assert isinstance(player, TDPlayer)
    for name, array in player.evaluator.arrays().items():
        assert np.array_equal(array, arrays[f"passed {name}"])


@pytest.mark.parametrize("place", ["acquisition", "utilization"])
def test_exams_come_when_they_are_due_however_contests_come(place: str) -> None:
    one, other = (examined(f"every=40,contests=10,place='{place}'") for _ in range(2))
    one.self_play((3,), range(130))
    for part in (range(17), range(17, 90), range(90, 130)):
        other.self_play((3,), part)
    assert one.snapshot().digest == other.snapshot().digest
    assert one.knowledge()["exams"] == 4


def test_it_learns_under_trainers_and_hands_on_what_it_is_told(game: Game) -> None:
    learner = examined("every=5,contests=4")
    train(learner, game, "fallible(e=0.5)", range(12))
    assert learner.knowledge()["exams"] == 3
    assert learner._learner.experts == (0,)
