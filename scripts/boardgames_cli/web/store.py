"""The store of sittings, an SQLite file. Every change is one transaction, so that a killed server loses nothing."""

import json
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

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
PRAGMA user_version = 1;
"""
_COLUMNS = "id, version, game, players, seed, actions, events, points, names, changed"


class StaleError(Exception):
    """The contest has changed since the page was shown."""

    def __init__(self) -> None:
        super().__init__("the contest has gone on since this page was shown; reload it")


class SittingStore:
    """The sittings in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with self._opened() as database:
                if database.execute("PRAGMA user_version").fetchone()[0] not in (0, 1):
                    raise BadInputError(f"{path} is of a later version of this program")
                database.executescript(_SCHEMA)
                database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.DatabaseError as error:
            raise BadInputError(f"{path} cannot be used to keep contests: {error}") from None

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        database = sqlite3.connect(self._path, timeout=10)
        try:
            with database:
                yield database
        finally:
            database.close()

    def add(self, sitting: Sitting) -> Sitting:
        """Add a sitting and return it with its name."""
        added = replace(sitting, id=secrets.token_urlsafe(9), version=1, changed=time.time())
        with self._opened() as database:
            database.execute(f"INSERT INTO sittings ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?)", _row(added))
        return added

    def get(self, name: str) -> Sitting | None:
        """Return the sitting of a name, or `None`."""
        with self._opened() as database:
            row = database.execute(f"SELECT {_COLUMNS} FROM sittings WHERE id = ?", (name,)).fetchone()
        return _sitting(row) if row else None

    def save(self, sitting: Sitting) -> Sitting:
        """Replace a sitting by its next version; raise `StaleError` if that is there already."""
        saved = replace(sitting, version=sitting.version + 1, changed=time.time())
        with self._opened() as database:
            done = database.execute(
                "UPDATE sittings SET version = ?, game = ?, players = ?, seed = ?, actions = ?, events = ?, "
                "points = ?, names = ?, changed = ? WHERE id = ? AND version = ?",
                (*_row(saved)[1:], sitting.id, sitting.version),
            )
            if done.rowcount != 1:
                raise StaleError
        return saved

    def newest(self, count: int) -> list[Sitting]:
        """Return the sittings that were changed last, the newest first."""
        with self._opened() as database:
            rows = database.execute(
                f"SELECT {_COLUMNS} FROM sittings ORDER BY changed DESC LIMIT ?", (count,)
            ).fetchall()
        return [_sitting(row) for row in rows]


def _row(sitting: Sitting) -> tuple[object, ...]:
    players, actions, events, names = map(json.dumps, (sitting.players, sitting.actions, sitting.events, sitting.names))
    head = (sitting.id, sitting.version, sitting.game)
    return (*head, players, sitting.seed, actions, events, sitting.points, names, sitting.changed)


def _sitting(row: tuple[object, ...]) -> Sitting:
    name, version, game, players, seed, actions, events, points, names, changed = row
    one, other = json.loads(str(players))
    first, second = json.loads(str(names))
    return Sitting(
        game=str(game),
        players=(one, other),
        seed=int(str(seed)),
        actions=tuple(json.loads(str(actions))),
        events=tuple(json.loads(str(events))),
        points=int(str(points)),
        names=(first, second),
        id=str(name),
        version=int(str(version)),
        changed=float(str(changed)),
    )
