"""Perft: how many ways there are to play a number of turns, and how many positions they lead to.

All the actions of a turn count as one. Contests that are over are not continued, and limits, such as draws by
repetition, end none. `python -m tests.perft` writes the tables that are missing, in `FOLDER`, one for each game.
"""

import copy
import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numba import types

from boardgames_env import Game, Limits, Position, make_game, registered_games
from boardgames_env.envs.aec import BoardGameAECEnv
from boardgames_env.kernels import INDICES, LEGAL, ONGOING, OUTCOME, PLAY, STATES, kernel

FOLDER = Path(__file__).parent / "data" / "perft"

LONGEST = 10
LARGEST = 2000

Row = tuple[int, int]
"""The ways to play so many turns, and the positions they lead to."""


def path_of(game: Game) -> Path:
    return FOLDER / f"{game.spec.replace(chr(39), '')}.csv"


def read_table(path: Path) -> list[Row]:
    """A table's rows, from one turn on."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["turns"]) for row in rows] == list(range(1, len(rows) + 1))
    return [(int(row["ways"]), int(row["positions"])) for row in rows]


def write_table(path: Path, rows: list[Row]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["turns", "ways", "positions"])
        writer.writerows((turns, *row) for turns, row in enumerate(rows, start=1))


def through_positions(game: Game) -> Iterator[Row]:
    """Counted with `Position.moves`, from one turn on."""
    reached: Counter[Position] = Counter({game.initial: 1})
    while reached:
        before, reached = reached, Counter()
        for position, ways in before.items():
            for move in position.moves():
                reached[move.afterstate] += ways
        if reached:
            yield reached.total(), len(reached)


def through_environment(game: Game, turns: int) -> list[Row]:
    """Counted with copies of the AEC environment."""
    first = BoardGameAECEnv(replace(game, limits=Limits()))
    first.reset()
    ways = [0] * turns
    positions: list[set[bytes]] = [set() for _ in range(turns)]
    unfinished = [(first, 0)]
    while unfinished:
        env, played = unfinished.pop()
        agent = env.agent_selection
        for action in np.flatnonzero(env.infos[agent]["action_mask"]):
            after = copy.deepcopy(env)
            after.step(int(action))
            over = after.terminations[agent]
            whole = over or after.agent_selection != agent
            if whole:
                ways[played] += 1
                positions[played].add(after.state().tobytes())
            if not over and played + whole < turns:
                unfinished.append((after, played + whole))
    return list(zip(ways, map(len, positions), strict=True))


def through_kernels(game: Game, turns: int) -> list[int]:
    """The ways alone, counted with compiled code."""
    rules = game.ready.rules
    depth = 32 * turns  # far more actions than any turn takes
    states = np.zeros((depth, game.state_size), dtype=np.int8)
    states[0] = game.initial.state
    actions = np.zeros((depth, game.num_actions), dtype=np.int32)
    ways = np.zeros(turns + 1, dtype=np.int64)
    _count(rules.legal, rules.play, rules.outcome, turns, states, actions, *np.zeros((2, depth), dtype=np.int32), ways)
    return ways[1:].tolist()


_ACTIONS = types.Array(types.int32, 2, "C")
_WAYS = types.Array(types.int64, 1, "C")


@kernel(types.void(LEGAL, PLAY, OUTCOME, types.int64, STATES, _ACTIONS, INDICES, INDICES, _WAYS))
def _count(legal, play, outcome, turns, states, actions, left, played, ways):  # type: ignore[no-untyped-def]
    """Go through all ways depth-first; ``left`` and ``played`` are the actions to try and the turns at each depth."""
    depth = 0
    left[0] = legal(states[0], actions[0])
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        after = states[depth + 1]
        after[:] = states[depth]
        play(after, actions[depth, left[depth]])
        over = outcome(after) != ONGOING
        whole = over or after[0] != states[depth, 0]
        played[depth + 1] = played[depth] + whole
        ways[played[depth + 1]] += whole
        if not over and played[depth + 1] < turns:
            depth += 1
            left[depth] = legal(after, actions[depth])


def counted(game: Game) -> list[Row]:
    """As many rows as are counted in a second."""
    rows: list[Row] = []
    for _, row in zip(range(LONGEST), through_positions(game), strict=False):
        rows.append(row)
        if row[1] > LARGEST:
            break
    return rows


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in registered_games():
        if not path_of(make_game(name)).exists():
            write_table(path_of(make_game(name)), counted(make_game(name)))
