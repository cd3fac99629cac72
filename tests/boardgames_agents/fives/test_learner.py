"""The student: whose moves teach it, what it takes from them, and what its filters let pass."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.fives.coefficients import INITIAL, INITIAL_BROKEN, Coefficients
from boardgames_agents.fives.exam import Exam
from boardgames_agents.fives.features import CONTENTS, contents
from boardgames_agents.fives.learner import ORDER, FivesLearner, is_in_order, updated
from boardgames_agents.fives.making import make_starts
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_agents.fives.player import FivesPlayer
from boardgames_agents.policy import ContestInfo, Policy
from boardgames_agents.policy.explanation import Explains
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent
from boardgames_agents.training.starting_positions import load_starts, save_starts
from boardgames_agents.training.trainers import against, make_trainer
from boardgames_env import BadInputError, Game, make_game
from tests.boardgames_agents.fives.plain import grid_game
from tests.contests import train

GAME = "fives(paired_moves=25)"
UNFILTERED = "experience=False,rules=False,self_test=False"


def student(options: str = "", game: Game | None = None, exam: str = "") -> FivesLearner:
    made = make_agent(f"fives(exam={exam!r},{options})", game or make_game(GAME))
    assert isinstance(made, FivesLearner)
    return made


def session(learner: FivesLearner, number: int, teacher: Policy | None = None, seat: int = 0) -> Record:
    game = make_game(GAME)
    opening = load_starts("lessons-1", game)[number].actions
    return against(teacher or learner.teacher, seat, learner, opening).play(game, learner, (number,))


def sessions(learner: FivesLearner, count: int = 5) -> list[float]:
    for number in range(count):
        session(learner, number)
    return list(learner.coefficients.values)


def test_sessions_change_what_the_plain_rule_changes(game: Game) -> None:
    """Whole sessions again, in plain steps: predict, compare, update, and both play by it from then on."""
    learner = student(UNFILTERED)
    values, predicted, right = np.array(INITIAL.values), 0, 0
    for number in range(3):
        record = session(learner, number)
        for position, action in list(zip(record.positions(game), record.actions, strict=False))[10:]:
            both = Coefficients(tuple(values.tolist()))
            expected = FivesSearch(game, both, 3, 3).choose(position.state)
            if position.seat == 0:
                assert action == expected
                continue
            assert action == FivesSearch(game, both, 5, 10).choose(position.state)
            predicted, right = predicted + 1, right + (action == expected)
            actual_board, expected_board = (-contents(position.after(move))[:5] for move in (action, expected))
            values = updated(values, actual_board - expected_board)  # (o's less x's: the teacher's side)
        assert values.tolist() == list(learner.coefficients.values)
    assert learner.coefficients != INITIAL
    knowledge = learner.knowledge()
    assert (knowledge["predictions"], knowledge["right"]) == (predicted, right)


@pytest.mark.parametrize("shared", [False, True])
def test_a_teacher_that_does_not_share_keeps_what_both_began_with(shared: bool) -> None:
    learner = student(f"{UNFILTERED},shared={shared}")
    sessions(learner)
    assert learner.coefficients != INITIAL
    teacher = learner.teacher
    assert isinstance(teacher, FivesPlayer)
    assert teacher.coefficients == (learner.coefficients if shared else INITIAL)
    assert teacher.search.solver.coefficients[:5].tolist() == list(teacher.coefficients.values)


def test_experts_teach_in_either_seat_and_nobody_else_unless_it_asks_its_teacher(game: Game) -> None:
    quiet, asking, in_seat_1 = student(UNFILTERED), student(f"{UNFILTERED},asks=True"), student(UNFILTERED)
    play_contest(game, (quiet, FivesPlayer(game, 5, 10)), [1])  # nobody says that this is an expert
    play_contest(game, (quiet, quiet), [1])
    assert quiet.knowledge()["predictions"] == 0
    assert quiet.coefficients == INITIAL
    for learner, seat in ((quiet, 0), (in_seat_1, 1), (asking, 0)):
        record = session(learner, 0, FivesPlayer(game, 5, 10), seat)
        assert learner.knowledge()["predictions"] == len(record.actions[10:][1 - seat :: 2])
    before = asking.knowledge()["predictions"]
    play_contest(game, (asking, asking), [1])
    assert asking.knowledge()["predictions"] > before
    watching = student(UNFILTERED)
    make_trainer("watch(a='fives_teacher',b='fives_teacher')", game).meeting(0, watching).play(game, watching, (0,))
    contest = play_contest(game, (FivesPlayer(game, 5, 10), FivesPlayer(game, 5, 10)), [0])
    assert watching.knowledge()["predictions"] == len(contest.actions)


def test_what_one_side_got_more_of_the_other_got_less_of(game: Game) -> None:
    record = session(student(UNFILTERED), 0)
    grown = []
    for options in (UNFILTERED, f"{UNFILTERED},viewer='student'"):
        learner = student(options)
        learner.prepare(ContestInfo(experts=(1,)))
        learner.begin(game, (0,), np.random.default_rng(0))
        for position, action in zip(record.positions(game), record.actions, strict=False):
            if learner.coefficients == INITIAL:  # up to the first lesson
                learner.saw(position, action)
        grown.append(np.array(learner.coefficients.values) > np.array(INITIAL.values))
    assert grown[0].any()
    assert grown[1].any()
    assert not (grown[0] & grown[1]).any()


def test_the_experience_filter_keeps_small_differences_from_teaching() -> None:
    learner = student("rules=False,self_test=False,threshold=1e9")
    sessions(learner)
    knowledge = learner.knowledge()
    assert learner.coefficients == INITIAL
    assert knowledge["accepted by significance"] == 0
    assert knowledge["refused by significance"] == knowledge["predictions"] - knowledge["right"] > 0
    open_to_all = student("rules=False,self_test=False,threshold=0")
    assert sessions(open_to_all) == sessions(student(UNFILTERED))


def many_sessions(learner: FivesLearner, seeds: range) -> Iterator[Coefficients]:
    """What it knows after each of many sessions."""
    game = make_game(GAME)
    for seed in seeds:
        for start in make_starts(game, "lessons", seed, count=3):
            against(learner.teacher, 0, learner, start.actions).play(game, learner, (seed,))
            yield learner.coefficients


@pytest.mark.slow
def test_the_domain_rules_keep_coefficients_in_order() -> None:
    ruled, free = student("experience=False,self_test=False"), student(UNFILTERED)
    assert all(is_in_order(known) for known in many_sessions(ruled, range(500, 515)))
    assert not all(is_in_order(known) for known in many_sessions(free, range(500, 515)))
    assert ruled.knowledge()["refused by domain rules"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_score_never_falls_on_the_self_test_s_own_exam(seed: int, tmp_path: Path, game: Game) -> None:
    path, starts = tmp_path / "own.json", make_starts(game, "self_test", seed)
    save_starts(path, starts, "")
    learner, exam = student(f"practice_exam={str(path)!r}"), Exam(game, starts)
    learned = many_sessions(learner, range(600 + 10 * seed, 606 + 10 * seed))
    scores = [exam.score(FivesSearch(game, known)) for known in (INITIAL, *learned)]
    assert scores[0] == 50
    assert scores == sorted(scores)
    knowledge = learner.knowledge()
    assert knowledge["self-test score"] == scores[-1]
    assert len({*scores}) <= 1 + knowledge["accepted by self-test"]
    assert knowledge["exams"] == 1 + knowledge["accepted by self-test"] + knowledge["refused by self-test"]
    assert knowledge["refused by self-test"] > 0


def test_cheap_filters_come_before_the_dear_one() -> None:
    filtered, unfiltered = student("threshold=150"), student("experience=False")
    for learner in (filtered, unfiltered):
        sessions(learner)
    assert filtered.knowledge()["exams"] < unfiltered.knowledge()["exams"]


def test_any_subset_of_the_filters_can_be_switched_on() -> None:
    names = {"experience": "significance", "rules": "domain rules", "self_test": "self-test"}
    for which in range(8):
        on = {option: bool(which >> number & 1) for number, option in enumerate(names)}
        learner = student(",".join(f"{option}={value}" for option, value in on.items()))
        session(learner, 0)
        told = {name for name in names.values() if f"refused by {name}" in learner.knowledge()}
        assert told == {names[option] for option in names if on[option]}


@pytest.mark.slow
def test_no_feature_becomes_worth_a_five() -> None:
    learner = student(f"{UNFILTERED},coefficients=(999000,900000,800000,700000,600000)")
    assert all(max(known.values) < 999999 for known in many_sessions(learner, range(700, 705)))


@pytest.mark.parametrize("options", [UNFILTERED, "", "broken=True,threshold=0", "shared=False,viewer='student'"])
def test_an_experiment_that_is_taken_up_again_goes_on_identically(options: str) -> None:
    whole, first, second = student(options), student(options), student(options)
    sessions(whole)
    sessions(first, 2)
    second.restore(first.snapshot())
    for number in range(2, 5):
        session(second, number)
    assert whole.coefficients == second.coefficients
    assert whole.snapshot().data == second.snapshot().data
    assert whole.knowledge() == second.knowledge()


def test_what_an_experiment_comes_to() -> None:
    """Held so that a change of the rules, the features, the search or the learning is noticed."""
    learner = student(UNFILTERED)
    assert sessions(learner) == pytest.approx([500, 400, 332, 276, 259.6])
    assert learner.knowledge()["right"] == 24


def test_broken_features_have_coefficients_of_their_own() -> None:
    learner = student(f"broken=True,{UNFILTERED}")
    assert learner.coefficients == INITIAL_BROKEN
    assert len(sessions(learner)) == 7
    assert {"broken four", "broken three"} <= set(learner.knowledge())


def test_the_reported_exam_is_told_and_teaches_nothing(game: Game) -> None:
    learner, blind = student(exam="exam-2"), student()
    assert learner.knowledge()["exam score"] == 50
    assert sessions(learner) == sessions(blind)
    exam = Exam(game, load_starts("exam-2", game))
    assert learner.knowledge()["exam score"] == exam.score(FivesSearch(game, learner.coefficients))
    assert "exam score" not in blind.knowledge()


def test_frozen_it_plays_as_it_does_now(game: Game) -> None:
    learner = student(UNFILTERED)
    sessions(learner)
    frozen = learner.frozen()
    assert isinstance(frozen, FivesPlayer)
    position = load_starts("exam-1", game)[0].position(game)
    assert frozen.coefficients == learner.coefficients
    assert frozen.choose(position) == learner.choose(position)
    assert isinstance(learner, Explains)
    assert learner.explanation(position) == frozen.explanation(position)


def test_it_learns_on_other_grids() -> None:
    game = grid_game(8, 7)
    learner = student(UNFILTERED, game)
    train(learner, game, "fives_teacher", range(4))
    assert learner.knowledge()["predictions"] > 0


def test_foreign_snapshots_are_refused() -> None:
    for options, other in (("", "broken=True"), ("", "rules=False"), ("rules=False", "self_test=False")):
        with pytest.raises(BadInputError, match="snapshot"):
            student(options).restore(student(other).snapshot())


FIRST = INITIAL.values


@pytest.mark.parametrize(
    ("first", "delta", "learned"),
    [
        (FIRST, (1, -1, 2, -1, 0), (520, 400, 320, 200, 100)),  # the paper's example
        (FIRST, (0, 0, 0, 0, 0), FIRST),
        (FIRST, (1, 0, 2, 0, 0), FIRST),  # nothing is less
        (FIRST, (0, -1, 0, -3, 0), FIRST),  # nothing is more
        (FIRST, (0, 0, 0, -3, 1), (500, 400, 300, 200, 160)),
        (FIRST, (0, 0, 0, -3, 4), (500, 400, 300, 200, 115)),
        (FIRST, (2, 2, -1, 0, 0), (507.5, 407.5, 300, 200, 100)),
        ((10.0, -20.0), (1, -2), (14, -20)),
    ],
)
def test_coefficients_of_what_is_more_grow_by_the_value_of_what_is_less(
    first: tuple[float, ...], delta: tuple[int, ...], learned: tuple[float, ...]
) -> None:
    values = np.array(first)
    assert updated(values, np.array(delta)).tolist() == list(learned)
    assert values.tolist() == list(first)


def test_the_order_names_features_and_the_papers_coefficients_are_in_it() -> None:
    assert ("half open four", "quarter open three") in ORDER
    assert {name for pair in ORDER for name in pair} == set(CONTENTS)
    assert is_in_order(INITIAL)
    assert is_in_order(INITIAL_BROKEN)
    assert is_in_order(Coefficients((560, 450, 300, 222.5, 122.5)))
    assert is_in_order(Coefficients((500, 250, 300, 260, 100)))  # half open four below both open threes: not compared


@pytest.mark.parametrize(("better", "worse"), ORDER)
def test_coefficients_out_of_order_are_noticed(better: str, worse: str) -> None:
    """Each pair alone: all others are as far apart as they can be."""
    named = dict.fromkeys(CONTENTS, 50.0)
    assert is_in_order(Coefficients(tuple(named.values())))  # equals are allowed
    for one, other in ((better, worse), (worse, better)):
        values = named | {one: 51.0}
        broken = {(high, low) for high, low in ORDER if values[high] < values[low]}
        assert is_in_order(Coefficients(tuple(values.values()))) == (not broken)
        assert ((better, worse) in broken) == (one == worse and other == better)
