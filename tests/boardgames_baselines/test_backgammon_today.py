"""The comparison with GNU Backgammon: its jobs, with other agents in the place of that program, and its figures."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from boardgames_agents.arena.luck import luck_by_agent, points_less_luck
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.estimate import mean_of
from boardgames_agents.experiments.runner import Runner, RunnerOptions
from boardgames_agents.people.judging.error_rates import Judge, rates_of
from boardgames_baselines.papers import backgammon_today as experiments
from boardgames_baselines.papers.backgammon_today.jobs import CubeDecisions, JudgedContest, Session
from boardgames_baselines.papers.job import number_of
from boardgames_env import make_game

WITH_CUBE = "backgammon(cube=True)"


@pytest.mark.slow
def test_sessions_are_the_same_again_and_differ_by_number() -> None:
    job = Session("backgammon", "pubeval", "td_gammon_raw", 6)
    results = [each.run() for each in (job, job, replace(job, number=1))]
    scores = [Score(**each["score"]) for each in results]
    assert scores[0] == scores[1] != scores[2]
    assert [each.contests for each in scores] == [6, 6, 6]
    assert results[0]["less_luck"] == results[1]["less_luck"] != results[2]["less_luck"]
    json.dumps(results)


@pytest.mark.slow
def test_another_program_of_gnu_backgammon_has_results_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for content in ("1.07", "1.08"):
        program = tmp_path / content / "gnubg"
        program.parent.mkdir()
        program.write_text(content, encoding="utf-8")
        program.chmod(0o700)
        monkeypatch.setenv("PATH", str(program.parent))
        jobs = (
            Session("backgammon", "td_gammon", "gnubg_engine", 1),
            CubeDecisions("backgammon(cube=True)", ("td_gammon", "gnubg_engine(plies=1)"), 1),
            Session("backgammon", "td_gammon", "pubeval", 1),
        )
        found.append([job.description() for job in jobs])
    assert [one == other for one, other in zip(*found, strict=True)] == [False, False, True]
    assert "program" not in found[0][2]


def test_luck_is_subtracted_from_the_points_of_the_agent() -> None:
    job = Session("backgammon", "pubeval", "td_gammon_raw", 6)
    result = job.run()
    seed = (job.seed, number_of("backgammon", "pubeval", "td_gammon_raw"), job.number)
    game = make_game("backgammon")
    records = tournament(game, "pubeval", "td_gammon_raw", 6, seed, records=True).records
    wanted = points_less_luck(records, luck_by_agent("td_gammon", game, records))
    assert result["less_luck"] == pytest.approx(wanted, abs=1e-6)


def test_matches_have_no_points_to_subtract_luck_from() -> None:
    result = Session("backgammon(match_length=1)", "pubeval", "td_gammon_raw", 2).run()
    assert result["less_luck"] == []


def test_the_cube_decisions_of_an_agent_agree_with_its_own() -> None:
    found = CubeDecisions(WITH_CUBE, ("td_gammon", "td_gammon"), 4).run()["decisions"]
    assert 16 <= len(found) <= 32
    assert all(one == other for _, one, other in found)
    assert {seat for seat, _, _ in found} == {0, 1}
    own = [one for _, one, _ in found]
    assert all(0 <= each.win <= 1 for each in own)
    assert {each.doubles for each in own} == {each.takes for each in own} == {True, False}
    assert all(each.win > 0.5 for each in own if not each.takes)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path, RunnerOptions(runs=2, scale=0.01))


def test_the_table_of_the_cube(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "_PLAYERS", {"good": "td_gammon", "weak": "td_gammon_raw"})
    monkeypatch.setattr(experiments, "_SCORES", {WITH_CUBE: ("money", "money")})
    monkeypatch.setattr(experiments, "_CONTESTS", 300)
    windows, confusion = experiments.cube_decisions(runner).tables
    (_, _, doubles, drops, *shares, same), (_, weak, *_) = windows.rows
    assert weak == "weak"
    assert 50 < doubles < drops < 100
    assert sum(shares) == pytest.approx(100, abs=0.2)
    counts = [row[1:] for row in confusion.rows]
    total = sum(map(sum, counts))
    assert 100 * sum(counts[each][each] for each in range(4)) / total == pytest.approx(same, abs=0.06)


def test_the_table_of_players(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = {"td_gammon": "td_gammon", "pubeval": "pubeval"}
    monkeypatch.setattr(experiments, "_AGENTS", {name: (spec, 200) for name, spec in agents.items()})
    monkeypatch.setattr(experiments, "_OPPONENTS", {"pubeval": ("pubeval", 0.5)})
    monkeypatch.setattr(experiments, "_JUDGES", {"itself": (Judge("td_gammon", 1), 100)})
    contests, players, by_phase = experiments.players(runner).tables
    ((*names, number, points, less_luck),) = contests.rows
    assert names == ["td_gammon", "pubeval"]
    assert number == 2 * 2
    for each in (points, less_luck):
        assert re.fullmatch(r"[+-]\d\.\d{3} \([+-]\d\.\d{3} to [+-]\d\.\d{3}\)", each)
    (_, own), (_, other) = players.rows
    assert own.value == 0
    assert other.low > 0
    assert by_phase.rows[1][1] == other
    judged = [JudgedContest("backgammon", tuple(agents.values()), Judge("td_gammon", 1), number=k) for k in (0, 1)]
    assert other.value == rates_of([each.run()["decisions"] for each in judged], 1)["all"].rate


@pytest.mark.slow
def test_the_table_of_look_ahead(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "_DEPTHS", (("td_gammon(plies=2)", "pubeval", "one ply more", 200),))
    (table,) = experiments.look_ahead(runner).tables
    ((*names, contests, points, less_luck),) = table.rows
    assert names == ["td_gammon(plies=2)", "pubeval", "one ply more"]
    assert contests == 2 * 2
    results = [Session("backgammon", names[0], names[1], 2, number=number).run() for number in range(2)]
    scores = [Score(**each["score"]) for each in results]
    assert points == (scores[0] + scores[1]).points_text
    assert less_luck == mean_of([*results[0]["less_luck"], *results[1]["less_luck"]]).signed(3)


@pytest.mark.parametrize(
    ("decisions", "point"),
    [
        ([(0.2, False), (0.4, False), (0.6, True), (0.9, True)], 50),
        ([(0.2, False), (0.4, True), (0.5, False), (0.6, False), (0.7, True), (0.8, True)], 65),
        ([(0.2, True), (0.4, True)], 20),
        ([(0.2, False), (0.4, False)], 40),
    ],
)
def test_the_point_that_divides_decisions(decisions: list[tuple[float, bool]], point: float) -> None:
    assert experiments._point(decisions) == pytest.approx(point)
