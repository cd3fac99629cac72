"""Runs: folders, checkpoints, resuming, and what is on TensorBoard."""

import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.arena.turing import challengers_at
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.policy import MarkovPolicy, Snapshot, joined, parted
from boardgames_agents.registry import make_agent, make_learner, make_player
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.network_file import save_network
from boardgames_agents.training.checkpoint import Checkpoint, load_latest, save_checkpoint
from boardgames_agents.training.curves import CURVES, LAST, bounds_of, mean_with, usual_tests
from boardgames_agents.training.run import (
    RunConfig,
    RunProgress,
    RunVerdict,
    is_in_progress,
    load_run,
    read_progress,
    read_verdict,
    train,
    write_verdict,
)
from boardgames_agents.training.runs import folders_of_runs, load_runs, row_of_run
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import BadInputError, Game, make_game
from tests.positions import random_positions
from tests.processes import printed, started
from tests.variants import fast_for, sampled

GAME = "tic_tac_toe"
CONFIG = RunConfig(GAME, "menace", "2&7", contests=90, test_every=40, test_contests=4, checkpoint_every=25)


@pytest.fixture(scope="module")
def finished_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(tmp_path_factory.mktemp("runs") / "run", CONFIG).folder


@pytest.fixture
def finished(finished_once: Path, tmp_path: Path) -> Path:
    """A copy of the folder of a finished run."""
    return shutil.copytree(finished_once, tmp_path / "run")


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    from tensorboard.backend.event_processing.event_accumulator import SCALARS, EventAccumulator

    events = EventAccumulator(str(folder), size_guidance={SCALARS: 0}, purge_orphaned_data=True)
    events.Reload()
    return {tag: [(e.step, e.value) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def any_of(declared: Iterable[str], name: str) -> bool:
    """Return whether a name is one of those declared, in which ``{...}`` stands for any text."""
    return any(re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", re.escape(each)), name) for each in declared)


def test_a_run_is_kept_in_its_folder(tmp_path: Path) -> None:
    told: list[int] = []
    folder = tmp_path / "run"
    run = train(folder, CONFIG, told.append)
    assert (run.contests, run.done) == (90, True)
    assert told == list(range(1, 91))
    assert {path.name for path in (folder / "checkpoints").iterdir()} == {"000000000075", "000000000090"}
    again = load_run(folder)
    assert (again.config, again.done) == (CONFIG, True)
    assert json.loads((folder / "config.json").read_text(encoding="utf-8"))["game"] == GAME


def test_curves_pictures_and_settings_are_logged(finished: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    curves = scalars(finished)
    assert [tag for tag in curves if not any_of(CURVES, tag) or " " in tag] == []
    groups = sorted({tag.partition("/")[0] for tag in (*curves, "test/last_position")})
    assert groups[:2] == ["power", "reliability"], "TensorBoard opens the first two groups"
    for who in ("learner", "seat_0"):
        points = [value for _, value in curves[f"training/points_of_{who}"]]
        means = [fmean(points[max(0, end - LAST) : end]) for end in range(1, len(points) + 1)]
        assert [value for _, value in curves[f"training/mean_points_of_{who}"]] == pytest.approx(means)
    assert [step for step, _ in curves["training/plies"]] == list(range(1, 91))
    assert all(5 <= plies <= 9 for _, plies in curves["training/plies"])
    for challenger in ("perfect", "expert", "novice", "random"):
        for measure in ("power", "reliability"):
            assert [step for step, _ in curves[f"{measure}/{challenger}"]] == [0, 40, 80, 90]
    assert [step for step, _ in curves["state/boxes"]] == [0, 40, 80, 90]
    assert mean_with({"learner": [9.0]}, "learner", range(LAST)) == fmean(range(LAST))
    events = EventAccumulator(str(finished))
    events.Reload()
    assert [image.step for image in events.Images("test/last_position")] == [0, 40, 80, 90]
    assert events.Images("test/last_position")[0].encoded_image_string.startswith(b"\x89PNG")
    text = events.Tensors("run/text_summary")[0].tensor_proto.string_val[0].decode()
    assert "| trainer | `2&7` |" in text
    assert "_hparams_/session_start_info" in events.Tags()["tensors"]


def test_power_in_points_is_logged_where_contests_are_won_by_several(tmp_path: Path) -> None:
    learner = "td(inputs='raw',hidden=2,outputs=6)"
    config = replace(CONFIG, game="hypergammon", learner=learner, trainer="self", contests=20, test_every=20, seed=3)
    player, curves = train(tmp_path, config).learner.frozen(), scalars(tmp_path)
    assert all(any_of(CURVES, tag) for tag in curves)
    challengers = challengers_at(make_game("hypergammon"))
    for number, (name, spec) in enumerate(challengers.items()):
        score = tournament("hypergammon", player, spec, config.test_contests, (3, 1, 20, number)).score
        assert curves[f"power_in_points/{name}"][-1] == (20, pytest.approx(score.points_per_contest))
    assert challengers


@pytest.mark.slow
def test_where_dice_decide_tests_are_rarer_and_longer() -> None:
    assert usual_tests(make_game("achi"), 100_000) == (1000, 100)
    for contests, expected in ((500, (1000, 100)), (100_000, (5000, 500)), (1_000_000, (50_000, 2000))):
        assert usual_tests(make_game("hypergammon"), contests) == expected


def test_intervals_are_logged_and_drawn_as_bands(finished: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.plugins.custom_scalar.layout_pb2 import Layout

    logged = scalars(finished)
    for tag in ("power/random", "reliability/perfect"):
        low, high = (logged[each] for each in bounds_of(tag))
        assert all(bottom[1] <= value[1] <= top[1] for bottom, value, top in zip(low, logged[tag], high, strict=True))
    assert logged["test/contests"][-1] == (90, 90)
    (event,) = EventAccumulator(str(finished)).Reload().Tensors("custom_scalars__config__")
    (category,) = Layout.FromString(event.tensor_proto.string_val[0]).category
    drawn = {series.value: (series.lower, series.upper) for chart in category.chart for series in chart.margin.series}
    assert drawn["power/perfect"] == bounds_of("power/perfect")
    assert all({tag, *bounds} <= set(logged) for tag, bounds in drawn.items())


def test_runs_are_a_table(finished: Path) -> None:
    row = row_of_run(finished)
    assert list(folders_of_runs(finished.parent)) == [finished]
    assert (row["run"], row["learner"], row["learner.beads"], row["played"], row["done"]) == (
        *("run", "menace", 4, 90, True),
    )
    assert row["reliability/random"] == scalars(finished)["reliability/random"][-1][1]
    frame = load_runs(finished.parent)
    assert frame.loc["run", "trainer"] == "2&7"
    with pytest.raises(BadInputError, match="there is no run in "):
        load_runs(finished.parent / "nowhere")


def test_the_command_that_trains_imports_no_torch(tmp_path: Path) -> None:
    code = f"""
import sys
import boardgames_agents.td.network_file
from boardgames_cli.main import app
arguments = "train tic_tac_toe td(hidden=2) --contests 5 --test-every 5 --test-contests 1 --run"
app([*arguments.split(), {str(tmp_path / "run")!r}], standalone_mode=False)
print(sorted({{"torch", "tensorflow"}} & set(sys.modules)))
"""
    assert printed(code).endswith("\n[]\n")


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["menace", "td"])
def test_a_training_killed_at_any_moment_goes_on_to_the_same_result(learner: str, tmp_path: Path) -> None:
    config = replace(CONFIG, learner=learner, contests=400, test_every=150, checkpoint_every=30)
    train(tmp_path / "whole", config)
    code = f"""
from pathlib import Path
from boardgames_agents.training.run import *
train(Path({str(tmp_path / "killed")!r}), {config!r}, lambda contests: print(contests, flush=True))
"""
    for reached in (17, 47, 130, 131, 299):
        process = started(code)
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= reached:
                os.kill(process.pid, signal.SIGKILL)
                break
        process.stdout.close()
        assert process.wait() == -signal.SIGKILL
    assert not load_run(tmp_path / "killed").done
    train(tmp_path / "killed", config)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert load_run(killed).learner.snapshot().digest == load_run(whole).learner.snapshot().digest
    found, expected = ({tag: sorted(each) for tag, each in scalars(folder).items()} for folder in (killed, whole))
    assert found == expected, "no step is there twice"


def test_a_finished_run_is_left_alone(finished: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in finished.rglob("*")}
    assert train(finished, CONFIG).done
    assert {path: path.stat().st_mtime_ns for path in finished.rglob("*")} == before


@pytest.mark.parametrize(
    ("learner", "ended"),
    fast_for(
        [("menace", 20)], product(("menace", "td(hidden=4)", "maskable_ppo(copies=4, batch_size=64)"), (20, 40, 50, 75))
    ),
)
def test_a_run_that_goes_on_beyond_its_end_is_as_if_it_had_been_longer(
    learner: str, ended: int, tmp_path: Path
) -> None:
    if "ppo" in learner:
        pytest.importorskip("sb3_contrib", reason="the extra rl is not installed")
    config = replace(CONFIG, learner=learner, trainer="2&7" if learner == "menace" else "self")
    whole = train(tmp_path / "whole", config)
    folder = train(tmp_path / "run", replace(config, contests=ended)).folder
    with pytest.raises(KeyboardInterrupt):
        train(folder, config, stop_after(ended + 7))
    assert learner != "menace" or not load_run(folder).done
    longer = train(folder, config)
    assert load_run(folder).config == config
    assert longer.learner.snapshot().digest == whole.learner.snapshot().digest
    expected, found = scalars(whole.folder), scalars(folder)
    assert expected.keys() == found.keys()
    for tag, points in expected.items():
        more = set(found[tag]) - set(points)
        tested = set() if tag.startswith("training/") else {ended}  # (there was a test at its end)
        assert {step for step, _ in more} <= tested, tag
        assert [point for point in found[tag] if point not in more] == points, tag


def stop_after(contests: int) -> Callable[[int], None]:
    """What interrupts a training after some contests."""

    def stop(done: int) -> None:
        if done >= contests:
            raise KeyboardInterrupt

    return stop


@pytest.mark.slow
def test_a_standard_can_be_raised(tmp_path: Path) -> None:
    config = replace(CONFIG, contests=100_000, test_every=0, standard=4)
    whole = train(tmp_path / "whole", config)
    assert train(tmp_path / "run", replace(config, standard=2)).contests < whole.contests
    longer = train(tmp_path / "run", config)
    assert longer.contests == whole.contests
    assert longer.learner.snapshot().digest == whole.learner.snapshot().digest


@pytest.mark.parametrize(
    ("name", "new"),
    [("seed", 1), ("contests", 89), ("standard", 5), ("trainer", "self"), ("test_every", 30), ("checkpoint_every", 5)],
)
def test_a_folder_belongs_to_one_run(name: str, new: object, finished: Path) -> None:
    with pytest.raises(BadInputError, match=f"holds a run with {name}={getattr(CONFIG, name)!r}, not {new!r}"):
        train(finished, replace(CONFIG, **{name: new}))


def test_a_run_is_not_of_another_game(finished: Path) -> None:
    with pytest.raises(BadInputError, match="has trained for tic_tac_toe, not achi"):
        make_agent(f"trained(run={str(finished)!r})", make_game("achi"))


def test_tables_do_not_play_with_other_options(tmp_path: Path) -> None:
    train(tmp_path / "run", RunConfig("achi", "menace", "random", contests=3, test_every=0))
    with pytest.raises(BadInputError, match=r"has trained for achi, not achi\(adjacent=True\); play that game with it"):
        make_agent(f"trained(run={str(tmp_path / 'run')!r})", make_game("achi(adjacent=True)"))


def test_a_network_of_another_game_with_the_same_options_is_refused(tmp_path: Path) -> None:
    train(tmp_path / "run", RunConfig("hypergammon", "td(inputs='raw', hidden=4)", "self", contests=1, test_every=0))
    with pytest.raises(BadInputError, match="has trained for hypergammon, not backgammon; play that game with it"):
        make_agent(f"trained(run={str(tmp_path / 'run')!r})", make_game("backgammon"))


@pytest.mark.parametrize(
    ("spec", "other"), [("achi", "achi(adjacent=True)"), ("five_mens_morris", "five_mens_morris(fly_at=3, plies=50)")]
)
def test_without_a_cube_it_plays_as_in_the_run(spec: str, other: str, tmp_path: Path) -> None:
    run = train(tmp_path / "run", RunConfig(spec, "td(hidden=4)", "self", contests=3, test_every=0))
    player, own = make_agent(f"trained(run={str(run.folder)!r})", make_game(other)), run.learner.frozen()
    assert isinstance(player, MarkovPolicy)
    assert isinstance(own, MarkovPolicy)
    compared = 0
    for position in random_positions(make_game(other), 20, 0):
        there = make_game(spec).position(position.state)
        if [move.actions for move in there.moves()] == [move.actions for move in position.moves()]:
            assert player.distribution(position) == own.distribution(there)
            compared += 1
    assert compared > 0


@pytest.mark.parametrize("inputs", ["raw", "observation"])
def test_a_run_also_plays_its_game_with_other_options(inputs: str, tmp_path: Path) -> None:
    """It does what the network does that `export` writes to a file, and sees no cube and no score."""
    learner = f"td(inputs={inputs!r}, hidden=4, outputs=6)"
    run = train(tmp_path / "run", RunConfig("hypergammon", learner, "self", contests=3, test_every=0))
    assert isinstance(run.learner, TDLearner)
    save_network(tmp_path / "net", run.learner.learned)
    variants = ("cube=True", "match_length=3", "cube=True, match_length=3", "match_length=3, score=(1, 0)")
    for spec in (f"hypergammon({each})" for each in variants):
        other = make_game(spec)
        own, exported = f"trained(run={str(run.folder)!r})", f"td_net(file={str(tmp_path / 'net')!r})"
        one, two = (play_contest(other, (make_player(each, other),) * 2, [1]) for each in (own, exported))
        assert (one.actions, one.outcome) == (two.actions, two.outcome)
        states = other.initial.state[None]
        predicted = [evaluator_of(each, other.part).outcome_probabilities(states) for each in (own, exported)]
        assert np.array_equal(*predicted)
        assert np.array_equal(predicted[0], run.learner.learned.outcome_probabilities(run.game.initial.state[None]))


def test_the_seed_of_a_run_settles_its_first_weights(game: Game) -> None:
    def first(spec: str, seed: int) -> str:
        return make_learner(spec, game, seed).snapshot().digest

    assert len({first("td(hidden=4)", seed) for seed in range(3)}) == 3
    assert first("td(hidden=4)", 2) == first("td(hidden=4, seed=2)", 0) == first("td(hidden=4, seed=2)", 5)
    assert first("td(hidden=4)", 0) == make_agent("td(hidden=4)", game).snapshot().digest  # type: ignore[attr-defined]
    assert make_learner("menace", game, 3).spec == "menace"


def test_a_folder_of_somebody_elses_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(BadInputError, match="is not empty and holds no run"):
        train(tmp_path, CONFIG)
    with pytest.raises(BadInputError, match=r"letter.txt/run cannot be written to \(.*\); give the run a folder"):
        train(tmp_path / "letter.txt" / "run", CONFIG)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_run_in_a_folder_without_write_permission_is_left_as_it_was(finished: Path) -> None:
    shutil.rmtree(finished / "checkpoints")
    before = sorted(finished.iterdir())
    finished.chmod(0o500)
    try:
        with pytest.raises(BadInputError, match=r"cannot be written to \(.*Permission denied.*\)"):
            train(finished, CONFIG)
    finally:
        finished.chmod(0o700)
    assert sorted(finished.iterdir()) == before


@pytest.mark.parametrize("name", ["learner.safetensors", "checkpoint.json"])
def test_a_damaged_checkpoint_is_refused_by_name(name: str, finished: Path) -> None:
    last = finished / "checkpoints" / "000000000090"
    (last / name).write_bytes(b"")
    for call in (lambda: load_run(finished), lambda: train(finished, CONFIG)):
        with pytest.raises(BadInputError, match=rf"000000000090/{name} is damaged, .*remove its folder"):
            call()
    shutil.rmtree(last)  # as the message says
    assert train(finished, CONFIG).contests == 90


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("contests", 0), ("standard", -1), ("seed", -1), ("test_every", -1), ("test_contests", 0)),
        *(("checkpoint_every", 0), ("game", "chess"), ("learner", "perfect"), ("trainer", "nobody")),
    ],
)
def test_bad_configurations_leave_no_folder(name: str, value: object, tmp_path: Path) -> None:
    with pytest.raises(BadInputError):
        train(tmp_path / "run", replace(CONFIG, **{name: value}))
    assert not (tmp_path / "run").exists()


def test_one_training_at_a_time_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / ".config.json.0123456789ab").write_text(
        "{", encoding="utf-8"
    )  # one was killed before its configuration was written
    refused: list[int] = []

    def meddle(contests: int) -> None:
        if contests == 5:
            with pytest.raises(BadInputError, match="has a training running in it"):
                train(tmp_path, CONFIG)
            refused.append(contests)

    assert train(tmp_path, CONFIG, meddle).done
    assert refused == [5]


def test_the_result_of_a_test_comes_back_as_it_was(tmp_path: Path) -> None:
    assert read_verdict(tmp_path) is None
    scores = {"perfect": Score(0, 4, 1, points=-1, squares=1, seconds=0.25), "random": Score(wins=5)}
    whole = RunVerdict(40, 5, 7, scores, {"perfect": 0.0, "random": 87.5}, False, ("power",))
    for verdict in (whole, RunVerdict(1, 2, 3, {}, {}, None)):
        write_verdict(tmp_path, verdict)
        assert read_verdict(tmp_path) == verdict


def test_the_progress_of_a_run_is_read_without_its_learner(tmp_path: Path) -> None:
    seen: list[RunProgress] = []
    config = RunConfig("tic_tac_toe", "menace", "random", 6, checkpoint_every=4)
    train(tmp_path, config, on_contest=lambda contests: seen.append(read_progress(tmp_path)) if contests > 4 else None)
    assert [(each.contests, each.done, each.in_progress) for each in seen] == [(4, False, True), (6, True, True)]
    found = read_progress(tmp_path)
    assert (found.config, found.contests, found.done, found.in_progress) == (config, 6, True, False)
    assert not is_in_progress(tmp_path / "nowhere")


def test_the_learner_meets_its_earlier_selves_in_turn(game: Game) -> None:
    learner, trainer = make_learner("menace", game), make_trainer("pool(every=3, size=2)", game)
    opponents = []
    for contest in range(12):
        meeting = trainer.meeting(contest, learner)
        assert meeting.seats == (contest % 2,)
        assert meeting.experts == ()
        assert meeting.players[contest % 2] is learner
        opponents.append(meeting.players[1 - contest % 2])
        meeting.play(game, learner, (5, contest))
    assert learner not in opponents
    assert [opponents.index(each) for each in opponents] == [0, 0, 0, 3, 0, 0, 6, 6, 3, 6, 10, 10]


@pytest.mark.parametrize(
    ("learner", "trainer"),
    sampled(
        ["menace", "td(hidden=4)"], ["pool(every=7, size=3)", "phases(plan=((11, 'watch'), (2, 'pool(every=4)')))"]
    ),
)
def test_a_training_that_was_stopped_goes_on_with_the_same_pool(learner: str, trainer: str, tmp_path: Path) -> None:
    config = RunConfig(GAME, learner, trainer, 60, seed=3, checkpoint_every=5)
    whole = train(tmp_path / "whole", config)
    for moment in (8, 23, 41):
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "stopped", config, stop_after(moment))
    stopped = train(tmp_path / "stopped", config)
    assert stopped.learner.snapshot().digest == whole.learner.snapshot().digest


def test_names_of_a_learners_arrays_are_not_taken_for_the_trainers(tmp_path: Path) -> None:
    learner = Snapshot({"trainer/w": np.ones(2, dtype=np.float32)})
    save_checkpoint(tmp_path, Checkpoint(3, 0, False, learner))
    found = load_latest(tmp_path)
    assert found
    assert list(found.snapshot.arrays) == ["trainer/w"]
    before = list(tmp_path.iterdir())
    with pytest.raises(BadInputError, match="a learner whose arrays have names that begin with trainer/"):
        save_checkpoint(tmp_path, Checkpoint(4, 0, False, learner, trainer=joined([])))
    assert list(tmp_path.iterdir()) == before


def test_snapshots_that_were_joined_come_apart() -> None:
    one, none = Snapshot({}, {"beads": 3}), Snapshot()
    assert parted(joined([one, none, joined([one])])) == [one, none, joined([one])]
    assert parted(joined([])) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seed": 0', '"seed": 1'),
        ('"tic_tac_toe"', '"lose_tic_tac_toe"'),
        ("menace", "menabe"),
        ("2&7", "2&6"),
        ("4", "5"),
    ],
)
def test_a_changed_configuration_is_refused(old: str, new: str, finished: Path) -> None:
    path = finished / "config.json"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    for read in (load_run, read_progress, lambda folder: train(folder, replace(CONFIG, contests=100))):
        with pytest.raises(BadInputError, match=r"config\.json is damaged or was edited: its checksum is wrong"):
            read(finished)


def test_a_configuration_without_a_checksum_is_read(finished: Path) -> None:
    """Those of development versions of 0.3 have none; the next that is written has one."""
    path = finished / "config.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({name: value for name, value in data.items() if name != "sha256"}), encoding="utf-8")
    assert load_run(finished).config == CONFIG
    assert train(finished, replace(CONFIG, contests=100)).contests == 100
    assert "sha256" in json.loads(path.read_text(encoding="utf-8"))
