"""The golden contest records: one contest of random play of every game, written out.

`python -m tests.golden_records` writes those that are missing. A record that no longer fits means that a rule has
changed: then the game's version goes up, and the record is deleted and written again.
"""

from pathlib import Path

import numpy as np

from boardgames_env import Game, History
from boardgames_env.kernels import ONGOING
from tests.variants import EVERY_GAME

FOLDER = Path(__file__).parent / "golden"


def path_of(game: Game) -> Path:
    return FOLDER / f"{game.spec.replace(chr(39), '')}.txt"


def play_out(game: Game) -> str:
    """A contest between random players, position by position."""
    rng = np.random.default_rng(20_240_229)
    position = game.initial
    history = History(game)
    history.begin(position.state)
    lines = [f"{game.spec} v{game.version}"]
    result = ONGOING
    while result == ONGOING:
        lines += ["", f"state {' '.join(map(str, position.state.tolist()))}"]
        lines.append(f"features {' '.join(f'{index}' for index in np.flatnonzero(position.features()))}")
        lines.append(f"seat {position.seat}, legal {' '.join(map(str, position.legal_actions))}")
        action = int(rng.choice(position.legal_actions))
        lines.append(f"plays {action}, written {game.action_text(action)}")
        position = position.play(action)
        result = history.add(position.state)
    lines += ["", f"state {' '.join(map(str, position.state.tolist()))}"]
    lines.append(f"result {result} after {history.plies} plies")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in EVERY_GAME:
        if not path_of(each).exists():
            path_of(each).write_text(play_out(each))
