"""`boardgames cache`."""

import os
from pathlib import Path

import pytest

from boardgames_env.kernels.disk_cache import entry_path, kernels_folder, write_entry
from tests.conftest import Command, Run


def test_the_cache_is_shown_and_pruned(
    boardgames: Run, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    for name in ("used", "old"):
        write_entry(name, bytes(1_000_000))
    os.utime(entry_path("old"), (0, 0))
    (kernels_folder() / "0123456789abcdef" / "module").mkdir(parents=True)
    (kernels_folder() / "0123456789abcdef" / "module" / "made.compiled").touch()
    (tmp_path / "tables" / "morris").mkdir(parents=True)
    (tmp_path / "tables" / "morris" / "3-3.safetensors").write_bytes(bytes(500_000))

    out = boardgames("cache")
    assert out.splitlines()[0] == str(tmp_path)
    assert ["compiled", "kernels", "2", "2.0"] in [line.split() for line in out.splitlines()]
    assert ["solved", "tables", "1", "0.5"] in [line.split() for line in out.splitlines()]

    assert boardgames("cache", "--prune", "--days", 7).splitlines()[0] == "1.0 MB freed"
    assert [path.name for path in kernels_folder().iterdir()] == ["used.kernel"]
    assert command("cache", "--days", -1)[0] == 2
