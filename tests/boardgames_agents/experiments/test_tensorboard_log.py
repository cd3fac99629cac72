"""Event files of the run log."""

from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from boardgames_agents.experiments.tensorboard_log import RunLog, RunLogReader
from boardgames_env import BadInputError


@pytest.mark.parametrize("missing", [1, 2, 3])
def test_a_session_follows_those_before_it_whose_files_are_left(missing: int, tmp_path: Path) -> None:
    for session in (1, 2, 3):
        with closing(RunLog(tmp_path, first_step=session)):
            pass
    (tmp_path / f"events.out.tfevents.{missing:010d}").unlink()
    last = max(path.name for path in tmp_path.iterdir())
    with closing(RunLog(tmp_path, first_step=4)):
        pass
    assert len(names := {path.name for path in tmp_path.iterdir()}) == 3
    assert max(names) > last


def test_a_full_disk_is_an_error_that_names_the_event_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(BytesIO):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", lambda path, mode: Full())
    log = RunLog(tmp_path)
    with pytest.raises(OSError, match=r"No space left on device: '.*events\.out"):
        log.flush()


def points(reader: RunLogReader) -> dict[str, list[tuple[int, float]]]:
    return {tag: list(zip(curve.steps, curve.values, strict=True)) for tag, curve in reader.curves().items()}


def test_the_reader_goes_on_where_it_ended_and_later_sessions_replace_steps(tmp_path: Path) -> None:
    reader = RunLogReader(tmp_path)
    with closing(RunLog(tmp_path)) as log:
        log.text("run", "a text")
        for step in (1, 2):
            log.scalars({"a b": step, "c": 0.5}, step)
        log.flush()
        assert points(reader) == {"a_b": [(1, 1), (2, 2)], "c": [(1, 0.5), (2, 0.5)]}
        log.scalars({"a b": 3}, 3)
        log.flush()
        assert points(reader)["a_b"] == [(1, 1), (2, 2), (3, 3)]
    with closing(RunLog(tmp_path, first_step=2)) as log:
        log.scalars({"a b": 20}, 2)
    assert points(reader) == points(RunLogReader(tmp_path)) == {"a_b": [(1, 1), (2, 20)], "c": [(1, 0.5)]}


def test_the_reader_waits_for_the_rest_of_an_event_and_begins_anew_where_files_have_gone(tmp_path: Path) -> None:
    with closing(RunLog(tmp_path)) as log:
        log.scalars({"a": 1}, 1)
        log.scalars({"a": 2}, 2)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    reader = RunLogReader(tmp_path)
    file.write_bytes(whole[:-5])
    assert points(reader) == {"a": [(1, 1)]}
    file.write_bytes(whole)
    assert points(reader) == {"a": [(1, 1), (2, 2)]}
    file.unlink()
    assert points(reader) == {}


def test_a_damaged_event_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "events.out.tfevents.1").write_bytes((9).to_bytes(8, "little") + bytes(4) + b"\xff" * 13)
    with pytest.raises(BadInputError, match="is damaged"):
        RunLogReader(tmp_path).curves()
