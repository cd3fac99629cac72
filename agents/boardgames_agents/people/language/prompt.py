"""A position in words for a language model, and the move in its answer."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from boardgames_agents.experts.human import labels_beside, read_move
from boardgames_env.contest import Turn, turn_text
from boardgames_env.errors import BadInputError, demand_named, one_of
from boardgames_env.game import Game
from boardgames_env.games import registered_games
from boardgames_env.plain_data import legal_moves
from boardgames_env.position import Position

BoardForm = Literal["text", "json"]
"""The board as a drawing with characters, or as JSON."""

_HIDDEN = ("game", "state", "history", "legal_actions", "legal_moves")
"""The entries of `Position.as_dict` that are written otherwise, or not at all, where the board is JSON."""

_LONGEST_MOVE = 6
"""The most words of a move, such as the four of a throw of doublets."""

_LONGEST_ANSWER = 20_000
"""The characters of an answer, from its end, in which a move is looked for."""

_MOST_LISTED = 40
"""The most legal moves that the sentence about a wrong answer lists."""


class AnswerError(BadInputError):
    """An answer without a legal move; the text is one sentence for the model."""


@dataclass(frozen=True)
class PromptForm:
    """What a prompt holds.

    Attributes:
        legal: Whether the legal moves are listed.
        board: The form of the board.
    """

    legal: bool = True
    board: BoardForm = "text"

    def __post_init__(self) -> None:
        demand_named("form of the board", self.board, get_args(BoardForm))


def prompt(position: Position, turns: Sequence[Turn] = (), form: PromptForm | None = None) -> str:
    """Return the rules of a game, a position, and the task to choose a move, in words.

    Nothing in it comes from outside the game: no names of players, and no spec.

    Args:
        position: A position in which a seat is to move.
        turns: What was played before it.
        form: What the prompt holds; by default the board drawn, and the legal moves.

    Raises:
        BadInputError: If ``form`` is something else.
    """
    form = PromptForm() if form is None else form
    if not isinstance(form, PromptForm):
        raise BadInputError(f"form={form!r} is not allowed; it must be a PromptForm")
    game = position.game
    own, other = game.men[position.seat], game.men[1 - position.seat]
    parts = [
        f"You play the game {game.title}. Your side is {own.name}, drawn as {own.letter}; your opponent's is "
        f"{other.name}, drawn as {other.letter}.",
        f"Rules:\n{_rules(game)}" if game.rules_text else "",
        f"The position:\n{_board(position, form.board)}",
        f"Moves so far: {'; '.join(map(_written, turns))}." if turns else "",
        f"The legal moves: {', '.join(_legal_texts(position))}." if form.legal else "",
        "Choose the best move for your side. You may think first. Write the move in the same notation at the end of "
        f"your answer; the last move in it counts.{_example(game)}",
    ]
    return "\n\n".join(filter(None, parts))


def _rules(game: Game) -> str:
    """Return the rules of a game's page, with the options and limits of this one where these are not its own rules."""
    if game.own_rules or game.factory is None:
        return game.rules_text
    options = {name: each.default for name, each in registered_games()[game.name].options.items()} | dict(game.options)
    here = ", ".join(f"{name}={value!r}" for name, value in options.items())
    limits = " ".join(game.limits.sentences())
    return "\n\n".join(filter(None, [game.rules_text, f"The options here: {here}." if here else "", limits]))


def _board(position: Position, form: BoardForm) -> str:
    if form == "json":
        return json.dumps({name: value for name, value in position.as_dict().items() if name not in _HIDDEN})
    beside = labels_beside(position)
    return f"{position.text}\n\nThe names of the places:\n{beside}" if beside else position.text


def _written(turn: Turn) -> str:
    return f"{turn.before.game.men[turn.seat].name} {turn.text}"


def _example(game: Game) -> str:
    """Return a sentence with the forms of the game's actions, one of each kind."""
    kinds = {each.kind: game.action_text(number) for number, each in reversed([*enumerate(game.actions)])}
    return f" Moves are written like this: {', '.join(kinds.values())}." if not game.notation else ""


def _legal_texts(position: Position) -> list[str]:
    return [turn_text(position, actions) for actions in legal_moves(position)]


def read_answer(position: Position, answer: str, legal: bool = True) -> tuple[int, ...]:
    """Return the actions of the last move that an answer names, in the game's notation and anywhere in the text.

    As at the terminal (`read_move`), case, blanks, and the hyphen or ``x`` of a move do not matter.

    Args:
        position: The position in which the model was asked.
        answer: What it answered.
        legal: Whether the sentence about a wrong answer may list the legal moves.

    Raises:
        AnswerError: If the last move that it names is not legal, or it names none.
    """
    words = [*_words(position.game, answer[-_LONGEST_ANSWER:])]
    for end in range(len(words), 0, -1):
        for first in range(max(0, end - _LONGEST_MOVE), end):
            tried = words[first:end]
            if None in tried:
                continue
            text = " ".join(map(str, tried))
            try:
                return read_move(position, text)
            except BadInputError:
                if _is_action(position.game, text):
                    raise AnswerError(f"{text} is not a legal move here{_allowed(position, legal)}.") from None
    raise AnswerError(f"There is no move in the answer{_allowed(position, legal)}.")


def _allowed(position: Position, legal: bool) -> str:
    if not legal:
        return ""
    texts = _legal_texts(position)
    return f"; the legal moves are: {one_of([*texts[:_MOST_LISTED], *['...'] * (len(texts) > _MOST_LISTED)])}"


def _is_action(game: Game, text: str) -> bool:
    """Return whether a text is one of the game's actions, legal or not, with blanks anywhere."""
    together = text.replace(" ", "")
    return together in _action_texts(game) or text.replace(" ", "-") in _action_texts(game)


@lru_cache(maxsize=64)
def _action_texts(game: Game) -> frozenset[str]:
    return frozenset(game.action_text(action).lower() for action in range(game.num_actions))


@lru_cache(maxsize=64)
def _piece(game: Game) -> re.Pattern[str]:
    """Return the pattern of a word that can be part of a move: labels, other actions' names, and what joins them."""
    names = {*map(str.lower, game.board.labels), *(text for text in _action_texts(game) if text.isalpha())}
    if game.notation:
        names |= {"bar", "off"}
    parts = [*map(re.escape, sorted(names, key=len, reverse=True)), r"\d+", "[-x/*]", r"\(\d\)"]
    return re.compile(f"(?:{'|'.join(parts)})+")


_WORD = re.compile(r"[\w/*-]+(?:\(\d\))?")
_DASHES = re.compile("[–—−→]|->")
_JOINED = re.compile(r"(?<=\w)\s+to\s+(?=\w)")


def _words(game: Game, answer: str) -> Iterator[str | None]:
    """Yield the words of an answer that can be parts of a move, in small letters; ``None`` for any others in a row.

    The article *a* and the pronoun *I* before another word are none.
    """
    text = _JOINED.sub("-", _DASHES.sub("-", answer.lower()))
    found = list(_WORD.finditer(text))
    for number, match in enumerate(found):
        word = match[0].strip("_").removeprefix("**").removesuffix("**")
        word = word if "/" in word else word.strip("*")
        following = found[number + 1] if number + 1 < len(found) else None
        is_prose = word in ("a", "i") and following and following[0].isalpha() and len(following[0]) > 1
        is_next = following is not None and text[match.end() : following.start()].isspace()
        yield word if word and not (is_prose and is_next) and _piece(game).fullmatch(word) else None
        if following is not None and re.search(r"[.!?;:\n]", text[match.end() : following.start()]):
            yield None
