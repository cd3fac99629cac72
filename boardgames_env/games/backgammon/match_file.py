"""Match files: contests in the ``.mat`` text form of Jellyfish, which gnubg, eXtreme Gammon and servers exchange.

A file begins with the length of the match, 0 for a money session. Every contest has two columns of turns, seat 0's
and seat 1's; a turn is a roll and its play, or what a seat does with the cube::

     0 point match

     Game 1
     td_gammon : 0                  pubeval : 0
      1)                             31: 8/5 6/5
      2) 64: 24/14                    Doubles => 2
      3)  Takes                      52: 13/8 6/4

A comment ``; [Game "backgammon(cube=True)"]`` names the game; other programs ignore it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from boardgames_env.errors import BadInputError
from boardgames_env.files import write_atomically
from boardgames_env.game import Game
from boardgames_env.games.backgammon.backgammon_board import (
    BEAVER,
    BEAVERED,
    CUBE,
    DOUBLE,
    DROP,
    MOVING,
    PHASE,
    ROLL,
    TAKE,
)
from boardgames_env.games.backgammon.dice import for_the_other_seat
from boardgames_env.games.backgammon.legality import demand_backgammon
from boardgames_env.games.backgammon.notation import NOTHING, play_text
from boardgames_env.games.backgammon.words import dice_to_play
from boardgames_env.position import Position

_LEFT_COLUMN = 27
_RIGHT_INDENT = 34


class Played(Protocol):
    """A contest that has been played, such as an arena's record."""

    @property
    def events(self) -> Sequence[int]:
        """The chance events, in order."""

    @property
    def actions(self) -> Sequence[int]:
        """All actions, in order."""

    @property
    def outcome(self) -> int:
        """The points of seat 0; 0 if the contest was broken off."""


@dataclass(frozen=True)
class Contest:
    """A contest read from a match file.

    Attributes:
        events: What chance has decided, in order.
        actions: Every action, in order; where a play can be made in several orders, one of them.
        outcome: The points of seat 0; 0 if the file does not tell. A seat that resigns loses what the file says.
    """

    events: tuple[int, ...]
    actions: tuple[int, ...]
    outcome: int


@dataclass(frozen=True)
class Match:
    """The contests of one match or session.

    Attributes:
        game: The game.
        players: What seats 0 and 1 are called, in all contests.
        contests: The contests, in order.
        length: How many points win the match; 0 for a money session.
        scores: The two seats' points before the first contest.
    """

    game: Game
    players: tuple[str, str]
    contests: Sequence[Played]
    length: int = 0
    scores: tuple[int, int] = (0, 0)


def seats_exchanged(contest: Played) -> Contest:
    """Return a contest with the seats exchanged. (A column of a match file is a player, who may change seats.)"""
    events = tuple(contest.events)
    return Contest((*map(for_the_other_seat, events[:1]), *events[1:]), tuple(contest.actions), -contest.outcome)


def write_match(path: str | Path, match: Match) -> None:
    """Write a match file, replacing an existing one atomically; see `match_text`."""
    write_atomically(Path(path), match_text(match).encode())


def match_text(match: Match) -> str:
    """Return the text of a match file.

    Raises:
        BadInputError: If a contest is not one of the game, or ends amid a play.
    """
    demand_backgammon(match.game)
    lines = [f'; [Game "{match.game.spec}"]', "", f" {match.length} point match", ""]
    first, second = match.scores
    one, other = (" ".join(name.split()) or "?" for name in match.players)
    for number, contest in enumerate(match.contests, start=1):
        lines += [f" Game {number}", f" {f'{one} : {first}':<29}  {other} : {second}"]
        lines += _rows(list(_turns(match.game, contest)))
        first, second = first + max(contest.outcome, 0), second + max(-contest.outcome, 0)
        if contest.outcome:
            ends = 0 < match.length <= max(first, second)
            lines.append(_wins(contest.outcome) + " and the match" * ends)
        lines.append("")
    return "\n".join(lines)


def _wins(outcome: int) -> str:
    points = abs(outcome)
    return f"{' ' * (6 if outcome > 0 else _RIGHT_INDENT)}Wins {points} point{'s' * (points > 1)}"


def _rows(turns: list[tuple[int, str]]) -> list[str]:
    """Yield the rows of turns of alternate seats, in two columns."""
    texts = [text for _, text in turns]
    if turns and turns[0][0] == 1:
        texts.insert(0, "")
    pairs = zip(texts[::2], [*texts[1::2], ""], strict=False)
    return [f"{row:3}) {left:<{_LEFT_COLUMN}} {right}".rstrip() for row, (left, right) in enumerate(pairs, start=1)]


def _turns(game: Game, contest: Played) -> Iterator[tuple[int, str]]:
    """Yield the seat and the text of each turn of a contest."""
    position, events, actions = game.initial, iter(contest.events), iter(contest.actions)
    while True:
        if position.awaits_chance:
            event = next(events, None)
            if event is None:
                return
            possible = position.events()
            if not 0 <= event < len(possible):
                raise BadInputError(f"event {event} is no roll; rolls are 0 to {len(possible) - 1} here")
            position = possible[event].position
        elif position.state[PHASE] == MOVING:
            seat, roll = position.seat, "".join(str(die) for die in dice_to_play(position.state)[:2])
            position, text = _play(position, actions)
            yield seat, f"{roll}: {text}".rstrip()
            if not text and position.state[PHASE] == MOVING:
                return
        else:
            action = next(actions, None)
            if action is None:
                return
            if text := _with_the_cube(position, action):
                yield position.seat, text
            position = position.play(action)


def _play(position: Position, actions: Iterator[int]) -> tuple[Position, str]:
    """Return the position after the next whole play and the play's text, or the position and no text at the end."""
    reached, played = position, list[int]()
    while reached.state[PHASE] == MOVING and (action := next(actions, None)) is not None:
        reached = reached.play(action)
        played.append(action)
    if played and reached.state[PHASE] == MOVING:
        raise BadInputError("a contest that ends amid a play cannot be written to a match file")
    text = play_text(position, played) if played else ""
    return reached, "" if text == NOTHING else text


def _with_the_cube(position: Position, action: int) -> str:
    """Return the text of a decision about the cube; none for a roll or a taken beaver, which the next roll implies."""
    turned = 2 ** (int(position.state[CUBE]) + 1)
    if action == ROLL or (action == TAKE and position.state[PHASE] == BEAVERED):
        return ""
    return {DOUBLE: f" Doubles => {turned}", TAKE: " Takes", DROP: " Drops", BEAVER: f" Beavers => {2 * turned}"}[
        action
    ]
