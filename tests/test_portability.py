"""The sources call nothing that only some systems have, unless they ask first which system it is."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.test_imports import MODULES, ROOT, parsed

SOURCES = sorted(MODULES.values())


POSIX_ONLY = re.compile(
    r"(fcntl|resource|pwd|grp|termios|tty|pty|syslog)(\..*)?"
    r"|os\.(get|set)[a-z]*([ug]id|sid|pgid|pgrp|priority|groups)|os\.getppid|os\.(kill|killpg|nice|uname|getloadavg)"
    r"|os\.(fork\w*|sched_\w+|wait\w*|mkfifo|l?chown|fchmod|chmod|openpty|ctermid|statvfs|pread|pwrite|WNOHANG|PRIO_\w+)"
    r"|os\.O_(DIRECTORY|NOFOLLOW|CLOEXEC|NONBLOCK|SYNC|DSYNC)"
    r"|signal\.SIG(KILL|HUP|QUIT|USR1|USR2|ALRM|CHLD|STOP|CONT|TSTP|PIPE|WINCH)"
    r"|signal\.(alarm|setitimer|pause|sigwait\w*|pthread_\w+)"
    r"|time\.tzset|socket\.AF_UNIX|subprocess\(.*(preexec_fn|pass_fds|process_group|sh)\)"
)
"""What Windows lacks or answers otherwise: modules, names of modules, and arguments of processes."""


def used_names(node: ast.AST) -> Iterator[str]:
    """Yield the dotted names that a node imports or reads, and the arguments of a process that it starts."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Attribute):
        yield ast.unparse(node)
        if node.attr in {"chmod", "lchmod"}:
            yield "os.chmod"
    elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith("subprocess."):
        yield from (f"subprocess({word.arg})" for word in node.keywords)
        if node.args and isinstance(node.args[0], ast.List):
            first = node.args[0].elts[0]
            yield f"subprocess({first.value if isinstance(first, ast.Constant) else ''})"


def asks_for_the_system(node: ast.AST) -> bool:
    """Return whether an expression has `sys.platform` in it, which mypy understands as well."""
    return any(ast.unparse(each) == "sys.platform" for each in ast.walk(node) if isinstance(each, ast.Attribute))


def leaves(statement: ast.stmt) -> bool:
    """Return whether a statement asks for the system, and returns or raises where it is a wrong one."""
    last = statement.body[-1] if isinstance(statement, ast.If) and asks_for_the_system(statement.test) else None
    return isinstance(last, (ast.Return, ast.Raise))


def unguarded(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the lines and names of what is used without asking for the system first."""
    if isinstance(node, (ast.If, ast.IfExp, ast.BoolOp)):
        condition = node.values[0] if isinstance(node, ast.BoolOp) else node.test
        if asks_for_the_system(condition):
            return
    for name in used_names(node):
        if POSIX_ONLY.fullmatch(name):
            yield getattr(node, "lineno", 0), name
    for _, value in ast.iter_fields(node):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield from unguarded(each)
            if isinstance(each, ast.stmt) and leaves(each):
                break  # (what follows in the block is reached on the right system only)


def test_posix_is_asked_for_before_it_is_used() -> None:
    assert len(SOURCES) > 300
    found = [
        f"{file.relative_to(ROOT)}:{line} uses {name}" for file in SOURCES for line, name in unguarded(parsed(file))
    ]
    assert not found, "ask `sys.platform` first:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        "import fcntl",
        "from os import fork",
        "os.kill(pid, signal.SIGTERM)",
        "signal.signal(signal.SIGHUP, stop)",
        "os.sched_getaffinity(0)",
        "while os.getppid() == parent: pass",
        "os.open(folder, os.O_RDONLY | os.O_DIRECTORY)",
        "path.chmod(0o600)",
        "subprocess.Popen(['sh', '-c', script])",
        "subprocess.run(words, preexec_fn=begin)",
        "if sys.platform == 'win32': print('no')\nimport resource",
    ],
)
def test_unguarded_uses_are_found(code: str) -> None:
    assert list(unguarded(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "if sys.platform != 'win32':\n import fcntl",
        "own = sys.platform != 'win32' and os.getuid() == 0",
        "def f():\n if sys.platform == 'win32':\n  return\n os.kill(1, 9)",
        "os.replace(a, b); os.fsync(handle); signal.signal(signal.SIGINT, signal.SIG_IGN); os.getpid()",
    ],
)
def test_guarded_uses_are_not(code: str) -> None:
    assert not list(unguarded(ast.parse(code)))


def without_encoding(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that open a text file, or read a process, in the encoding of the system."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Attribute, ast.Name)):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            named = {word.arg: word.value for word in node.keywords}
            texts = [each.value for each in (*node.args, named.get("mode")) if isinstance(each, ast.Constant)]
            is_text = name in {"read_text", "write_text"} or (
                name == "open" and not any("b" in each for each in texts if isinstance(each, str) and len(each) <= 3)
            )
            opener = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            is_text = is_text and opener not in {"os", "Image", "tarfile", "webbrowser"}
            is_text = is_text or (opener == "subprocess" and bool({"text", "universal_newlines"} & named.keys()))
            if is_text and "encoding" not in named:
                yield node.lineno


def test_text_is_utf_8_on_every_system() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in [*SOURCES, *ROOT.glob("tests/**/*.py")]
        for line in without_encoding(parsed(file))
    ]
    assert not found, "name the encoding:\n" + "\n".join(found)
