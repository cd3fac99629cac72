"""PWL and the four move selection paradigms of the older program on examples worked by hand (Epstein 2001; 1994)."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest

from boardgames_agents.hoyle.advisors import Advisor, Opinion
from boardgames_agents.hoyle.items import Experience
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.hoyle.voting import PARADIGMS, WeightedVoting
from boardgames_agents.hoyle.weights import Weights, are_correct, expected_correct
from boardgames_env import make_game
from tests.boardgames_agents.hoyle.situation import knowledge_of, views_of

MOVES = ("a", "b", "c", "d")

EXAMPLES = [
    # an Advisor that can only support
    ({"a": 8}, {"a"}, True, True, False),  # the correct move, and the others are liked less
    ({"b": 8}, {"a"}, False, True, False),  # another
    ({"a": 8, "b": 8}, {"a"}, True, True, False),  # as highly as any other
    ({"a": 8, "b": 9}, {"a"}, False, True, False),  # not as highly
    ({"a": 8, "b": 9}, {"a", "b"}, True, True, False),  # one of several correct moves is enough
    ({"a": 8, "b": 8, "c": 8, "d": 8}, {"a"}, False, True, False),  # it does not discriminate
    ({"a": 8, "b": 8, "c": 8, "d": 6}, {"a"}, True, True, False),
    ({"d": 6}, set(MOVES), True, True, False),  # all are equally good: any support will do
    ({"a": 8, "b": 8, "c": 8, "d": 8}, set(MOVES), True, True, False),
    # one that can only oppose
    ({"b": 2}, {"a"}, True, False, True),  # only incorrect moves
    ({"b": 2, "c": 0, "d": 1}, {"a"}, True, False, True),
    ({"a": 2}, {"a"}, False, False, True),  # the correct move, and no other more
    ({"a": 2, "b": 2}, {"a"}, False, False, True),
    ({"a": 2, "b": 1}, {"a"}, True, False, True),  # the correct move, but less than another
    ({"a": 1, "b": 2, "c": 0}, {"a"}, False, False, True),  # the correct move more than some other
    ({"a": 0, "b": 2}, {"a", "b"}, True, False, True),  # a correct move as little as any
    ({"a": 2, "b": 2, "c": 2, "d": 2}, {"a"}, False, False, True),  # it does not discriminate
    # one that can do both
    ({"a": 8}, {"a"}, True, True, True),  # nothing correct is opposed
    ({"a": 8, "b": 2}, {"a"}, True, True, True),
    ({"b": 2}, {"a"}, False, True, True),  # nothing is supported
    ({"a": 8, "b": 2, "c": 9}, {"a"}, False, True, True),
    ({"a": 8, "b": 2}, {"a", "b"}, False, True, True),  # it supports well, and opposes a correct move most
    ({"a": 8, "b": 2, "c": 1}, {"a", "b"}, True, True, True),
]


@pytest.mark.parametrize(("opinion", "right", "judged", "supports", "opposes"), EXAMPLES)
def test_opinions_are_judged_and_random_ones_as_often_correct_as_expected(
    opinion: dict[str, int], right: set[str], judged: bool, supports: bool, opposes: bool
) -> None:
    """A move without a comment counts as one of strength 5. Another Advisor does not matter."""
    strengths = [opinion.get(move, 5) for move in MOVES]
    correct = np.array([move in right for move in MOVES])
    can = np.array([supports, True]), np.array([opposes, True])
    orders = permutations(strengths)
    verdicts = [are_correct(np.array([order, range(len(MOVES))]).T, correct, *can)[0] for order in orders]
    assert verdicts[0] == judged
    assert expected_correct(np.array(strengths), len(right), supports, opposes) == pytest.approx(np.mean(verdicts))


def test_the_first_weight_and_the_discount_of_each_opinion() -> None:
    weights = Weights()
    assert weights.weight("Novel") == 0.05
    assert weights.discount("Novel") == pytest.approx(0.1)  # its first opinion
    for had, discount in ((1, 0.2), (4, 0.5), (8, 0.9), (9, 1.0), (10, 1.0), (1000, 1.0)):
        weights.opinions["Novel"], weights.correct["Novel"] = had, had // 2
        assert weights.discount("Novel") == pytest.approx(discount)
        assert weights.weight("Novel") == (had // 2) / had


def test_support_is_the_sum_of_discounted_weights_times_strengths() -> None:
    weights = Weights()
    weights.opinions, weights.correct = {"Old": 20, "Young": 4}, {"Old": 10, "Young": 3}
    opinions = {"Old": {"a": 8, "b": 0}, "Young": {"b": 10}, "Novel": {"a": 6}}
    learning = WeightedVoting(weights, testing=False).support(opinions, MOVES)
    assert learning == pytest.approx(
        {"a": 0.5 * 3 + 0.05 * 0.1 * 1, "b": 0.5 * -5 + 0.75 * 0.5 * 5, "c": 0, "d": 0}
    )  # from indifference, which takes the same from every move
    testing = WeightedVoting(weights, testing=True).support(opinions, MOVES)
    assert testing == pytest.approx({"a": 0.5 * 3 + 0.05 * 1, "b": 0.5 * -5 + 0.75 * 5, "c": 0, "d": 0})


def test_in_testing_an_advisor_must_be_better_than_anything_by_a_hundredth() -> None:
    weights = Weights()
    weights.opinions = {"Anything": 100, "Worse": 100, "Even": 100, "Better": 100}
    weights.correct = {"Anything": 30, "Worse": 10, "Even": 30, "Better": 31}
    testing, learning = (WeightedVoting(weights, testing=testing) for testing in (True, False))
    names = ("Worse", "Even", "Better", "Unheard")
    assert [name for name in names if testing.weight(name) > 0] == ["Better"]
    assert [name for name in names if learning.weight(name) > 0] == list(names)
    weights.opinions, weights.correct = {}, {}
    assert WeightedVoting(weights, testing=True).weight("Unheard") == 0.05  # nothing to hold it against yet


class Central(Advisor):
    """Go to the middle of the board, or next to it."""

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        taken = {option: option.own & ~case.own for option in options}
        return {option: 9 if men == 1 << 4 else 7 for option, men in taken.items() if men & 0b010111010}


def test_opinions_are_counted_example_by_example() -> None:
    game = make_game("tic_tac_toe")
    views = views_of(game)
    knowledge = knowledge_of(game)
    weights = knowledge.weights
    weights.asked = (Central(knowledge), weights.anything)
    start = views.view_of(game.initial)
    corner, edge, middle = (next(c for c in start.choices if (where,) in c.alike) for where in (0, 1, 4))
    forced = views.view_of_state(bytes(np.array([0, 1, -1, 1, -1, -1, 1, 0, 1, -1], dtype=np.int8)))
    assert len(forced.choices) == 1
    examples = [
        (start, frozenset({middle.key})),  # right
        (start, frozenset({corner.key, edge.key})),  # the middle is preferred to the edge: wrong
        (start, frozenset({choice.key for choice in start.choices})),  # all are good, and some are supported: right
        (forced, frozenset({forced.choices[0].key})),  # nothing to tell apart: not put to anybody
    ]
    weights.learn(Experience((), 0, (0,), (), np.random.default_rng(1), examples))
    assert (weights.opinions["Central"], weights.correct["Central"]) == (3, 2)
    assert weights.weight("Central") == pytest.approx(2 / 3)
    assert weights.opinions["Anything"] == 3  # it always says something
    assert weights.space == 0
    again = Weights()
    again.restore(weights.snapshot())
    assert (again.opinions, again.correct) == (weights.opinions, weights.correct)


@pytest.mark.parametrize("staged", [False, True])
def test_corrected_weights_count_what_chance_would_not(staged: bool) -> None:
    views = views_of(make_game("marelle"))
    knowledge = knowledge_of("marelle", corrected_weights=True, staged_weights=staged)
    weights = knowledge.weights
    weights.asked = (Central(knowledge), weights.anything)
    start = views.view_of(make_game("marelle").initial)
    middle = next(choice for choice in start.choices if (4,) in choice.alike)
    examples = [(start, frozenset({middle.key})), (start, frozenset({choice.key for choice in start.choices}))]
    weights.learn(Experience((), 0, (0,), (), np.random.default_rng(1), examples))
    title = "Central (placing)" if staged else "Central"
    # right by chance in one of three cases, and always where all are good
    assert weights.weight(title) == pytest.approx((2 - 4 / 3) / (2 - 4 / 3))
    assert weights.opinions[title] == 2
    again = Weights(corrected=True, staged=staged)
    again.restore(weights.snapshot())
    assert [again.weight(each) for each in weights.opinions] == [weights.weight(each) for each in weights.opinions]
    assert WeightedVoting(again, testing=True, places=True).weight("Central") == weights.weight(title)
    if staged:
        assert WeightedVoting(again, testing=False, places=False).weight("Central") == pytest.approx(0.05 * 0.1)
    for other in (Weights(), Weights(corrected=True, staged=not staged)):
        with pytest.raises(ValueError, match="learned by another program"):
            other.restore(weights.snapshot())


PARADIGM_MOVES = ("calm", "keen", "loud", "wide", "mute")
# one that shouts for one move and murmurs for others, two that murmur, one that is against a move
SAID = {
    "Loud": {"loud": 10, "wide": 6, "keen": 7},
    "Keen": {"keen": 8, "wide": 6},
    "Wide": {"wide": 6, "calm": 6},
    "Cross": {"keen": 4, "loud": 2},
}

TALLIES = {
    "tally": {"calm": 1, "keen": 2 + 3 - 1, "loud": 5 - 3, "wide": 1 + 1 + 1, "mute": 0},
    "smooth": {"calm": 1, "keen": 1 + 1 - 1, "loud": 1 - 1, "wide": 1 + 1 + 1, "mute": 0},
    "limit": {"calm": 1, "keen": 3, "loud": 5 - 3, "wide": 1, "mute": 0},
    "both": {"calm": 1, "keen": 1, "loud": 1 - 1, "wide": 1, "mute": 0},
}


@pytest.mark.parametrize("name", TALLIES)
def test_tallies_worked_by_hand(name: str) -> None:
    paradigm = PARADIGMS[name]
    assert paradigm.support(SAID, PARADIGM_MOVES) == TALLIES[name]
    assert paradigm.support({}, PARADIGM_MOVES) == dict.fromkeys(PARADIGM_MOVES, 0.0)
    assert paradigm.weight("Loud") == paradigm.weight("Unheard") == 1.0, "all Advisors count the same"


def test_there_are_four_and_they_choose_differently() -> None:
    opinions = {"One": {"d": 7}, "Two": {"a": 10, "b": 6, "c": 9}, "Three": {"a": 3, "b": 6}}
    support = {name: paradigm.support(opinions, MOVES) for name, paradigm in PARADIGMS.items()}
    chosen = {name: [move for move in MOVES if each[move] == max(each.values())] for name, each in support.items()}
    assert chosen == {"tally": ["c"], "smooth": ["b"], "limit": ["a"], "both": ["d"]}
