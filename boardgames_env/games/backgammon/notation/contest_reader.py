"""One contest of a match file, row by row: every turn is played by the rules as it is read."""

import re

from boardgames_env.contest import Contest
from boardgames_env.errors import BadInputError
from boardgames_env.games.backgammon.notation import parse_play
from boardgames_env.games.backgammon.notation.match_dialects import (
    DICE,
    WrittenScores,
    WrittenTurn,
    is_name,
    is_row,
    turns_of_row,
)
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.games.backgammon.rules.legality import SEATS
from boardgames_env.games.backgammon.rules.turns import event_of
from boardgames_env.moves import actions_of, moves_of
from boardgames_env.position import Position

_RIGHT_COLUMN = (24, 60)
"""Twice the column before which a lone turn is white's, at least and at most.

(A short or long name moves black's name, but not the turns below.)
"""

_TURNED_TO = re.compile(r"(?:[=-]+>|to|at|[:=])?\s*(\d{1,5})?", re.IGNORECASE)
_CUBE_ACTIONS = {"doubles": board.DOUBLE, "beavers": board.BEAVER, "takes": board.TAKE, "drops": board.DROP}


class ContestReader:
    """One contest, played as it is read.

    Attributes:
        played: The contest so far.
        is_exchanged: Whether its columns are those of the other players in the contests before.
    """

    def __init__(self, start: Position, written: WrittenScores, is_exchanged: bool) -> None:
        self.played = Contest(start.game, start=start)
        self._players = written.players
        self._right = sorted((written.right, *_RIGHT_COLUMN))[1]
        self.is_exchanged = is_exchanged
        self._outcome: int | None = None
        self._given_up: int | None = None
        self._is_unplayed = False

    @property
    def has_turns(self) -> bool:
        """Whether a turn has been read."""
        return bool(self.played.actions)

    def outcome(self, gained: tuple[int, int] | None) -> int:
        """Return the points of seat 0; ``gained`` are those of both players by the next scores, if there are any."""
        one, other = (gained or (0, 0))[:: -1 if self.is_exchanged else 1]
        if self._outcome is not None or self.played.is_over:
            return self.played.points if self._outcome is None else self._outcome
        has_one_winner = min(one, other) == 0 < max(one, other)
        return one - other if has_one_winner else self._given_up or 0

    def take_row(self, line: str) -> None:
        """Read a row: the turns of both seats, of one, or the winner."""
        before, turns = turns_of_row(line)
        named = [column for column, player in enumerate(self._players) if before and is_name(before, player)]
        if (not turns and line.strip() and (before or not is_row(line))) or (before and not named):
            raise BadInputError(f"{line.strip()!r} is not a row of turns; one is written like '1) 31: 8/5 6/5'")
        in_two = sum(not turn.is_beside for turn in turns) == 2
        column = 0
        for i, turn in enumerate(turns):
            if named:
                column = named[0]
            elif not turn.is_beside:
                column = min(i, 1) if in_two else int(turn.start > self._right / 2 or i == 1)
            self._take_turn(column, turn)

    def _take_turn(self, column: int, turn: WrittenTurn) -> None:
        if self._outcome is not None:
            raise BadInputError("the contest is won, and there can be no more turns")
        if turn.word == "wins":
            self._win(column, turn.text)
            return
        if turn.word in ("resigns", "forfeits"):
            self._give_up(column, turn)
            return
        if self.played.is_over:
            raise BadInputError(f"the contest is over, and {turn.written!r} comes after its end")
        if self._given_up is not None:
            raise BadInputError(f"a seat has resigned, and {turn.written!r} comes after that")
        if self._is_unplayed:
            self._play_what_can_be_played()
        if self.played.state[board.STAGE] != board.OPENING and column != self.played.seat:
            raise BadInputError(
                f"{turn.written!r} is in the column of {SEATS[column]}, but it is {SEATS[self.played.seat]}'s turn"
            )
        if turn.word == DICE:
            self._roll(column, *turn.dice)
            self._play(turn.text)
        else:
            self._use_cube(turn.word, turn.text)

    def _roll(self, seat: int, one: int, other: int) -> None:
        stage = self.played.state[board.STAGE]
        if stage == board.DOUBLED:
            raise BadInputError("a double must be taken or dropped before the next roll")
        if stage in (board.DOUBLING, board.BEAVERED):
            self.played.play(board.ROLL if stage == board.DOUBLING else board.TAKE)
        if stage == board.OPENING and one == other:
            raise BadInputError("the opening roll is of two different dice")
        self.played.happen(event_of(one, other, seat if stage == board.OPENING else None))

    def _play(self, text: str) -> None:
        if not text and board.NO_MOVE not in self.played.position.legal_actions:
            self._is_unplayed = True
            return
        for action in parse_play(self.played.position, text):
            self.played.play(action)

    def _play_what_can_be_played(self) -> None:
        """Play a roll whose play was left out because there is one alone."""
        _, rows = moves_of(self.played.game, self.played.state)
        if len(rows) != 1:
            raise BadInputError(
                "the roll before was not played, and there is no play left out but before a resignation, or where "
                "there is one play"
            )
        for action in actions_of(rows[0]):
            self.played.play(action)
        self._is_unplayed = False

    def _use_cube(self, word: str, rest: str) -> None:
        if word == "raccoons":
            raise BadInputError("there are no raccoons here: a beaver is taken or dropped")
        action = _CUBE_ACTIONS[word]
        if action not in self.played.position.legal_actions:
            raise BadInputError(f"{SEATS[self.played.seat]} cannot do that here: {word!r}")
        if action in (board.DOUBLE, board.BEAVER):
            shown = 2 ** (int(self.played.state[board.CUBE]) + (1 if action == board.DOUBLE else 2))
            found = _TURNED_TO.fullmatch(rest)
            if not found or int(found[1] or shown) != shown:
                raise BadInputError(f"the cube is turned to {shown} here: '{word.title()} => {shown}', not {rest!r}")
        elif rest:
            raise BadInputError(f"nothing stands behind {word!r}, but here is {rest!r}")
        self.played.play(action)

    def _give_up(self, column: int, turn: WrittenTurn) -> None:
        """Note what a seat loses that gives up, unless the winner's line or the next scores say otherwise."""
        state, rest = self.played.state, turn.text.lower()
        lost = 2 ** int(state[board.CUBE]) * (3 if "backgammon" in rest else 2 if "gammon" in rest else 1)
        score = self.played.game.score
        if score and (turn.word == "forfeits" or "match" in rest):
            lost = max(lost, score(state).away[1 - column])
        self._given_up = -lost if column == 0 else lost

    def _win(self, column: int, rest: str) -> None:
        found = re.match(r"(\d{1,5})\s*(?:points?\b|pts?\b|$)", rest, re.IGNORECASE)
        points = int(found[1]) if found else 0
        if points == 0:
            raise BadInputError(f"'Wins 2 points' is expected, not {'Wins ' + rest!r}")
        self._outcome = points if column == 0 else -points
        if self.played.is_over:
            self._outcome = self.played.points
            if abs(self._outcome) != points:
                raise BadInputError(
                    f"the contest is won with {abs(self._outcome)} points by the rules of "
                    f"{self.played.game.spec}, not with {points}"
                )
