"""Lessons at the terminal: a trainer sets a person's contests, and what went wrong is printed."""

from dataclasses import replace

from boardgames_agents.people.course import Course, beginning_of, findings_in, names_of, words_on
from boardgames_agents.people.pupil_file import PupilFiles
from boardgames_agents.people.session import PERSON, PlaySession
from boardgames_agents.record import Record
from boardgames_cli.contest_text import board_text, say
from boardgames_cli.play_at_terminal import PlayAtTerminal, TerminalOpponent
from boardgames_cli.printing import console, status
from boardgames_env import BadInputError, Game


class LearnAtTerminal(PlayAtTerminal):
    """Contests at the terminal that a trainer sets; what went wrong in each is kept, and printed at its end.

    Args:
        game: The game.
        files: The profiles.
        name: The person's name.
        trainer: The trainer's spec.
        seed: The random seed of the first contest; the next has the next one.
    """

    _at_the_end = "new, save FILE, or quit"

    def __init__(self, game: Game, files: PupilFiles, name: str, trainer: str, seed: int) -> None:
        self._course, self._name, self._trainer = Course(files, name, game), name, trainer
        super().__init__(TerminalOpponent(game, None, "you", ""), 0, seed, explain=False, save=None)
        for command in ("swap", "load"):
            del self._commands[command]
        self._commands["new"] = ("the next contest, when this one is over", self._new)

    def _begun(self) -> PlaySession:
        game = self.game
        with status("Getting the next contest ready"):
            self._assignment = self._course.next_lesson(self._trainer)
            meeting = self._course.meeting(self._assignment)
        self._is_kept = False
        self.seat = meeting.seats[0] if meeting.seats else 0
        one, other = (None if seat in meeting.seats else each for seat, each in enumerate(meeting.players))
        own, policy = (one, other) if self.seat == 0 else (other, one)
        given = names_of(meeting)[1 - self.seat] or (policy.spec if policy else "you")
        self.opponent = TerminalOpponent(game, policy, given, f"played by {given}", own, own.spec if own else "")
        specs = (one.spec if one else PERSON, other.spec if other else PERSON)
        begun = Record(game.spec, specs, meeting.opening, 0, cut=False, plies=0, seed=(self._seed,))
        return PlaySession.of_record(begun, game, (one, other))

    def _introduce_seats(self) -> None:
        say(f"Contest {self._assignment.number + 1} of {self._name}: {words_on(self._trainer)}.")
        if self._assignment.kind == "lesson":
            super()._introduce_seats()
        else:
            say("You watch." if self._assignment.kind == "watching" else "You play both sides.")
        if words := beginning_of(self._assignment):
            say(words)

    def _print_result(self) -> None:
        super()._print_result()
        if self._is_kept:
            return
        self._is_kept, assignment = True, self._assignment
        with status("Looking for what went wrong"):
            findings = findings_in(assignment, self.session.turns)
        self._course.keep(assignment, self.session.record(), findings=findings)
        console.print()
        say(findings.summary, "bold")
        for mistake in findings.shown:
            console.print()
            console.print(board_text(mistake.before, with_labels=True), soft_wrap=True)
            mover = "You" if len(assignment.seats) == 1 else self.game.men[mistake.before.seat].name.capitalize()
            say(f"{mover} played {mistake.played.text}, which {mistake.played.clause}.")
            say(mistake.better)
            if mistake.reason:
                say(mistake.reason, "dim")

    # the commands

    def _hint(self, rest: str) -> None:
        super()._hint(rest)
        self._helped()

    def _undo(self, rest: str) -> None:
        self._demand_going_on()
        seats, opening = self._assignment.seats, self._assignment.opening
        if not any(turn.seat in seats and turn.number >= opening for turn in self.session.turns):
            raise BadInputError("there is no move of yours to take back")
        self._helped()
        super()._undo(rest)

    def _new(self, rest: str) -> None:
        if not self.session.is_over:
            raise BadInputError("this contest counts; finish it or type resign first")
        super()._new(rest)

    def _helped(self) -> None:
        self._assignment = replace(self._assignment, helped=self._assignment.helped + 1)
