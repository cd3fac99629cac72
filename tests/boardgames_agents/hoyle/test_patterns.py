"""Patterns, Patsy, and the Advisors that are learned from patterns."""

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import pytest

from boardgames_agents.hoyle.advisors.patsy import Patsy, PatternAdvisor
from boardgames_agents.hoyle.game_frame import frame_of
from boardgames_agents.hoyle.item import Experience, Turn
from boardgames_agents.hoyle.items.patterns import Patterns
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.perception.generalize import generalizations
from boardgames_agents.hoyle.perception.pattern import BLANK, FIRST, IRRELEVANT, SECOND, Contents, Facts, Pattern
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy import Snapshot
from boardgames_agents.registry import make_agent
from boardgames_env import make_game

GAME = make_game("tic_tac_toe")
MORRIS = make_game("five_mens_morris")


@cache
def of_tic_tac_toe() -> Contents:
    return Contents(frame_of(GAME))


# the first wins on a row, on a diagonal; the second wins; nobody does
FIRST_WINS = (0, 4, 2, 8, 1)
SECOND_WINS = (1, 0, 5, 4, 3, 8)
DRAWN = (4, 0, 8, 2, 1, 7, 3, 5, 6)


def facts(board: str) -> Facts:
    """What a drawing says: X for the first contestant, O for the second, "-" for nothing, "." where nothing is said."""
    contents = {"X": FIRST, "O": SECOND, "-": BLANK, ".": IRRELEVANT}
    row = [contents[letter] for letter in board.replace("/", "")]
    return of_tic_tac_toe().from_rows(np.array([row], dtype=np.int8))[0]


def least(board: str) -> Facts:
    """The image that stands for all."""
    return of_tic_tac_toe().images(facts(board))[0]


def experience(actions: Sequence[int], outcome: int | None = 5) -> Experience:
    """A contest; its outcome can be given."""
    views = ViewCache(frame_of(GAME))
    turns, position = [], GAME.initial
    for action in actions:
        view = views.view_of(position)
        turns.append(Turn(view, view.choice_of((action,))))
        position = position.play(action)
    return Experience(tuple(turns), position.outcome if outcome == 5 else outcome, (0, 1), (), np.random.default_rng(0))


def learned(*contests: Sequence[int], **options: float) -> Patterns:
    patterns = Patterns(frame_of(GAME), HoyleOptions(**options))  # type: ignore[arg-type]
    for actions in contests:
        patterns.learn(experience(actions))
    return patterns


def knowing(*patterns: tuple[str, int]) -> tuple[ViewCache, Knowledge]:
    """Knowledge of certain patterns, and of nothing else."""
    views = ViewCache(frame_of(GAME))
    knowledge = Knowledge(views, HoyleOptions(patterns=True))
    assert knowledge.patterns is not None
    strengths = np.zeros((len(patterns), 3))
    for row, (_, response) in zip(strengths, patterns, strict=True):
        row[1 + response] = 2
    empty = knowledge.patterns.snapshot()
    arrays = {
        **empty.arrays,
        "seen patterns": of_tic_tac_toe().as_rows(least(board) for board, _ in patterns),
        "strengths": strengths,
        "times seen": np.full(len(patterns), 2),
    }
    knowledge.patterns.restore(Snapshot(arrays, empty.data))
    return views, knowledge


def said(made: Patsy | PatternAdvisor, views: ViewCache, played: Iterable[int]) -> dict[int, int]:
    """What an Advisor says after some moves, by action."""
    position = GAME.initial
    for action in played:
        position = position.play(action)
    view = views.view_of(position)
    return {
        action: strength for option, strength in made.comment(view, view.choices).items() for (action,) in option.alike
    }


class TestContents:
    def test_facts_say_what_stands_where(self) -> None:
        view = ViewCache(frame_of(GAME)).view_of(GAME.initial.play(0).play(4))
        assert of_tic_tac_toe().before(view) == facts("X--/-O-/---")
        assert of_tic_tac_toe().after(view, view.choice_of((8,))) == facts("X--/-O-/--X")

    def test_the_second_contestants_men_are_its_own_when_it_moves(self) -> None:
        view = ViewCache(frame_of(GAME)).view_of(GAME.initial.play(0))
        assert of_tic_tac_toe().before(view) == facts("X--/---/---")
        assert of_tic_tac_toe().after(view, view.choice_of((4,))) == facts("X--/-O-/---")

    def test_images_are_all_reflections_and_rotations(self) -> None:
        assert set(of_tic_tac_toe().images(facts("XO./.../..."))) == {
            facts(board)
            for board in [
                *("XO./.../...", ".OX/.../...", ".../.../XO.", ".../.../.OX"),
                *("X../O../...", "..X/..O/...", ".../O../X..", ".../..O/..X"),
            ]
        }

    def test_rows_and_back(self) -> None:
        patterns = [facts("XO./.../..-"), facts(".../.../..O")]
        assert of_tic_tac_toe().from_rows(of_tic_tac_toe().as_rows(patterns)) == patterns

    def test_text(self) -> None:
        assert of_tic_tac_toe().text(facts("XX./.O./..-")) == "nothing on 8, X on 0 1, O on 4"


class TestLearning:
    def test_a_pattern_is_cached_when_it_comes_up_again(self) -> None:
        assert learned(FIRST_WINS).cached == []
        cached = learned(FIRST_WINS, FIRST_WINS).cached
        assert cached
        assert {pattern.response for pattern in cached} == {1}

    def test_symmetric_contests_are_the_same(self) -> None:
        turned = [(2, 5, 8, 1, 4, 7, 0, 3, 6)[action] for action in FIRST_WINS]
        assert set(learned(FIRST_WINS, turned).cached) == set(learned(FIRST_WINS, FIRST_WINS).cached)

    def test_responses_are_of_the_contestants_and_not_of_who_plays(self) -> None:
        assert {pattern.response for pattern in learned(SECOND_WINS, SECOND_WINS).cached} == {-1}
        assert {pattern.response for pattern in learned(DRAWN, DRAWN).cached} == {0}

    def test_men_and_blanks_never_go_together(self) -> None:
        for pattern in learned(FIRST_WINS, FIRST_WINS, SECOND_WINS, SECOND_WINS).cached:
            blank, first, second = of_tic_tac_toe().parts(pattern.facts)
            assert not blank or not first | second

    def test_only_the_last_moves_that_were_not_forced_are_looked_at(self) -> None:
        """After X on 0, O on 4, X on 2 all else is forced: the positions after the openings are what counts."""
        patterns = learned(FIRST_WINS, FIRST_WINS)
        contest = experience(FIRST_WINS)
        forced = [turn.view.is_forced for turn in contest.turns]
        last = {turn.view.seat: turn for turn, is_forced in zip(contest.turns, forced, strict=True) if not is_forced}
        seen = [of_tic_tac_toe().after(turn.view, turn.choice) for turn in last.values()]
        assert any(forced)
        for pattern in patterns.cached:
            assert any(
                position & image == image for position in seen for image in of_tic_tac_toe().images(pattern.facts)
            )

    def test_a_contest_that_was_cut_short_says_nothing(self) -> None:
        patterns = learned()
        for _ in range(2):
            patterns.learn(experience(FIRST_WINS, outcome=None))
        assert patterns.cached == []

    def test_a_flawless_pattern_is_discarded_for_good_when_its_response_changes(self) -> None:
        patterns = learned(*[FIRST_WINS] * 3, consistency=1.0)
        pattern = patterns.cached[0]
        patterns.learn(experience(FIRST_WINS, outcome=0))
        assert pattern.facts not in [each.facts for each in patterns.cached]
        for _ in range(30):
            patterns.learn(experience(FIRST_WINS))
        assert pattern.facts not in [each.facts for each in patterns.cached]

    def test_usually_is_enough_where_patterns_need_not_be_flawless(self) -> None:
        patterns = learned(*[FIRST_WINS] * 3, consistency=0.9)
        pattern = patterns.cached[0]
        patterns.learn(experience(FIRST_WINS, outcome=0))
        assert pattern not in patterns.cached
        for _ in range(6):
            patterns.learn(experience(FIRST_WINS))
        assert pattern in patterns.cached

    def test_strengths_fade(self) -> None:
        lasting, fading = (
            learned(*[FIRST_WINS] * 4, consistency=0.5),
            learned(*[FIRST_WINS] * 4, consistency=0.5, forget=0.5),
        )
        for _ in range(2):
            lasting.learn(experience(FIRST_WINS, outcome=-1))
            fading.learn(experience(FIRST_WINS, outcome=-1))
        assert {pattern.response for pattern in lasting.cached} == {1}
        assert {pattern.response for pattern in fading.cached} == {-1}

    def test_a_full_cache_loses_what_has_not_been_seen_for_longest(self) -> None:
        patterns = learned(SECOND_WINS, SECOND_WINS, pattern_cache=3)
        assert [pattern.response for pattern in patterns.cached] == [-1, -1, -1]
        for _ in range(2):
            patterns.learn(experience(FIRST_WINS))
        assert [pattern.response for pattern in patterns.cached] == [1, 1, 1]
        assert learned(SECOND_WINS, SECOND_WINS).space > 3

    def test_nothing_is_lost_by_saving(self) -> None:
        patterns = learned(*[FIRST_WINS, DRAWN] * 6, forget=0.9)
        copied = Patterns(frame_of(GAME), HoyleOptions(forget=0.9))
        copied.restore(patterns.snapshot())
        assert copied.cached == patterns.cached
        assert copied.generalized == patterns.generalized
        assert [each.name for each in copied.advisors()] == [each.name for each in patterns.advisors()]
        for each in (patterns, copied):
            for contest in (FIRST_WINS, DRAWN, SECOND_WINS) * 3:
                each.learn(experience(contest))
        one, other = patterns.snapshot(), copied.snapshot()
        assert one.data == other.data
        assert all(np.array_equal(one.arrays[name], other.arrays[name]) for name in one.arrays)

    def test_patterns_of_another_board_are_refused(self) -> None:
        saved = learned(FIRST_WINS).snapshot()
        with pytest.raises(ValueError, match="not of this board"):
            Patterns(frame_of(MORRIS), HoyleOptions()).restore(saved)

    def test_exhibits_show_the_patterns(self) -> None:
        patterns = learned(FIRST_WINS, FIRST_WINS)
        entries = list(patterns.entries(GAME))
        assert len(entries) == patterns.space
        assert all("X wins, seen in 2 contests" in entry.title for entry in entries)


class TestMatching:
    def test_parts_of_a_pattern_that_matches_do_not_count(self) -> None:
        _, knowledge = knowing(("XX./X../...", 1), ("XX./.../...", 0), ("X../.../..X", -1))
        assert knowledge.patterns is not None
        found = knowledge.patterns.matched(facts("XX-/X--/---"))
        assert [pattern.response for pattern in found] == [1]
        found = knowledge.patterns.matched(facts("XX-/---/---"))
        assert [pattern.response for pattern in found] == [0]

    def test_a_pattern_counts_as_often_as_it_is_there(self) -> None:
        _, knowledge = knowing(("XX./.../...", 1))
        assert knowledge.patterns is not None
        assert knowledge.patterns.balance(facts("XXX/---/---")) == (2, 0)
        assert knowledge.patterns.balance(facts("X-X/-X-/---")) == (0, 0)


class TestPatsy:
    def test_supports_what_the_mover_wins_with_and_opposes_what_it_loses_with(self) -> None:
        views, knowledge = knowing(("XX./.../...", 1), ("X../.X./...", -1))
        assert said(Patsy(knowledge), views, [0, 8]) == {1: 10, 3: 10, 4: 0}

    def test_for_the_other_contestant_it_is_the_other_way_round(self) -> None:
        views, knowledge = knowing(("OO./.../...", 1), ("O../.O./...", -1))
        assert said(Patsy(knowledge), views, [8, 0, 7]) == {1: 0, 3: 0, 4: 10}

    def test_draws_are_better_than_nothing_for_both(self) -> None:
        views, knowledge = knowing(("XX./.../...", 1), ("X../.X./...", 0))
        assert said(Patsy(knowledge), views, [0, 8]) == {1: 10, 3: 10, 4: 7}

    def test_what_a_move_destroys_counts_against_it(self) -> None:
        views, knowledge = knowing(("--./.../...", 1))
        opinion = said(Patsy(knowledge), views, [4, 0])
        assert set(opinion) == set(GAME.initial.play(4).play(0).legal_actions)
        assert max(opinion.values()) < 5

    def test_is_silent_without_patterns(self) -> None:
        views, knowledge = knowing()
        assert said(Patsy(knowledge), views, [0]) == {}
        assert said(Patsy(Knowledge(views)), views, [0]) == {}

    def test_is_silent_where_no_pattern_comes_or_goes(self) -> None:
        views, knowledge = knowing(("OO./.../...", 1))
        assert said(Patsy(knowledge), views, [0, 8]) == {}


class TestGeneralizing:
    def test_what_two_patterns_have_in_common(self) -> None:
        both = [Pattern(least("X.X/.../X.."), 1), Pattern(least("X.X/.../O.."), 1)]
        assert generalizations(both[:1], [], of_tic_tac_toe()) == []
        assert generalizations(both, [], of_tic_tac_toe()) == [Pattern(least("X.X/.../..."), 1)]

    def test_not_with_different_responses(self) -> None:
        both = [Pattern(least("X.X/.../X.."), 1), Pattern(least("X.X/.../O.."), 0)]
        assert generalizations(both, [], of_tic_tac_toe()) == []

    def test_not_if_another_pattern_contradicts_it(self) -> None:
        square = [Pattern(least(f"X.X/.../{rest}"), 1) for rest in ("X.X", "O.O")]
        assert generalizations(square, [], of_tic_tac_toe()) == [Pattern(least("X.X/.../..."), 1)]
        against = Pattern(least("X.X/.../O.X"), -1)
        assert generalizations([*square, against], [], of_tic_tac_toe()) == []

    def test_the_generalization_of_the_most_patterns_comes_first_and_one_is_enough(self) -> None:
        square = [Pattern(least(f"X.X/.../{rest}"), 1) for rest in ("X.X", "O.X", "O.O")]
        assert generalizations(square, [], of_tic_tac_toe()) == [Pattern(least("X.X/.../..."), 1)]

    def test_not_what_is_known_already(self) -> None:
        both = [Pattern(least("X.X/.../X.."), 1), Pattern(least("X.X/.../O.."), 1)]
        assert generalizations(both, [Pattern(least("X.X/.../..."), 1)], of_tic_tac_toe()) == []

    def test_blanks_and_men_have_nothing_in_common(self) -> None:
        both = [Pattern(least("-.-/.../-.."), 0), Pattern(least("X.X/.../X.."), 0)]
        assert generalizations(both, [], of_tic_tac_toe()) == []


class TestPatternAdvisor:
    def test_comments_on_the_moves_that_make_the_pattern(self) -> None:
        views, _ = knowing()
        made = PatternAdvisor(3, Pattern(least("XX./.../..."), 1), of_tic_tac_toe())
        assert made.name.startswith("Pattern 3: X on ")
        assert said(made, views, [0, 8]) == {1: 8, 3: 8}
        assert said(made, views, [4, 8]) == {}
        lost = PatternAdvisor(1, Pattern(least("XX./.../..."), -1), of_tic_tac_toe())
        assert said(lost, views, [0, 8]) == {1: 2, 3: 2}
        drawn = PatternAdvisor(1, Pattern(least("XX./.../..."), 0), of_tic_tac_toe())
        assert said(drawn, views, [0, 8]) == {1: 6, 3: 6}

    def test_says_nothing_of_a_pattern_that_is_there_already(self) -> None:
        views, _ = knowing()
        made = PatternAdvisor(1, Pattern(least("XX./.../..."), 1), of_tic_tac_toe())
        assert 5 not in said(made, views, [0, 2, 1, 4])


def test_hoyle_learns_patterns_and_advisors_that_are_weighed() -> None:
    """After 100 contests of lose tic-tac-toe: dozens of patterns, a few Advisors (Epstein 2001, Table 8.6)."""
    from boardgames_agents.training.trainers import make_trainer

    game = make_game("lose_tic_tac_toe")
    hoyle = make_agent("hoyle(patterns=True)", game)
    trainer = make_trainer("perfect", game)
    for contest in range(100):
        trainer.meeting(contest, hoyle).play(game, hoyle, (1, contest))  # type: ignore[arg-type]
    knowledge = hoyle.useful_knowledge  # type: ignore[attr-defined]
    assert 30 <= knowledge.patterns.space <= 90
    assert 2 <= len(knowledge.patterns.generalized) <= 15
    names = [advisor.name for advisor in knowledge.patterns.advisors()]
    assert len(set(names)) == len(names)
    assert any(knowledge.weights.opinions.get(name) for name in names)
    assert knowledge.weights.opinions["Patsy"] > 100
