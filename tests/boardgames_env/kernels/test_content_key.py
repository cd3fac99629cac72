"""What a kernel's key depends on, and what it does not."""

import ctypes
import gc
import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numba import types

import boardgames_env
from boardgames_env import make_game, registered_games
from boardgames_env.kernels import Kernel, content_key
from boardgames_env.kernels.content_key import NoContentError
from boardgames_env.kernels.disk_cache import kernel_key

SOURCE = '''
import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numba import prange, types

import other_module
from boardgames_env.kernels import helper, inlined, kernel

class Sizes(NamedTuple):
    rows: int
    columns: int = 4

class Kind(IntEnum):
    MAN = 1
    KING = 2

LIMIT = 3
FACTORS = np.array([1, 2, 3])
SIZES = Sizes(3)
NESTED = ((1, 2), (3.5, True))
UNRELATED = 1

@helper
def deepest(n):
    return n + 1

@helper
def deep(n):
    """Return a number."""
    return deepest(n) * 2

@helper
def countdown(n, step=1):
    return 0 if n <= 0 else countdown(n - step)

@inlined
def unrelated(n):
    return n

def make(step, closed):
    @helper
    def called(n):
        return n + step
    def made(n):
        return sum([closed(k) + called(k) for k in range(n)])
    return kernel(types.int64(types.int64))(made)

@helper
def passed(n):
    return n - 1

closing = make(1, passed)

@kernel(types.int64(types.int64))
def root(n):
    # A comment.
    total = deep(n) + LIMIT + FACTORS[1] + SIZES.rows + NESTED[0][1] + other_module.CONSTANT + Kind.KING
    total += other_module.called(n) + countdown(n) + int(math.sqrt(n)) + 7
    return total if n < 100 else 2
'''

OTHER_SOURCE = """
from boardgames_env.kernels import helper

CONSTANT = 5
UNUSED = 6

@helper
def called(n):
    return n

@helper
def unused(n):
    return n
"""


def load(source: str, other: str = OTHER_SOURCE, file: str = "somewhere.py") -> ModuleType:
    """Return a module made of source, which imports ``other`` as ``other_module``."""
    before = sys.modules.get("other_module")
    module = ModuleType("rules_of_a_game")
    try:
        sys.modules["other_module"] = ModuleType("other_module")
        exec(compile(other, "other.py", "exec"), sys.modules["other_module"].__dict__)
        exec(compile(source, file, "exec"), module.__dict__)
    finally:
        del sys.modules["other_module"]
        if before:
            sys.modules["other_module"] = before
    return module


def key_of(name: str, source: str = SOURCE, other: str = OTHER_SOURCE, file: str = "somewhere.py") -> str:
    return content_key([getattr(load(source, other, file), name)])


def edited(before: str, after: str) -> list[str]:
    """Return both sources; what is edited is in one of them, once."""
    sources = (SOURCE, OTHER_SOURCE)
    assert sum(source.count(before) for source in sources) == 1
    return [source.replace(before, after) for source in sources]


REACHED = {
    "root": [
        ("return total if n < 100", "return total if n < 101"),
        ("+ 7", "- 7"),
        ("+ 7", "+ 7.0"),
        ("return deepest(n) * 2", "return 2 * deepest(n) + 1"),
        ("return n + 1", "return n + 2"),
        ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = 3.0"),
        ("LIMIT = 3", "LIMIT = np.int64(3)"),
        ("[1, 2, 3]", "[1, 2, 4]"),
        ("np.array([1, 2, 3])", "np.array([1, 2, 3], dtype=np.int8)"),
        ("np.array([1, 2, 3])", "np.array([[1, 2, 3]])"),
        ("Sizes(3)", "Sizes(4)"),
        ("Sizes(3)", "Sizes(3, 5)"),
        ("rows: int", "lines: int"),
        ("(3.5, True)", "(3.5, 1)"),
        ("(3.5, True)", "(-3.5, True)"),
        ("KING = 2", "KING = 3"),
        ("step=1", "step=2"),
        ("countdown(n - step)", "countdown(n - step - 1)"),
        ("math.sqrt", "math.exp"),
        ("@helper\ndef deepest", "@inlined\ndef deepest"),
        ("@kernel(types.int64(types.int64))\ndef root", "@kernel(types.int32(types.int64))\ndef root"),
        ("@kernel(types.int64(types.int64))\ndef root", "@kernel(types.int64(types.int64), parallel=True)\ndef root"),
        # of the other module
        ("CONSTANT = 5", "CONSTANT = 6"),
        ("def called(n):\n    return n", "def called(n):\n    return -n"),
    ],
    "closing": [
        ("make(1, passed)", "make(2, passed)"),
        ("make(1, passed)", "make(1, deepest)"),
        ("return n - 1", "return n - 2"),
        ("return n + step", "return n - step"),
        ("closed(k) + called(k)", "closed(k) - called(k)"),
        ("closed(k) + called(k)", "closed(k) + called(k) + LIMIT"),
    ],
}
"""Edits of what a kernel reaches, by its name."""


@pytest.mark.parametrize(("name", "before", "after"), [(name, *edit) for name in REACHED for edit in REACHED[name]])
def test_the_key_changes_with_whatever_a_kernel_reaches(name: str, before: str, after: str) -> None:
    assert key_of(name, *edited(before, after)) != key_of(name)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("UNRELATED = 1", "UNRELATED = 2"),
        ("UNRELATED = 1", "UNRELATED = object()"),
        ("def unrelated(n):\n    return n", "def unrelated(n):\n    return -n"),
        ("# A comment.", "# Another comment.\n\n"),
        ("import math\n", "import math\n\n\n\n"),
        ("Return a number", "Return another number"),
        ("def deep(n)", "def deep(n: int)"),
        ("MAN = 1", "MAN = 1  # a man"),
        ("UNUSED = 6", "UNUSED = 7"),
        ("def unused(n):\n    return n", "def unused(n):\n    return -n"),
    ],
)
def test_the_key_does_not_depend_on_anything_else(before: str, after: str) -> None:
    for name in REACHED:
        assert key_of(name, *edited(before, after), file="elsewhere.py") == key_of(name)


def test_a_global_of_the_name_of_an_attribute_is_not_read() -> None:
    assert key_of("root", f"{SOURCE}\nrows = sqrt = 1\n") == key_of("root")


def test_the_key_of_machine_code_depends_on_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    root = load(SOURCE).root
    before = kernel_key(root)
    assert before == kernel_key(load(SOURCE).root)
    monkeypatch.setattr("boardgames_env.kernels.disk_cache._compiler", lambda: ("another",))
    assert kernel_key(root) != before


def unregistered_stub() -> None:
    """A function that could mean something to Numba only by an overload."""


class Unknown:
    """Something that Numba knows nothing of."""


@pytest.mark.parametrize("held", [Unknown(), [1, 2], ctypes.CDLL(None), unregistered_stub, Unknown, sys])
def test_what_cannot_be_described_gives_no_key(held: Any) -> None:
    def read() -> Any:
        return held

    kernel = Kernel(read, types.int64())
    with pytest.raises(NoContentError):
        content_key([kernel])
    assert kernel.key is None


def test_functions_of_one_name_differ_by_what_they_close_over() -> None:
    def made(which: bool, held: object) -> Any:
        if which:

            def rule(state: object) -> object:
                return state, held
        else:

            def rule(state: object) -> object:
                return held, state

        return rule

    array, other = np.arange(3000), np.arange(3000)
    other[1500] = 7
    rules = [made(which, held) for which in (True, False) for held in (1, 2, (array,), (other,), array, other, np.int8)]
    assert len({content_key([rule]) for rule in rules}) == len(rules)
    assert content_key([made(True, 1)]) == content_key([made(True, 1)])


def test_every_kernel_of_the_package_has_a_key() -> None:
    root = Path(boardgames_env.__file__).parents[1]
    files = [*root.glob("boardgames_env/**/*.py"), *root.glob("agents/boardgames_agents/**/*.py")]
    for path in files:
        if "@kernel" in path.read_text(encoding="utf-8"):
            parts = path.relative_to(root).with_suffix("").parts
            importlib.import_module(".".join(parts[parts[0] == "agents" :]))
    for name in registered_games():
        make_game(name)
    gc.unfreeze()  # (what `tests/conftest.py` has frozen is not among the objects)
    packages = ("boardgames_env.", "boardgames_agents.")
    ours = [each for each in gc.get_objects() if type(each) is Kernel and each.function.__module__.startswith(packages)]
    gc.freeze()
    assert len(ours) > 150
    assert [each for each in ours if each.key is None] == []
