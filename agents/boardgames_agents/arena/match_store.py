"""Match stores: tournaments with all their contests, in one SQLite file."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from boardgames_agents.arena.ratings import Result
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import Tournament, seat_of_a
from boardgames_agents.record import Record
from boardgames_env import __version__
from boardgames_env.errors import BadInputError

SCHEMA = 2
"""Version of the tables. A store of version 1, which has no events, is upgraded when it is opened."""

_APPLICATION = 0x426F4753
"""Marks an SQLite file as a match store."""

_PATIENCE = 60.0
"""Seconds to wait for another process that is writing."""

_TABLES = """
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,           -- specs
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    seed TEXT NOT NULL,           -- a JSON list of integers
    contests INTEGER NOT NULL,
    package TEXT NOT NULL,        -- version that played it
    added TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    digest TEXT NOT NULL UNIQUE   -- of all that makes two tournaments the same
);
CREATE TABLE contest (
    tournament INTEGER NOT NULL REFERENCES tournament,
    number INTEGER NOT NULL,
    seat_of_a INTEGER NOT NULL,
    actions TEXT NOT NULL,        -- integers separated by spaces
    outcome INTEGER NOT NULL,     -- points of seat 0
    cut INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    decisions_0 INTEGER NOT NULL,
    decisions_1 INTEGER NOT NULL,
    seconds_0 REAL NOT NULL,
    seconds_1 REAL NOT NULL,
    events TEXT NOT NULL DEFAULT '',  -- chance events: integers separated by spaces
    PRIMARY KEY (tournament, number)
) WITHOUT ROWID;
"""

# the same contest may be part of a short tournament and of a longer one: it counts once
_STANDINGS = """
SELECT first, second, SUM(outcome > 0), SUM(outcome = 0), SUM(outcome < 0)
FROM (
    SELECT DISTINCT
        CASE seat_of_a WHEN 0 THEN a ELSE b END AS first,
        CASE seat_of_a WHEN 0 THEN b ELSE a END AS second,
        seed, number, actions, events, outcome
    FROM contest JOIN tournament ON tournament.id = contest.tournament
    WHERE game = ?
)
GROUP BY first, second ORDER BY first, second
"""


class MatchStore:
    """A file of tournaments.

    Several processes may add to it at once; each tournament is added whole or not at all.

    Args:
        path: The file; made if it does not exist.

    Raises:
        BadInputError: Here and in every method, if the file is not a match store, has another schema version, or
            cannot be read or written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with self._open() as connection:
            if _pragma(connection, "application_id") == 0:
                _create(connection)
            if _pragma(connection, "application_id") != _APPLICATION:
                raise BadInputError(f"{self.path} is not a match store; give a new file, or one made by MatchStore")
            if _pragma(connection, "user_version") == 1:
                _add_events(connection)
            if (schema := _pragma(connection, "user_version")) != SCHEMA:
                raise BadInputError(
                    f"{self.path} is a match store of schema version {schema}; this package reads version {SCHEMA}"
                )

    def add(self, *played: Tournament) -> int:
        """Add tournaments with their records, all or none; return how many were new.

        One with the same game, players, seed and contests as a stored one is not added. Many take the disk hardly
        longer than one.

        Raises:
            BadInputError: If a tournament has no records, or a player without a spec.
        """
        digests = [_digest(each) for each in played]
        with self._open() as connection, _transaction(connection):
            return sum(_insert(connection, each, digest) for each, digest in zip(played, digests, strict=True))

    def tournaments(self, game: str | None = None) -> list[Tournament]:
        """Return all tournaments with their records, or those at one game (its spec), in the order of adding."""
        with self._open() as connection:
            rows = connection.execute(
                "SELECT id, game, a, b, seed FROM tournament WHERE ?1 IS NULL OR game = ?1 ORDER BY id", (game,)
            ).fetchall()
            try:
                return [_read(connection, *row) for row in rows]
            except (ValueError, TypeError) as error:  # a field is not what was written
                raise BadInputError(f"{self.path} is damaged: {error}") from error

    def standings(self, game: str) -> list[Result]:
        """Return the results of all pairs of players at a game (its spec), for `ratings.rate`."""
        with self._open() as connection:
            return [Result(*row) for row in connection.execute(_STANDINGS, (game,))]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open a connection; turn errors of SQLite and the system into `BadInputError`."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)) as connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise BadInputError(f"{self.path} cannot be used as a match store: {error}") from error


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit the statements inside together, or none of them; other writers wait."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _digest(played: Tournament) -> str:
    """Return a digest that tournaments share if game, players, seed and contests are the same."""
    if len(played.records) != played.score.contests:
        raise BadInputError("a tournament is stored with its contests; play it with records=True")
    if not all(played.players):
        raise BadInputError(f"players are stored by their specs, and one of {played.players} has none")
    return hashlib.sha256("\n".join([*_heading(played), *map(_played, played.records)]).encode()).hexdigest()


def _heading(played: Tournament) -> tuple[str, str, str, str]:
    a, b = played.players
    return played.game, a, b, json.dumps(played.seed)


def _insert(connection: sqlite3.Connection, played: Tournament, digest: str) -> bool:
    """Add a tournament unless it is stored; return whether it was new."""
    added = connection.execute(
        "INSERT INTO tournament (game, a, b, seed, contests, package, digest) VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (digest) DO NOTHING",
        (*_heading(played), len(played.records), __version__, digest),
    )
    if added.rowcount == 0:
        return False
    for number, each in enumerate(played.records):
        result = (each.outcome, each.cut, each.plies, *each.decisions, *each.seconds)
        connection.execute(
            "INSERT INTO contest VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (added.lastrowid, number, seat_of_a(number), _written(each.actions), *result, _written(each.events)),
        )
    return True


def _create(connection: sqlite3.Connection) -> None:
    """Make the tables if the file is still empty; another process may have been faster, or it may be another file."""
    with _transaction(connection):
        if connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0] == 0:
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _add_events(connection: sqlite3.Connection) -> None:
    """Upgrade a store of version 1, unless another process has done so."""
    with _transaction(connection):
        if _pragma(connection, "user_version") == 1:
            connection.execute("ALTER TABLE contest ADD COLUMN events TEXT NOT NULL DEFAULT ''")
            connection.execute("PRAGMA user_version = 2")


def _read(connection: sqlite3.Connection, key: int, game: str, a: str, b: str, seed: str) -> Tournament:
    rows = connection.execute("SELECT * FROM contest WHERE tournament = ? ORDER BY number", (key,))
    records, score = [], Score()
    for _, _, seat, actions, outcome, cut, plies, decisions_0, decisions_1, seconds_0, seconds_1, events in rows:
        record = Record(
            game=game,
            players=(a, b) if seat == 0 else (b, a),
            actions=_numbers(actions),
            outcome=outcome,
            cut=bool(cut),
            plies=plies,
            decisions=(decisions_0, decisions_1),
            seconds=(seconds_0, seconds_1),
            events=_numbers(events),
        )
        records.append(record)
        score += Score.of(record, seat)
    return Tournament(game, (a, b), tuple(json.loads(seed)), score, tuple(records))


def _played(record: Record) -> str:
    """Return all that happened in a contest, for digests."""
    return f"{_written(record.actions)} / {_written(record.events)}" if record.events else _written(record.actions)


def _written(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split())
