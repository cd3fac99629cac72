"""The papers' experiments: the same results however they are played, kept whole, and published."""

import csv
import io
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from boardgames_agents.arena.score import Score
from boardgames_agents.experiments.job import Job
from boardgames_agents.experiments.report import Report, log_to_tensorboard, report_in_markdown, write_report
from boardgames_agents.experiments.runner import Runner, RunnerOptions, Workers
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.experiments.table import Chart, Table
from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_agent
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.papers import TABLE_1, TABLE_8_4, ideal_trainer
from boardgames_baselines.papers.experiment import experiments_of, registered_papers
from boardgames_baselines.papers.hoyle_tutorial import SPACE, TABLE_8_4_LINES, TABLE_8_5, TABLE_8_6, TRIALS
from boardgames_baselines.papers.ideal_trainer import FOUR, GAMES, HEADINGS, PASSES, PRELIMINARY, trainer, verdict_on
from boardgames_baselines.papers.job import Key, MatchJob, play_matches, source_files
from boardgames_baselines.papers.outcome import Outcome, play_trials, runs_table, trial_report
from boardgames_baselines.papers.training import Matches, MeasuredTraining
from boardgames_baselines.papers.trial import Trial, TrialResult, TrialRun
from boardgames_env import make_game
from boardgames_env.errors import BadInputError

LEARNER = "hoyle(program='1994')"
LESSONS = Trial("tic_tac_toe", LEARNER, "2&7", 11, 0, (("perfect", "perfect"), ("random", "random")), 4)
TRIALS_HERE = {"lessons": LESSONS, "self": Trial("tic_tac_toe", LEARNER, "self", 5, 0, LESSONS.challengers, 4)}


def played(folder: Path, jobs: int = 1, runs: int = 2, seed: int = 0) -> tuple[dict[str, Outcome], int]:
    """The outcomes of the trials here, and the number of results in the folder then."""
    found = play_trials(Runner(folder, RunnerOptions(workers=Workers(jobs), seed=seed)), "trials", TRIALS_HERE, runs)
    return found, len((folder / "results.jsonl").read_bytes().splitlines())


@pytest.fixture
def once(tmp_path: Path) -> Path:
    """A folder with the results of two runs of each trial."""
    (tmp_path / "once").mkdir()
    (tmp_path / "once" / "results.jsonl").write_bytes(results())
    return tmp_path / "once"


@cache
def results() -> bytes:
    with TemporaryDirectory() as folder:
        assert played(Path(folder))[1] == 4
        return (Path(folder) / "results.jsonl").read_bytes()


def csv_in(folder: Path, jobs: int = 1) -> str:
    return runs_table(played(folder, jobs)[0]).csv()


@pytest.mark.slow
def test_as_many_processes_as_one_likes_give_the_same_csv(once: Path, tmp_path: Path) -> None:
    assert csv_in(tmp_path, jobs=2) == csv_in(once)


@pytest.mark.slow
def test_more_runs_keep_the_first_ones_and_another_seed_has_its_own(once: Path) -> None:
    before = csv_in(once).splitlines()
    found, count = played(once, runs=3)
    rows = runs_table(found).csv().splitlines()
    assert count == 6
    assert set(before) < set(rows)
    assert len(set(rows)) == 1 + 6
    assert played(once, seed=1)[1] == 10


def result_of(trial: Trial) -> TrialResult:
    """The result of a run, as it is stored."""
    return TrialResult.of(json.loads(json.dumps(trial.job.run())))


def test_a_run_records_learning_and_testing() -> None:
    result = result_of(LESSONS)
    assert result == result_of(LESSONS)
    assert (result.contests, result.lessons) == (11, 4)
    assert [letter in "WDL" for letter in result.course] == [True] * 2 + [False] * 7 + [True] * 2
    assert {name: score.contests for name, score in result.scores.items()} == {"perfect": 4, "random": 4}
    assert 0 < result.measures["unseen"] < result.measures["unseen, different"] < 100
    assert 0 < result.measures["voted"] <= 100
    assert any(name.startswith("comments of ") for name in result.measures)


def test_a_run_ends_when_the_standard_is_met() -> None:
    result = result_of(Trial("tic_tac_toe", LEARNER, "random", 100, 3))
    assert result.met
    assert result.contests < 100
    assert "L" not in result.course[-3:]
    assert not result_of(Trial("tic_tac_toe", LEARNER, "perfect", 3, 4)).met


def test_watching_is_no_lesson() -> None:
    result = result_of(Trial("tic_tac_toe", LEARNER, "watch", 3))
    assert (result.course, result.lessons) == ("---", 0)


def test_chances_are_shared_by_no_two_runs_and_do_not_depend_on_the_tests() -> None:
    seeds = {replace(trial.job, number=number).seeds for trial in TRIALS_HERE.values() for number in range(3)}
    assert len(seeds) == 6
    untested = Trial(LESSONS.game, LESSONS.learner, LESSONS.trainer, LESSONS.contests)
    assert untested.job.seeds == LESSONS.job.seeds


def test_a_job_is_described_by_its_fields_and_by_the_sources_it_needs() -> None:
    described = LESSONS.job.description()
    assert described["kind"] == "TrialRun"
    assert described["measures"][0] == "course"
    assert described["measures"][1]["kind"] == "ChallengerMatches"
    assert replace(LESSONS, testing=5).job.description() != described
    assert {file.stem for file in source_files(*LESSONS.job.source_modules())} == {"job", "training", "trial"}
    masked = MeasuredTraining("tic_tac_toe", "maskable_ppo(seed=SEED)", "self", (1,))
    assert {"config", "learner"} <= {file.stem for file in source_files(*masked.source_modules())}


def test_a_trial_needs_a_learner() -> None:
    with pytest.raises(BadInputError, match="perfect does not learn"):
        result_of(Trial("tic_tac_toe", "perfect", "random", 1))


@pytest.mark.parametrize(("option", "value"), [("runs", 0), ("seed", -1), ("scale", 0.0)])
def test_settings_are_checked(option: str, value: float) -> None:
    with pytest.raises(BadInputError, match=f"{option}={value} is not allowed"):
        RunnerOptions(**{option: value})


def test_matches_are_exact_where_they_can_be(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    pairs = {"expert": ("perfect(style='wise')", "fallible(e=0.1, style='wise')"), "self": ("perfect", "perfect")}
    found = play_matches(runner, "tic_tac_toe", pairs)
    assert found["expert"].power.value == pytest.approx(16.96, abs=0.005)
    assert found["expert"].power.low == found["expert"].power.high
    assert found["self"].reliability.value == pytest.approx(100)
    with_cycles = play_matches(runner, "pong_hau_ki", {"random": ("perfect", "random")}, contests=20)
    assert with_cycles["random"].power.low < with_cycles["random"].power.high


def test_the_verdict_is_the_turing_tests() -> None:
    wins = {name: 0 if name == "perfect" else 18 for name in FOUR}
    perfect = TrialResult("", True, {name: Score(wins=won, draws=20 - won) for name, won in wins.items()}, {})
    trial = Trial("tic_tac_toe", LEARNER, "perfect", 1, 0, tuple(FOUR.items()))
    maximal = {"expert": 17.0, "novice": 79.0, "random": 93.0}
    assert verdict_on(Outcome(trial, (perfect,) * 5), maximal).passed
    verdict = verdict_on(Outcome(trial, (perfect,) * 5), {**maximal, "random": 99.9})
    assert [name.split()[0] for name in verdict.failed] == ["power"]


def test_the_printed_figures_are_whole() -> None:
    assert set(TABLE_1.power) == set(PASSES) == set(GAMES)
    assert set(TABLE_8_4.power) == {trial.game for trial in TRIALS.values()}
    assert set(TABLE_8_4_LINES) == set(TABLE_8_5) == set(TABLE_8_6) == set(TRIALS)
    for (name, _), line in (each for lines in ideal_trainer.PRINTED.values() for each in lines.items()):
        assert len(line) == len(HEADINGS)
        contests, lessons, _, *powers_and_reliabilities = line
        assert lessons <= contests
        powers, reliabilities = powers_and_reliabilities[:3], powers_and_reliabilities[4:]
        assert all(power <= reliability for power, reliability in zip(powers, reliabilities, strict=True))
        assert name in {*PRELIMINARY, "2&7"}
    assert {name for each in PASSES.values() for name in each} <= {*PRELIMINARY, "2&7"}
    assert {len(line) for line in TABLE_8_5.values()} == {4}
    assert {len(line) for line in TABLE_8_6.values()} == {len(SPACE)}
    for line in TABLE_8_4_LINES.values():
        assert all(power <= reliability for power, reliability in zip(line[4:], line[1:4], strict=True))


def test_trainers_have_the_papers_names() -> None:
    assert trainer("e=0") == "perfect(style='opening')"
    assert trainer("e=100") == "fallible(e=1.0, style='opening')"
    assert trainer("self") == "self"
    game = make_game("tic_tac_toe")
    assert make_trainer(trainer("2&7"), game).spec == trainer("2&7")


@cache
def checked(game: str, spec: str) -> bool:
    """Whether an agent, made once because many trials have the same ones, learns."""
    return isinstance(make_agent(spec, make_game(game)), Learner)


class PlanOnly(Runner):
    """Checks the trials and matches it is to play, and plays nothing."""

    def results(self, what: str, jobs: Mapping[Key, Job[JsonResult]]) -> dict[Key, JsonResult]:
        for job in jobs.values():
            if isinstance(job, TrialRun):
                assert checked(job.game, job.learner)
                make_trainer(job.trainer, make_game(job.game))
                for matches in job.measures:
                    for _, spec in matches.opponents if isinstance(matches, Matches) else ():
                        checked(job.game, spec)
            elif isinstance(job, MatchJob):
                checked(job.game, job.player)
                checked(job.game, job.challenger)
        if all(isinstance(job, MatchJob) for job in jobs.values()):
            nothing = {"value": 0.0, "low": 0.0, "high": 0.0}
            return {name: {"power": nothing, "reliability": nothing} for name in jobs}
        raise StopIteration(what)


EXPERIMENTS = [(paper, name) for paper, each in registered_papers().items() for name in each]
DEAR = {"hoyle_today", "hoyle_tutorial", "ideal_trainer_today", "visual_cues"}
"""Papers with games that take long to compile or to solve."""


@pytest.mark.parametrize(
    ("paper", "name"),
    [
        pytest.param(*each, marks=pytest.mark.slow if number % 4 or each[0] in DEAR else [])
        for number, each in enumerate(EXPERIMENTS)
    ],
)
def test_every_experiment_can_be_played(paper: str, name: str, tmp_path: Path) -> None:
    [experiment] = experiments_of(paper, name)
    assert experiment.summary
    with suppress(StopIteration):
        experiment.run(PlanOnly(tmp_path))


def test_pages_include_every_table() -> None:
    pages = [page.read_text(encoding="utf-8") for page in (Path(__file__).parents[2] / "docs").rglob("*.md")]
    included = {table for page in pages for table in re.findall(r"include\} \S*tables/(\S+)\.md", page)}
    included.add("ideal_trainer-table-1")  # (which its page shows beside `boardgames optima`)
    assert included == {f"{paper}-{name}" for paper, each in registered_papers().items() for name in each}


def test_unknown_papers_and_experiments_are_named() -> None:
    with pytest.raises(BadInputError, match=r"there is no paper 'nonesuch'; the papers are: .*ideal_trainer"):
        experiments_of("nonesuch")
    with pytest.raises(BadInputError, match=r"ideal_trainer has no 'table-9'; it has: .*table-2"):
        experiments_of("ideal_trainer", "table-9")


def test_reports_are_published(once: Path, tmp_path: Path) -> None:
    found, _ = played(once)
    chart = Chart("A curve", "x", "y", {"a": [(0, 1.0), (1, 2.0)]}, {"a": 1.5}, {"a": 1.2}, {"a": [(0, 1.1)]})
    report = trial_report(found, (Table("A | table", ("", "a|b"), (("row", 1.25),)),), ("A note.",), (chart,))
    files = write_report(report, "x", tmp_path, documentation=True)
    assert [str(file.relative_to(tmp_path)) for file in files] == [
        "data/papers/x.csv",
        "images/papers/x-1.png",
        "papers/tables/x.md",
    ]
    text = files[2].read_text(encoding="utf-8")
    assert "| row | 1.25 |" in text
    assert "a\\|b" in text
    assert text.endswith("* A note.\n")
    [picture] = [line for line in text.splitlines() if line.startswith("![")]
    assert (files[2].parent / picture.partition("(")[2].removesuffix(")")).resolve() == files[1].resolve()
    assert files[1].read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(io.StringIO(files[0].read_text(encoding="utf-8"))))
    assert [row["run"] for row in rows] == ["0", "1", "0", "1"]
    assert {row["contests"] for row in rows if row["trial"] == "self"} == {"5"}
    assert report_in_markdown(Report()) == "\n"


def test_curves_go_to_tensorboard_and_replace_earlier_ones(once: Path, tmp_path: Path) -> None:
    found, _ = played(once)
    folder = tmp_path / "curves"
    for _ in range(2):
        chart = Chart("c", "x", "y", {"a/b": [(0, 1.0)]})
        log_to_tensorboard(trial_report(found, (), (), (chart,)), folder)
        events = [path.parent.relative_to(folder).as_posix() for path in folder.rglob("events.out.*")]
        assert sorted(events) == ["charts/a_b", "lessons", "self"]
