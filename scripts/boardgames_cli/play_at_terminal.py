"""Contests of a person with an agent at the terminal: moves and commands are typed, one a line."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rich.markdown import Markdown

from boardgames_agents.experts.human import HumanLeft, read_move
from boardgames_agents.lookahead.player import explainer_of
from boardgames_agents.people.endings import ending_of, is_enough
from boardgames_agents.people.judging.sources import hints
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy import Forfeit, Policy
from boardgames_agents.policy.explanation import counted
from boardgames_agents.record import Record, write_records
from boardgames_cli.contest_text import board_text, man_text, print_turn, result_text, say, sentence_of
from boardgames_cli.explain import print_explanation
from boardgames_cli.printing import console, status
from boardgames_cli.shared_options import demand_record_name, recorded_contest
from boardgames_env import BadInputError, Game, Position
from boardgames_env.contest import Turn, turn_text
from boardgames_env.decoding import read_line
from boardgames_env.moves import locations_of

_MOST_MOVES = 60
"""The most moves that the command ``moves`` lists."""


@dataclass(frozen=True)
class TerminalOpponent:
    """Who a person at the terminal plays against."""

    game: Game
    policy: Policy | None  # ``None`` for another person at the terminal
    name: str  # such as ``td, untrained``
    strength: str  # in words
    watched: Policy | None = None  # the agent that plays in the person's place, if one does
    watched_name: str = ""


class PlayAtTerminal:
    """Contests at the terminal, one after the other.

    Args:
        opponent: Who plays.
        seat: The person's seat.
        seed: The random seed of the first contest; the next has the next one.
        explain: Whether the agent's moves are explained.
        save: A file that the records of all contests are written to.
    """

    _at_the_end = "new, undo, swap, save FILE, load FILE, or quit"

    def __init__(self, opponent: TerminalOpponent, seat: int, seed: int, explain: bool, save: Path | None) -> None:
        self.opponent, self.game, self.seat = opponent, opponent.game, seat
        self._seed, self._explain, self._save = seed, explain, save
        self._confirmed: tuple[str, int] | None = None
        self._finished: list[Record] = []
        self._commands: dict[str, tuple[str, Callable[[str], None]]] = {
            "help": ("this list, and how a move is typed", self._help),
            "hint": ("the best moves; hint 5 lists five", self._hint),
            "undo": ("take your last move back", self._undo),
            "moves": ("list the moves that are allowed", self._moves),
            "rules": ("the rules of the game", self._rules),
            "resign": ("give the contest up", self._resign),
            "swap": ("change seats with the agent", self._swap),
            "new": ("begin another contest", self._new),
            "save": ("write the contest to a file: save mine.json", self._save_as),
            "load": ("go on with a contest in a file: load mine.json", self._load),
            "quit": ("leave (also q)", self._quit),
        }
        self.session = self._begun()

    def play(self) -> None:
        """Play contests until the person leaves, or there is nothing more to read.

        Raises:
            HumanLeft: If the person leaves in the middle of a contest.
        """
        say(" ".join(self.game.page.partition("\n\n")[0].split()) or self.game.title, "bold")
        self._start()
        while True:
            try:
                answer = read_line("> " if self.session.is_over else self._prompt()).strip()
            except EOFError:
                console.print()
                self._quit("")
            self.answer(answer)

    def watch(self, delay: float) -> None:
        """Play one contest of two agents, with pauses of some seconds between the turns."""
        names = self._names()
        say(f"{self.game.spec}: {names[0]} v. {names[1]}", "bold")
        console.print(board_text(self.game.initial), soft_wrap=True)
        while not self.session.is_over:
            began = time.monotonic()
            turn = self._agents_turn()
            self._print_board(turn.after, turn.before)
            if not self.session.is_over:
                time.sleep(max(0.0, delay - (time.monotonic() - began)))
        self._print_result()

    def answer(self, text: str) -> None:
        """Carry out what a person has typed: a command, or a move; bad input is answered with one sentence.

        Raises:
            HumanLeft: If the person leaves.
        """
        word, _, rest = text.strip().partition(" ")
        name = "quit" if word.lower() in ("q", "exit") else word.lower()
        try:
            if name in self._commands:
                self._commands[name][1](rest.strip())
            elif self.session.is_over:
                if word:
                    raise BadInputError(f"{text!r} is not allowed; the contest is over: type new, undo, save or quit")
                self._quit("")
            elif word:
                self.session.play(read_move(self.session.position, text))
                if not self.session.is_within_turn:
                    print_turn(self.session.turns[-1], with_dice=False)
                self._go_on()
            else:
                raise BadInputError(f"type a move, such as {self._example()}, or help")
        except (BadInputError, OSError) as error:
            say(f"{error}".split("\nas a whole move: ")[-1], "red")
            if word.isalpha() and name not in self._commands:
                say("help lists the commands", "dim")

    def _example(self) -> str:
        """Return the text of a whole move that is allowed here."""
        moves = self.session.position.moves()
        return turn_text(self.session.position, moves[len(moves) // 2].actions)

    def write(self) -> None:
        """Write the records of all contests so far, if a file was named and anything was played."""
        records = [*self._finished, *([self.session.record()] if self.session.actions else [])]
        if self._save and records:
            write_records(self._save, records)

    def _begun(self) -> PlaySession:
        with status("Getting ready"):
            return PlaySession(self.game, self._players(), [self._seed])

    def _players(self) -> tuple[Policy | None, Policy | None]:
        """Return the players by seat; ``None`` for a person."""
        own, other = self.opponent.watched, self.opponent.policy
        return (own, other) if self.seat == 0 else (other, own)

    def _names(self) -> list[str]:
        """Return the players' names with their men, by seat."""
        own = self.opponent.watched_name or "you"
        names = [own, self.opponent.name] if self.seat == 0 else [self.opponent.name, own]
        return [f"{name} ({man.name})" for name, man in zip(names, self.game.men, strict=True)]

    def _start(self) -> None:
        """Print whose men are whose, and let the agent play if it is to move."""
        self._introduce_seats()
        self._go_on()

    def _replace(self, session: PlaySession) -> None:
        """Keep the record of the contest so far, and go on with another one."""
        if self.session.actions:
            self._finished.append(self.session.record())
        self.session = session
        self._start()

    def _introduce_seats(self) -> None:
        """Print which men are whose, and how strong the agent is."""
        own, other = (man_text(self.game, seat) for seat in (self.seat, 1 - self.seat))
        say(f"You play {own}; {other} is {self.opponent.strength}.")

    def _prompt(self) -> str:
        man = self.game.men[self.session.seat].name
        if self.session.is_within_turn:
            return f"The rest of your move, such as {self._example()}: "
        is_first = all(turn.seat != self.session.seat for turn in self.session.turns)
        return f"Your move ({man}), such as {self._example()}, or help: " if is_first else f"Your move ({man}): "

    def _go_on(self) -> None:
        """Let the agent play until the person is to move, and print the position, or the result."""
        while not self.session.is_over:
            if not self.session.is_persons_turn:
                try:
                    self._agents_turn()
                except Forfeit as forfeit:
                    say(str(forfeit))
            elif self._forced():
                self.session.play(self._forced())
                print_turn(self.session.turns[-1])
            else:
                break
        console.print()
        self._print_board(self.session.position, self.session.before_last_turn, with_labels=True)
        if self.session.is_over:
            self._print_result()
            say(self._at_the_end, "dim")

    def _forced(self) -> tuple[int, ...]:
        """Return the only legal action if no man is moved by it, such as ``no move``; otherwise nothing."""
        position = self.session.position
        only = position.legal_actions[0]
        is_forced = len(position.legal_actions) == 1 and not locations_of(position, only)
        return (only,) if is_forced else ()

    def _agents_turn(self) -> Turn:
        """Let the agent to move play a whole turn, print it, and return it."""
        session, seat, begun = self.session, self.session.seat, len(self.session.turns)
        player, decisions = session.players[seat], list[tuple[Position, int]]()
        with status(f"{self.game.men[seat].name} is thinking"):
            while not decisions or session.is_within_turn:
                position = session.position
                decisions.append((position, session.advance()))
        turn = session.turns[begun]
        print_turn(turn)
        if self._explain and player is not None and player is self.opponent.policy:
            explainer = explainer_of(player, self.game)
            for position, action in decisions:
                print_explanation(explainer.explanation(position, action))
        return turn

    def _print_board(self, position: Position, before: Position | None, with_labels: bool = False) -> None:
        """Print a position, with what has changed and the line that has decided the contest marked."""
        ending = ending_of(self.session)
        console.print(board_text(position, before, ending.line if ending else (), with_labels), soft_wrap=True)

    def _print_result(self) -> None:
        session = self.session
        if ending := ending_of(session):
            say(sentence_of(ending))
        own_wins = session.points * (1 - 2 * self.seat) > 0
        wins = "win" if own_wins and not self.opponent.watched else "wins"
        say(result_text(session.points, session.is_cut, self._names(), wins), "bold")
        say(f"{counted(session.plies, 'ply')}; seed {self._seed}")

    # the commands

    def _help(self, rest: str) -> None:
        for name, (words, _) in self._commands.items():
            say(f"  {name:8}{words}")
        if not self.session.is_over:
            say(f"To play, type a move, such as {self._example()}. The command moves lists all that are allowed.")
            if len(self.session.resignations(self.seat)) > 1:
                say("resign 2 gives the contest up for two points.")
            if len(self.session.position.moves()[0].actions) > 1:
                say("Its parts may also be typed one by one.")

    def _hint(self, rest: str) -> None:
        if rest and not rest.isdecimal():
            raise BadInputError(f"hint {rest} is not allowed; type hint, or hint and a number")
        self._demand_going_on()
        with status("Looking for the best moves"):
            found = hints(self.session.position, int(rest or 3))
        width = max(len(hint.text) for hint in found.moves)
        for hint in found.moves:
            say(f"  {hint.text:{width}}  {hint.words}")
        if found.as_good:
            say(f"  and {len(found.as_good)} more as good as these")
        say(f"({found.source})", "dim")

    def _undo(self, rest: str) -> None:
        self.session.undo()
        self._go_on()

    def _moves(self, rest: str) -> None:
        self._demand_going_on()
        position = self.session.position
        distinct = {move.afterstate.key: move.actions for move in reversed(position.moves())}
        texts = [turn_text(position, actions) for actions in reversed(distinct.values())]
        more = f", and {len(texts) - _MOST_MOVES} more" if len(texts) > _MOST_MOVES else ""
        say(f"{', '.join(texts[:_MOST_MOVES])}{more}")

    def _rules(self, rest: str) -> None:
        rules = self.game.page.partition("## Rules")[2].partition("\n## ")[0].strip()
        console.print(Markdown(rules or self.game.title))

    def _resign(self, rest: str) -> None:
        if rest and not rest.isdecimal():
            raise BadInputError(f"resign {rest} is not allowed; type resign, or resign and a number of points")
        seat = self.session.seat if self.opponent.policy is None else self.seat
        points = int(rest) if rest else None
        if not self.session.is_over and not is_enough(self.session, seat, points or self.session.resignations(seat)[0]):
            raise BadInputError("the agent expects to win more, and plays on; type resign and a number of points")
        self.session.resign(seat, points)
        self._go_on()

    def _swap(self, rest: str) -> None:
        if self.opponent.policy is None:
            raise BadInputError("people play both seats; change your chairs")
        self.seat = 1 - self.seat
        if self.session.is_over:
            self._new("")
            return
        self.session = PlaySession.of_record(self.session.record(), self.game, self._players())
        self._start()

    def _new(self, rest: str) -> None:
        self._seed += 1
        self._replace(self._begun())

    def _load(self, rest: str) -> None:
        if not rest:
            raise BadInputError("load needs the name of a file: load mine.json")
        path = Path(rest)
        found = recorded_contest(path if path.suffix else path.with_suffix(".json"), 1)
        if found.game.spec != self.game.spec:
            raise BadInputError(f"{rest} is a contest of {found.game.spec}; leave, and play {found.game.spec}")
        session = PlaySession.of_record(found.record, self.game, self._players())
        self._demand_confirmed(f"load {rest}")
        self._replace(session)

    def _save_as(self, rest: str) -> None:
        if not rest:
            raise BadInputError("save needs the name of a file: save mine.json")
        path = Path(rest)
        path = path if path.suffix else path.with_suffix(".json")
        demand_record_name(path)
        write_records(path, [self.session.record()])
        say(f"written to {path}; load {path} goes on with it, and boardgames replay {path} shows it")

    def _quit(self, rest: str) -> None:
        if self.session.is_over:
            raise SystemExit(0)
        raise HumanLeft

    def _demand_confirmed(self, command: str) -> None:
        """Raise `BadInputError` if a command ends a contest that goes on, unless it is typed twice in a row."""
        asked = command, len(self.session.actions)
        if self.session.actions and not self.session.is_over and self._confirmed != asked:
            self._confirmed = asked
            raise BadInputError(f"your contest goes on: save it first, or type {command} again to leave it")

    def _demand_going_on(self) -> None:
        if self.session.is_over:
            raise BadInputError("the contest is over; type new for another one")
