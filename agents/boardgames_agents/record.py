"""The record of a contest, and files of records.

A file of records is JSON: ``format`` and ``version``, the list ``contests``, and ``sha256``, the checksum of the rest.
A contest has the fields of `Record` but for the times; ``points`` are seat 0's.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from boardgames_env.contest import Contest, Turn, turns
from boardgames_env.ending import ENDS
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.files import FileKind, write_atomically
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.json_file import read_json, sealed
from boardgames_env.position import Position

Rng = np.random.Generator

Distribution = tuple[tuple[int, ...], tuple[float, ...]]
"""Actions and their probabilities, which sum to 1."""

FORMAT = "boardgames contests"
VERSION = 1
"""The version of files of records."""

_KIND = FileKind(
    "a record of contests",
    "match, play and league write one with --save, export makes one of a match store",
    {"format": FORMAT, "version": VERSION},
)


@dataclass(frozen=True)
class Record:
    """A contest that was played.

    Attributes:
        players: The specs of the two seats' policies.
        actions: Every action in order, including those of an opening.
        outcome: Seat 0's points; 0 also for a contest that a limit cut short.
        cut: Whether a limit cut the contest short without making it a draw by rule.
        decisions: The number of actions that each seat chose.
        seconds: The time that each seat's decisions took. Not compared.
        events: Every chance event (roll of the dice) in order.
        seed: The random seed of the contest; with the same players, it gives the same contest.
        end: Why it ended, one of `boardgames_env.ending.ENDS`; empty if it was not played to an end or its file does
            not say so, as those of version 0.3 do not. Not compared, because it follows from the rest.
        start: The state that it began in, before anything was rolled; empty for the game's initial one.
    """

    game: str
    players: tuple[str, str]
    actions: tuple[int, ...]
    outcome: int
    cut: bool
    plies: int
    decisions: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = field(default=(0.0, 0.0), compare=False)
    events: tuple[int, ...] = ()
    seed: tuple[int, ...] = ()
    end: str = field(default="", compare=False)
    start: tuple[int, ...] = ()

    def first(self, game: Game) -> Position:
        """Return the position in which the contest began; raise `BadInputError` if it is none of the game."""
        return game.position(self.start) if self.start else game.initial

    def points_for(self, seat: int) -> int:
        """Return the points of a seat."""
        return self.outcome if seat == 0 else -self.outcome

    def positions(self, game: Game) -> tuple[Position, ...]:
        """Replay the contest at its game; return the position before each action, and the last one.

        Raises:
            BadInputError: If an action is illegal in this game, chance events are missing, or the points are others.
        """
        contest, positions = _played_again(self, game)
        if contest.is_over and (contest.points, contest.is_cut) != (self.outcome, self.cut):
            cut, other = (", and a limit cuts it short" if each else "" for each in (contest.is_cut, self.cut))
            raise BadInputError(f"seat 0 has {contest.points} points at its end{cut}, not {self.outcome}{other}")
        return positions

    def turns(self, game: Game) -> tuple[Turn, ...]:
        """Replay the contest at its game; return what its seats played, turn by turn. Nothing else is checked.

        Raises:
            BadInputError: If an action is illegal in this game, or a chance event cannot happen.
        """
        return tuple(turn for turn in turns(self.first(game), self.actions, self.events) if turn.event is None)


def with_end(record: Record) -> Record:
    """Return the record of a contest that was played to its end with that end, for which it is played again.

    It is returned as it is if its game cannot be made, or is not the one that it was played at.
    """
    try:
        contest, _ = _played_again(record, make_game(record.game))
    except BadInputError:
        return record
    return replace(record, end=contest.end)


def _played_again(record: Record, game: Game) -> tuple[Contest, tuple[Position, ...]]:
    """Return a contest that was played again, and its positions before each action and at last.

    Raises:
        BadInputError: If an action is illegal in this game, or a chance event is missing or cannot happen.
    """
    contest, left, positions = Contest(game, start=record.first(game)), iter(record.events), list[Position]()
    for action in (*record.actions, None):
        while contest.position.awaits_chance:
            event = next(left, None)
            if event is None:
                raise BadInputError(f"the record ends where chance must decide; it is not one of {game.spec}")
            contest.happen(event)
        positions.append(contest.position)
        if action is not None:
            contest.play(action)
    return contest, tuple(positions)


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Write contests to a file, a line each, replacing an existing one atomically; the times are left out."""
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "contests": [entry_of(each) for each in records]}
    lines = ",\n".join(map(json.dumps, data["contests"]))
    ends = json.dumps({**sealed(data), "contests": []}).split("[]")
    write_atomically(Path(path), f"{ends[0]}[\n{lines}\n]{ends[1]}\n".encode())


def read_records(path: str | Path) -> tuple[Record, ...]:
    """Read the contests of a file.

    Raises:
        BadInputError: If it is no file of records, has another version, or is damaged.
    """
    data = read_json(Path(path), _KIND)
    with _KIND.reading(path):
        if not isinstance(data["contests"], list):
            raise ValueError("its contests are no list")
        return tuple(map(record_of, data["contests"]))


def entry_of(record: Record) -> dict[str, Any]:
    """Return a record as plain data, for JSON; the times are left out."""
    left_out = {"seconds", *(() if record.start else ("start",))}
    entry = {name: value for name, value in vars(record).items() if name not in left_out}
    return {"points" if name == "outcome" else name: value for name, value in entry.items()}


def record_of(entry: Any) -> Record:
    """Return the record of an entry; raise `ValueError`, `TypeError` or `KeyError` for anything else."""
    (first, second), cut = entry["players"], entry["cut"]
    if not (isinstance(first, str) and isinstance(second, str) and isinstance(cut, bool)):
        raise ValueError(f"{entry['players']!r} and {cut!r} are not two names, and whether a limit cut it short")
    one, other, plies = _counts([*entry["decisions"], entry["plies"]])
    (points,) = _numbers([entry["points"]])
    return Record(
        game=str(entry["game"]),
        players=(first, second),
        actions=_numbers(entry["actions"]),
        outcome=points,
        cut=cut,
        plies=plies,
        decisions=(one, other),
        events=_counts(entry["events"]),
        seed=_counts(entry["seed"]),
        end=_end(entry.get("end", "")),
        start=_numbers(entry.get("start", [])),
    )


def _end(found: Any) -> str:
    if found not in ENDS:
        raise ValueError(f"{found!r} is no end of a contest; it is one of: {one_of(ENDS[1:])}")
    return str(found)


def _numbers(found: Any) -> tuple[int, ...]:
    if any(type(number) is not int for number in found):
        raise ValueError(f"{found!r} are not whole numbers")
    return tuple(found)


def _counts(found: Any) -> tuple[int, ...]:
    if any(number < 0 for number in _numbers(found)):
        raise ValueError(f"{found!r} are not whole numbers from 0 on")
    return tuple(found)
