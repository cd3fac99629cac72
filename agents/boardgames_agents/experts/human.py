"""A person at the terminal."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from boardgames_agents.policy.whole_moves import WholeMovePolicy
from boardgames_agents.registry import agent
from boardgames_env.actions import Notation
from boardgames_env.decoding import read_line
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.render.text import draw_locations

LEAVE = "q"

_MOST_TEXTS = 30


class HumanLeft(Exception):  # noqa: N818  (not an error)
    """The person has left the contest."""


@agent("human", for_people="You: a person at the board")
class Human(WholeMovePolicy):
    """A person at the terminal, who types an action for each position shown."""

    interactive = True

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Ask for a legal action, or a whole move in the game's notation, whose rest is then played.

        Raises:
            HumanLeft: If the answer is ``q``, or there are no more answers.
        """
        beside = labels_beside(position).splitlines()
        left = position.text.splitlines()
        width = max(map(len, left)) if beside else 0
        print()
        for one, other in zip_longest(left, beside, fillvalue=""):
            print(f"{one:{width}}    {other}".rstrip())
        while True:
            try:
                answer = read_line(f"Your action ({LEAVE} leaves): ").strip()
            except EOFError:
                print()
                raise HumanLeft from None
            if answer.lower() == LEAVE:
                raise HumanLeft
            try:
                return read_move(position, answer)
            except BadInputError as error:
                print(error)


def read_move(position: Position, text: str) -> tuple[int, ...]:
    """Return the actions that a person has typed: one action, several of one turn, or a whole move.

    Case, blanks and commas are forgiven, and a hyphen or the ``x`` of a capture may be missing. Names of actions come
    first, then the game's own notation, if it has one.

    Raises:
        BadInputError: If it is none of these, with what is allowed.
    """
    words = [_as_typed(word) for word in re.split(r"[\s,;]+", text) if word]
    for tried in (words, ["".join(words)], ["-".join(words)]):
        if found := _actions_in(position, tried):
            return found
    allowed = [position.game.action_text(action) for action in position.legal_actions]
    if len(allowed) > _MOST_TEXTS:
        allowed = [*allowed[:_MOST_TEXTS], "..."]
    why = f"{text!r} is not allowed here; allowed: {one_of(allowed)}"
    notation = position.game.notation
    if notation and _writes(notation, position):
        try:
            return notation.read(position, text)
        except BadInputError as error:
            why += f"\nas a whole move: {error}"
    raise BadInputError(why)


def _writes(notation: Notation, position: Position) -> bool:
    """Return whether a notation is one for the moves of this position; one of dice may be none for the cube."""
    try:
        notation.write(position, position.legal_actions[:1])
    except BadInputError:
        return False
    return True


def labels_beside(position: Position) -> str:
    """Return the board with the labels of all locations, if men hide those of legal actions; otherwise nothing."""
    game, board = position.game, position.game.board
    named = {location for action in position.legal_actions for location in game.actions[action].locations}
    if all(position.state[1 + location] == 0 for location in named):
        return ""
    return draw_locations(board, board.labels)


def _as_typed(text: str) -> str:
    """Return a text in lower case, with hyphens for what may stand in the place of one."""
    return re.sub("[–—−>→]+", "-", text.lower())


def _actions_in(position: Position, words: list[str], goes_on: bool = False) -> tuple[int, ...]:
    """Return the actions of one turn that words stand for, which ``goes_on``; none if they do not."""
    if not words:
        return ()
    word, rest = words[0], words[1:]
    for action, left in _actions_begun(position, word, goes_on):
        following = [left, *rest] if left else rest
        if not following:
            return (action,)
        reached = position.after(action)
        if reached.seat == position.seat and (found := _actions_in(reached, following, goes_on=True)):
            return (action, *found)
    return ()


def _actions_begun(position: Position, word: str, goes_on: bool) -> Iterator[tuple[int, str]]:
    """Yield the legal actions that a word begins with, and the rest of the word: whole words and longer texts first."""
    texts = {action: _as_typed(position.game.action_text(action)) for action in position.legal_actions}
    spellings = [(action, spelling) for action, text in texts.items() for spelling in _spellings(text, goes_on)]
    for action, spelling in sorted(spellings, key=lambda each: -len(each[1])):
        left = word.removeprefix(spelling)
        is_split = spelling[-1:].isalnum() and left[:1].isdigit()  # (12 is not 1 and 2)
        if word.startswith(spelling) and not is_split:
            yield action, left


def _spellings(text: str, goes_on: bool) -> set[str]:
    """Return an action's text, and that without the ``x`` of a capture, or the origin of a jump that ``goes_on``."""
    if goes_on and (jump := re.fullmatch(r"[^x]+(x[^x]+)", text)):
        return {text, jump[1]}
    return {text, text.removeprefix("x")} if re.fullmatch(r"x\w+", text) else {text}
