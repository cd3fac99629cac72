"""`boardgames replay`: a recorded contest at the terminal."""

import sys
from typing import TYPE_CHECKING

from boardgames_cli.contest_text import board_text, print_turn, result_text, say, sentence_of
from boardgames_cli.printing import console
from boardgames_cli.shared_options import ContestNumber, RecordedContest, RecordFile, recorded_contest

if TYPE_CHECKING:
    from boardgames_agents.people.session import PlaySession


def replay(file: RecordFile, contest: ContestNumber = 1) -> None:
    """Play a recorded contest again, turn by turn: Enter goes on, b goes back, q leaves."""
    from boardgames_agents.people.session import PlaySession

    found = recorded_contest(file, contest)
    game, record = found.game, found.record
    session = PlaySession.of_record(record, game, (None, None))
    names = [f"{player} ({man.name})" for player, man in zip(record.players, game.men, strict=True)]
    say(f"{game.spec}: {' v. '.join(names)}", "bold")
    steps = [*range(len(session.turns) + 1)]
    if sys.stdin.isatty():
        _step_through(session, found, names, contest)
        return
    for step in steps:
        _print_step(session, step)
    _print_end(session, found, names, contest)


def _step_through(session: "PlaySession", found: RecordedContest, names: list[str], contest: int) -> None:
    last, step = len(session.turns), 0
    while True:
        _print_step(session, step)
        if step == last:
            _print_end(session, found, names, contest)
        try:
            answer = input(f"[{step} of {last}] Enter: next, b: back, q: leave > ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if answer in ("q", "quit"):
            return
        if answer == "b":
            step = max(0, step - 1)
        elif step == last:
            return
        else:
            step += 1


def _print_step(session: "PlaySession", step: int) -> None:
    """Print the turn of a step and the position after it; step 0 is the initial position."""
    from boardgames_agents.people.endings import ending_of

    turns = session.turns
    if step == 0:
        console.print(board_text(session.game.initial), soft_wrap=True)
        return
    turn = turns[step - 1]
    print_turn(turn)
    is_last = step == len(turns)
    ending = ending_of(session) if is_last else None
    reached = turn.after
    console.print(board_text(reached, turn.before, ending.line if ending else ()), soft_wrap=True)


def _print_end(session: "PlaySession", found: RecordedContest, names: list[str], contest: int) -> None:
    from boardgames_agents.people.endings import ending_of

    record, ending = found.record, ending_of(session)
    if ending:
        say(sentence_of(ending))
    result = result_text(record.outcome, record.cut, names) if ending else "not played to its end"
    say(result, "bold")
    say(f"{record.plies} plies; contest {contest} of {found.contests:,}; seed {[*record.seed]}")
