"""Hoyle as a learner, and its snapshots: what `test_every_learner` asks of all learners is asked there."""

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.hoyle import Hoyle, HoylePlayer
from boardgames_agents.hoyle.items.remembered_moves import Tallies
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy import Snapshot
from boardgames_agents.registry import make_agent, registered_agents
from boardgames_env import BadInputError, Game, Limits, make_game
from tests.boardgames_agents.hoyle.situation import digest, hoyle, knowledge_of, walk
from tests.contests import train
from tests.processes import printed
from tests.variants import EACH_GAME, EACH_SMALL_GAME, SMALL_GAMES, cut_short, is_small, over, sampled

OPTIONS = registered_agents()["hoyle"].options
EVERYTHING = f"hoyle({', '.join(f'{name}=True' for name, option in OPTIONS.items() if option.default is False)})"
"""With all that may be switched on."""

GAME = "tic_tac_toe"

LARGE_BOARDS = ["five_mens_morris", "qubic", "fives"]
"""With captures, in space, and with many locations."""


@over(sampled([*EACH_SMALL_GAME, *LARGE_BOARDS], one_in=11))
def test_with_everything_switched_on_it_learns_all_kinds_of_games(game: Game) -> None:
    short = game if is_small(game) else replace(game, limits=Limits(plies=4, plies_draw=True))
    learner = hoyle(short, EVERYTHING, 2, "random")
    assert learner.useful_knowledge.tallies.contests == 2
    again = hoyle(short, EVERYTHING)
    again.restore(learner.snapshot())
    assert digest(again.snapshot()) == digest(learner.snapshot())


@over(sampled([spec for spec in SMALL_GAMES if spec not in EACH_GAME], one_in=3))
def test_it_learns_variants_of_the_rules(game: Game) -> None:
    known = hoyle(game, contests=2).useful_knowledge
    assert known.tallies.contests == 2
    assert known.expert_moves.space > 0


def test_a_snapshot_that_lacks_something_is_refused_and_the_item_named(game: Game) -> None:
    learner = hoyle(game, EVERYTHING, 25)
    snapshot = learner.snapshot()
    assert len(snapshot.arrays) > 8
    for lost in snapshot.arrays:
        arrays = {name: array for name, array in snapshot.arrays.items() if name != lost}
        with pytest.raises(BadInputError, match=f"the snapshot's {lost.partition('/')[0]} are damaged"):
            hoyle(game, EVERYTHING).restore(Snapshot(arrays, snapshot.data))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"hoyle": 0}, "version 1: it has hoyle=0"),
        ({"hoyle": None}, "it has hoyle=None"),
        ({"game": "achi"}, "is not Hoyle's knowledge of tic_tac_toe, version 1: it has game='achi'"),
    ],
)
def test_another_versions_or_games_snapshot_is_refused(change: dict[str, object], sentence: str, game: Game) -> None:
    snapshot = hoyle(game, contests=5).snapshot()
    with pytest.raises(BadInputError, match=sentence):
        hoyle(game).restore(Snapshot(snapshot.arrays, {**snapshot.data, **change}))


def test_a_snapshot_with_other_items_is_refused(game: Game) -> None:
    for one, other in (("hoyle", EVERYTHING), (EVERYTHING, "hoyle")):
        with pytest.raises(BadInputError, match="holds other items of knowledge"):
            hoyle(game, one).restore(hoyle(game, other).snapshot())


@pytest.mark.parametrize("spec", ["tic_tac_toe", pytest.param("achi", marks=pytest.mark.slow)])
def test_a_snapshot_is_plain_data_from_which_learning_goes_on_just_the_same(spec: str) -> None:
    game = make_game(spec)
    learner = hoyle(game, EVERYTHING, 30)
    snapshot = learner.snapshot()
    again = hoyle(game, EVERYTHING)
    again.restore(Snapshot(snapshot.arrays, json.loads(json.dumps(dict(snapshot.data)))))
    assert digest(again.snapshot()) == digest(snapshot)
    assert again.knowledge() == learner.knowledge()
    for each in (learner, again):
        train(each, game, "2&7", range(30, 45))
    assert digest(again.snapshot()) == digest(learner.snapshot()) != digest(snapshot)


SPECS = [("tic_tac_toe", EVERYTHING, 20), ("achi", EVERYTHING, 4), ("pong_hau_ki", "hoyle", 8)]


def digests() -> str:
    return " ".join(digest(hoyle(make_game(game), spec, contests).snapshot()) for game, spec, contests in SPECS)


@pytest.mark.slow
def test_the_same_seed_teaches_the_same_in_every_process() -> None:
    """Python hashes bytes otherwise in each process, so no order of a set may matter, nor what is imported first."""
    code = (
        "import boardgames_agents.hoyle.advisors.freedom; "
        "from tests.boardgames_agents.hoyle.test_learner import digests; print(digests())"
    )
    other = printed(code, PYTHONHASHSEED="1")
    assert len(other.split()) == len(SPECS)
    assert other.strip() == digests()


@pytest.fixture(scope="module")
def known(game: Game) -> Snapshot:
    """What 20 contests have taught."""
    return hoyle(game, contests=20).snapshot()


@pytest.mark.parametrize("frozen", [False, True])
def test_advisors_can_be_chosen(frozen: bool, known: Snapshot, game: Game) -> None:
    def heard(spec: str) -> set[str]:
        """Who voted or said something in the positions of some random contests."""
        learner = hoyle(game, spec)
        learner.restore(known)
        policy = learner.frozen() if frozen else learner
        decisions = [policy.explain(position) for position in walk(game, 12)]
        spoken = {comment.advisor for decision in decisions for comment in decision.comments}
        return spoken.union(*(decision.weights for decision in decisions))

    everybody = heard("hoyle")
    assert everybody > {"Victory", "Panic", "Cyber", "Leery", "Anthropomorph", "Not Again"}
    assert "Anything" not in everybody
    assert heard("hoyle(only='Victory, Panic, Cyber')") == {"Victory", "Panic", "Cyber"}
    assert heard("hoyle(only=' Victory ,Cyber ')") == {"Victory", "Cyber"}
    assert heard("hoyle(only='Victory, Cyber', without='Cyber')") == {"Victory"}
    others = heard("hoyle(without='Panic, Not Again')")
    assert others >= everybody - {"Panic", "Not Again"}
    assert not others & {"Panic", "Not Again"}


@over(sampled(EACH_SMALL_GAME, one_in=3))
def test_it_plays_what_it_explains(game: Game) -> None:
    player = hoyle(game, contests=6).frozen()
    player.begin(game, (0, 1), np.random.default_rng(0))
    position, left = game.initial, 12
    while not position.is_over and left:
        decision, action = player.explain(position), player.choose(position)
        assert any(action == actions[0] for choice in decision.best for actions in choice.alike)
        position, left = position.play(action), left - 1


def test_moves_that_are_the_same_but_for_symmetry_are_equally_likely(game: Game) -> None:
    player = hoyle(game, "hoyle(only='Cyber')").frozen()
    assert isinstance(player, HoylePlayer)
    # a corner, an edge and the centre are equally likely, and so is each of four corners and edges
    shares = {action: 1 / 3 if action == 4 else 1 / 12 for action in range(9)}
    assert dict(zip(*player.distribution(game.initial), strict=True)) == pytest.approx(shares)


@pytest.mark.slow
def test_a_contest_that_was_cut_short_is_no_win_and_no_loss() -> None:
    game = cut_short(make_game("five_mens_morris"))
    known = hoyle(game, contests=6, trainer="self").useful_knowledge
    assert known.tallies.contests == 0
    assert known.hoyle_moves.space == known.states.space == known.openings.space == 0


@pytest.mark.parametrize(("trainer", "drawn"), [("self", False), ("lessons(lessons=0, practice=1)", True)])
def test_only_practice_is_played_with_paradigms_drawn_for_each_side(trainer: str, drawn: bool, game: Game) -> None:
    """Pure self-training goes by Hoyle's own voting (Epstein 1994, section 4)."""
    learner = hoyle(game, contests=1, trainer=trainer)
    assert [paradigm is not None for paradigm in learner._paradigms] == [drawn, drawn]


def test_a_pared_down_hoyle_learns_no_advisors(game: Game) -> None:
    learner = hoyle(game, "hoyle(patterns=True, only='Victory, Panic, Patsy')", 40, "perfect")
    assert learner.useful_knowledge.patterns is not None
    assert learner.useful_knowledge.patterns.advisors()
    heard = {comment.advisor for comment in learner.explain(game.initial.play(0)).comments}
    assert heard <= {"Victory", "Panic", "Patsy"}


ACHI = "achi"
"""Its contests are long, so one view leads to another deeper than Python's stack reaches."""


@cache
def learned() -> Hoyle:
    return hoyle(make_game(ACHI), EVERYTHING, 12, "fallible(e=0.5)")


@pytest.mark.parametrize("made_again", [copy.deepcopy, lambda learner: pickle.loads(pickle.dumps(learner))])
def test_a_copy_learns_the_same_and_leaves_the_original_alone(made_again: Callable[[Hoyle], Hoyle]) -> None:
    original = learned()
    before = digest(original.snapshot())
    one, two = made_again(original), made_again(original)
    for each in (one, two):
        train(each, make_game(ACHI), "fallible(e=0.5)", range(12, 13))
    assert digest(one.snapshot()) == digest(two.snapshot()) != before
    assert one.snapshot().data["contests"] == 13
    assert digest(original.snapshot()) == before


def test_what_goes_to_another_process_is_what_is_known_and_not_what_was_seen() -> None:
    fresh, seasoned = (len(pickle.dumps(learner)) for learner in (hoyle(make_game(ACHI), EVERYTHING), learned()))
    known = sum(array.nbytes for array in learned().snapshot().arrays.values())
    assert seasoned - fresh < 2 * known


Array = NDArray[Any]

DAMAGE: dict[str, Callable[[Array], Array]] = {
    "another type": lambda array: array.astype(np.float64) + 0.5 if array.dtype != np.float64 else array.astype(int),
    "text": lambda array: array.astype(str),
    "no numbers": lambda array: np.full(array.shape, np.nan),
    "too wide": lambda array: np.concatenate([array, array], axis=-1),
    "no dimensions": lambda array: np.array(1, dtype=array.dtype),
}


@cache
def after_losses() -> Knowledge:
    return hoyle(make_game("tic_tac_toe"), contests=30, trainer="fallible(e=0.5)").useful_knowledge


def with_zones() -> Knowledge:
    return knowledge_of("five_mens_morris", zones=True)


def with_lessons(*lessons: tuple[int, ...]) -> Snapshot:
    """Of zones that have taught something."""
    saved = with_zones().snapshot()
    return Snapshot({**saved.arrays, "zones/lessons": np.array(lessons)}, saved.data)


@pytest.mark.parametrize("how", DAMAGE)
def test_an_array_that_is_not_what_was_saved_is_refused(how: str) -> None:
    assert after_losses().forks.space
    zones = with_lessons((0, 5, 1, 0), (1, 215, -1, 2))
    for knowledge, saved in ((after_losses(), after_losses().snapshot()), (with_zones(), zones)):
        knowledge.restore(saved)
        for name, array in saved.arrays.items():
            item = name.partition("/")[0]
            if item in ("forks", "tallies", "zones"):
                with pytest.raises(BadInputError, match=f"the snapshot's {item} are damaged"):
                    knowledge.restore(Snapshot({**saved.arrays, name: DAMAGE[how](array)}, saved.data))


def test_counts_are_not_negative() -> None:
    with pytest.raises(ValueError, match="the counts are not four non-negative whole numbers"):
        Tallies().restore(Snapshot({"counts": np.array([3, 20, -1, 1])}))


@pytest.mark.parametrize("lesson", [(2, 0, 1, 0), (0, 216, 1, 0), (0, 0, 0, 0), (0, 0, 1, 1), (-1, 0, 1, 0)])
def test_a_lesson_is_of_an_expression(lesson: tuple[int, ...]) -> None:
    with pytest.raises(BadInputError, match="a lesson is of no zone expression"):
        with_zones().restore(with_lessons(lesson))


@pytest.mark.parametrize(
    "counts", [None, 3, "x", [1], {"Patsy": 3}, {"Patsy": [1]}, {"Patsy": [2, 3]}, {"a": [1, 0.5]}]
)
def test_weights_are_counts(counts: object) -> None:
    saved = after_losses().snapshot()
    items = {**saved.data["items"], "Advisor weights": {"counts": counts}}
    with pytest.raises(BadInputError, match="the snapshot's Advisor weights are damaged"):
        after_losses().restore(Snapshot(saved.arrays, {**saved.data, "items": items}))


CHALLENGERS = ("perfect", "fallible(e=0.1)", "fallible(e=0.5)", "random")
CONTESTS = 100


def reliabilities(spec: str, learner: str) -> list[list[float]]:
    """Reliability in per cent against each challenger, in ten runs of a hundred contests of learning."""
    game, found = make_game(spec), []
    for seed in range(10):
        pupil = hoyle(game, learner)
        train(pupil, game, "perfect(style='opening')", range(CONTESTS), seeds=(seed, 0))
        scores = [
            tournament(game, pupil, name, CONTESTS, (seed, 1, number)).score for number, name in enumerate(CHALLENGERS)
        ]
        found.append([score.reliability for score in scores])
    return found


@pytest.mark.slow
def test_tic_tac_toe_is_played_without_a_loss_in_nine_runs_of_ten() -> None:
    runs = reliabilities("tic_tac_toe", "hoyle")
    assert sum(min(run) == 100 for run in runs) >= 9, runs


@pytest.mark.slow
def test_five_mens_morris_is_hardly_ever_lost() -> None:
    """The program of 2001 loses two contests in five with the perfect player (version 0.1: 59 % reliable)."""
    game = make_game("five_mens_morris")
    pupil = hoyle(game)
    train(pupil, game, "tutorial", range(60), seeds=(1, 0))
    assert tournament(game, pupil, make_agent("perfect", game), 40, (1, 1)).score.reliability >= 90


@pytest.mark.slow
def test_lose_tic_tac_toe_with_patterns_is_hardly_ever_lost() -> None:
    runs = reliabilities("lose_tic_tac_toe", "hoyle(patterns=True)")
    assert min(map(fmean, zip(*runs, strict=True))) >= 99, runs
