"""Perft: how many ways there are to play a number of turns, and how many positions they lead to.

All the actions of a turn count as one. Contests that are over are not continued, and limits, such as draws by
repetition, end none. Where chance decides, each event is a way of its own, however likely it is. `python -m
tests.perft` writes the tables that are missing, in `FOLDER`, one file for each game and for each variant in which men
fly, and deletes those of no game. They count from the initial position, and from where a contest of random play has
led after some actions.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
from numba import types

from boardgames_env import Game, Position, make_game
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.kernels import CHANCE_EVENTS, HAPPEN, LEGAL, ONGOING, OUTCOME, PLAY, kernel
from boardgames_env.kernels.signatures import INT8_2D, INT32_1D, INT32_2D, INT64_1D
from tests.positions import Dice
from tests.variants import EACH_GAME, VARIANTS

FOLDER = Path(__file__).parent / "data" / "perft"

GAMES = EACH_GAME + [spec for spec in VARIANTS if "(fly_at=3)" in spec]

LONGEST = 10

SEED = 3

Row = tuple[int, int | None]
"""The ways to play a number of turns, and the positions they lead to, unless only the ways have been counted."""

Tables = dict[tuple[str, ...], list[Row]]
"""Rows, from one turn on, by the actions that lead to where they are counted from."""


def path_of(spec: str) -> Path:
    return FOLDER / f"{spec.replace(chr(39), '')}.csv"


def read_tables(path: Path) -> Tables:
    """A game's tables."""
    with path.open(newline="", encoding="utf-8") as file:
        written = list(csv.DictReader(file))
    tables = {}
    for after, group in groupby(written, key=lambda row: row["after"]):
        rows = list(group)
        assert [int(row["turns"]) for row in rows] == list(range(1, len(rows) + 1))
        counts = [(int(row["ways"]), int(row["positions"]) if row["positions"] else None) for row in rows]
        tables[tuple(text.replace("_", " ") for text in after.split())] = counts
    return tables


def write_tables(path: Path, tables: Tables) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["turns", "ways", "positions", "after"])
        for after, rows in tables.items():
            written = " ".join(text.replace(" ", "_") for text in after)
            writer.writerows((turns, *row, written) for turns, row in enumerate(rows, start=1))


def position_after(game: Game, texts: Iterable[str]) -> Position:
    """The position that some actions lead to, as they are written, with the same dice in all contests."""
    dice, position = Dice(game, SEED), game.initial
    for text in texts:
        position = dice.settled(position).play(game.parse_action(text))
    return position


def through_positions(start: Position) -> Iterator[tuple[int, int]]:
    """Counted with `Position.moves`, from one turn on."""
    reached: Counter[Position] = Counter({start: 1})
    while reached:
        before, reached = reached, Counter()
        for position, ways in before.items():
            for settled in outcomes_of_chance(position):
                for move in settled.moves():
                    reached[move.afterstate] += ways
        if reached:
            yield reached.total(), len(reached)


def outcomes_of_chance(position: Position) -> list[Position]:
    """What chance may make of a position; the position itself, where nothing is left to chance."""
    if not position.awaits_chance:
        return [position]
    return [settled for event in position.events() for settled in outcomes_of_chance(event.position)]


def through_kernels(start: Position, turns: int) -> list[int]:
    """The ways alone, counted with compiled code."""
    game = start.game.ready
    depth = 32 * turns  # far more actions than any turn takes
    states = np.zeros((depth, game.state_size), dtype=np.int8)
    states[0] = start.state
    choices = np.zeros((depth, max(game.num_actions, MOST_EVENTS)), dtype=np.int32)
    ways = np.zeros(turns + 1, dtype=np.int64)
    rules = game.rules
    given = (rules.legal, rules.play, rules.outcome, rules.chance_events, rules.happen)
    _count(*given, turns, states, choices, *np.zeros((3, depth), dtype=np.int32), ways)
    return [int(each) for each in ways[1:]]


@kernel(
    types.void(
        *(LEGAL, PLAY, OUTCOME, CHANCE_EVENTS, HAPPEN),
        *(types.int64, INT8_2D, INT32_2D, INT32_1D, INT32_1D, INT32_1D, INT64_1D),
    ),
    compiled_first=True,
)
def _count(  # type: ignore[no-untyped-def]
    legal, play, outcome, chances, happen, turns, states, choices, left, events, played, ways
):
    """Go through all ways depth-first.

    At each depth, ``left`` are the actions to try, ``events`` those of chance before them, and ``played`` the turns.
    """
    depth = 0
    events[0] = chances(states[0], choices[0])
    left[0] = events[0] or legal(states[0], choices[0])
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        after = states[depth + 1]
        after[:] = states[depth]
        whole, over = False, False
        if events[depth] > 0:
            happen(after, left[depth])
        else:
            play(after, choices[depth, left[depth]])
            over = outcome(after) != ONGOING
            whole = over or after[0] != states[depth, 0] or chances(after, choices[depth + 1]) > 0
        played[depth + 1] = played[depth] + whole
        ways[played[depth + 1]] += whole
        if not over and played[depth + 1] < turns:
            depth += 1
            events[depth] = chances(after, choices[depth])
            left[depth] = events[depth] or legal(after, choices[depth])


def starts(game: Game) -> Iterator[tuple[str, ...]]:
    """The actions that lead to where tables begin: none, and those up to some turns of a contest of random play."""
    if game.spec in EACH_GAME:  # (its variants begin as it does)
        yield ()
    rng, dice = np.random.default_rng(SEED), Dice(game, SEED)
    position = game.initial
    texts: list[str] = []
    turns = []
    while not position.is_over and len(texts) < 150:
        before = dice.settled(position)
        action = int(rng.choice(before.legal_actions))
        texts.append(game.action_text(action))
        position = before.play(action)
        if position.seat != before.seat:
            turns.append(tuple(texts))
    chosen = [turns[len(turns) * part // 6] for part in range(1, 6)]
    yield from dict.fromkeys(chosen + turns[-4:-3])


def counted(start: Position) -> list[Row]:
    """Rows with positions until those are too many for `through_positions`, and then with ways alone."""
    begins = start == start.game.initial
    largest, most = (2000, 7_000_000) if begins else (500, 200_000)
    if start.awaits_chance:
        largest //= 10  # every roll of every position takes its time
    rows: list[Row] = []
    for _, row in zip(range(LONGEST), through_positions(start), strict=False):
        rows.append(row)
        if row[1] > largest:
            break
    else:
        return rows
    while _foreseen(rows) <= 10 * most and 0 < (ways := through_kernels(start, len(rows) + 1)[-1]) <= most:
        rows.append((ways, None))
    return rows


def _foreseen(rows: list[Row]) -> float:
    """The next row's ways, if they grow as they did last."""
    ways = [1, *(ways for ways, _ in rows)]
    return ways[-1] ** 2 / ways[-2]


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for stale in set(FOLDER.glob("*.csv")) - set(map(path_of, GAMES)):
        stale.unlink()
    for spec in GAMES:
        if not path_of(spec).exists():
            game = make_game(spec)
            write_tables(path_of(spec), {after: counted(position_after(game, after)) for after in starts(game)})
