"""Games of OpenSpiel as games of ours: of small ones, all positions are numbered, and kernels read the numbers.

A state holds the number of its position and nothing else, so that environments, solver, searches, tables, networks
and the arena work on it; what reads men and lines off a board (Hoyle, patterns) sees an empty one. Two states of
OpenSpiel are one position if they have the same text, player, legal actions and returns. That a text leaves something
out (OpenSpiel's counts of moves, its superko) cannot be ruled out in general: random contests are walked in both games
at once. A game in which they differ, or with more positions than Numba's cache of compiled code takes tables of, is
followed by its histories instead (`histories`).

What is refused: games of chance or with hidden information, simultaneous moves, other than two players, and returns
that are no whole numbers.
"""

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

import pyspiel

from boardgames_baselines.open_spiel.histories import Histories, asking_rules
from boardgames_baselines.open_spiel.numbering import NoTableError, Numbered, numbered, refuse_other_kinds
from boardgames_env.actions import Action
from boardgames_env.board import Board, Man
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game, Rules
from boardgames_env.games import game
from boardgames_env.history import MOST_PLIES, Limits
from boardgames_env.kernels import ONGOING, Actions, Features, State, encode, helper, initial, legal, outcome, play
from boardgames_env.position import Position
from boardgames_env.render.layout import caption
from boardgames_env.render.shapes import CANVAS, INK, PAGE, TRACE, Box, Circle, Drawing, Shape, Text

_BOARD = Board(points=((0.0, 0.0),), lines=((0,),))
"""One location, always empty."""

_NUMBER = 2
"""The first of the slots with a position's number, seven bits each, lowest first."""

_STATE_SIZE = _NUMBER + 3

# room for the caption below, and the same above; the largest distance of characters
_CAPTION = 44.0
_LARGEST_STEP = 56.0

_PLAYERS = (Man("player 0", "0", "disc", "#26221f"), Man("player 1", "1", "disc", "#f7f3ea"))


@game(version=0)
def open_spiel(load: str = "tic_tac_toe") -> Game:
    """A game of OpenSpiel: `load` is the argument of ``pyspiel.load_game``.

    ## Rules

    OpenSpiel's.

    ## Board

    None: a state holds the number of its position, in order of the plies; in games too large to be numbered it holds
    the actions played so far. The picture is OpenSpiel's text.

    ## Actions

    OpenSpiel's, with the same numbers.

    ## Observation

    The observation tensor of the player, as bits: one for each level above the least that a number of its observation
    tensor reaches in any position, so a plane of zeros and ones stays as it is, and what never changes is left out.
    In games too large to be numbered it is the tensor itself, cut off at 0 and 1.
    Then whether the observer is to move, and whether it has seat 0.

    ## Rewards

    OpenSpiel's returns.

    ## End of the contest

    Where OpenSpiel's ends. A contest of more plies than OpenSpiel says it can have is cut short.

    ## Known value

    Solve it: ``boardgames_env.solve``.

    ## Sources

    M. Lanctot et al., *OpenSpiel: A Framework for Reinforcement Learning in Games*, arXiv:1908.09453 (2019).

    ## Version history

    * v0: first version.
    """
    theirs = _load(load)
    refuse_other_kinds(theirs)
    try:
        parts = _by_tables(numbered(theirs))
    except NoTableError:
        parts = _by_histories(Histories(theirs))
    return Game(
        title=f"{theirs.get_type().long_name} (OpenSpiel)",
        board=_BOARD,
        men_features=(_BOARD.size, 0),
        actions=tuple(Action(str(number)) for number in range(theirs.num_distinct_actions())),
        limits=Limits(plies=min(theirs.max_game_length(), MOST_PLIES), plies_draw=False),
        men=_PLAYERS,
        **parts,
    )


def _by_tables(table: Numbered) -> dict[str, Any]:
    """Return the fields of a game whose positions are numbered."""
    return {
        "rules": _rules(table),
        "state_size": _STATE_SIZE,
        "num_features": table.num_features + 2,
        "positions": len(table.seats),
        "drawing": _drawing(lambda state: table.state(int(number_of(state)))),
        "check": _check(table),
        "most_points": max(int(table.points[table.points != ONGOING].max()), -int(table.points.min())),
    }


def _by_histories(histories: Histories) -> dict[str, Any]:
    """Return the fields of a game whose states are histories."""
    theirs = histories.theirs
    return {
        "rules": asking_rules(histories),
        "state_size": histories.state_size,
        "num_features": histories.num_features,
        "positions": histories.most_positions,
        "drawing": _drawing(histories.at),
        "check": histories.check,
        "most_points": int(max(theirs.max_utility(), -theirs.min_utility())),
    }


def _load(text: str) -> Any:
    """Return a game of OpenSpiel.

    Raises:
        BadInputError: If there is none.
    """
    name = text.partition("(")[0]
    if name not in pyspiel.registered_names():
        raise BadInputError(f"OpenSpiel has no game {name!r}; its documentation lists those that it has")
    try:
        return pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        raise BadInputError(f"OpenSpiel cannot load {text!r}: {str(error).splitlines()[0]}") from error


@helper
def number_of(state: State) -> int:
    """Return the number of a state's position."""
    return int(state[_NUMBER]) + 128 * (int(state[_NUMBER + 1]) + 128 * int(state[_NUMBER + 2]))


@helper
def write_number(state: State, number: int) -> None:
    """Write the number of a position."""
    state[_NUMBER] = number % 128
    state[_NUMBER + 1] = number // 128 % 128
    state[_NUMBER + 2] = number // 128 // 128


def _rules(table: Numbered) -> Rules:
    first, numbers, reached, seats, points = table.first, table.actions, table.reached, table.seats, table.points
    bits, num_bits = table.features, table.num_features

    @initial
    def begin(state: State) -> None:
        state[:] = 0
        state[0] = seats[0]

    @legal
    def listed(state: State, actions: Actions) -> int:
        start, end = int(first[number_of(state)]), int(first[number_of(state) + 1])
        for row in range(start, end):
            actions[row - start] = numbers[row]
        return end - start

    @play
    def follow(state: State, action: int) -> None:
        row = first[number_of(state)]
        while numbers[row] != action:
            row += 1
        write_number(state, reached[row])
        state[0] = seats[reached[row]]

    @outcome
    def result(state: State) -> int:
        return int(points[number_of(state)])

    @encode
    def observed(state: State, viewer: int, features: Features) -> None:
        seen = bits[number_of(state), viewer]
        for k in range(num_bits):
            features[k] = (seen[k // 8] >> (7 - k % 8)) & 1
        features[num_bits] = state[0] == viewer
        features[num_bits + 1] = viewer == 0

    return Rules(begin, listed, follow, result, observed)


def _check(table: Numbered) -> Callable[[State], str | None]:
    def why(state: State) -> str | None:
        number = int(number_of(state))
        if state[1] or min(state[_NUMBER:]) < 0 or number >= len(table.seats):
            return f"after 0 in slot 1, the others hold the number of a position, 0 to {len(table.seats) - 1}"
        return None if state[0] == table.seats[number] else f"in position {number} the other seat is to move"

    return why


def _drawing(state_at: Callable[[State], Any]) -> Drawing:
    def text(position: Position) -> str:
        return str(state_at(position.state)).rstrip("\n")

    def shapes(position: Position, labels: bool, before: Position | None) -> Iterator[Shape]:
        yield Box((0.0, 0.0), CANVAS, CANVAS, 0.0, PAGE, PAGE, 0.0)
        lines = text(position).split("\n")
        yield from _characters(lines, text(before).split("\n") if before else lines)
        yield Text((CANVAS / 2, CANVAS - _CAPTION / 2), caption(position), 17, INK)

    return Drawing(shapes, text, lambda position: f"{position.game.men[position.seat].name} to move")


def _characters(lines: list[str], before: list[str]) -> list[Shape]:
    """Return characters in rows and columns, those marked that differ from the lines before."""
    columns = max(map(len, lines))
    down = min((CANVAS - 2 * _CAPTION) / len(lines), _LARGEST_STEP)
    across = min((CANVAS - _CAPTION) / columns, down)
    size = min(0.8 * down, 1.25 * across)
    marks, texts = list[Shape](), list[Shape]()
    for row, (line, other) in enumerate(zip_longest(lines, before[: len(lines)], fillvalue="")):
        for column, character in enumerate(line):
            x, y = across * (column - (columns - 1) / 2), down * (row - (len(lines) - 1) / 2)
            place = (CANVAS / 2 + x, CANVAS / 2 + y)
            if character != other[column : column + 1]:
                marks.append(Circle(place, 0.58 * size, TRACE))
            if character != " ":
                texts.append(Text(place, character, size, INK))
    return [*marks, *texts]
