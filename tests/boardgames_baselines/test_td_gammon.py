"""TD-Gammon's experiments: what they compute is what they say, again and again the same."""

from dataclasses import asdict, replace
from functools import cache
from itertools import islice

import numpy as np
import pytest

from boardgames_agents.backgammon.pubeval import Pubeval
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_baselines.papers.td_gammon import Trained, experiments, learner, pooled, training
from boardgames_baselines.papers.td_gammon.fits import Supervised, as_network, compare, linear_fit
from boardgames_baselines.papers.td_gammon.networks import (
    SELECTION,
    Net,
    choice_of,
    decades,
    decisions,
    points_against_pubeval,
)
from boardgames_baselines.papers.td_gammon.rollouts import OpeningPlays, SiblingErrors, after_play, opening
from boardgames_env import Game, make_game
from boardgames_env.kernels import ONGOING

SMALL = Design("raw", 4, 4, "sigmoid", "move")
TINY = training(learner(hidden=4), (0, 3, 12), testing=4)


@cache
def backgammon() -> Game:
    return make_game("backgammon")


def small(design: Design = SMALL, seed: int = 1) -> Network:
    return Network(backgammon(), design, seed)


def points_at(run: JsonResult) -> list[tuple[float, float, float]]:
    return [test["points"] for test in run["tests"]]


def test_a_training_depends_on_its_seeds_and_not_on_its_milestones() -> None:
    found = TINY.run()
    points = points_at(found)
    assert points == points_at(TINY.run())
    assert found["net"] == TINY.run()["net"] == replace(TINY, tested=(12,)).run()["net"]
    assert points != points_at(replace(TINY, number=1).run())
    assert found["net"] != replace(TINY, purpose=SELECTION).run()["net"]
    assert [len(points), found["plies"][0][0], found["plies"][1][0]] == [3, 10, 2]


def test_lessons_and_practice_in_parts_are_the_same() -> None:
    spec = "lessons(lessons=1, practice=3, expert='pubeval')"
    whole, parts = (replace(TINY, trainer=spec, tested=milestones).run() for milestones in ((9,), (2, 9)))
    assert whole["net"] == parts["net"]
    assert whole["plies"] == parts["plies"]
    assert whole["plies"][0][0] == 9


def test_decades() -> None:
    assert decades([10] * 10 + [20] * 90 + [1, 3]) == [(10, 10.0, 10), (90, 20.0, 20), (2, 2.0, 3)]


def test_a_network_comes_back_from_text() -> None:
    network = small()
    net = Net.of(network)
    back = Net.from_dict(asdict(net))
    assert back == net
    assert all(np.array_equal(a, b) for a, b in zip(back.network(backgammon()).layers, network.layers, strict=True))
    assert net.description() != Net.of(small(seed=2)).description()


def test_decisions_are_the_choices_of_whoever_makes_them() -> None:
    player = Pubeval(backgammon())
    contests = list(islice(decisions(backgammon(), player.pick, (3,)), 2))
    assert [len(contests), min(map(len, contests)) > 10] == [2, True]
    for each in contests[0]:
        assert each.chosen == player.pick(each.state, each.afterstates, len(each.afterstates))
        assert len(each.afterstates) > 1
        assert all(backgammon().rules.outcome.run(after) == ONGOING for after in each.afterstates)


@pytest.mark.slow
@pytest.mark.parametrize("viewer", ["move", "0"])
def test_a_function_that_is_linear_is_explained_all_but_for_its_sigmoid(viewer: str) -> None:
    coefficients = np.random.default_rng(5).normal(0, 0.01, 199)
    design = replace(SMALL, viewer=viewer)
    linear = as_network(small(design), coefficients)
    made = next(decisions(backgammon(), choice_of(linear), (1,)))
    for each in made[:20]:
        inputs, _ = linear.encode_batch(each.afterstates)
        said = linear.predict_batch(each.afterstates)[:, 0]
        assert np.log(said / (1 - said)) == pytest.approx(inputs @ coefficients[:-1] + coefficients[-1], abs=1e-5)
    fit = linear_fit(linear, 400, 2, (2,))
    assert min(fit["among_siblings"], fit["same_choice"]) > 0.98
    assert fit["explained"] > 0.8  # (other contests of so odd a player look quite different)


@pytest.mark.slow
@pytest.mark.parametrize("number", [200, 400])
def test_a_function_that_is_not_linear_is_not_explained(number: int) -> None:
    network = small()
    network.layers.hidden[:] *= 30
    fit = linear_fit(network, number, 2, (2,))
    assert fit["among_siblings"] < 0.9
    assert fit["same_choice"] < 0.9


def test_supervised_training_learns_to_choose_as_the_expert() -> None:
    player = Pubeval(backgammon())
    lessons = [each for made in islice(decisions(backgammon(), player.pick, (1,)), 12) for each in made]
    network = small(Design("raw", 10, 1, "sigmoid", "move"))

    def agreement() -> float:
        pick = choice_of(network)
        return float(np.mean([pick(e.state, e.afterstates, len(e.afterstates)) == e.chosen for e in lessons]))

    before, points = agreement(), points_against_pubeval(network, 40, (1,)).mean()
    compare(network, lessons, 8, np.random.default_rng(0))
    assert agreement() > before + 0.2
    assert points_against_pubeval(network, 40, (1,)).mean() > points


def test_a_corpus_is_a_part_of_the_next() -> None:
    one = Supervised("pubeval", "raw", 4, (1, 3), passes=1, testing=2).run()["sizes"]
    other = Supervised("pubeval", "raw", 4, (3,), passes=1, testing=2).run()["sizes"]
    assert one[1] == other[0]
    assert one[0]["decisions"] < one[1]["decisions"]


@pytest.mark.slow
@pytest.mark.parametrize("trials", [2, 4])
def test_siblings_are_rolled_out_and_sorted_by_what_the_network_expects(trials: int) -> None:
    net = Net.of(small())
    [decision] = SiblingErrors(net, net, count=1, siblings=3, trials=trials).run()["decisions"]
    expected = [each[0] for each in decision]
    assert expected == sorted(expected, reverse=True)
    assert len(decision) == 3
    assert all(abs(value) <= 3 for value in expected)


def test_correlation_and_errors_of_siblings_whose_errors_are_known() -> None:
    rng = np.random.default_rng(0)
    common, own, noise = rng.normal(0, 0.3, 4000), rng.normal(0, 0.1, (4000, 3)), rng.normal(0, 0.2, (4000, 3))
    errors = common[:, None] + own + noise
    groups = [[(float(error), 0.0, 0.2) for error in row] for row in errors]
    assert experiments._correlation(groups) == pytest.approx(0.9, abs=0.02)
    assert experiments._absolute(groups) == pytest.approx(0.1, rel=0.05)
    assert experiments._relative(groups) == pytest.approx(0.02, rel=0.2)


def test_opening_plays_are_those_of_table_2() -> None:
    for roll, (slot, split) in experiments._OPENINGS.items():
        position = opening(backgammon(), roll)
        slotted, split_up = after_play(position, slot), after_play(position, split)
        assert [slotted.state[5], slotted.state[6]] == [1, 4]
        assert [split_up.state[24], split_up.state[23]] == [1, 1]
        assert slotted.awaits_chance
        assert slotted.seat == split_up.seat == 1


def test_an_opening_is_rolled_out_for_the_seat_that_begins() -> None:
    net = Net.of(small())
    plays = ("13/11 6/5", "24/23 13/11")
    found = OpeningPlays(net, (2, 1), plays, 2).run()
    position = opening(backgammon(), (2, 1))
    states = np.array([after_play(position, play).state for play in plays])
    points = small().predict_batch(states) @ np.array([1, 2, -1, -2], dtype=np.float32)  # (of the seat to move)
    assert found["expected"] == pytest.approx(-points, abs=1e-6)
    assert len(found["equities"]) == len(found["errors"]) == 2


def test_runs_are_pooled_by_the_wider_interval() -> None:
    alike = pooled([(0.3, 0.02, 0.6), (0.3, 0.02, 0.6)])
    apart = pooled([(0.1, 0.001, 0.6), (0.5, 0.001, 0.6)])
    alone = pooled([(0.3, 0.02, 0.6)])
    assert [alike.value, apart.value, alone.value] == pytest.approx([0.3, 0.3, 0.3])
    assert alike.high - alike.value == pytest.approx(1.96 * 0.02 / np.sqrt(2))
    assert apart.high > 1
    assert alone.signed(3) == "+0.300 (+0.261 to +0.339)"


def test_a_longer_training_is_shown_at_the_milestones_of_a_shorter() -> None:
    longer = Trained((0, 3, 12), [TINY.run()])
    shorter = Trained((0, 3), [replace(TINY, tested=(0, 3)).run()])
    assert [longer.at((0, 3)).points(k) for k in (0, 1)] == [shorter.points(k) for k in (0, 1)]


def test_the_bootstrap_interval_is_that_of_a_mean() -> None:
    values = np.random.default_rng(3).normal(1, 2, 400)
    groups = [[(value, 0.0, 0.0)] for value in values]
    found = experiments._bootstrapped(groups, lambda of: float(np.mean([group[0][0] for group in of])))
    half = 1.96 * values.std() / 20
    assert [found.low, found.high] == pytest.approx([found.value - half, found.value + half], abs=0.03)
