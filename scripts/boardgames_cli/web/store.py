"""The store of sittings, an SQLite file. Every change is one transaction, so that a killed server loses nothing."""

import json
import secrets
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, fields, replace
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import finalize

from boardgames_agents.people.pupil_file import assignment_of
from boardgames_cli.web.sitting import Sitting
from boardgames_env.errors import BadInputError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sittings (
    id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    game TEXT NOT NULL,
    players TEXT NOT NULL,
    seed INTEGER NOT NULL,
    actions TEXT NOT NULL,
    events TEXT NOT NULL,
    points INTEGER NOT NULL,
    names TEXT NOT NULL,
    changed REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS newest ON sittings (changed);
CREATE TABLE IF NOT EXISTS analyses (id TEXT PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS reports (
    contest TEXT NOT NULL, version INTEGER NOT NULL, title TEXT NOT NULL, analysis TEXT NOT NULL,
    PRIMARY KEY (contest, title)
);
PRAGMA user_version = 1;
"""
_LATER = {
    "lesson": "TEXT NOT NULL DEFAULT 'null'",
    "is_replay": "TEXT NOT NULL DEFAULT 'false'",
    "start": "TEXT NOT NULL DEFAULT '[]'",
    "earlier": "TEXT NOT NULL DEFAULT '[]'",
    "browser": "TEXT NOT NULL DEFAULT ''",
}
"""Columns that files of earlier versions lack."""

_COLUMNS = [each.name for each in fields(Sitting)]
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM sittings"
_INSERT = f"INSERT INTO sittings ({', '.join(_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"
_LISTED = """is_replay = 'false'
    AND CASE WHEN json_extract(lesson, '$.pupil') IS NULL THEN browser IN (SELECT value FROM json_each(:browsers))
        ELSE json_extract(lesson, '$.pupil') = :pupil END
    AND id NOT IN (SELECT game.value FROM sittings later, json_each(later.earlier) game WHERE later.earlier != '[]')"""
"""The sittings of some browsers and the lessons of a pupil, and of each match the last one."""
_UPDATE = (
    f"UPDATE sittings SET {', '.join(f'{name} = :{name}' for name in _COLUMNS)} WHERE id = :id AND version = :before"
)
_IN_JSON: dict[str, Callable[[Any], Any]] = {
    "players": tuple,
    "actions": tuple,
    "events": tuple,
    "names": tuple,
    "lesson": lambda entry: assignment_of(entry) if entry else None,
    "is_replay": bool,
    "start": tuple,
    "earlier": tuple,
}
"""The columns in JSON, and what makes the field of their content."""


class StaleError(Exception):
    """The contest has changed since the page was shown."""

    def __init__(self) -> None:
        super().__init__("the contest has gone on since this page was shown; reload it")


class SittingStore:
    """The sittings in a file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = Lock()
        try:
            try:
                self._database = _opened(path, "WAL")
            except sqlite3.OperationalError:  # (the log takes memory that processes share, which is so on local disks)
                self._database = _opened(path, "DELETE")
                warnings.warn(
                    f"the folder of {path} allows no log of changes, as folders of a network do not: changes are "
                    "written to the file one by one, which is slower; --store FILE takes a file on a local disk",
                    RuntimeWarning,
                    stacklevel=2,
                )
        except sqlite3.DatabaseError as error:
            raise BadInputError(f"{path} cannot be used to keep contests: {error}") from None
        # (it stays open: closing the last connection writes the log back into the file, which takes 10 ms)
        finalize(self, self._database.close)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                with self._database:
                    yield self._database
            except sqlite3.OperationalError as error:  # (a full disk, or another program that does not let go of it)
                raise BadInputError(f"the file of the contests cannot be used: {error}") from None

    def add(self, sitting: Sitting) -> Sitting:
        """Add a sitting and return it with its name."""
        added = replace(sitting, id=secrets.token_urlsafe(9), version=1, changed=time.time())
        with self._transaction() as database:
            database.execute(_INSERT, _row_of_sitting(added))
        return added

    def get(self, name: str) -> Sitting | None:
        """Return the sitting of a name, or `None`."""
        with self._transaction() as database:
            row = database.execute(f"{_SELECT} WHERE id = ?", (name,)).fetchone()
        return _sitting_of_row(row) if row else None

    def save(self, sitting: Sitting) -> Sitting:
        """Replace a sitting by its next version; raise `StaleError` if that is there already."""
        saved = replace(sitting, version=sitting.version + 1, changed=time.time())
        with self._transaction() as database:
            done = database.execute(_UPDATE, {**_row_of_sitting(saved), "before": sitting.version})
            if done.rowcount != 1:
                raise StaleError
        return saved

    def keep_analysis(self, name: str, content: dict[str, Any]) -> None:
        """Keep an analysis under a name, in the place of what is there."""
        with self._transaction() as database:
            database.execute("INSERT OR REPLACE INTO analyses VALUES (?, ?)", (name, json.dumps(content)))

    def analysis(self, name: str) -> dict[str, Any] | None:
        """Return the analysis of a name, or `None`."""
        with self._transaction() as database:
            row = database.execute("SELECT content FROM analyses WHERE id = ?", (name,)).fetchone()
        return json.loads(row[0]) if row else None

    def keep_report(self, sittings: Sequence[Sitting], title: str, analysis: str) -> None:
        """Keep under a title that an analysis is about some sittings as they are."""
        rows = [(each.id, each.version, title, analysis) for each in sittings]
        with self._transaction() as database:
            database.executemany("INSERT OR REPLACE INTO reports VALUES (?, ?, ?, ?)", rows)

    def reports(self, sitting: Sitting) -> dict[str, str]:
        """Return the names of the analyses of a sitting as it is, by their titles."""
        found = "SELECT title, analysis FROM reports WHERE contest = ? AND version = ? ORDER BY title"
        with self._transaction() as database:
            return dict(database.execute(found, (sitting.id, sitting.version)).fetchall())

    def newest(self, browsers: Sequence[str], pupil: str, count: int, skipped: int = 0) -> list[Sitting]:
        """Return sittings of some browsers, or set to a pupil, the last changed first; of a match only the last one.

        Those that come before are left out; so are replays.
        """
        newest = f"{_SELECT} WHERE {_LISTED} ORDER BY changed DESC LIMIT :count OFFSET :skipped"
        whose = {"browsers": json.dumps(browsers), "pupil": pupil}
        with self._transaction() as database:
            rows = database.execute(newest, {**whose, "count": count, "skipped": skipped}).fetchall()
        return [_sitting_of_row(row) for row in rows]

    def count(self, browsers: Sequence[str], pupil: str) -> int:
        """Return the number of all those sittings; see `newest`."""
        whose = {"browsers": json.dumps(browsers), "pupil": pupil}
        with self._transaction() as database:
            found: int = database.execute(f"SELECT COUNT(*) FROM sittings WHERE {_LISTED}", whose).fetchone()[0]
        return found


def _opened(path: Path, journal: str) -> sqlite3.Connection:
    """Open or make a file with a journal mode; raise `sqlite3.OperationalError` where it cannot have that one."""
    with ExitStack() as on_error:
        database = sqlite3.connect(path, timeout=10, check_same_thread=False)
        on_error.callback(database.close)
        if journal != "WAL":
            database.execute("PRAGMA locking_mode = EXCLUSIVE")  # (by which a log that is there can still be read)
        if database.execute("PRAGMA user_version").fetchone()[0] not in (0, 1):
            raise BadInputError(f"{path} is of a later version of this program")
        (found,) = database.execute(f"PRAGMA journal_mode = {journal}").fetchone()
        if found != journal.lower():
            raise sqlite3.OperationalError(f"its journal mode cannot be {journal}")
        if journal == "WAL":
            # (a killed server loses nothing by this; if the machine itself fails, the last moments may be lost)
            database.execute("PRAGMA synchronous = NORMAL")
        database.executescript(_SCHEMA)
        there = [row[1] for row in database.execute("PRAGMA table_info(sittings)")]
        for name, kind in _LATER.items():
            if name not in there:
                database.execute(f"ALTER TABLE sittings ADD COLUMN {name} {kind}")
        database.execute("PRAGMA locking_mode = NORMAL")
        database.execute("SELECT COUNT(*) FROM sittings")  # (which lets go of the lock)
        on_error.pop_all()
        return database


def _row_of_sitting(sitting: Sitting) -> dict[str, object]:
    """Return what is stored of a sitting, by column."""
    return {name: json.dumps(value) if name in _IN_JSON else value for name, value in asdict(sitting).items()}


def _sitting_of_row(row: tuple[Any, ...]) -> Sitting:
    found = dict(zip(_COLUMNS, row, strict=True))
    return Sitting(**found | {name: made_of(json.loads(found[name])) for name, made_of in _IN_JSON.items()})
