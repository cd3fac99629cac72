"""Event files of the run log."""

from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

from boardgames_agents.experiments.run_log import RunLog


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
