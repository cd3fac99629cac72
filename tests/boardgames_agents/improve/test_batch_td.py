"""Batch TD(λ): what contests are labelled by, what a round teaches, and that the result is always the same."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_agents.backgammon.race_evaluator import RaceEvaluator, with_tables
from boardgames_agents.experiments.runner import Workers, no_progress
from boardgames_agents.improve import batch_td
from boardgames_agents.improve.batch_td import RoundOptions, learn_by_rounds, played
from boardgames_agents.improve.examples import Examples
from boardgames_agents.improve.fitting import Descent, FittingOptions
from boardgames_agents.improve.improvement_folder import ImprovementConfig, as_data
from boardgames_agents.improve.labelled_contests import play_contests
from boardgames_agents.improve.network_job import NetworkJob
from boardgames_agents.improve.teacher import SelfPlayOptions
from boardgames_agents.lookahead.evaluator import equities
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.replies import finished
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.learner import MoveEvaluator
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import load_network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, Game
from boardgames_env.chance import settle, streams_for
from boardgames_env.json_file import write_json
from tests.boardgames_agents.improve.improvements import contents, improved, made_in, saved, untrained

GAME = "hypergammon"

ROUNDS = RoundOptions(rounds=2, contests=130, steps=9, round_alpha=0.01)


@pytest.fixture
def config(config: ImprovementConfig) -> ImprovementConfig:
    """One iteration of nothing but batch TD(λ), whose network has two hidden layers."""
    return replace(config, hidden=12, further="12", by_rounds=ROUNDS, fitting=FittingOptions(epochs=0))


def test_positions_are_labelled_by_what_the_contest_goes_on_to(game: Game) -> None:
    """A contest is played once more, position by position."""
    network, evaluator = untrained(), MoveEvaluator(untrained())
    examples = play_contests(network, (4,), range(7, 8), network)
    state, streams, turns, points = game.initial.state.copy(), streams_for((4,), range(7, 8)), 0, 127
    cases = np.zeros(64, dtype=np.int32)
    while points == 127:
        np.testing.assert_array_equal(examples.states[turns], state)
        rolled = state.copy()
        settle(game.rules, rolled, cases, streams, 0)
        values = evaluator.evaluate(game.position(rolled.tolist()))
        after = evaluator.afterstates[values.argmax()].copy()
        points = game.rules.outcome.run(after)
        if points == 127:
            [label] = network.outcome_probabilities(after[None])
            label = label if after[0] == state[0] else label[[3, 4, 5, 0, 1, 2]]
        else:
            [label] = finished(np.array([points], dtype=np.int32), state[:1], 1)
        np.testing.assert_allclose(examples.labels[turns], label, atol=1e-6)
        state, turns = after, turns + 1
    assert turns == len(examples.states) > 5


def test_exact_labels_are_means_over_all_rolls(game: Game) -> None:
    examples = play_contests(untrained(), (4,), range(3), untrained(), exact=True)
    by_rolls = play_contests(untrained(), (4,), range(3), untrained())
    np.testing.assert_array_equal(examples.states, by_rolls.states)
    found = Expectimax(game, untrained(), 2).outcome_probabilities(examples.states)
    np.testing.assert_allclose(examples.labels, found, atol=1e-6)
    # one roll is right on average
    differences = equities(examples.labels) - equities(by_rolls.labels)
    assert 0 < abs(differences.mean()) < 4 * differences.std() / np.sqrt(len(differences))


def test_labels_with_lambda_one_are_results(game: Game) -> None:
    """Exact ones are results less luck, which is what a roll leads to less the mean over all rolls."""
    for contest in range(5):
        by_rolls, exact, results, less_luck = (
            play_contests(untrained(), (4,), range(contest, contest + 1), untrained(), exact, lambda_)
            for exact, lambda_ in ((False, 0), (True, 0), (False, 1), (True, 1))
        )
        signs = 1 - 2 * by_rolls.states[:, 0]
        points = signs * equities(results.labels)
        np.testing.assert_allclose(points, points[-1], atol=1e-5)
        assert abs(points[-1]) == pytest.approx(round(abs(points[-1])), abs=1e-5)
        luck = signs * (equities(by_rolls.labels) - equities(exact.labels))
        np.testing.assert_allclose(signs * equities(less_luck.labels), points - luck[::-1].cumsum()[::-1], atol=1e-5)


def test_lambda_weighs_later_errors(game: Game) -> None:
    """Contests of many lengths are labelled together as each is alone."""
    together = play_contests(untrained(), (4,), range(9), untrained(), lambda_=0.6)
    alone = [play_contests(untrained(), (4,), range(k, k + 1), untrained(), lambda_=0.6) for k in range(9)]
    found = {
        (*state, *label)
        for each in alone
        for state, label in zip(each.states.tolist(), each.labels.tolist(), strict=True)
    }
    assert {
        (*state, *label) for state, label in zip(together.states.tolist(), together.labels.tolist(), strict=True)
    } == found
    [one, *_] = alone
    predicted = untrained().outcome_probabilities(one.states)
    by_rolls = play_contests(untrained(), (4,), range(1), untrained()).labels
    errors = (1 - 2 * one.states[:, 0]) * equities(by_rolls - predicted)
    for turn in range(len(errors)):
        expected = sum(0.6**k * error for k, error in enumerate(errors[turn:]))
        change = (1 - 2 * one.states[turn, 0]) * equities((one.labels - predicted)[turn : turn + 1])
        assert change == pytest.approx(expected, abs=1e-5)


def test_contests_end_where_the_outcome_is_known(game: Game) -> None:
    """There the evaluator labels what the network would predict otherwise."""
    network = untrained()
    evaluator = with_tables(network, game)
    assert isinstance(evaluator, RaceEvaluator)
    examples, whole = (play_contests(network, (4,), range(40), each) for each in (evaluator, network))
    known = examples.states[evaluator.knows(examples.states)]
    assert 20 < len(known) <= 40
    assert len(examples.states) < len(whole.states)
    found = examples.labels[evaluator.knows(examples.states)]
    np.testing.assert_array_equal(found, evaluator.outcome_probabilities(known))


def test_rivals_are_compared_with_the_move_that_is_played(game: Game) -> None:
    """They are labelled exactly, with the later errors of the move that is played."""
    network, lambda_ = untrained(), 0.5
    plain, examples = (play_contests(network, (4,), range(6), network, True, lambda_, rivals) for rivals in (0, 2))
    exact = Expectimax(game, network, 2).outcome_probabilities(examples.states)
    best = examples.starts()
    np.testing.assert_array_equal(examples.states[best], plain.states)
    np.testing.assert_allclose(examples.labels[best], plain.labels, atol=1e-6)
    counts = np.bincount(examples.rolls)
    assert counts.max() == 3
    assert (counts[:6] == 1).all()  # (before the first turn of each contest)
    np.testing.assert_allclose(examples.labels - exact, (examples.labels - exact)[best][examples.rolls], atol=1e-5)
    found = examples.equities_of_movers(network.outcome_probabilities(examples.states))
    gaps = found[best][examples.rolls] - found
    assert gaps.max() > 0.01
    assert ((gaps > -0.05) & (gaps < 0.15)).all()  # (raw outputs choose)


@pytest.mark.parametrize("exact", [False, True])
def test_rounds_teach_how_contests_end(exact: bool, game: Game) -> None:
    network = Network(game, Design("raw", 10, 6, units="rectified", gammons="within", further="10"), seed=1)

    def error() -> float:
        """The mean error of the points that are expected before the last turn."""
        examples = play_contests(untrained(), (9,), range(100), untrained())
        certain = examples.labels.max(axis=1) == 1
        assert certain.sum() == 100
        return float(
            np.abs(equities(examples.labels) - equities(network.outcome_probabilities(examples.states)))[certain].mean()
        )

    def job(seed: tuple[int, ...], contests: range, snapshot: Snapshot) -> NetworkJob[Examples]:
        return NetworkJob(played, GAME, seed, (contests, options, 6), (snapshot, None))

    before = error()
    options = RoundOptions(rounds=4, contests=100, steps=20, round_alpha=0.02, exact=exact)
    with no_progress("", 1) as bar:
        learn_by_rounds(network, options, FittingOptions(), (3,), Workers(), bar, job)
    assert error() < 0.7 * before


def test_a_filter_leaves_some_replies_for_exact_labels(tmp_path: Path, config: ImprovementConfig, game: Game) -> None:
    """One that leaves all of them changes nothing."""
    faster = saved(tmp_path / "faster.safetensors", Network(game, Design("raw", 2, 1), seed=5))
    taught = []
    for kept, filtering in ((6, ""), (500, faster), (1, faster)):
        rounds = RoundOptions(rounds=1, contests=9, steps=9, exact=True)
        improved(tmp_path / str(kept), replace(config, by_rounds=rounds, kept=kept, filtering=filtering))
        taught.append(load_network(made_in(tmp_path / str(kept), "teacher"), game).layers.output)
    np.testing.assert_array_equal(taught[0], taught[1])
    assert not np.array_equal(taught[0], taught[2])


@pytest.mark.slow
def test_the_same_with_two_processes(tmp_path: Path, config: ImprovementConfig) -> None:
    for folder, jobs in (("one", 1), ("two", 2)):
        improved(tmp_path / folder, config, jobs)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_rounds_that_were_killed_go_on(tmp_path: Path, config: ImprovementConfig, game: Game) -> None:
    whole = improved(tmp_path / "whole", replace(config, iterations=2))
    improved(tmp_path / "parts", config)
    made_in(tmp_path / "parts", "teacher").unlink()
    improved(tmp_path / "parts", replace(config, iterations=2))
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    network = load_network(whole[-1].network, game)
    assert network.design.widths == (12, 12)
    assert network.about["made by"].startswith("batch TD(λ) of iteration 2 from ")


def test_the_network_goes_on_after_rounds_and_is_judged(tmp_path: Path, config: ImprovementConfig) -> None:
    [found] = improved(tmp_path / "run", config)
    assert found.network == made_in(tmp_path / "run", "teacher")
    assert found.examples == 0
    assert found.loss_before != found.loss_after


def test_a_fit_follows_rounds(tmp_path: Path, config: ImprovementConfig) -> None:
    [found] = improved(tmp_path / "run", replace(config, fitting=FittingOptions(epochs=1)))
    assert found.examples > 0
    assert made_in(tmp_path / "run", "teacher").exists()
    assert made_in(tmp_path / "run").exists()


def test_another_device_goes_on(tmp_path: Path, config: ImprovementConfig) -> None:
    """The folder says that it began elsewhere."""
    improved(tmp_path / "run", config)
    elsewhere = replace(config, fitting=replace(config.fitting, device="cuda"))
    write_json(tmp_path / "run" / "config.json", as_data(elsewhere), indent=1)
    assert len(improved(tmp_path / "run", replace(config, iterations=2))) == 2


@pytest.mark.parametrize("option", ["contests", "steps", "exact", "round_lambda", "rivals"])
def test_options_of_rounds_are_refused_without_them(option: str) -> None:
    with pytest.raises(BadInputError, match=f"{option}=1 is for batch TD"):
        RoundOptions(**{option: 1})


def test_a_round_takes_its_steps_and_ends_at_rate_0(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    descents = list[Descent]()
    monkeypatch.setattr(batch_td, "Descent", lambda *given: descents.append(Descent(*given)) or descents[-1])
    options = RoundOptions(rounds=3, contests=12, steps=11)

    def job(seed: tuple[int, ...], contests: range, snapshot: Snapshot) -> NetworkJob[Examples]:
        return NetworkJob(played, GAME, seed, (contests, options, 6), (snapshot, None))

    with no_progress("", 1) as bar:
        learn_by_rounds(untrained().copy(), options, FittingOptions(), (3,), Workers(), bar, job)
    schedule = descents[0]._schedule
    assert schedule.last_epoch == 33
    assert schedule.get_last_lr()[0] == pytest.approx(0, abs=1e-12)
    with pytest.raises(BadInputError, match="steps=13 is not allowed with contests=12"):
        replace(options, steps=13)


def test_traces_do_not_train_the_network_that_is_asked_for(tmp_path: Path, config: ImprovementConfig) -> None:
    """Nothing is written."""
    wrong = replace(config, by_rounds=RoundOptions(), teacher=SelfPlayOptions(self_play=9), fitting=FittingOptions())
    with pytest.raises(BadInputError, match=r"self_play=9 is TD\(λ\), which has traces for one hidden layer"):
        improved(tmp_path / "run", wrong)
    assert not (tmp_path / "run").exists()


def test_self_play_without_a_fit_trains_the_network_that_is_asked_for(
    tmp_path: Path, config: ImprovementConfig, game: Game
) -> None:
    teacher = SelfPlayOptions(self_play=9)
    improved(tmp_path / "run", replace(config, by_rounds=RoundOptions(), further="", teacher=teacher))
    assert load_network(made_in(tmp_path / "run", "teacher"), game).design.widths == (12,)


@pytest.mark.parametrize("wrong", [{"alpha": 0.5}, {"window": 9}])
def test_options_of_a_fit_are_refused_without_one(config: ImprovementConfig, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match="is for a fit, and epochs=0 leaves that out"):
        replace(config, **{**wrong, "fitting": FittingOptions(epochs=0, **wrong)} if "alpha" in wrong else wrong)


def test_what_excludes_each_other(config: ImprovementConfig) -> None:
    with pytest.raises(BadInputError, match="exclude each other"):
        replace(config, teacher=SelfPlayOptions(self_play=5))
    with pytest.raises(BadInputError, match="epochs=0 leaves nothing to learn"):
        replace(config, by_rounds=RoundOptions())
    with pytest.raises(BadInputError, match="round_alpha=2"):
        RoundOptions(rounds=1, round_alpha=2)
