"""Files are written whole or not at all, and errors name them."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from boardgames_env import BadInputError, files
from boardgames_env.array_file import read_arrays
from boardgames_env.files import (
    FileKind,
    cache_root,
    data_root,
    demand_writable,
    lock,
    package_files,
    replacing,
    sync_folder,
    write_atomically,
)
from boardgames_env.json_file import read_json


@pytest.mark.parametrize("path", ["/", ".", "..", "a" * 300])
def test_what_cannot_be_a_file_is_an_error_that_names_it(path: str, here: Path) -> None:
    for attempt in (demand_writable, lambda path: write_atomically(path, b"new")):
        with pytest.raises(OSError, match=r"directory|too long") as raised:
            attempt(Path(path))
        assert raised.value.filename == path
    assert not list(here.iterdir())


@pytest.mark.parametrize("path", ["file/new", "file/new/new"])
def test_a_file_is_no_folder(path: str, here: Path) -> None:
    (here / "file").write_bytes(b"old")
    with pytest.raises(NotADirectoryError) as raised:
        write_atomically(Path(path), b"new")
    assert raised.value.filename == path
    assert (here / "file").read_bytes() == b"old"


@pytest.mark.parametrize("there", [True, False])
def test_the_target_of_a_link_is_written(there: bool, here: Path) -> None:
    (here / "link").symlink_to("another")
    (here / "another").symlink_to("folder/file")
    if there:
        (here / "folder").mkdir()
        (here / "folder/file").write_bytes(b"old")
    write_atomically(Path("link"), b"new")
    assert (here / "link").is_symlink()
    assert (here / "another").is_symlink()
    assert [each.name for each in (here / "folder").iterdir()] == ["file"]
    assert (here / "folder/file").read_bytes() == b"new"
    (here / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="loop"):
        write_atomically(Path("loop"), b"new")


@pytest.mark.parametrize("name", ["pipe", "link to it"])
def test_a_pipe_or_device_is_refused(name: str, here: Path) -> None:
    os.mkfifo("pipe")
    (here / "link to it").symlink_to("pipe")
    for attempt in (demand_writable, lambda path: write_atomically(path, b"new")):
        with pytest.raises(BadInputError, match=f"{name} is a device or a pipe; give the name of a file"):
            attempt(Path(name))
    assert sorted(each.name for each in here.iterdir()) == ["link to it", "pipe"]


def test_what_a_killed_process_has_left_is_removed_by_the_next(here: Path) -> None:
    """What another process is writing is left alone, and so are other files with such names."""
    code = """if True:
        import os, pathlib, signal
        from boardgames_env.files import replacing
        with replacing(pathlib.Path("a[1]")) as file:
            os.kill(os.getpid(), signal.SIGTERM)"""
    subprocess.run([sys.executable, "-c", code], check=False)
    (left,) = here.iterdir()
    others = [here / ".b.0123456789ab", here / ".a[1].mine", here / ".a1.0123456789ab"]
    for other in others:
        other.touch()
    with replacing(here / "a[1]") as file:
        assert not left.exists()
        write_atomically(here / "a[1]", b"one")
        file.write(b"other")
    assert sorted(here.iterdir()) == sorted([here / "a[1]", *others])
    assert (here / "a[1]").read_bytes() == b"other"


def test_a_full_disk_is_an_error_that_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"No space left on device: '.*/file'"):
        write_atomically(tmp_path / "file", b"new")
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"old"]


@pytest.mark.parametrize("read", [read_arrays, read_json])
def test_files_that_cannot_be_read_are_refused(read: Callable[[Path, FileKind], object], tmp_path: Path) -> None:
    kind = FileKind("a test", "write it again", {"format": "tests, 1"})
    with pytest.raises(BadInputError, match=r"there is no file .*none, which should hold a test; write it again"):
        read(tmp_path / "none", kind)
    with pytest.raises(BadInputError, match="cannot be read: Is a directory"):
        read(tmp_path, kind)


def test_asking_whether_a_file_can_be_written_leaves_it_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    for name in ("file", "other"):
        demand_writable(tmp_path / name)
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"old"]


def test_the_files_of_a_package_are_all_that_results_may_depend_on(tmp_path: Path) -> None:
    counted = ["__init__.py", "data/nets/a.safetensors", "data/weights", "mod.py", "room/__init__.py", "room/mod.py"]
    others = [".mod.py.swp", ".git/config", "__pycache__/mod.cpython-311.pyc", "data/.hidden", "runs/first/config.json"]
    for name in (*counted, *others):
        path = tmp_path / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for module in ("mod.py", "room/mod.py", "room/__init__.py"):
        found = package_files(tmp_path / "package" / module)
        assert [path.relative_to(tmp_path / "package").as_posix() for path in found] == counted
    (tmp_path / "alone.py").touch()
    assert package_files(tmp_path / "alone.py") == (tmp_path / "alone.py",)


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither these numbers of users nor these locks")


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A user without folders, and a folder for temporary files, which is returned."""
    for name in ("BOARDGAMES_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", os.devnull)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(files, "_private_folder", files._private_folder.__wrapped__)  # (it warns once a process)
    return tmp_path


@POSIX
@pytest.mark.parametrize("home", [os.devnull, f"{os.devnull}/home", "FILE", "FILE/home"])
def test_a_user_without_folders_gets_a_private_one(
    home: str, homeless: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """(Containers and batch systems give such names to HOME.)"""
    (here / "FILE").touch()
    monkeypatch.setenv("HOME", home.replace("FILE", str(here / "FILE")))
    with pytest.warns(RuntimeWarning, match=r"set BOARDGAMES_CACHE and give web --store and learn --folder"):
        root = cache_root()
    with pytest.warns(RuntimeWarning, match=r"no folder of your own that can be written to"):
        assert data_root() == root.with_name("data")
    assert root == homeless / f"boardgames-env-{os.getuid()}" / "cache"
    assert root.parent.stat().st_mode & 0o777 == 0o700


@POSIX
@pytest.mark.parametrize("kind", ["open to others", "a link", "a file"])
def test_a_folder_that_somebody_else_may_have_made_is_not_used(kind: str, homeless: Path) -> None:
    """(Kernels in it are run.)"""
    taken = homeless / f"boardgames-env-{os.getuid()}"
    if kind == "open to others":
        taken.mkdir()
        taken.chmod(0o755)
    elif kind == "a link":
        (homeless / "theirs").mkdir(mode=0o700)
        taken.symlink_to(homeless / "theirs")
    else:
        taken.touch()
    with pytest.warns(RuntimeWarning, match=r"files are kept in .*/boardgames-env-"):
        private = cache_root().parent
    assert private != taken
    assert private.stat().st_mode & 0o777 == 0o700


def test_folders_that_are_named_or_there_are_kept(homeless: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(homeless / "mine"))
    assert data_root() == homeless / "mine" / "boardgames-env"
    monkeypatch.setenv("BOARDGAMES_CACHE", "/proc/nobody")  # (what is asked for is not replaced)
    assert cache_root() == Path("/proc/nobody")


def _can_be_another_user() -> bool:
    words = ["unshare", "--user", "--map-user=12345", "true"]
    return bool(shutil.which("unshare")) and subprocess.run(words, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _can_be_another_user(), reason="this system has no namespaces of users")
@pytest.mark.parametrize("home", [{}, {"HOME": "read-only"}])
def test_a_user_whom_the_system_does_not_know_is_warned_once(home: dict[str, str], here: Path) -> None:
    """It is so in a container that runs with ``--user 12345``."""
    (here / "read-only").mkdir(mode=0o500)
    kept = {
        name: value for name, value in os.environ.items() if name not in ("HOME", "BOARDGAMES_CACHE", "XDG_DATA_HOME")
    }
    kept |= {name: str(here / value) for name, value in home.items()}
    code = (
        "import gymnasium, boardgames_env\nfrom boardgames_env.files import cache_root, data_root\n"
        "gymnasium.make('boardgames/TicTacToe-v0', opponent='random').reset(seed=1)\nprint(cache_root(), data_root())"
    )
    done = subprocess.run(
        ["unshare", "--user", "--map-user=12345", sys.executable, "-c", code],
        env={**kept, "TMPDIR": str(here), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    folder = here / "boardgames-env-12345"
    assert (done.returncode, done.stdout) == (0, f"{folder / 'cache'} {folder / 'data'}\n"), done.stderr
    assert done.stderr.count("RuntimeWarning") == done.stderr.count(f"kept in {folder}, which") == 1


@POSIX
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL])
def test_file_systems_without_locks_are_used_without(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """(Some file systems of networks are such.)"""
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    monkeypatch.setattr(os, "fsync", refuse)
    with (tmp_path / "file").open("wb") as file:
        lock(file)
        sync_folder(tmp_path)
    number = errno.EIO
    with (tmp_path / "file").open("wb") as file, pytest.raises(OSError, match="Input/output error"):
        lock(file)
