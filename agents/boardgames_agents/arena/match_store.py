"""Match stores: tournaments with all their contests, in one SQLite file.

Each tournament is stored with a checksum, which is verified when it is read.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from boardgames_agents.arena.ratings import PairResult
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import Tournament, seat_of_a
from boardgames_agents.record import Record, with_end
from boardgames_env import __version__
from boardgames_env.errors import BadInputError, one_line
from boardgames_env.files import checksum

SCHEMA = 2
"""Version of the tables."""

_APPLICATION = 0x426F4753
"""Marks an SQLite file as a match store."""

_LOCK_SECONDS = 60.0
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
    digest TEXT NOT NULL UNIQUE,  -- of all that makes two tournaments the same
    sha256 TEXT                   -- checksum of the other columns and of the contests
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

_SELECT_TOURNAMENT = "SELECT game, a, b, seed, contests, package, added, digest FROM tournament WHERE id = ?"

_BETWEEN = "SELECT id FROM tournament WHERE game = ? AND ((a = ? AND b = ?) OR (a = ? AND b = ?)) ORDER BY id"

_SELECT_CONTESTS = """
SELECT number, seat_of_a, actions, outcome, cut, plies, decisions_0, decisions_1, seconds_0, seconds_1, events
FROM contest WHERE tournament = ? ORDER BY number
"""

_Rows = tuple[tuple[Any, ...], list[tuple[Any, ...]]]
"""A tournament and its contests, as they are stored."""

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
            cannot be read or written. Methods that read raise it, too, if anything in the file is damaged.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        with self._open() as connection:
            if _pragma(connection, "application_id") == 0:
                _create(connection)
            if _pragma(connection, "application_id") != _APPLICATION:
                raise BadInputError(f"{self.path} is not a match store; give a new file, or one made by MatchStore")
            if (schema := _pragma(connection, "user_version")) != SCHEMA:
                raise BadInputError(
                    f"{self.path} is a match store of schema version {schema}; this package reads version {SCHEMA}"
                )
            if not any(name == "sha256" for _, name, *_ in connection.execute("PRAGMA table_info(tournament)")):
                raise BadInputError(
                    f"{self.path} is a match store of a version before 0.3, without checksums; play into a new file"
                )

    def add(self, *played: Tournament) -> int:
        """Add tournaments with their records, all or none; return how many were new.

        One with the same game, players, seed and contests as a stored one is not added. Many take the disk hardly
        longer than one.

        Raises:
            BadInputError: If a tournament has no records, or a player without a spec.
        """
        digests = [_digest_of_tournament(each) for each in played]
        with self._open() as connection, connection:  # (all or none)
            connection.execute("BEGIN IMMEDIATE")  # (other writers wait)
            return sum(_insert(connection, each, digest) for each, digest in zip(played, digests, strict=True))

    def tournaments(self, game: str | None = None) -> list[Tournament]:
        """Return all tournaments with their records, or those at one game (its spec), in the order of adding."""
        with self._open() as connection, self._reading():
            return [_tournament_of(rows) for rows in self._verified(connection) if game in (None, rows[0][0])]

    def games(self) -> list[str]:
        """Return the specs of the games of all tournaments, without verifying these."""
        with self._open() as connection, self._reading():
            found = connection.execute("SELECT game FROM tournament GROUP BY game ORDER BY MIN(id)")
            return [str(game) for (game,) in found]

    def records_between(self, game: str, a: str, b: str) -> list[Record]:
        """Return the records of the contests of two players at a game, by their specs, without verifying others."""
        with self._open() as connection, self._reading():
            found = connection.execute(_BETWEEN, (game, a, b, b, a)).fetchall()
            return _records_of(_tournament_of(self._verified_rows(connection, *each)) for each in found)

    def records(self) -> list[Record]:
        """Return the records of all contests, with their ends. One of several tournaments is returned once."""
        return [with_end(record) for record in _records_of(self.tournaments())]

    def standings(self, game: str) -> list[PairResult]:
        """Return the results of all pairs of players at a game (its spec), for `ratings.rate`."""
        with self._open() as connection, self._reading():
            for _ in self._verified(connection):
                pass
            return [PairResult(*row) for row in connection.execute(_STANDINGS, (game,))]

    def _verified(self, connection: sqlite3.Connection) -> Iterator[_Rows]:
        """Yield all tournaments, in the order of adding: a damaged one might not be found by its game."""
        problem = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if problem != "ok":
            raise self._damaged(problem)
        for (key,) in connection.execute("SELECT id FROM tournament ORDER BY id").fetchall():
            yield self._verified_rows(connection, key)

    def _verified_rows(self, connection: sqlite3.Connection, key: int) -> _Rows:
        """Return a tournament and its contests."""
        (found,) = connection.execute("SELECT sha256 FROM tournament WHERE id = ?", (key,)).fetchone()
        rows = _stored_rows(connection, key)
        if found != checksum(rows):
            raise self._damaged(f"the checksum of tournament {key} is wrong")
        return rows

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn what a field of another type than was written leads to into `BadInputError`."""
        try:
            yield
        except BadInputError:
            raise
        except (AttributeError, TypeError, ValueError) as error:
            raise self._damaged(repr(error)) from error

    def _damaged(self, why: str) -> BadInputError:
        return BadInputError(
            f"{self.path} is damaged ({one_line(why)}); restore a copy of it, or remove it and play again"
        )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open a connection; turn errors of SQLite and the system into `BadInputError`."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_LOCK_SECONDS, isolation_level=None)) as connection:
                yield connection
        except (sqlite3.Error, OSError, UnicodeError) as error:  # (a message of SQLite may quote what is damaged)
            raise BadInputError(f"{self.path} cannot be used as a match store: {one_line(str(error))}") from error


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


def _digest_of_tournament(played: Tournament) -> str:
    """Return a digest that tournaments share if game, players, seed and contests are the same."""
    if len(played.records) != played.score.contests:
        raise BadInputError("a tournament is stored with its contests; play it with records=True")
    if not all(played.players):
        raise BadInputError(f"players are stored by their specs, and one of {played.players} has none")
    contests = ((_number_text(each.actions), _number_text(each.events)) for each in played.records)
    lines = (f"{actions} / {events}" if events else actions for actions, events in contests)
    return hashlib.sha256("\n".join([*_heading(played), *lines]).encode()).hexdigest()


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
    key = added.lastrowid
    for number, each in enumerate(played.records):
        result = (each.outcome, each.cut, each.plies, *each.decisions, *each.seconds)
        connection.execute(
            "INSERT INTO contest VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (key, number, seat_of_a(number), _number_text(each.actions), *result, _number_text(each.events)),
        )
    connection.execute("UPDATE tournament SET sha256 = ? WHERE id = ?", (checksum(_stored_rows(connection, key)), key))
    return True


def _stored_rows(connection: sqlite3.Connection, key: int | None) -> _Rows:
    played = connection.execute(_SELECT_TOURNAMENT, (key,)).fetchone()
    return played, connection.execute(_SELECT_CONTESTS, (key,)).fetchall()


def _create(connection: sqlite3.Connection) -> None:
    """Make the tables if the file is still empty; another process may have been faster, or it may be another file."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0] == 0:
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _tournament_of(rows: _Rows) -> Tournament:
    (game, a, b, seed, *_), contests = rows
    records, score = [], Score()
    seeds = tuple(json.loads(seed))
    for number, seat, actions, outcome, cut, plies, decisions_0, decisions_1, seconds_0, seconds_1, events in contests:
        record = Record(
            game=game,
            players=(a, b) if seat == 0 else (b, a),
            actions=_numbers_in(actions),
            outcome=outcome,
            cut=bool(cut),
            plies=plies,
            decisions=(decisions_0, decisions_1),
            seconds=(seconds_0, seconds_1),
            events=_numbers_in(events),
            seed=(*seeds, number),
        )
        records.append(record)
        score += Score.of(record, seat)
    return Tournament(game, (a, b), seeds, score, tuple(records))


def _records_of(tournaments: Iterable[Tournament]) -> list[Record]:
    return list(dict.fromkeys(record for played in tournaments for record in played.records))


def _number_text(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _numbers_in(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split())
