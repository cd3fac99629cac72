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
    from boardgames_env.decoding import read_line

    found = recorded_contest(file, contest)
    session = PlaySession.of_record(found.record, found.game, (None, None))
    last, step = len(session.turns), 0
    names = [f"{player} ({man.name})" for player, man in zip(found.record.players, found.game.men, strict=True)]
    say(f"{found.game.spec}: {' v. '.join(names)}", "bold")
    while True:
        _print_step(session, step)
        if step == last:
            _print_end(session, found, names, contest)
        if sys.stdin.isatty():
            try:
                answer = read_line(f"[{step} of {last}] Enter: next, b: back, q: leave > ").strip().lower()
            except (EOFError, KeyboardInterrupt):
                console.print()
                return
            if answer in ("q", "quit"):
                return
            if answer == "b":
                step = max(0, step - 1)
                continue
        if step == last:
            return
        step += 1


def _print_step(session: "PlaySession", step: int) -> None:
    """Print the turn of a step and the position after it; step 0 is the initial position."""
    from boardgames_agents.people.endings import ending_of

    if step == 0:
        console.print(board_text(session.game.initial), soft_wrap=True)
        return
    turn = session.turns[step - 1]
    print_turn(turn)
    ending = ending_of(session) if step == len(session.turns) else None
    console.print(board_text(turn.after, turn.before, ending.line if ending else ()), soft_wrap=True)


def _print_end(session: "PlaySession", found: RecordedContest, names: list[str], contest: int) -> None:
    from boardgames_agents.people.endings import ending_of
    from boardgames_agents.policy.explanation import counted

    record, ending = found.record, ending_of(session)
    if ending:
        say(sentence_of(ending))
    say(result_text(record.outcome, record.cut, names) if ending else "not played to its end", "bold")
    say(f"{counted(record.plies, 'ply')}; contest {contest} of {found.contests:,}; seed {[*record.seed]}")
