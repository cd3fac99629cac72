"""Compiled kernels on disk: a file for each, named by its key.

The key is a hash of everything that the machine code depends on.

A file holds a pickle, because that is what Numba makes of machine code, and a pickle can run anything when it is
loaded. So it is loaded only if the file and its folder belong to the user and its checksum, which covers the key, is
right. Whatever is wrong with a file, the kernel is compiled again.
"""

import hashlib
import os
import pickle
import platform
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import llvmlite
import numba
import numpy as np
from numba.core import config, serialize
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from boardgames_env.files import cache_root, lock, write_atomically
from boardgames_env.kernels.content_key import content_key, functions_reached

_FORMAT = b"boardgames-env kernel 1\n"
_VERSION = "5"
"""Raise this when kernels are compiled in another way."""

_SUFFIX, _LOCK, _USED = ".kernel", ".lock", ".used"
_DAY = 86_400
_BEGAN = time.time()

_warnings_given: set[str] = set()
_content_when_compiled: WeakKeyDictionary[FunctionType, str] = WeakKeyDictionary()


def kernels_folder() -> Path:
    """Return the folder of the compiled kernels."""
    return cache_root() / "kernels"


def kernel_key(kernel: object) -> str:
    """Return a hash of a kernel's content, of what compiles it and of the CPU.

    The modules of its functions belong to it, because Numba imports them when it loads machine code. `NoContentError`
    is raised if its content cannot be described.
    """
    return content_key([*_compiler(), *(each.__module__ for each in functions_reached(kernel)), kernel])


@cache
def _compiler() -> tuple[object, ...]:
    settings = ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
    ours = (Path(__file__).with_name(name) for name in ("helpers.py", "references.py"))
    return (
        _VERSION,
        *(hashlib.sha256(each.read_bytes()).hexdigest() for each in ours),
        f"{platform.python_implementation()} {platform.python_version()}",
        *(str(library.__version__) for library in (numba, llvmlite, np)),
        *cpu_target.target_context.codegen().magic_tuple(),
        *(f"{name}={getattr(config, name)}" for name in settings),
    )


class KernelFile:
    """The cache of one Numba dispatcher: the methods that a dispatcher calls, over one file."""

    def __init__(self, key: str, function: FunctionType) -> None:
        self._key = key
        self._function = function
        self.cache_path = str(kernels_folder())

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return what was compiled for the signature, or ``None``."""
        payload = read_entry(self._key)
        if payload is None:
            return None
        rtsys.initialize(target_context)
        try:
            loaded: Any = CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception as error:  # it was whole, but names a module that cannot be imported any more, say
            _warn_once(f"the compiled kernel {entry_path(self._key)} cannot be loaded ({error!r}); compiling it again")
            return None
        return loaded if tuple(loaded.signature.args) == tuple(signature.args) else None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled, unless it would not work in another process."""
        if compiled.library.has_dynamic_globals or compiled.lifted:
            return
        if _recurses_through_types(self._function) or not _is_current(self._function):
            return
        try:
            write_entry(self._key, serialize.dumps(compiled._reduce()))
        except OSError as error:
            _warn_not_kept(error)

    def flush(self) -> None:
        """Do nothing: there is no index."""


def _recurses_through_types(function: FunctionType) -> bool:
    """Return whether a helper calls itself through another helper, or with arguments of several types.

    Numba links such machine code in the process that compiles it, and loads it with a call to nowhere.
    """
    helpers: dict[Any, list[Dispatcher]] = {each: _helpers_named(each) for each in functions_reached(function)}
    for each, named in helpers.items():
        if any(len(one.overloads) > 1 for one in named if one.py_func is each):
            return True
        unvisited, visited = [one.py_func for one in named if one.py_func is not each], set[Any]()
        while unvisited:
            other = unvisited.pop()
            if other is each:
                return True
            if other not in visited:
                visited.add(other)
                unvisited += [one.py_func for one in helpers.get(other, ())]
    return False


def _helpers_named(function: FunctionType) -> list[Dispatcher]:
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    named = [function.__globals__.get(name) for name in function.__code__.co_names]
    return [one for one in (*cells, *named) if isinstance(one, Dispatcher)]


def _is_current(function: FunctionType) -> bool:
    """Return whether no global that a helper was compiled with has changed since."""
    return all(
        _content_when_compiled.setdefault(each, content_key([each])) == content_key([each])
        for each in functions_reached(function)
    )


def entry_path(key: str) -> Path:
    """Return the file of a compiled kernel."""
    return kernels_folder() / f"{key}{_SUFFIX}"


def has_entry(key: str) -> bool:
    """Return whether a kernel is on disk."""
    _remove_strays(kernels_folder())
    return os.path.exists(entry_path(key))  # (it says no, too, of a folder that may not be read)


@cache
def _remove_strays(folder: Path) -> None:
    """Remove what processes that were killed while they compiled have left; another process's files are locked."""
    with suppress(OSError):
        names = [each.name for each in os.scandir(folder)]
        for key in {name.strip(".").partition(".")[0] for name in names if name[0] == "." or name.endswith(_LOCK)}:
            with (folder / f"{key}{_LOCK}").open("ab") as file, suppress(BlockingIOError):
                lock(file, wait=False)
                for aside in folder.glob(f".{key}{_SUFFIX}.*"):
                    aside.unlink(missing_ok=True)
                _remove_lock(folder / f"{key}{_LOCK}")


def read_entry(key: str) -> bytes | None:
    """Return the payload of an entry, or ``None``, with a warning if it is not trusted."""
    path = entry_path(key)
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            if _is_foreign(found) or _is_foreign(path.parent.stat()):
                _warn_once(
                    f"compiled kernels in {path.parent} belong to another user and are not loaded; "
                    "set BOARDGAMES_CACHE to a folder of your own"
                )
                return None
            content = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        _warn_not_kept(error)
        return None
    payload = content[len(_FORMAT) + 32 :]
    if content != _header(key, payload) + payload:
        _warn_once(f"the compiled kernels in {path.parent} are damaged ({path.name}); compiling them again")
        return None
    if time.time() - found.st_mtime > _DAY:
        with suppress(OSError):
            os.utime(path)  # `prune` goes by it
    return payload


def write_entry(key: str, payload: bytes) -> None:
    """Write an entry; raise `OSError` if it cannot be written, or the folder belongs to another user."""
    _make_folders()
    write_atomically(entry_path(key), _header(key, payload) + payload)
    entry_path(key).with_suffix(_USED).unlink(missing_ok=True)


def was_used(key: str) -> bool:
    """Return whether a process before this one has asked this of a kernel that is not compiled."""
    mark = entry_path(key).with_suffix(_USED)
    with suppress(OSError):
        if mark.exists():
            return mark.stat().st_mtime < _BEGAN
        _make_folders()
        mark.touch()
    return False


@contextmanager
def one_process_at_a_time(key: str) -> Iterator[None]:
    """Let one process compile a kernel; others wait for it, and find the entry. Without a folder all compile it."""
    path = entry_path(key).with_suffix(_LOCK)
    with ExitStack() as stack:
        with suppress(OSError):
            _make_folders()
            lock(stack.enter_context(path.open("ab")))
            stack.callback(_remove_lock, path)
        yield


def _remove_lock(path: Path) -> None:
    with suppress(OSError):  # (Windows removes no file that is open)
        path.unlink()


def _make_folders() -> None:
    """Make the folder of the kernels; raise `OSError` if that fails, or it belongs to another user."""
    folder = kernels_folder()
    for each in (folder.parent, folder):
        each.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _is_foreign(folder.stat()):
        raise PermissionError(f"{folder} belongs to another user")


def _header(key: str, payload: bytes) -> bytes:
    return _FORMAT + hashlib.sha256(key.encode() + payload).digest()


def _is_foreign(found: os.stat_result) -> bool:
    return sys.platform != "win32" and found.st_uid != os.getuid()


def _warn_not_kept(error: OSError) -> None:
    why = f"{kernels_folder()}: {error.strerror}" if error.strerror else str(error)  # (the same for every kernel)
    _warn_once(
        f"compiled kernels are not kept, so that every process compiles its own: {why}; "
        "set BOARDGAMES_CACHE to a folder that can be written to"
    )


def _warn_once(text: str) -> None:
    if text not in _warnings_given:
        _warnings_given.add(text)
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def entries() -> list[Path]:
    """Return the files of all compiled kernels."""
    return sorted(kernels_folder().glob(f"*{_SUFFIX}"))


def prune(days: float) -> int:
    """Remove kernels not used for ``days`` days. Return the bytes freed."""
    oldest = time.time() - days * _DAY
    kept = [path for suffix in (_SUFFIX, _USED) for path in kernels_folder().glob(f"*{suffix}*")]
    unused = [path for path in kept if path.stat().st_mtime < oldest]
    freed = sum(path.stat().st_size for path in unused)
    for path in unused:
        path.unlink()
    return freed
