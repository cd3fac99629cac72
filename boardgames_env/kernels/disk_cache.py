"""Where compiled kernels are kept."""

import hashlib
import inspect
import pickle
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np

from boardgames_env.files import digest, sources_of

_imported_at = time.time()


@cache
def version_of(sources: tuple[Path, ...]) -> str | None:
    """A hash of the files, or ``None`` if one has changed since this process began."""
    return None if any(file.stat().st_mtime > _imported_at for file in sources) else digest(sources)


def add_sources(function: Any, found: dict[Path, None], seen: set[int]) -> None:
    """Add the files of a function, and of every function it names or closes over, and so on."""
    plain = getattr(function, "py_func", getattr(function, "function", function))
    if not inspect.isfunction(plain) or id(plain) in seen:
        return
    seen.add(id(plain))
    file = Path(inspect.getsourcefile(plain) or "")
    if file.is_file():
        found.update(dict.fromkeys(sources_of(file)))
    named = [plain.__globals__.get(name) for name in plain.__code__.co_names]
    for other in named + [cell.cell_contents for cell in plain.__closure__ or ()]:
        add_sources(other, found, seen)


def fingerprint(function: Any) -> str:
    """What tells a function from others: its file and line, its code, and what it closes over."""
    plain = getattr(function, "py_func", function)
    code = plain.__code__
    parts = [code.co_filename, str(code.co_firstlineno), code.co_code.hex(), repr(code.co_consts), repr(code.co_names)]
    for cell in plain.__closure__ or ():
        held = cell.cell_contents
        if isinstance(held, np.ndarray):
            parts.append(f"{held.dtype}{held.shape}{held.tobytes().hex()}")
        elif hasattr(held, "py_func") or inspect.isfunction(held):
            parts.append(fingerprint(held))
        else:
            parts.append(pickle.dumps(held).hex())
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:12]


@contextmanager
def cached_in(folder: Path | None) -> Iterator[bool]:
    """Point Numba's disk cache at a folder, if there is one; yields whether it can be written to."""
    if folder is None:
        yield False
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
    except OSError as error:
        warnings.warn(
            f"compiled kernels are not kept, so that every process compiles its own: {error}; "
            "set BOARDGAMES_CACHE to a folder that can be written to",
            RuntimeWarning,
            stacklevel=2,
        )
        yield False
        return
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield True
    finally:
        numba.config.CACHE_DIR = before
