"""The golden contest records: one contest of every game, written out.

A game's own is of random play. A variant's is of a contest that shows what its option does: the game it is a variant
of has other legal actions somewhere, other positions or another end. All dice follow from one seed; the states show
them.

`python -m tests.golden_records` writes those that are missing, and deletes those of no game. A record that no longer
fits means that a rule has changed: then the game's version goes up, and the record is deleted and written again.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np

from boardgames_env import Game, History, Position, make_game
from boardgames_env.kernels import ONGOING
from tests.positions import Dice
from tests.variants import EVERY_GAME, VARIANTS

FOLDER = Path(__file__).parent / "golden"

SEED = 20_240_229

Step = tuple[Position, int, int]
"""A position of a contest, the result and the plies so far."""


def path_of(spec: str) -> Path:
    return FOLDER / f"{spec.replace(chr(39), '')}.txt"


def play_out(game: Game) -> str:
    """The contest of a game's record, played and written again."""
    return write_out(game, actions_of(game))


def actions_of(game: Game) -> list[str]:
    """The actions in a game's record, as people write them."""
    return re.findall(r"^plays \d+, written (.+)$", path_of(game.spec).read_text(encoding="utf-8"), flags=re.MULTILINE)


def write_out(game: Game, texts: list[str]) -> str:
    """A contest, position by position."""
    lines = [f"{game.spec} v{game.version}"]
    *steps, (last, result, plies) = played(game, texts)
    for (position, _, _), text in zip(steps, texts, strict=False):
        lines += ["", f"state {' '.join(map(str, position.state.tolist()))}"]
        lines.append(f"features {' '.join(f'{index}' for index in np.flatnonzero(position.features()))}")
        lines.append(f"seat {position.seat}, legal {' '.join(map(str, position.legal_actions))}")
        lines.append(f"plays {game.parse_action(text)}, written {text}")
    lines += ["", f"state {' '.join(map(str, last.state.tolist()))}"]
    lines.append(f"result {result} after {plies} plies")
    return "\n".join(lines) + "\n"


def played(game: Game, texts: list[str]) -> Iterator[Step]:
    """A contest step by step, as far as the actions are legal."""
    dice, result = Dice(game, SEED), ONGOING
    position = dice.settled(game.initial)
    history = History(game)
    history.begin(position.state)
    yield position, result, history.plies
    for text in texts:
        legal = {game.action_text(action): action for action in position.legal_actions}
        if result != ONGOING or text not in legal:
            return
        position = dice.settled(position.play(legal[text]))
        result = history.add(position.state)
        yield position, result, history.plies


def tells_apart(game: Game, other: Game, texts: list[str]) -> bool:
    """Whether a contest shows that two games differ."""
    return list(_what_is_seen(game, texts)) != list(_what_is_seen(other, texts))


def _what_is_seen(game: Game, texts: list[str]) -> Iterator[tuple[bytes, set[str], int]]:
    for position, result, _ in played(game, texts):
        yield position.key, {game.action_text(action) for action in position.legal_actions}, result


def telling(game: Game, other: Game) -> list[str]:
    """A contest that tells two games apart.

    Its players are random, but if other positions count as the same they seek what recurs in the first: chance
    would take for ever.
    """
    contests = (_contest(game, other, seed) for seed in count(SEED))
    return next(texts for texts in contests if tells_apart(game, other, texts))


def _contest(game: Game, other: Game, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    keys = {each.limits.key for each in (game, other)}
    dice = Dice(game, SEED)
    position, result, texts = dice.settled(game.initial), ONGOING, []
    history = History(game)
    history.begin(position.state)
    met: Counter[tuple[str, bytes]] = Counter()
    while result == ONGOING:
        choices = position.legal_actions
        if len(keys) > 1:
            met.update((key, what_recurs(position, key)) for key in keys)
            choices = tuple(action for action in choices if _recurs_rather_here(position.after(action), other, met))
        action = int(rng.choice(choices or position.legal_actions))
        texts.append(game.action_text(action))
        position = dice.settled(position.play(action))
        result = history.add(position.state)
    return texts


def _recurs_rather_here(position: Position, other: Game, met: Counter[tuple[str, bytes]]) -> bool:
    here, there = position.game.limits.key, other.limits.key
    return met[here, what_recurs(position, here)] > met[there, what_recurs(position, there)]


def what_recurs(position: Position, key: str) -> bytes:
    """What two positions that count as the same have in common."""
    if key == "symmetry":
        return position.canonical
    return position.key[1:] if key == "board" else position.key


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for stale in set(FOLDER.glob("*.txt")) - set(map(path_of, EVERY_GAME)):
        stale.unlink()
    for spec in EVERY_GAME:
        game, plain = make_game(spec), make_game(VARIANTS[spec]) if spec in VARIANTS else None
        if not path_of(spec).exists() or (plain and not tells_apart(game, plain, actions_of(game))):
            texts = telling(game, plain) if plain else _contest(game, game, SEED)
            path_of(spec).write_text(write_out(game, texts), encoding="utf-8")
