"""The user's folders, files written whole or not at all, kinds of files, and hashes."""

import errno
import hashlib
import json
import multiprocessing
import os
import secrets
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from glob import escape as glob_escape
from glob import glob
from pathlib import Path
from typing import IO, Any

from platformdirs import user_cache_path, user_data_path

from boardgames_env.errors import BadInputError


def cache_root() -> Path:
    """Return the folder for what can be computed again: ``$BOARDGAMES_CACHE``, or the user's cache folder."""
    chosen = os.environ.get("BOARDGAMES_CACHE")
    return Path(chosen) if chosen else _users_folder(user_cache_path, "cache")


def data_root() -> Path:
    """Return the user's folder for what cannot be computed again: what people have played, learned and imported."""
    return _users_folder(user_data_path, "data")


def _users_folder(find: Callable[..., Path], name: str) -> Path:
    """Return a folder of the user's, or one of the name among the temporary files if it cannot be there."""
    try:
        found = find("boardgames-env", appauthor=False)
    except RuntimeError:  # (there is no HOME, and the system does not know the user: so it is in many containers)
        return _private_folder() / name
    there = next(each for each in (found, *found.parents) if os.path.exists(each))
    # (platformdirs of before 4.11 returns a name that begins with ~)
    can_be_there = found.is_absolute() and there.is_dir() and (there == found or os.access(there, os.W_OK | os.X_OK))
    return found if can_be_there else _private_folder() / name


@cache
def _private_folder() -> Path:
    """Return a folder among the temporary files that only this user can read, the same in every process, and warn."""
    folder = Path(tempfile.gettempdir()) / "boardgames-env"
    if sys.platform != "win32":  # (there every user has a folder for temporary files)
        folder = folder.with_name(f"{folder.name}-{os.getuid()}")
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            folder = Path(tempfile.mkdtemp(prefix="boardgames-env-"))  # (somebody else has made the other)
    if multiprocessing.parent_process() is None:
        warnings.warn(
            f"you have no folder of your own that can be written to, so files are kept in {folder}, which the system "
            "may empty; set HOME, or set BOARDGAMES_CACHE and give web --store and learn --folder",
            RuntimeWarning,
            stacklevel=4,
        )
    return folder


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file under another name, flush it to the disk and rename it: readers see all of it or none.

    Missing folders are created, and the target of a symbolic link is written. If that raises an `OSError`, it names
    ``path``, and a file there is left as it was.

    Raises:
        BadInputError: If there is a device or a pipe at ``path``, or this system allows no such name.
    """
    with replacing(path) as file:
        file.write(content)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file to write; after the block it is flushed to the disk and renamed, as `write_atomically` does.

    If the block raises an error, nothing is left of it; what a killed process has left, the next one removes.
    """
    with _aside(path) as (file, target):
        yield file
        file.flush()
        os.fsync(file.fileno())
        if sys.platform == "win32":
            file.close()  # (elsewhere it is locked until it has been renamed)
        os.replace(file.name, target)
        sync_folder(target.parent)


def demand_folder(path: Path) -> None:
    """Raise `BadInputError` if there is a file where a folder is meant."""
    if path.exists() and not path.is_dir():
        raise BadInputError(f"{path} is a file; give a folder that is empty or not there")


def demand_writable(path: Path) -> None:
    """Raise `OSError` if a file cannot be written at ``path``; a file that is there is left as it was."""
    with _aside(path):
        pass


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an `OSError` in the block name a file: that of a full disk names none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


_HEX = 12
"""The random digits in the name of a file that is being written."""


@contextmanager
def _aside(path: Path) -> Iterator[tuple[IO[bytes], Path]]:
    """Yield a new file, open and locked, and the path to rename it to; nothing is left under its first name."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        wrong, system = error.object[error.start : error.end], sys.getfilesystemencoding()
        raise BadInputError(f"{path} is not allowed; names of files cannot have {wrong!a} here ({system})") from None
    with naming(path):
        target = _target(path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
        _remove_left_over(target)
        file = _new_beside(target)
        try:
            yield file, target
        finally:
            file.close()
            Path(file.name).unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """Return the path of the file that is written for ``path``: a link's target."""
    if not path.name or path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadInputError(f"{path} is a device or a pipe; give the name of a file")
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _new_beside(path: Path) -> IO[bytes]:
    """Return a new file with a hidden name beside ``path``, open and locked."""
    while True:
        file = path.with_name(f".{path.name}.{secrets.token_hex(_HEX // 2)}").open("xb")
        lock(file)
        if os.path.exists(file.name):
            return file
        file.close()  # (another process has removed it before it was locked)


def _remove_left_over(path: Path) -> None:
    """Remove what killed processes have left of `_new_beside`; that of other processes is locked."""
    for name in glob(f".{glob_escape(path.name)}.{'[0-9a-f]' * _HEX}", root_dir=path.parent):
        with suppress(OSError), (path.parent / name).open("r+b") as file:
            lock(file, wait=False)
            os.unlink(file.name)


def lock(file: IO[Any], wait: bool = True) -> None:
    """Wait until no other process has locked an open file, and lock it until it is closed.

    The system unlocks it when the process ends, however it ends. Windows and some folders of networks have no such
    locks: there nothing is locked.

    Raises:
        BlockingIOError: If another process has locked it and ``wait`` is false.
    """
    if sys.platform != "win32":
        import fcntl

        with _if_supported():
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def _if_supported() -> Iterator[None]:
    """Go on where the file system has nothing like what the block does, as those of networks may not."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
            raise


def sync_folder(folder: Path) -> None:
    """Flush the entries of a folder, so that a rename in it survives a power cut."""
    if sys.platform == "win32":
        return  # folders cannot be opened there
    handle = os.open(folder, os.O_RDONLY)
    try:
        with _if_supported():
            os.fsync(handle)
    finally:
        os.close(handle)


def checksum(data: object, beside: bytes = b"") -> str:
    """Return the SHA-256 of bytes and of data, as JSON with sorted keys.

    A file that holds the checksum of everything else in it is known to be whole. It protects from damage, not from
    somebody who can write to the file.
    """
    return hashlib.sha256(beside + json.dumps(data, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class FileKind:
    """A kind of file of `json_file` or `array_file`, and the words of its error messages.

    Attributes:
        holds: What such a file holds, such as "a network".
        remedy: What to do where it does not, an imperative.
        marks: Entries that the data of every such file have: its format, its version, the rules it was made for.
        is_sealed: Whether every such file has a checksum. Otherwise one that it has is verified: people may write such
            files, or version 0.3 wrote them without.
    """

    holds: str
    remedy: str = "give another file"
    marks: Mapping[str, Any] = field(default_factory=dict)
    is_sealed: bool = True

    def damaged(self, path: object, why: object) -> BadInputError:
        """Return the error of a file that cannot be understood."""
        return BadInputError(f"{path} is damaged, or does not hold {self.holds} ({why}); {self.remedy}")

    @contextmanager
    def reading(self, path: object) -> Iterator[None]:
        """Turn every error in the block into a `BadInputError` that names the file.

        The block reads the file or makes something of its content.
        """
        try:
            yield
        except (FileNotFoundError, UnicodeEncodeError):  # (the latter for letters that no name has on this system)
            raise BadInputError(f"there is no file {path}, which should hold {self.holds}; {self.remedy}") from None
        except OSError as error:
            raise BadInputError(f"{path} cannot be read: {error.strerror or error}; {self.remedy}") from error
        except BadInputError as error:
            raise self.damaged(path, error) from error
        except json.JSONDecodeError as error:
            raise self.damaged(path, f"it is no JSON: {error}") from error
        except Exception as error:  # damage can cause any of them
            raise self.damaged(path, repr(error)) from error

    def demand(self, path: object, data: Mapping[str, Any]) -> None:
        """Raise `BadInputError` for data without the marks of this kind."""
        for name, mark in self.marks.items():
            if data.get(name) != mark:
                raise BadInputError(
                    f"{path} does not hold {self.holds}: its {name} is {data.get(name)!r}, not {mark!r}; {self.remedy}"
                )

    def demand_whole(self, path: object, seal: object, *checksums: str) -> None:
        """Raise `BadInputError` if a file's checksum ``seal`` is missing or none of these."""
        if seal is None and self.is_sealed:
            raise BadInputError(f"{path} is damaged or of a version before 0.3: it has no checksum; {self.remedy}")
        if seal is not None and seal not in checksums:
            raise BadInputError(f"{path} is damaged or was edited: its checksum is wrong; {self.remedy}")


_NO_CONTENT = ("__pycache__", "runs", "cells.csv")
"""What no result depends on: compiled files, results themselves, and a published table, which wheels alone hold."""


def package_files(module_file: Path) -> tuple[Path, ...]:
    """Return the files of the package of a module, data too, but no hidden ones; or the module's own file."""
    root = module_file.parent
    if not (root / "__init__.py").exists():
        return (module_file,)
    while (root.parent / "__init__.py").exists():
        root = root.parent
    found = []
    for path in root.rglob("*"):
        parts = path.relative_to(root).parts
        if path.is_file() and not any(part.startswith(".") or part in _NO_CONTENT for part in parts):
            found.append(path)  # (an editor may leave dangling links)
    return tuple(sorted(found))


@cache
def digest(files: tuple[Path, ...]) -> str:
    """Return a short hash of the contents of files."""
    total = hashlib.sha256()
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()[:16]
