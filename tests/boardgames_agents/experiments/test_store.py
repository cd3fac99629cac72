"""Stored results: found by job and program, and kept whole."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest

import boardgames_agents
from boardgames_agents.experiments import runner as runner_module
from boardgames_agents.experiments.program import Program, program
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.store import ResultFile
from boardgames_env.errors import BadInputError
from boardgames_env.files import checksum, digest, package_files
from tests.boardgames_agents.experiments.jobs import Doubled
from tests.processes import printed

JOBS = {number: Doubled(number) for number in range(4)}


def run(folder: Path, jobs: dict[int, Doubled] = JOBS) -> int:
    """Run jobs and return how many were not stored yet."""
    before = file_in(folder).read_bytes().count(b"\n") if file_in(folder).exists() else 0
    assert Runner(folder).results("doubles", jobs) == {number: {"double": 2 * number} for number in jobs}
    return file_in(folder).read_bytes().count(b"\n") - before


def file_in(folder: Path) -> Path:
    return folder / "results.jsonl"


@pytest.fixture
def lines(tmp_path: Path) -> list[bytes]:
    """The lines of stored results of four jobs."""
    assert run(tmp_path) == 4
    return file_in(tmp_path).read_bytes().splitlines(keepends=True)


def test_an_unfinished_last_line_is_cut_off(tmp_path: Path, lines: list[bytes]) -> None:
    file_in(tmp_path).write_bytes(lines[0] + lines[1][: len(lines[1]) // 2])
    Runner(tmp_path)
    assert file_in(tmp_path).read_bytes() == lines[0]
    assert run(tmp_path) == 3
    assert run(tmp_path) == 0


@pytest.mark.usefixtures("lines")
def test_another_program_has_results_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    another = Program(dict.fromkeys(("boardgames_agents", "boardgames_env"), "another"), {})
    assert Runner(tmp_path).ignored == 0
    monkeypatch.setattr(runner_module, "program", lambda: another)
    assert Runner(tmp_path).ignored == len(JOBS)
    assert run(tmp_path) == 4
    monkeypatch.undo()
    assert run(tmp_path) == 0


def installed_data() -> list[str]:
    """Return the files of the agents' package that are no Python, such as networks."""
    root = Path(boardgames_agents.__file__).parent
    return [str(file.relative_to(root)) for file in package_files(root / "__init__.py") if file.suffix != ".py"]


def test_every_data_file_of_the_package_is_a_part_of_the_program(tmp_path: Path) -> None:
    copied = tmp_path / "boardgames_agents"
    shutil.copytree(Path(boardgames_agents.__file__).parent, copied, ignore=shutil.ignore_patterns("__pycache__"))
    whole = digest.__wrapped__(package_files(copied / "__init__.py"))
    assert whole == program().sources["boardgames_agents"]
    names = installed_data()
    assert {Path(name).suffix for name in names} >= {".safetensors", ".json", ".cntc", ".race"}
    for name in names:
        content = (copied / name).read_bytes()
        (copied / name).write_bytes(content + b" ")
        assert digest.__wrapped__(package_files(copied / "__init__.py")) != whole, name
        (copied / name).write_bytes(content)
    assert digest.__wrapped__(package_files(copied / "__init__.py")) == whole


@pytest.mark.slow
def test_results_of_another_network_of_the_package_are_not_used(tmp_path: Path) -> None:
    copied, code = (
        tmp_path / "boardgames_agents",
        "from pathlib import Path\nimport sys\n"
        + """
from boardgames_agents.experiments.runner import Runner
from tests.boardgames_agents.experiments.jobs import Doubled
from tests.processes import printed
runner = Runner(Path(sys.argv[1]))
print(runner.ignored, runner.results("doubles", {number: Doubled(number) for number in range(3)})[2])
""",
    )
    shutil.copytree(Path(boardgames_agents.__file__).parent, copied)

    def ignored() -> str:
        return printed(code, tmp_path, PYTHONPATH=os.pathsep.join([str(tmp_path), *filter(None, sys.path)]))

    assert [ignored(), ignored()] == ["0 {'double': 4}\n"] * 2
    network = copied / "backgammon" / "nets" / "td_gammon.safetensors"
    content = network.read_bytes()
    network.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert ignored() == "3 {'double': 4}\n"


@pytest.mark.parametrize("damage", [b"{", b'{"key": "k"}', b"[]"])
def test_a_damaged_line_is_refused_by_name(tmp_path: Path, lines: list[bytes], damage: bytes) -> None:
    file_in(tmp_path).write_bytes(lines[0] + damage + b"\n" + lines[1])
    with pytest.raises(BadInputError, match=r"results\.jsonl, line 2 is damaged"):
        Runner(tmp_path)


@pytest.mark.parametrize("name", ["key", "program", "job", "result", "check"])
def test_a_changed_entry_is_refused(tmp_path: Path, lines: list[bytes], name: str) -> None:
    """So is one of a version before 0.3, whose checksum is of the result alone."""
    entry = json.loads(lines[0])
    entry[name] = checksum(entry["result"])[:32] if name == "check" else {"double": 1}
    file_in(tmp_path).write_text(json.dumps(entry) + "\n", encoding="utf-8")
    with pytest.raises(BadInputError, match="line 1 is damaged or was edited: its checksum is wrong; remove it"):
        ResultFile(file_in(tmp_path), "program")


@pytest.mark.slow
def test_a_line_that_another_process_is_writing_is_left_alone(tmp_path: Path, lines: list[bytes]) -> None:
    """A process that opens the results waits until the line is whole."""
    file_in(tmp_path).unlink()
    code = (
        "import fcntl, sys, time\n"
        "file = open(sys.argv[1], 'ab', buffering=0)\n"
        "fcntl.flock(file, fcntl.LOCK_EX)\n"
        "line = sys.stdin.buffer.read()\n"
        "file.write(line[:100])\n"
        "print('half', flush=True)\n"
        "time.sleep(1)\n"
        "file.write(line[100:])\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, file_in(tmp_path)], stdin=PIPE, stdout=PIPE) as other:
        assert other.stdin
        assert other.stdout
        other.stdin.write(lines[0])
        other.stdin.close()
        assert other.stdout.readline() == b"half\n"
        Runner(tmp_path)
    assert file_in(tmp_path).read_bytes() == lines[0]
