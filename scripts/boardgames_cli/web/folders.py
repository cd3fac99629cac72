"""The folders of runs and leagues that pages show: what is below one folder, found by what is in it."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from boardgames_agents.league.league_folder import holds_league
from boardgames_agents.training.run import holds_run
from boardgames_env.errors import BadInputError

_DEPTH = 4
_MOST_FOLDERS = 5_000
"""The depth to which folders are looked through, and the largest number of them."""


class Folders:
    """The folders below one folder. Their names on pages are their paths from there."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def find(self, name: str) -> Path | None:
        """Return the folder of a name; ``None`` if there is none, or it is elsewhere, also by a symbolic link."""
        parts = name.split("/")
        if not all(parts) or any(part.startswith(".") or "\\" in part or "\x00" in part for part in parts):
            return None
        folder = self._within(self.root.joinpath(*parts))
        with suppress(OSError):  # (a name that is too long, say)
            return folder if folder and folder.is_dir() else None
        return None

    def name_of(self, folder: Path) -> str:
        """Return the name of a folder."""
        return folder.relative_to(self.root).as_posix()

    def name_within(self, path: Path) -> str:
        """Return the name of a file or folder that somebody has named by a path; empty if it is elsewhere."""
        found = self._within(path)
        return self.name_of(found) if found else ""

    def sentence(self, error: BadInputError) -> str:
        """Return what an error says, with the names of folders in the place of their paths."""
        return str(error).replace(f"{self.root}{os.sep}", "")

    def runs(self) -> list[Path]:
        """Return the folders of runs, also those of several seeds and of leagues, the last changed first."""
        return self._newest(holds_run)

    def leagues(self) -> list[Path]:
        """Return the folders of leagues, the last changed first."""
        return self._newest(holds_league)

    def _within(self, path: Path) -> Path | None:
        """Return what a path leads to; ``None`` if that is elsewhere, also by a symbolic link, or cannot be."""
        try:
            found = path.resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        return found if self.root in found.parents else None

    def _newest(self, is_wanted: Callable[[Path], bool]) -> list[Path]:
        return sorted(filter(is_wanted, self._all()), key=_changed, reverse=True)

    def _all(self) -> Iterator[Path]:
        """Yield the folders below the root, but for those in runs and for symbolic links."""
        level, found = [self.root], 0
        for _ in range(_DEPTH):
            below: list[Path] = []
            for folder in level:
                for entry in _entries(folder):
                    found += 1
                    if found > _MOST_FOLDERS:
                        return
                    yield entry
                    if not holds_run(entry):
                        below.append(entry)
            level = below


def _entries(folder: Path) -> list[Path]:
    """Return the folders in a folder, by name."""
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if each.is_dir(follow_symlinks=False) and each.name[0] != "."]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def _changed(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0
