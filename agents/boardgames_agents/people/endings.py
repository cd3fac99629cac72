"""The end of a contest in one sentence, and whether a resignation ends it."""

from dataclasses import dataclass

from boardgames_agents.people.judging.sources import best_moves
from boardgames_agents.people.levels import predictor_of
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy.explanation import counted, listed
from boardgames_env.board import Line
from boardgames_env.ending import End


@dataclass(frozen=True)
class Ending:
    """Why a contest has ended.

    Attributes:
        reason: The reason.
        sentence: The reason as a sentence without a full stop.
        line: The locations of the line that has decided the contest; empty if none has.
    """

    reason: End
    sentence: str
    line: Line = ()


def ending_of(session: PlaySession) -> Ending | None:
    """Return why a contest has ended; ``None`` while it goes on."""
    if not (end := session.end):
        return None
    line = _new_line(session) if end == "line" else ()
    return Ending(end, _sentence(session, end, line), line)


def _new_line(session: PlaySession) -> Line:
    """Return the winning line that the last turn has completed: another may be of men who have not moved yet."""
    last, board = session.turns[-1], session.game.board
    men, earlier = (each.state[1 : 1 + board.size].tolist() for each in (session.position, last.before))
    sign = 1 - 2 * last.seat
    for line in board.winning_lines:
        if all(men[location] * sign > 0 for location in line) and any(men[each] != earlier[each] for each in line):
            return line
    return ()


def _arrived(session: PlaySession) -> int:
    """Return the location in a seat's home that holds a man of the other."""
    homes, state = session.game.board.homes, session.position.state
    return next(each for seat in (0, 1) for each in homes[seat] if state[1 + each] == 2 * seat - 1)


def _whoever_is_to_move(session: PlaySession) -> bool:
    """Return whether the board ends the contest in the same way with the other seat to move."""
    state = session.position.state.copy()
    state[0] = 1 - state[0]
    return bool(session.game.rules.outcome(state) == session.position.outcome)


def _sentence(session: PlaySession, end: End, line: Line) -> str:
    game, limits, points = session.game, session.game.limits, abs(session.points)
    winner, loser = game.men if session.points > 0 else game.men[::-1]
    sentence = "the rules end the contest here"
    match end:
        case "line" if line:
            mover = game.men[session.turns[-1].seat]
            labels = listed([game.board.labels[location] for location in line])
            sentence = f"{mover.name} has the line {labels}{'' if mover is winner else ', which loses'}"
        case "full_board":
            sentence = "the board is full"
        case "no_move" if _whoever_is_to_move(session):
            sentence = f"neither {game.men[0].name} nor {game.men[1].name} has a legal move"
        case "no_move":
            sentence = f"{loser.name} has no legal move"
        case "too_few_men":
            men = session.position.state[1 : 1 + game.board.size] * (1 if loser is game.men[0] else -1)
            left = sum(game.men_at(slot)[1] for slot in men[men > 0].tolist())
            few = f"only {left} {'man' if left == 1 else 'men'}" if left else "no men"
            sentence = f"{loser.name} has {few} left"
        case "home":
            sentence = f"{winner.name} has reached {game.board.labels[_arrived(session)]}"
        case "joined":
            sentence = f"{winner.name} has joined its sides"
        case "borne_off":
            stake = game.stake(session.position.state) if game.stake else 1
            kind = {2: ": a gammon", 3: ": a backgammon"}.get(points // stake, "")
            sentence = f"{winner.name} has borne off all men{kind}"
        case "dropped":
            sentence = f"{loser.name} answers: {game.action_text(session.actions[-1])}"
        case "recurrence":
            sentence = f"the same position has come up {counted(limits.recurrences, 'time')}"
        case "no_progress":
            progress = "a capture or a man's move" if limits.progress == "man" else "a capture"
            sentence = f"{counted(limits.quiet_plies, 'ply')} have been played without {progress}"
        case "plies":
            drawn = "" if limits.plies_draw else ", where contests are cut short"
            sentence = f"{counted(limits.plies, 'ply')} {'has' if limits.plies == 1 else 'have'} been played{drawn}"
        case "resigned":
            sentence = f"{loser.name} resigns{f' for {points} points' * (points > 1)}"
    is_counted = end in ("full_board", "no_move") and game.note and _whoever_is_to_move(session)
    note = game.note(session.position.state) if game.note and is_counted else ""
    return f"{sentence}; {note}" if note else sentence


_MARGIN = 0.1
"""The points, in units of the stake, by which an agent's expectation may exceed what it is offered."""


def is_enough(session: PlaySession, seat: int, points: int) -> bool:
    """Return whether an agent takes some points for a contest that a seat resigns; a person takes what is offered.

    It does not if it expects more by the predictions that hints are from. Without predictions, and where there is no
    more to lose, it takes them.
    """
    offers = session.resignations(seat)
    is_asked = session.players[1 - seat] is not None and session.seat == seat and points < offers[-1]
    if not is_asked or predictor_of(session.game) is None:
        return True
    best, *_ = best_moves(session.position, 1).moves
    return points / offers[0] >= -best.value - _MARGIN
