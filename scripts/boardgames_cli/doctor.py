"""`boardgames doctor`: what is installed here and what is not, for a report of a fault."""

import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from shutil import which

from boardgames_cli.printing import print_json, print_table
from boardgames_cli.shared_options import AsJson

EXTRAS: Mapping[str, str] = {
    "web": "play, analyse and learn in the browser",
    "torch": "networks that torch fits: improve, imitation",
    "rl": "MaskablePPO and DQN of Stable-Baselines3 as learners",
    "human": "render_mode='human': a window",
    "anki": "save your mistakes as cards for Anki",
    "match-files": "read .xg and .bgf files of backgammon matches",
    "llm": "chat, a language model behind a server, as an agent",
    "textarena": "solved games as environments of TextArena",
    "openenv": "solved games as environments of OpenEnv",
    "dataset": "write datasets of solved positions (Parquet)",
    "gnubg": "gnubg, the evaluation of GNU Backgammon, as an agent",
    "open_spiel": "OpenSpiel's games beside ours, its bots as agents",
    "ray": "spread jobs over a cluster of machines",
    "pandas": "load_runs: runs as a frame",
    "bench": "the peers that boardgames bench times",
}
"""What an extra of the package adds, by its name; the others are for those who work on the package."""

_LIBRARIES = ("numpy", "numba", "llvmlite", "scipy", "gymnasium", "pettingzoo", "tensorboard")
_PROGRAMS = {
    "GNU Backgammon": (("gnubg",), "the agent gnubg_engine: /usr/games is looked at, too"),
    "Chromium": (("chromium", "chromium-browser", "google-chrome"), "the tests of the page"),
}


def doctor(as_json: AsJson = False) -> None:
    """Show versions, cores, the cache, and which extras and programs are found: what a report of a fault needs."""
    rows = [{"what": what, "found": found, "remark": remark} for what, found, remark in _findings()]
    if as_json:
        print_json(rows)
    else:
        print_table("Doctor", ("what", "found", "remark"), [tuple(row.values()) for row in rows])


def _findings() -> Iterator[tuple[str, str, str]]:
    """Yield what was looked for, what was found, and a remark."""
    from boardgames_env import __version__
    from boardgames_env.files import cache_root

    yield "boardgames-env", __version__, ""
    yield "Python", platform.python_version(), platform.python_implementation()
    yield "system", f"{platform.system()} {platform.release()}", platform.machine()
    yield "cores", str(_cores()), "--jobs and threads can use as many"
    for name in _LIBRARIES:
        yield name, _version(name) or "missing", ""
    yield "cache", str(cache_root()), "BOARDGAMES_CACHE names another folder"
    yield _kernels()
    for extra, adds in EXTRAS.items():
        needed = _needed(extra)
        missing = [name for name in needed if not _version(name)]
        found = f"lacks {', '.join(missing)}" if missing else "installed" if needed else "unknown to this version"
        yield f"extra {extra}", found, adds
    for program, (names, adds) in _PROGRAMS.items():
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"])
        yield program, next(filter(None, (which(name, path=path) for name in names)), "not found"), adds


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _kernels() -> tuple[str, str, str]:
    """Return how many kernels are compiled, and whether they are used."""
    import numba

    from boardgames_env.files import cache_root
    from boardgames_env.kernels import disk_cache

    if numba.config.DISABLE_JIT:
        return "kernels", "plain Python", "NUMBA_DISABLE_JIT is set"
    folder = next(each for each in (disk_cache.kernels_folder(), *cache_root().parents) if each.exists())
    if not os.access(folder, os.W_OK):
        return "kernels", "not kept", f"{folder} cannot be written to: every process compiles anew"
    return "kernels", f"{len(disk_cache.entries()):,} compiled", "boardgames cache --compile all compiles the rest"


def _needed(extra: str) -> list[str]:
    """Return the packages that an extra brings."""
    asked = metadata.requires("boardgames-env") or []
    wanted = re.compile(rf"extra == ['\"]{extra.replace('_', '[-_]')}['\"]")
    return [re.split(r"[^\w.-]", each)[0] for each in asked if wanted.search(each)]


def _version(package: str) -> str:
    """Return the version of an installed package, or an empty string."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
