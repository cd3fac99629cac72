"""Why a contest has ended, in one sentence, and whether a resignation ends it."""

from dataclasses import dataclass
from typing import Literal

from boardgames_agents.people.judging.sources import best_moves
from boardgames_agents.people.levels import predictor_of
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy.explanation import listed
from boardgames_env.board import Line
from boardgames_env.position import Position

Reason = Literal[
    "line", "home", "no move", "too few men", "full board", "plies", "repetition", "borne off", "answer", "resignation",
    "rules",
]  # fmt: skip


@dataclass(frozen=True)
class Ending:
    """Why a contest has ended.

    Attributes:
        reason: The kind of reason.
        sentence: The reason as a sentence without a full stop.
        line: The locations of the line that has decided the contest; empty if none has.
    """

    reason: Reason
    sentence: str
    line: Line = ()


_RULES = Ending("rules", "the rules end the contest here")


def ending_of(session: PlaySession) -> Ending | None:
    """Return why a contest has ended; ``None`` while it goes on."""
    if not session.is_over:
        return None
    men = session.game.men
    if session.resigned is not None:
        points = abs(session.points)
        return Ending("resignation", f"{men[session.resigned].name} resigns{f' for {points} points' * (points > 1)}")
    if not session.position.is_over:
        return _by_limit(session)
    line = deciding_line(session.position, session.before_last_turn)
    if line:
        return _by_line(session, line)
    return _by_men(session) or _by_rules(session)


def deciding_line(position: Position, before: Position | None) -> Line:
    """Return the winning line that has been completed since an earlier position; empty if none has.

    Where a whole line captures a man, none decides a contest.
    """
    game = position.game
    captures = any(action.kind == "capture" for action in game.actions)
    if before is None or not position.is_over or captures:
        return ()
    men, earlier = (each.state[1 : 1 + game.board.size].tolist() for each in (position, before))
    sign = 1 - 2 * before.seat
    for line in game.board.winning_lines:
        if all(men[location] * sign > 0 for location in line) and any(men[each] != earlier[each] for each in line):
            return line
    return ()


def _by_limit(session: PlaySession) -> Ending:
    limits = session.game.limits
    if 0 < limits.recurrences <= _recurrences(session):
        return Ending("repetition", f"the same position has come up {limits.recurrences} times")
    drawn = "" if limits.plies_draw else ", where contests are cut short"
    return Ending("plies", f"{limits.plies} plies have been played{drawn}")


def _recurrences(session: PlaySession) -> int:
    """Return how often the last position has come up, by what counts as the same in this game."""
    key = session.game.limits.key

    def marked(position: Position) -> bytes:
        return position.canonical if key == "symmetry" else position.key[key == "board" :]

    last = marked(session.position)
    return sum(marked(position) == last for position in session.positions)


def _by_line(session: PlaySession, line: Line) -> Ending:
    game = session.game
    mover = session.turns[-1].seat
    labels = [game.board.labels[location] for location in line]
    wins = session.points * (1 - 2 * mover) > 0
    loses = "" if wins else ", which loses"
    sentence = f"{game.men[mover].name} has the line {listed(labels)}{loses}"
    return Ending("line", sentence, line)


def _by_rules(session: PlaySession) -> Ending:
    game, position = session.game, session.position
    men = position.state[1 : 1 + game.board.size]
    if session.points == 0:
        return Ending("full board", "the board is full") if men.all() else _RULES
    winner, loser = (0, 1) if session.points > 0 else (1, 0)
    last = game.actions[session.actions[-1]]
    cannot_move = Ending("no move", f"{game.men[loser].name} has no legal move")
    if last.kind == "capture":
        if not _can_move(position, loser):
            return cannot_move
        left = int(abs(men[men * (1 - 2 * loser) > 0]).sum())
        return Ending("too few men", f"{game.men[loser].name} has only {left} {'man' if left == 1 else 'men'} left")
    if game.rules.has_chance and _is_off(position, winner):
        stake = game.stake(position.state) if game.stake else 1
        kind = {2: ": a gammon", 3: ": a backgammon"}.get(abs(session.points) // stake, "")
        return Ending("borne off", f"{game.men[winner].name} has borne off all men{kind}")
    if not last.locations and session.turns[-1].seat == loser:
        return Ending("answer", f"{game.men[loser].name} answers: {game.action_text(session.actions[-1])}")
    return cannot_move if not game.rules.has_chance and position.seat == loser else _RULES


def _by_men(session: PlaySession) -> Ending | None:
    """Return the end by a man in the other seat's home, or by the last man captured, if it is one of these."""
    game = session.game
    if session.points == 0 or game.rules.has_chance:
        return None
    winner, loser = (0, 1) if session.points > 0 else (1, 0)
    men = session.position.state[1 : 1 + game.board.size] * (1 - 2 * winner)
    home = game.board.homes[loser] if len(game.board.homes) == 2 else ()
    if arrived := [game.board.labels[location] for location in home if men[location] > 0]:
        return Ending("home", f"{game.men[winner].name} has reached {arrived[0]}")
    return None if (men < 0).any() else Ending("too few men", f"{game.men[loser].name} has no men left")


def _is_off(position: Position, seat: int) -> bool:
    """Return whether all men of a seat stand on one location, which is off the board by its label."""
    sign, board = 1 - 2 * seat, position.game.board
    own = [label for label, men in zip(board.labels, position.state[1:].tolist(), strict=False) if men * sign > 0]
    return len(own) == 1 and own[0].startswith("off")


def _can_move(position: Position, seat: int) -> bool:
    """Return whether a man of a seat has an empty location beside it. (Rules answer only while a contest goes on.)"""
    sign, board = 1 - 2 * seat, position.game.board
    men = position.state[1 : 1 + board.size].tolist()
    return any(
        men[location] * sign > 0 and any(men[each] == 0 for each in neighbours)
        for location, neighbours in enumerate(board.adjacency)
    )


_MARGIN = 0.1
"""The points, in units of the stake, by which an agent's expectation may exceed what it is offered."""


def is_enough(session: PlaySession, seat: int, points: int) -> bool:
    """Return whether an agent takes some points for a contest that a seat resigns; a person takes what is offered.

    It does not if it expects more by the predictions that hints are from. Without predictions, and where there is but
    one number of points to resign for, it takes them.
    """
    offers = session.resignations(seat)
    is_asked = session.players[1 - seat] is not None and session.seat == seat and len(offers) > 1
    if not is_asked or predictor_of(session.game) is None:
        return True
    best, *_ = best_moves(session.position, 1).moves
    return points / offers[0] >= -best.value - _MARGIN
