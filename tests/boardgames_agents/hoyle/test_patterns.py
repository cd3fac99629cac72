"""Templates that the picture of a board suggests, patterns, Patsy, and the Advisors that are learned from patterns."""

from collections.abc import Iterable, Sequence
from functools import cache
from time import process_time

import numpy as np
import pytest

from boardgames_agents.hoyle.advisors.shapes import Patsy
from boardgames_agents.hoyle.game_frame import frame_of, locations_of, mask_of
from boardgames_agents.hoyle.items.pattern_language import (
    BLANK,
    FIRST,
    IRRELEVANT,
    MOST_TEMPLATES,
    SECOND,
    Contents,
    Facts,
    Pattern,
    Picture,
    generalizations,
    templates_of,
)
from boardgames_agents.hoyle.items.patterns import PatternAdvisor, Patterns
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy import Snapshot
from boardgames_agents.policy.explanation import position_after
from boardgames_env import Game, make_game
from tests.boardgames_agents.hoyle.situation import comments, contest_of, digest, hoyle, knowledge_of, view_after

LETTERS = "ABCDEFGHJKLMNOPQ"  # of Figure 9 of "Visual Cues", row by row, without an I
PAPER = {
    "straight line": ["AB", "AC", "DE", "BE", "DF"],
    "square": ["DFNL"],
    "diagonal": ["DN"],
    "L": ["BED", "EDH", "ABE", "BAG", "EDL", "FDL"],
}


def places_of(letters: str) -> set[int]:
    frame = frame_of(make_game("five_mens_morris"))
    return set(frame.images(mask_of(LETTERS.index(letter) for letter in letters)))


def test_the_thirteen_templates_of_the_paper() -> None:
    """Shapes beyond the field of view, diagonals of such squares, and those of slanting squares are left out."""
    found = templates_of(frame_of(make_game("five_mens_morris")), 4)
    assert len(found) == 13
    for shape, names in PAPER.items():
        places = [set(template.places) for template in found if template.shape == shape]
        assert len(places) == len(names)
        assert all(places_of(name) in places for name in names)
    for outside in ("CAO", "CAG", "ACQO", "AD", "EM", "BK"):
        assert places_of(outside) not in [set(template.places) for template in found]


def test_the_field_of_view_bounds_templates() -> None:
    frame = frame_of(make_game("five_mens_morris"))
    counts = [len(templates_of(frame, view)) for view in (1, 2, 3, 4)]
    assert counts == sorted(set(counts))
    assert all(template.locations != (0, 2) for template in templates_of(frame, 3))
    assert any(template.locations == (0, 2) for template in templates_of(frame, 4))


def test_cells_are_seen_along_the_lines_that_win() -> None:
    """The first six templates of Figure 7 of "Visual Cues", which people chose for a grid of nine cells."""
    found = {place for template in templates_of(frame_of(make_game("tic_tac_toe")), 4) for place in template.places}
    for chosen in [(0, 1), (0, 4), (1, 4), (0, 2), (0, 8), (1, 7)]:
        assert mask_of(chosen) in found
    assert mask_of((0, 1, 2)) not in found  # only the ends of a line are marked


def test_triangles_have_three_sides_and_an_area() -> None:
    found = templates_of(frame_of(make_game("tsoro_yematatu")), 4)
    triangles = [template.locations for template in found if template.shape == "triangle"]
    assert (0, 1, 3) in triangles
    assert (1, 2, 3) not in triangles  # on one line


def test_the_metric_unit_is_the_shortest_edge() -> None:
    assert Picture(make_game("nine_mens_morris").board, 4).unit == 1.0
    assert Picture(make_game("shisima").board, 4).unit == pytest.approx(1.5307, abs=1e-4)  # along the octagon


@pytest.mark.parametrize(
    "name",
    [pytest.param("fives", marks=pytest.mark.slow), "qubic", "murabaraba", "mu_torere", "pong_hau_ki", "tant_fant"],
)
def test_boards_of_all_kinds_have_templates_soon_and_not_too_many(name: str) -> None:
    frame = frame_of(make_game(name))
    templates_of.cache_clear()
    before = process_time()
    found = templates_of(frame, 4)
    assert process_time() - before < 5
    assert 0 < len(found) <= MOST_TEMPLATES
    seen: set[int] = set()
    for template in found:
        assert len(template.locations) >= 2
        assert not seen & set(template.places), "a template comes once, up to the symmetries"
        seen.update(template.places)
        for place in template.places:
            assert set(frame.images(place)) == set(template.places)


GAME = "tic_tac_toe"


@cache
def of_tic_tac_toe() -> Contents:
    return Contents(frame_of(make_game(GAME)))


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


def learned(*contests: Sequence[int], **options: float) -> Patterns:
    patterns = Patterns(frame_of(make_game(GAME)), HoyleOptions(**options))  # type: ignore[arg-type]
    teach(patterns, contests)
    return patterns


def teach(patterns: Patterns, contests: Iterable[Sequence[int]], outcome: int | None = None) -> None:
    for actions in contests:
        patterns.learn(contest_of(make_game(GAME), actions, outcome))


def knowing(*patterns: tuple[str, int]) -> Knowledge:
    """Knowledge of certain patterns, and of nothing else."""
    knowledge = knowledge_of(GAME, patterns=True)
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
    return knowledge


class TestContents:
    def test_facts_say_what_stands_where(self) -> None:
        view = view_after(make_game(GAME), (0, 4))
        assert of_tic_tac_toe().of(view, view.seat) == facts("X--/-O-/---")
        assert of_tic_tac_toe().of(view.choice_of((8,)), view.seat) == facts("X--/-O-/--X")
        view = view_after(make_game(GAME), (0,))  # the second contestant's men are its own when it moves
        assert of_tic_tac_toe().of(view, view.seat) == facts("X--/---/---")
        assert of_tic_tac_toe().of(view.choice_of((4,)), view.seat) == facts("X--/-O-/---")

    def test_images_are_all_reflections_and_rotations(self) -> None:
        assert set(of_tic_tac_toe().images(facts("XO./.../..."))) == {
            facts(board)
            for board in [
                *("XO./.../...", ".OX/.../...", ".../.../XO.", ".../.../.OX"),
                *("X../O../...", "..X/..O/...", ".../O../X..", ".../..O/..X"),
            ]
        }

    def test_rows_and_back_and_text(self) -> None:
        patterns = [facts("XO./.../..-"), facts(".../.../..O")]
        assert of_tic_tac_toe().from_rows(of_tic_tac_toe().as_rows(patterns)) == patterns
        assert of_tic_tac_toe().text(facts("XX./.O./..-")) == "nothing on 8, X on 0 1, O on 4"


class TestLearning:
    def test_a_pattern_is_cached_when_it_comes_up_again_with_the_contestant_that_wins(self) -> None:
        assert learned(FIRST_WINS).cached == []
        for contest, response in ((FIRST_WINS, 1), (SECOND_WINS, -1), (DRAWN, 0)):
            assert {pattern.response for pattern in learned(contest, contest).cached} == {response}
        twice = learned(FIRST_WINS, FIRST_WINS)
        turned = [(2, 5, 8, 1, 4, 7, 0, 3, 6)[action] for action in FIRST_WINS]
        assert set(learned(FIRST_WINS, turned).cached) == set(twice.cached)
        entries = list(twice.entries(make_game(GAME)))
        assert len(entries) == twice.space
        assert all("X wins, seen in 2 contests" in entry.title for entry in entries)

    def test_men_and_blanks_never_go_together(self) -> None:
        for pattern in learned(FIRST_WINS, FIRST_WINS, SECOND_WINS, SECOND_WINS).cached:
            blank, first, second = of_tic_tac_toe().parts(pattern.facts)
            assert not blank or not first | second

    def test_only_the_last_moves_that_were_not_forced_are_looked_at(self) -> None:
        """After X on 0, O on 4, X on 2 all else is forced: the positions after the openings are what counts."""
        turns = contest_of(make_game(GAME), FIRST_WINS).turns
        last = {turn.view.seat: turn for turn in turns if not turn.view.is_forced}
        seen = [of_tic_tac_toe().of(turn.choice, turn.view.seat) for turn in last.values()]
        assert any(turn.view.is_forced for turn in turns)
        for pattern in learned(FIRST_WINS, FIRST_WINS).cached:
            images = of_tic_tac_toe().images(pattern.facts)
            assert any(position & image == image for position in seen for image in images)

    def test_a_contest_that_was_cut_short_says_nothing(self) -> None:
        patterns = learned()
        for _ in range(2):
            patterns.learn(contest_of(make_game(GAME), FIRST_WINS, cut=True))
        assert patterns.cached == []

    @pytest.mark.parametrize("consistency", [0.9, 1.0])
    def test_a_pattern_whose_response_changes_is_discarded_for_good_if_it_must_be_flawless(
        self, consistency: float
    ) -> None:
        patterns = learned(*[FIRST_WINS] * 3, consistency=consistency)
        pattern = patterns.cached[0]
        teach(patterns, [FIRST_WINS], 0)
        assert pattern.facts not in [each.facts for each in patterns.cached]
        teach(patterns, [FIRST_WINS] * 30)
        assert (pattern.facts in [each.facts for each in patterns.cached]) == (consistency < 1)

    @pytest.mark.parametrize(("forget", "response"), [(1.0, 1), (0.5, -1)])
    def test_strengths_fade(self, forget: float, response: int) -> None:
        patterns = learned(*[FIRST_WINS] * 4, consistency=0.5, forget=forget)
        teach(patterns, [FIRST_WINS] * 2, -1)
        assert {pattern.response for pattern in patterns.cached} == {response}

    def test_a_full_cache_loses_what_has_not_been_seen_for_longest(self) -> None:
        patterns = learned(SECOND_WINS, SECOND_WINS, pattern_cache=3)
        assert [pattern.response for pattern in patterns.cached] == [-1, -1, -1]
        teach(patterns, [FIRST_WINS] * 2)
        assert [pattern.response for pattern in patterns.cached] == [1, 1, 1]
        assert learned(SECOND_WINS, SECOND_WINS).space > 3

    def test_nothing_is_lost_by_saving(self) -> None:
        patterns, copied = learned(*[FIRST_WINS, DRAWN] * 6, forget=0.9), learned(forget=0.9)
        copied.restore(patterns.snapshot())
        assert (copied.cached, copied.generalized) == (patterns.cached, patterns.generalized)
        assert [each.name for each in copied.advisors()] == [each.name for each in patterns.advisors()]
        for each in (patterns, copied):
            teach(each, (FIRST_WINS, DRAWN, SECOND_WINS) * 3)
        assert digest(patterns.snapshot()) == digest(copied.snapshot())
        with pytest.raises(ValueError, match="not of this board"):
            Patterns(frame_of(make_game("five_mens_morris")), HoyleOptions()).restore(patterns.snapshot())


class TestMatching:
    def test_parts_of_a_pattern_that_matches_do_not_count(self) -> None:
        patterns = knowing(("XX./X../...", 1), ("XX./.../...", 0), ("X../.../..X", -1)).patterns
        assert patterns is not None
        for board, response in (("XX-/X--/---", 1), ("XX-/---/---", 0)):
            assert [pattern.response for pattern in patterns.matched(facts(board))] == [response]

    def test_a_pattern_counts_as_often_as_it_is_there(self) -> None:
        patterns = knowing(("XX./.../...", 1)).patterns
        assert patterns is not None
        assert patterns.balance(facts("XXX/---/---")) == (2, 0)
        assert patterns.balance(facts("X-X/-X-/---")) == (0, 0)


class TestPatsy:
    @pytest.mark.parametrize(
        ("patterns", "actions", "expected"),
        [
            # it supports what the mover wins with, and opposes what it loses with
            ([("XX./.../...", 1), ("X../.X./...", -1)], [0, 8], {1: 10, 3: 10, 4: 0}),
            # for the other contestant it is the other way round
            ([("OO./.../...", 1), ("O../.O./...", -1)], [8, 0, 7], {1: 0, 3: 0, 4: 10}),
            # draws are better than nothing for both
            ([("XX./.../...", 1), ("X../.X./...", 0)], [0, 8], {1: 10, 3: 10, 4: 7}),
            # it is silent without patterns, and where no pattern comes or goes
            ([], [0], {}),
            ([("OO./.../...", 1)], [0, 8], {}),
        ],
    )
    def test_goes_by_the_patterns_that_a_move_makes(
        self, patterns: list[tuple[str, int]], actions: list[int], expected: dict[int, int]
    ) -> None:
        view = view_after(make_game(GAME), actions)
        assert comments(Patsy(knowing(*patterns)), view) == expected
        assert comments(Patsy(knowledge_of(GAME)), view) == {}, "no patterns are learned"

    def test_what_a_move_destroys_counts_against_it(self) -> None:
        view = view_after(make_game(GAME), [4, 0])
        opinion = comments(Patsy(knowing(("--./.../...", 1))), view)
        assert set(opinion) == set(view.position.legal_actions)
        assert max(opinion.values()) < 5


class TestGeneralizing:
    @pytest.mark.parametrize(
        ("patterns", "known", "expected"),
        [
            ([("X.X/.../X..", 1)], [], []),
            # what two patterns have in common
            ([("X.X/.../X..", 1), ("X.X/.../O..", 1)], [], [("X.X/.../...", 1)]),
            # not with different responses
            ([("X.X/.../X..", 1), ("X.X/.../O..", 0)], [], []),
            # not if another pattern contradicts it
            ([("X.X/.../X.X", 1), ("X.X/.../O.O", 1)], [], [("X.X/.../...", 1)]),
            ([("X.X/.../X.X", 1), ("X.X/.../O.O", 1), ("X.X/.../O.X", -1)], [], []),
            # the generalization of the most patterns comes first, and one is enough
            ([("X.X/.../X.X", 1), ("X.X/.../O.X", 1), ("X.X/.../O.O", 1)], [], [("X.X/.../...", 1)]),
            # not what is known already
            ([("X.X/.../X..", 1), ("X.X/.../O..", 1)], [("X.X/.../...", 1)], []),
            # blanks and men have nothing in common
            ([("-.-/.../-..", 0), ("X.X/.../X..", 0)], [], []),
        ],
    )
    def test_what_patterns_have_in_common(
        self, patterns: list[tuple[str, int]], known: list[tuple[str, int]], expected: list[tuple[str, int]]
    ) -> None:
        given, before, found = (
            [Pattern(least(board), response) for board, response in each] for each in (patterns, known, expected)
        )
        assert generalizations(given, before, of_tic_tac_toe()) == found


class TestPatternAdvisor:
    @pytest.mark.parametrize(("response", "strength"), [(1, 8), (0, 6), (-1, 2)])
    def test_comments_on_the_moves_that_make_the_pattern(self, response: int, strength: int) -> None:
        made = PatternAdvisor(3, Pattern(least("XX./.../..."), response), of_tic_tac_toe())
        assert made.name.startswith("Pattern 3: X on ")
        assert comments(made, view_after(make_game(GAME), [0, 8])) == {1: strength, 3: strength}
        assert comments(made, view_after(make_game(GAME), [4, 8])) == {}
        assert 5 not in comments(made, view_after(make_game(GAME), [0, 2, 1, 4])), "it is there already"


@pytest.mark.slow
def test_hoyle_learns_patterns_and_advisors_that_are_weighed() -> None:
    """After 100 contests of lose tic-tac-toe: dozens of patterns, a few Advisors (Epstein 2001, Table 8.6)."""
    knowledge = hoyle(make_game("lose_tic_tac_toe"), "hoyle(patterns=True)", 100, "perfect").useful_knowledge
    assert knowledge.patterns is not None
    assert 30 <= knowledge.patterns.space <= 90
    assert 2 <= len(knowledge.patterns.generalized) <= 15
    names = [advisor.name for advisor in knowledge.patterns.advisors()]
    assert len(set(names)) == len(names)
    assert any(knowledge.weights.opinions.get(name) for name in names)
    assert knowledge.weights.opinions["Patsy"] > 100


def test_cached_patterns_of_a_position_are_drawn(game: Game) -> None:
    learner = hoyle(game, "hoyle(patterns=True, only='Victory, Panic')", 10, "random")
    position = position_after(game, "4 2 0 8")
    found = [each for each in learner.explanation(position).regions if each.title.startswith("pattern")]
    assert found
    for region in found:
        assert region.title.rpartition(": ")[2] in {"X wins", "O wins", "a draw"}
        contents = region.title.removeprefix("pattern, ").rpartition(": ")[0].split(", ")
        for part in contents:
            what, _, where = part.partition(" on ")
            men = {"nothing": 0, "X": 1, "O": -1}[what]
            assert {int(position.state[1 + int(location)]) for location in where.split()} == {men}
        assert len(region.locations) == sum(len(part.partition(" on ")[2].split()) for part in contents)


def test_kings_are_contents_of_their_own() -> None:
    game = make_game("english_draughts")
    frame = frame_of(game)
    contents, men = Contents(frame), {0: 1, 1: 2, 30: -2, 31: -1}
    state = np.zeros(game.state_size, dtype=np.int8)
    for location, slot in men.items():
        state[1 + location] = slot
    view = ViewCache(frame).view_of(game.position(state))
    assert view.kinds == (mask_of([1, 30]),)
    facts = contents.of(view, view.seat)
    assert contents.of(view.choices[0].then, 1) != facts
    seen = contents.standing_on(facts, mask_of([0, 1, 5, 30, 31]))
    assert contents.text(seen) == "nothing on 6, black on 1, white on 32, black king on 2, white king on 31"
    assert contents.from_rows(contents.as_rows([facts, seen])) == [facts, seen]
    slots = {
        at: contents.slot(content) for content, part in enumerate(contents.parts(seen)) for at in locations_of(part)
    }
    assert slots == men | {5: 0}
    entry = Patterns(frame, HoyleOptions())._entry(game, "", Pattern(seen, 1), "")
    assert entry.text.split()[:3] == ["b", "B", "·"]
