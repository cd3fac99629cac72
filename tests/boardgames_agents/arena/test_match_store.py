import os
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from boardgames_agents.arena.match_store import SCHEMA, MatchStore
from boardgames_agents.arena.ratings import PairResult, rate
from boardgames_agents.arena.tournament import tournament
from boardgames_env import BadInputError, Game, __version__
from tests.contests import recorded
from tests.processes import started
from tests.variants import EACH_SMALL_GAME, over


@over(EACH_SMALL_GAME)
def test_tournaments_come_back_as_they_were(game: Game, tmp_path: Path) -> None:
    store = MatchStore(tmp_path / "new folder" / "matches.db")
    played = [recorded(game, "fallible(e=0.5)", "random", 7, seed) for seed in (0, 1)]
    played.append(tournament(game, "random", "random", 2, (3, 2**70), records=True))
    assert all(store.add(each) for each in played)
    again = MatchStore(store.path).tournaments(game.spec)
    assert again == played
    assert [record.seconds for record in again[0].records] == [record.seconds for record in played[0].records]
    assert again[0].score.seconds == pytest.approx(played[0].score.seconds)
    assert store.tournaments() == played
    assert store.tournaments("another game") == []


def test_the_contests_of_a_pair_are_found_and_verified(tmp_path: Path) -> None:
    store = MatchStore(tmp_path / "matches.db")
    ours, theirs = recorded(b="perfect"), recorded(a="perfect", b="random", contests=2, seed=1)
    store.add(recorded(), ours, recorded(b="perfect", contests=3), theirs, recorded("hypergammon"))
    for a, b in (("random", "perfect"), ("perfect", "random")):
        assert store.records_between("tic_tac_toe", a, b) == [*ours.records, *theirs.records]
    assert store.records_between("hypergammon", "random", "perfect") == []
    assert store.games() == ["tic_tac_toe", "hypergammon"]
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE contest SET outcome = 1 - outcome WHERE tournament = 2")
    assert len(store.records_between("tic_tac_toe", "random", "random")) == 5
    with pytest.raises(BadInputError, match="is damaged"):
        store.records_between("tic_tac_toe", "random", "perfect")


def test_the_same_tournament_is_kept_once_and_many_are_added_all_or_none(tmp_path: Path) -> None:
    store = MatchStore(tmp_path / "matches.db")
    assert [store.add(recorded()) for _ in range(2)] == [1, 0]
    assert store.add(recorded(), recorded(seed=1), recorded(seed=1), recorded(seed=2)) == 2
    assert store.tournaments() == [recorded(), recorded(seed=1), recorded(seed=2)]
    with pytest.raises(BadInputError, match=r"one of .* has none"):
        store.add(recorded(seed=3), replace(recorded(seed=4), players=("random", "")))
    with pytest.raises(BadInputError, match="records=True"):
        store.add(recorded(seed=3), tournament("tic_tac_toe", "random", "random", 5, 0))
    assert len(store.tournaments()) == 3
    # the same players and seed, but other contests: one of the players has learned something
    assert store.add(replace(recorded(), records=recorded(seed=1).records))


def test_standings_count_by_seat_and_every_contest_once(tmp_path: Path) -> None:
    store = MatchStore(tmp_path / "matches.db")
    played = recorded(a="perfect", contests=60)
    store.add(played)
    store.add(recorded("lose_tic_tac_toe", contests=4))
    expected = []
    for players in (("perfect", "random"), ("random", "perfect")):
        outcomes = [record.outcome for record in played.records if record.players == players]
        expected.append(PairResult(*players, *(outcomes.count(points) for points in (1, 0, -1))))
    assert store.standings("tic_tac_toe") == expected
    store.add(recorded(a="perfect", contests=20))  # the first contests of what is there already
    assert store.standings("tic_tac_toe") == expected
    assert store.standings("achi") == []
    ratings = rate(store.standings("tic_tac_toe"))
    assert ratings["perfect"].rating > ratings["random"].rating
    assert ratings["perfect"].contests == 60


def test_dice_are_kept(tmp_path: Path) -> None:
    store = MatchStore(tmp_path / "matches.db")
    played = recorded("hypergammon", contests=3)
    assert all(record.events for record in played.records)
    assert store.add(played)
    assert store.tournaments() == [played]
    # the same actions after other rolls are another tournament
    other = replace(played, records=tuple(replace(each, events=each.events[::-1]) for each in played.records))
    assert store.add(other)


def foreign(path: Path, statement: str) -> list[tuple[object, ...]]:
    """Return the rows of a statement that SQLite executes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement).fetchall()


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("PRAGMA user_version = 1", f"schema version 1; this package reads version {SCHEMA}"),
        (f"PRAGMA user_version = {SCHEMA + 1}", f"schema version {SCHEMA + 1}; this package reads version {SCHEMA}"),
        ("ALTER TABLE tournament DROP COLUMN sha256", "of a version before 0.3, without checksums"),
    ],
)
def test_a_store_of_another_version_is_refused(statement: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    MatchStore(path).add(recorded())
    assert foreign(path, "SELECT package, contests FROM tournament") == [(__version__, 5)]
    foreign(path, statement)
    with pytest.raises(BadInputError, match=rf"old\.db .* {sentence}"):
        MatchStore(path)


def _change(column: str) -> str:
    return f"UPDATE contest SET {column} = 1 - {column} WHERE tournament = 2 AND number = 3"


@pytest.mark.parametrize(
    "change",
    [
        *map(_change, ("seat_of_a", "outcome", "cut", "plies", "decisions_0", "seconds_1")),
        "UPDATE contest SET actions = actions || ' 8' WHERE tournament = 2 AND number = 3",
        "UPDATE contest SET outcome = 'one' WHERE tournament = 2 AND number = 3",
        "UPDATE tournament SET game = 'achi' WHERE id = 2",
        "UPDATE tournament SET b = 'randon' WHERE id = 2",
        "UPDATE tournament SET seed = '[2]' WHERE id = 2",
        "DELETE FROM contest WHERE tournament = 2 AND number = 4",
    ],
)
def test_every_change_of_a_stored_tournament_is_noticed(tmp_path: Path, change: str) -> None:
    """Those of the outcome changed ratings before there were checksums, without a word."""
    store = MatchStore(tmp_path / "matches.db")
    store.add(recorded(), recorded(seed=1))
    foreign(store.path, change)
    for read in (lambda: store.tournaments("tic_tac_toe"), lambda: store.standings("tic_tac_toe")):
        with pytest.raises(BadInputError, match=r"matches\.db is damaged \(the checksum of tournament 2 is wrong\)"):
            read()


def test_a_file_that_is_not_a_store_is_refused_by_name_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, but long enough to have had a header of a hundred bytes" * 10, encoding="utf-8")
    database = tmp_path / "other.db"
    foreign(database, "CREATE TABLE cats (name TEXT)")
    for path in (text, database, tmp_path):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(BadInputError, match=path.name):
            MatchStore(path)
        assert (path.read_bytes() if path.is_file() else b"") == before
    with pytest.raises(BadInputError, match=r"notes\.txt"):
        MatchStore(text / "below a file.db")


@pytest.fixture
def no_writing() -> Iterator[Path]:
    """A folder with a store in it, and a user who may read both and write neither."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        MatchStore(folder / "matches.db").add(recorded())
        (folder / "matches.db").chmod(0o444)
        folder.chmod(0o555)
        root = os.geteuid() == 0
        if root:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX ones")
def test_without_write_permission_a_store_can_be_read_and_nothing_else(no_writing: Path) -> None:
    store = MatchStore(no_writing / "matches.db")
    assert store.tournaments() == [recorded()]
    with pytest.raises(BadInputError, match=r"matches\.db cannot be used .* readonly"):
        store.add(recorded(seed=1))
    with pytest.raises(BadInputError, match=r"new\.db cannot be used as a match store"):
        MatchStore(no_writing / "new.db")
    assert MatchStore(no_writing / "matches.db").tournaments() == [recorded()]


ADD = """
import sys
from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.arena.tournament import tournament
from boardgames_env import make_game
path, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
game = make_game("tic_tac_toe")
for seed in range(first, first + count):
    MatchStore(path).add(tournament(game, "random", "random", 20, seed, records=True))
    print(seed, flush=True)
"""


@pytest.mark.slow
def test_processes_that_add_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    processes = [started(ADD, path, first, 40) for first in (0, 40, 20)]  # the third adds what the others add too
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    stored = MatchStore(path).tournaments()
    assert sorted(each.seed for each in stored) == [(seed,) for seed in range(80)]
    assert all(each == recorded(contests=20, seed=each.seed[0]) for each in stored)


@pytest.mark.slow
def test_a_process_killed_while_adding_leaves_whole_tournaments(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    process = started(ADD, path, 0, 100_000)
    assert process.stdout is not None
    added = [int(process.stdout.readline()) for _ in range(5)]
    process.send_signal(signal.SIGKILL)
    added += [int(line) for line in process.communicate()[0].split()]
    stored = MatchStore(path).tournaments()
    assert [each.seed[0] for each in stored[: len(added)]] == added
    assert len(stored) - len(added) in (0, 1)  # killed between adding and saying so
    assert all(each == recorded(contests=20, seed=each.seed[0]) for each in stored)
    assert MatchStore(path).add(recorded(contests=20, seed=-1 + 10**6))
