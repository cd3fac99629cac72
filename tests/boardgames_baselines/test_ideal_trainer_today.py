"""The study of trainers: its cells, what it makes of their results, and what it recommends."""

import csv
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import inf, isfinite, sqrt
from pathlib import Path
from statistics import fmean, variance
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from boardgames_agents.arena.exploitability import ExactTester
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.arena.turing import CHALLENGERS
from boardgames_agents.experiments.estimate import Sample, sample_of
from boardgames_agents.experiments.job import Job
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner, RunnerOptions
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.experiments.table import HeatMap, picture_of
from boardgames_agents.registry import make_learner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.papers.experiment import experiments_of
from boardgames_baselines.papers.ideal_trainer_today import GAMES, LEARNERS, TRAINERS, cells
from boardgames_baselines.papers.ideal_trainer_today.cells import ACTIONS, ExactAndPlayed, GridCell, Stage, exactly
from boardgames_baselines.papers.ideal_trainer_today.experiments import within
from boardgames_baselines.papers.ideal_trainer_today.grid import (
    CLAIMS,
    QUICK_RUNS,
    CellRuns,
    Gain,
    Grid,
    gain_of,
    grid,
    holm,
    judge,
    reliability,
    shortened,
    tied_with_best,
)
from boardgames_baselines.papers.ideal_trainer_today.recommendation import recommend, results_file
from boardgames_baselines.papers.job import Key
from boardgames_baselines.papers.training import Matches, MeasuredTraining, score_of
from boardgames_env import make_game
from tests.conftest import Run

SHORT = GridCell("tsoro_yematatu", "q_learning", "2&7", (5, 20), (exactly,), number=1)
FEW_TRAINERS = ("self", "perfect", "2&7", "key nodes")


class FewCells(Runner):
    """A runner of a few of the cells: two games, two learners, four trainers; at the larger game one trainer."""

    def results(self, what: str, jobs: Mapping[Key, Job[JsonResult]]) -> dict[Key, JsonResult]:
        names = {"tsoro yematatu", "mu torere", "Q-learning", "MENACE", *FEW_TRAINERS}
        few = {key: job for key, job in jobs.items() if isinstance(key, tuple) and set(key) <= names}
        trainers = {key: job.trainer for key, job in few.items() if len(key) <= 2 and isinstance(job, GridCell)}
        return super().results(what, {key: job for key, job in few.items() if trainers.get(key, "self") == "self"})


@cache
def reports() -> tuple[Grid, dict[str, Report]]:
    """The few cells, and every experiment's report on them."""
    with TemporaryDirectory() as folder:
        runner = FewCells(Path(folder), RunnerOptions(runs=2, scale=0.03))
        every = {each.name: each.run(runner) for each in experiments_of("ideal_trainer_today")}
        return grid(runner), every


def stages_of(cell: GridCell) -> list[Stage]:
    """The stages of a run, as they are stored."""
    return [Stage.of(test) for test in json.loads(json.dumps(cell.run()["tests"]))]


@cache
def stages_of_short() -> list[Stage]:
    return stages_of(SHORT)


@pytest.mark.slow
def test_a_cell_is_the_training_that_it_describes() -> None:
    stages = stages_of(SHORT)
    assert [replace(each, seconds=0) for each in stages] == [replace(each, seconds=0) for each in stages_of_short()]
    game = make_game(SHORT.game)
    learner = make_learner(SHORT.learner, game, SHORT.number)
    loop = TrainingLoop(game, learner, make_trainer("2&7", game), StoppingRule(20), SHORT.seeds, in_a_row=False)
    tester = ExactTester(game, ACTIONS)
    seen: set[bytes] = set()
    for step in loop.steps():
        seen |= {position.canonical for position in step.played[1].positions(game)[:-1]}
        if step.contests in SHORT.tested:
            stage = stages.pop(0)
            assert stage.test == tester.test(learner.frozen())
            assert stage.key_nodes == len(seen & tester.key_nodes) / len(tester.key_nodes)
    assert not stages
    assert 0 < stage.key_nodes < 1


@pytest.mark.slow
def test_a_sampled_cell_is_the_training_and_the_contests_that_it_describes() -> None:
    matches = Matches(tuple((each.name, str(each.spec())) for each in CHALLENGERS), 40)
    cell = GridCell("pong_hau_ki", "td(hidden=5, epsilon=0.1)", "self", (30,), (matches,), number=2)
    (test,), (again,) = cell.run()["tests"], cell.run()["tests"]
    game = make_game(cell.game)
    learner = make_learner(cell.learner, game, 2)
    loop = TrainingLoop(game, learner, make_trainer("self", game), StoppingRule(30), cell.seeds, in_a_row=False)
    assert sum(1 for _ in loop.steps()) == 30
    for place, challenger in enumerate(CHALLENGERS):
        score = tournament(game, learner.frozen(), str(challenger.spec()), 40, (*cell.seeds, 1, place)).score
        assert score_of(test, challenger.name) == score_of(again, challenger.name) == score
    assert "qubic" in replace(cell, game="qubic", trainer="perfect").run()["failed"]


def timed(*seconds: float) -> tuple[Stage, ...]:
    """The stages of the short cell, after other times."""
    return tuple(replace(stage, seconds=spent) for stage, spent in zip(stages_of_short(), seconds, strict=True))


def test_a_budget_of_seconds_buys_the_last_test_within_it() -> None:
    first, last = map(reliability, stages_of_short())
    runs = CellRuns(SHORT, (timed(0.1, 0.4), timed(0.2, 0.3)), ())
    assert runs.within(0.15) is None
    assert runs.within(0.2) == [first, first]
    assert runs.within(0.35) == [first, last]
    assert runs.within(9) == [last, last]
    assert CellRuns(SHORT, (), ("refused",)).within(9) is None


def test_the_best_trainer_within_a_budget_has_been_tested_at_every_game_by_then() -> None:
    first, last = map(reliability, stages_of_short())
    quick, slow = timed(0.05, 0.2), timed(0.2, 0.4)
    found = {
        (game, "Q-learning", trainer): CellRuns(SHORT, (stages,), ())
        for trainer, each in {"self": (quick, quick), "2&7": (quick, slow)}.items()
        for game, stages in zip(("achi", "mu torere"), each, strict=True)
    }
    assert (reached := within(found, "Q-learning", "self", 0.1))
    assert reached.value == first
    assert within(found, "Q-learning", "2&7", 0.1) is None
    assert (reached := within(found, "Q-learning", "2&7", 0.3))
    assert reached.value == pytest.approx((first + last) / 2)
    assert within(found, "Q-learning", "watching", 9) is None


@pytest.mark.slow
def test_a_longer_training_begins_as_a_shorter_one() -> None:
    longer = stages_of(replace(SHORT, tested=(5, 20, 30)))
    assert [each.test for each in longer[:2]] == [each.test for each in stages_of_short()]


def test_a_training_that_is_refused_is_shown_as_failed() -> None:
    planning = replace(SHORT, learner="hoyle(planning=True)", tested=(2,)).run()
    assert "cannot be tested exactly" in planning["failed"]


@pytest.mark.slow
def test_every_combination_is_a_cell() -> None:
    every = dict(cells(1.0))
    assert len(every) == len(GAMES) * len(LEARNERS) * len(TRAINERS)
    assert {cell.tested[-1] for (_, learner, _), cell in every.items() if "Hoyle" in learner} == {100}
    assert len({json.dumps(cell.description()) for cell in every.values()}) == len(every)


@pytest.mark.slow
def test_the_results_of_the_cells_become_reports() -> None:
    found, every = reports()
    assert len(found) == 2 * 2 * 4
    assert all(len(each.runs) == 2 and not each.failed for each in found.values())
    for name, report in every.items():
        assert report.tables, name
        assert all(len(row) == len(table.headings) for table in report.tables for row in table.rows if table.names)
        assert all(picture_of(chart).startswith(b"\x89PNG") for chart in report.charts)
    (best,) = every["games"].tables
    assert len(best.rows) == 4
    data = every["trainers"].data
    assert data is not None
    assert len(data.rows) == 16
    cell = found["mu torere", "MENACE", "self"]
    (row,) = [row for row in data.rows if row[:3] == ("mu torere", "MENACE", "self")]
    assert row[data.headings.index("reliability")] == round(fmean(cell.final()), 4)
    shares = every["effects"].tables[0].rows[0][1:]
    assert sum(shares) == pytest.approx(100, abs=0.3)  # type: ignore[arg-type]
    agreement = every["agreement"].tables[0].rows
    assert len(agreement) == 4
    larger = every["larger-game"]
    assert [row[0] for row in larger.tables[0].rows] == ["self"]
    assert larger.data is not None
    assert {row[:4] for row in larger.data.rows} == {("MENACE", "self", 2, 10), ("Q-learning", "self", 2, 10)}


@pytest.mark.slow
def test_claims_are_about_trainers_of_the_study_and_judged_once() -> None:
    assert {name for claim in CLAIMS for name in claim} <= set(TRAINERS)
    found, every = reports()
    verdicts = judge(found)
    assert len(verdicts) == 2 * sum(set(claim) <= set(FEW_TRAINERS) for claim in CLAIMS)
    notes = every["claims"].notes
    assert len(notes) == len(CLAIMS) - 2 + 3  # (two claims are about trainers that are not here)
    for verdict in verdicts.values():
        assert (verdict.word == "undecided") == (verdict.p >= 0.05)
        assert verdict.p >= verdict.gain.p


@pytest.mark.slow
def test_a_shortened_grid_is_what_a_short_one_would_be() -> None:
    found, _ = reports()
    short = shortened(found, runs=1, scale=0.01)
    for key, each in short.items():
        assert len(each.runs) == 1
        assert each.cell.tested == found[key].cell.tested[:1]
        assert each.runs[0] == found[key].runs[0][:1]
    assert QUICK_RUNS == 2


def test_gains_are_welchs_test() -> None:
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(2)
    one, other = rng.normal(3, 1, 8).tolist(), rng.normal(2, 3, 5).tolist()
    found, expected = gain_of([(sample_of(one), sample_of(other))]), ttest_ind(one, other, equal_var=False)
    interval = expected.confidence_interval()
    assert found.p == pytest.approx(expected.pvalue)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((interval.low, interval.high))


def test_gains_over_games_have_the_mean_and_the_error_of_all() -> None:
    from scipy.stats import ttest_1samp

    same = (Sample(5, 4, 10), Sample(3, 4, 10))
    one, four = gain_of([same]), gain_of([same] * 4)
    assert (one.estimate.value, four.estimate.value) == (2, 2)
    halves = [each.estimate.high - each.estimate.value for each in (one, four)]
    assert halves[1] == pytest.approx(1.9935 * sqrt(2 * 0.4) / 2, rel=1e-3)  # (72 degrees of freedom)
    assert halves[0] > 2 * halves[1]
    assert four.p < one.p
    single = [(Sample(value, 0, 1), Sample(0, 4, 10)) for value in (1, 2, 6)]
    expected = ttest_1samp([1, 2, 6], 0)
    assert gain_of(single).p == pytest.approx(expected.pvalue)
    assert gain_of(single).estimate.high == pytest.approx(expected.confidence_interval().high)
    alone = gain_of([(Sample(5, 0, 1), Sample(3, 4, 10))])
    assert (alone.p, alone.estimate.high) == (1, inf)
    certain = gain_of([(Sample(5, 0, 2), Sample(3, 0, 2))])
    assert certain == Gain(certain.estimate, 0.0)
    assert certain.estimate.low == certain.estimate.high == 2


def test_holms_method_is_that_of_its_paper() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_what_is_tied_with_the_best() -> None:
    own = {"a": Sample(90, 1, 10), "b": Sample(89.8, 1, 10), "c": Sample(50, 1, 10), "d": Sample(89.9, 1, 10)}
    assert tied_with_best(own) == ("a", ["d", "b"])


def test_reliability_is_the_mean_over_challengers() -> None:
    stage = stages_of_short()[-1]
    losses = [each.loss for each in stage.test.outcomes.values()]
    assert len(losses) == 4
    assert reliability(stage) == pytest.approx(100 - 100 * fmean(losses))


@pytest.mark.slow
def test_exact_and_played_outcomes_agree() -> None:
    measure = ExactAndPlayed("fallible(e=0.1)", 1500)
    (result,) = MeasuredTraining("mu_torere", "menace", "2&7", (30,), (measure,)).run()["tests"]
    assert sum(result["played"]) == 1500
    for share, count in zip(result["exact"], result["played"], strict=True):
        assert abs(share - count / 1500) < 4 * sqrt(share * (1 - share) / 1500) + 1e-6


@pytest.mark.slow
def test_a_heat_map_leaves_cells_without_a_value_empty() -> None:
    picture = picture_of(HeatMap("Reliability", ("a", "b"), ("x", "y", "z"), [[1, 50, 100], [float("nan"), 0, 3]]))
    assert picture.startswith(b"\x89PNG")


# --- what is recommended, by the published results --------------------------------------------------------------


def published() -> list[dict[str, str]]:
    with results_file().open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_published_results_are_of_the_studys_cells() -> None:
    rows = published()
    names = {(row["game"], row["learner"], row["trainer"]) for row in rows}
    assert len(names) == len(rows)
    assert {learner for _, learner, _ in names} <= set(LEARNERS)
    assert {game for game, _, _ in names} <= set(GAMES)
    assert {trainer for _, _, trainer in names} == set(TRAINERS)


@pytest.mark.parametrize(("game", "learner"), [("tant_fant", "q_learning"), ("marelle", "Hoyle 1994"), ("achi", "td")])
def test_the_best_trainer_is_recommended(game: str, learner: str) -> None:
    found = recommend(game, learner)
    assert set(found.evidence) == set(TRAINERS)
    best = found.evidence[found.best].reliability.mean
    assert best == max(each.reliability.mean for each in found.evidence.values())
    assert found.best not in found.tied


def test_the_command_prints_evidence_and_a_training(tmp_path: Path, boardgames: Run, refused: Run) -> None:
    text = boardgames("recommend", "tant-fant", "q-learning")
    found = recommend("tant_fant", "q_learning")
    assert f"the best trainer in the study: {found.best}" in text
    spec = found.evidence[found.best].trainer
    assert spec in text
    boardgames("train", "tant_fant", "q_learning", "--trainer", spec, "--contests", 3, "--run", tmp_path / "run")
    rows = json.loads(boardgames("recommend", "tant_fant", "q_learning", "--json"))
    assert [row["trainer"] for row in rows if row["best"]] == [found.best]
    assert "the study has no game 'chess'; it has: " in refused("recommend", "chess", "td")
    assert "the study has no learner 'fives'; it has: " in refused("recommend", "achi", "fives")
    assert "the study has no learner ''; it has: " in refused("recommend", "achi", "")
    assert "the study has no game 'marelle'; it has: " not in boardgames("recommend", "marelle", "td")
    text = boardgames("recommend", "marelle", "Hoyle 1994")
    assert "boardgames train 'marelle(first_man_centre=False)' 'hoyle(program='" in text
    assert "--quick is not for --runs" in refused("paper", "ideal_trainer_today", "--quick", "--runs", 5)


@pytest.mark.slow
def test_a_published_cell_can_be_run_again_to_the_last_digit() -> None:
    """The cell of the fastest learner at the smallest game, all of its published runs."""
    key = ("tsoro yematatu", "Monte-Carlo control", "2&7")
    (row,) = [each for each in published() if (each["game"], each["learner"], each["trainer"]) == key]
    cell = dict(cells(1.0))[key]
    stages = [stages_of(replace(cell, number=number))[-1] for number in range(int(row["runs"]))]
    values = [reliability(stage) for stage in stages]
    assert float(row["reliability"]) == round(fmean(values), 4)
    if isfinite(float(row["standard deviation"] or inf)):
        assert float(row["standard deviation"]) == round(variance(values) ** 0.5, 4)
