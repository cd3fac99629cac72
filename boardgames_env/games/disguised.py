"""A game in disguise: the tree of another game with other names, numbers, symbols and rule text.

## Rules

Those of the game `game`, told in other words: its locations are sites with made-up labels, in another order and on a
board that shows nothing of their old places; its men have other names, and its lines are listed as sets. The actions
have other numbers. The numbers of the disguise, which `seed` draws, change nothing else: every position stands for one
of the game behind it, with the same moves, values and symmetries. `make_game(...).rules_text` is the text.

It asks whether a player knows how to think about a game, or has learned its name and its pictures.

## Board

The sites, in no order that means anything. Those of a line of the game behind it are a set that the rules list.

## Actions

As many as the game behind it has, in an order that `seed` draws.

## Observation

The features of the game behind it, those of locations in the order of the sites.

## End of the contest

As in the game behind it.

## Known value

That of the game behind it.

## Sources

H. A. Simon, *The Sciences of the Artificial* (1969), on number scrabble, which is tic-tac-toe in disguise.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import permutations
from math import ceil, sqrt
from typing import Annotated, Any

import numpy as np

from boardgames_env.actions import Action
from boardgames_env.board import Board, Line, grid
from boardgames_env.ending import ending
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game, Heuristics, Rules
from boardgames_env.games import game, make_game
from boardgames_env.games.disguise_words import Wording
from boardgames_env.kernels import (
    Actions,
    Features,
    Kernel,
    State,
    encode,
    evaluate,
    forcing,
    gain,
    helper,
    initial,
    legal,
    outcome,
    play,
)
from boardgames_env.kernels.bundle import from_template, rule
from boardgames_env.kernels.signatures import Int64s
from boardgames_env.spec import Label

_LETTERS = "bfgjkqvwz"
"""The letters of labels: no two of them are a word of English, so that no label stands in an answer by chance."""


@dataclass(frozen=True)
class Disguise:
    """What a disguised game stands for.

    Attributes:
        original: The game behind it.
        slots: The slot of the original's states that each slot of the disguise's stands for, int64.
        numbers: The original's action that each action stands for, int64.
    """

    original: Game
    slots: Int64s
    numbers: Int64s

    def uncovered(self, state: State) -> State:
        """Return the state of the original that a state stands for."""
        hidden = np.empty_like(state)
        hidden[self.slots] = state
        return hidden


# what stands in the templates below for a kernel of the original and the numbers of a disguise
original: Any = rule
slots = numbers = places = order = np.zeros(1, dtype=np.int64)


@helper
def uncover(state: State, hidden: State, slots: Int64s) -> None:
    """Write the state of the original that a state stands for."""
    for slot in range(len(state)):
        hidden[slots[slot]] = state[slot]


@helper
def cover(hidden: State, state: State, slots: Int64s) -> None:
    """Write the state that stands for one of the original."""
    for slot in range(len(state)):
        state[slot] = hidden[slots[slot]]


def _initial(state: State) -> None:
    hidden = np.zeros(len(state), dtype=np.int8)
    original(hidden)
    cover(hidden, state, slots)


def _legal(state: State, actions: Actions) -> int:
    hidden = np.empty(len(state), dtype=np.int8)
    uncover(state, hidden, slots)
    listed = np.empty(len(places), dtype=np.int32)
    is_listed = np.zeros(len(places), dtype=np.int8)
    for number in range(original(hidden, listed)):
        is_listed[places[listed[number]]] = 1
    count = 0
    for action in range(len(is_listed)):
        if is_listed[action]:
            actions[count] = action
            count += 1
    return count


def _play(state: State, action: int) -> None:
    hidden = np.empty(len(state), dtype=np.int8)
    uncover(state, hidden, slots)
    original(hidden, numbers[action])
    cover(hidden, state, slots)


def _of_state(state: State) -> int:
    hidden = np.empty(len(state), dtype=np.int8)
    uncover(state, hidden, slots)
    return int(original(hidden))


def _gain(state: State, action: int) -> int:
    hidden = np.empty(len(state), dtype=np.int8)
    uncover(state, hidden, slots)
    return int(original(hidden, numbers[action]))


def _encode(state: State, viewer: int, features: Features) -> None:
    hidden = np.empty(len(state), dtype=np.int8)
    uncover(state, hidden, slots)
    shown = np.empty(len(features), dtype=np.float32)
    original(hidden, viewer, shown)
    for feature in range(len(features)):
        features[feature] = shown[order[feature]]


@game(version=0)
def disguised(
    game: Annotated[str, Label("The game behind the disguise")] = "tic_tac_toe",
    seed: Annotated[int, Label("The number of the disguise")] = 0,
) -> Game:
    """The tree of another game with other names, numbers, symbols and rule text.

    Args:
        game: The spec of the game behind it, one without dice.
        seed: The seed of the disguise.
    """
    require(0, seed=seed)
    behind = make_game(game)
    if behind.rules.has_chance or isinstance(behind.family, Disguise):
        raise BadInputError(f"game={game!r} is not allowed; it must be a game without dice that is not in disguise")
    rng = np.random.default_rng(seed)
    size = behind.board.size
    locations = rng.permutation(size)  # (of the original, by those of the disguise)
    disguise = Disguise(
        behind,
        np.concatenate([[0], 1 + locations, np.arange(1 + size, behind.state_size)]),
        rng.permutation(behind.num_actions),
    )
    words, wrong = Wording.drawn(rng), behind.check
    board = _board(behind.board, locations.tolist(), rng)
    made = replace(
        behind,
        title=words.title,
        board=board,
        rules=_rules(disguise, _feature_order(behind, locations)),
        heuristics=_heuristics(disguise),
        actions=tuple(_action(behind.actions[number], locations.tolist()) for number in disguise.numbers),
        men=(words.man(0), words.man(1)),
        kinds=tuple((words.man(0, number), words.man(1, number)) for number, _ in enumerate(behind.kinds, start=1)),
        openings={int(np.argmax(disguise.numbers == action)): weight for action, weight in behind.openings.items()},
        note=(lambda state: words.note(behind, disguise.uncovered(state))) if behind.note else None,
        notation=None,
        drawing=None,
        check=(lambda state: _NO_SUCH if wrong(disguise.uncovered(state)) else None) if wrong else None,
        encodings={},
        board_end=_template(_of_state, ending, behind.board_end, disguise) if behind.board_end else None,
        family=disguise,
        name="",
    )
    return replace(made, own_rules=words.rules(behind, made, locations))


_NO_SUCH = "play of the game behind it does not lead there"


def _template(template: Any, kind: Any, behind: Kernel, disguise: Disguise, order: Int64s = order) -> Kernel:
    """Return the kernel of a disguise over one of the original; ``kind`` is the decorator of such kernels."""
    return from_template(
        template,
        kind(template).signature(),
        original=behind,
        slots=disguise.slots,
        numbers=disguise.numbers,
        places=np.argsort(disguise.numbers),
        order=order,
    )


def _rules(disguise: Disguise, feature_order: Int64s) -> Rules:
    behind = disguise.original.rules
    return Rules(
        _template(_initial, initial, behind.initial, disguise),
        _template(_legal, legal, behind.legal, disguise),
        _template(_play, play, behind.play, disguise),
        _template(_of_state, outcome, behind.outcome, disguise),
        _template(_encode, encode, behind.encode, disguise, order=feature_order),
    )


def _heuristics(disguise: Disguise) -> Heuristics | None:
    behind = disguise.original.heuristics
    return behind and Heuristics(
        _template(_of_state, evaluate, behind.evaluate, disguise),
        behind.gain and _template(_gain, gain, behind.gain, disguise),
        behind.forcing and _template(_legal, forcing, behind.forcing, disguise),
    )


def _feature_order(behind: Game, locations: Int64s) -> Int64s:
    """Return the original's feature that each feature stands for: those of men are in the order of the locations."""
    order = np.arange(behind.num_features)
    size, each = behind.men_features or (behind.board.size, 1)
    if size == len(locations) and each:
        of_seat = (locations[:, np.newaxis] * each + np.arange(each)).ravel()
        order[: 2 * len(of_seat)] = np.concatenate([of_seat, len(of_seat) + of_seat])
    return order


def _moved(lines: Iterable[Line], locations: list[int]) -> tuple[Line, ...]:
    return tuple(tuple(locations.index(location) for location in line) for line in lines)


def _action(action: Action, locations: list[int]) -> Action:
    kind = _KINDS.get(action.kind, action.kind)
    return Action(kind, _moved([action.locations], locations)[0])


_KINDS = {"pass": "wait", "swap": "trade"}
"""What the actions of a game's own kinds are called."""


def _board(behind: Board, locations: list[int], rng: np.random.Generator) -> Board:
    """Return the board of a disguise: locations in rows that mean nothing, with labels of consonants."""
    columns = 1 + ceil(sqrt(behind.size))
    letters = 2 if behind.size <= len(_LETTERS) * (len(_LETTERS) - 1) else 3
    labels = ["".join(each) for each in permutations(_LETTERS, letters)]
    return Board(
        points=grid(columns, ceil(behind.size / columns))[: behind.size],
        lines=_moved(behind.lines, locations),
        winning_lines=tuple(sorted(tuple(sorted(line)) for line in _moved(behind.winning_lines, locations))),
        cells=True,
        labels=tuple(labels[number] for number in rng.permutation(len(labels))[: behind.size]),
        homes=_moved(behind.homes, locations),
        coordinates=tuple(behind.coordinates[location] for location in locations),
    )
