"""Match files: contests as ``.mat`` text, which Jellyfish, gnubg and others exchange.

A file begins with the length of the match, 0 for a money session. Every contest has two columns of turns, seat 0's
and seat 1's; a turn is a roll and its play, or what a seat does with the cube::

     0 point match

     Game 1
     td_gammon : 0                  pubeval : 0
      1)                             31: 8/5 6/5
      2) 64: 24/14                    Doubles => 2
      3)  Takes                      52: 13/8 6/4

A match to 7 points begins with ``7 point match``, and each of its games with the points of both players. The first
game in which a seat needs a single point is the Crawford game.

A comment ``; [Rules "backgammon(cube=True)"]`` names the game; other programs ignore it. (Version 0.1 wrote ``Game``
for ``Rules``, a word that GNU Backgammon 1.07 allows in no comment: it ends with a segmentation fault.)

Every turn is played by the rules as it is read, so that what comes out is a contest that can be played again. Columns
need not be aligned; the roll of a turn may stand without its play where a seat resigns.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from boardgames_env.contest import Contest, turns
from boardgames_env.decoding import decoded
from boardgames_env.errors import BadInputError
from boardgames_env.files import write_atomically
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.games.backgammon.notation import NOTHING, parse_play, play_text
from boardgames_env.games.backgammon.notation.words import has_dice, roll_text
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.games.backgammon.rules.legality import SEATS, demand_backgammon
from boardgames_env.games.backgammon.rules.turns import event_of, for_the_other_seat
from boardgames_env.match_score import MatchScore
from boardgames_env.position import Position

_LEFT_COLUMN = 27
_RIGHT_INDENT = 34
_LONGEST_LINE = 2000
_RIGHT_AT_MOST = 60
"""Twice the column before which a lone turn is white's. (A long name moves black's name, but not the turns below.)"""

_COMMENT = re.compile(r"\s*;(?:\s*\[(?:Rules|Game) \"(.*)\"\])?")
_LENGTH = re.compile(r"\s*(\d{1,4})\s+point\s+match\b", re.IGNORECASE)
_HEADING = re.compile(r"\s*Game\s+\d+\s*", re.IGNORECASE)
_SCORES = re.compile(r"\s*(\S.*?)\s*:\s*(\d{1,4})\s{2,}(\S.*?)\s*:\s*(\d{1,4})\s*")
_ROW = re.compile(r"\s*(?:\d+\)|(?=Wins))", re.IGNORECASE)
_TURN = re.compile(r"\b([1-6])([1-6]):|\b(Doubles|Beavers|Takes|Drops|Wins)\b", re.IGNORECASE)

_CUBE_ACTIONS = {"doubles": board.DOUBLE, "beavers": board.BEAVER, "takes": board.TAKE, "drops": board.DROP}


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
class MatchContest:
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
        game: The game of a money session; in a match, the same rules are played at the score of the match.
        players: What seats 0 and 1 are called, in all contests.
        contests: The contests, in order; those of a match are its games.
        length: How many points win the match; 0 for a money session.
        scores: The two seats' points before the first contest.
    """

    game: Game
    players: tuple[str, str]
    contests: Sequence[Played]
    length: int = 0
    scores: tuple[int, int] = (0, 0)

    @property
    def game_of_contests(self) -> Game:
        """The game of the contests: one game of a match, or that of a money session.

        Raises:
            BadInputError: If there is no such match of the game.
        """
        return self.game.at_score(MatchScore.begun(self.length)) if self.length else self.game

    @property
    def scores_after(self) -> tuple[int, int]:
        """The two seats' points after the contests."""
        outcomes = [contest.outcome for contest in self.contests]
        first, second = self.scores
        return first + sum(max(each, 0) for each in outcomes), second + sum(max(-each, 0) for each in outcomes)

    @property
    def starts(self) -> tuple[Position, ...]:
        """The position at the start of each contest, and of the next one, unless the match is won.

        Raises:
            BadInputError: If a game follows the end of the match, or there is no such match.
        """
        if not self.length:
            return (self.game.initial,) * (len(self.contests) + 1)
        return tuple(_start_of_game(self.game_of_contests, score) for score in self.scores_before)

    @property
    def scores_before(self) -> tuple[MatchScore, ...]:
        """The score of a match before each contest, and before the next one, unless the match is won.

        Raises:
            BadInputError: As `starts`.
        """
        score, scores = MatchScore.begun(self.length, self.scores), list[MatchScore]()
        for contest in self.contests:
            if score.winner is not None:
                raise BadInputError(f"the match to {self.length} points is won, and there can be no more games")
            scores.append(score)
            score = score.after(contest.outcome)
        return (*scores, *([score] if score.winner is None else []))


def _start_of_game(game: Game, score: MatchScore) -> Position:
    """Return the initial position of one game of a match, at a score."""
    state = game.initial.state.copy()
    state[board.AWAY : board.AWAY + 2], state[board.CRAWFORD] = score.away, score.is_crawford
    return game.position(state)


def games_of(match: Game, contest: Played) -> list[MatchContest]:
    """Return the games of a contest of a game whose contests are whole matches; one that was broken off counts."""
    position, left = match.initial, (iter(contest.events), iter(contest.actions))
    games, decided = list[MatchContest](), (list[int](), list[int]())
    while True:
        points = position.part.outcome
        if points is not None:
            games.append(MatchContest(tuple(decided[0]), tuple(decided[1]), points))
            decided = ([], [])
        if position.is_over:
            return games
        kind = 0 if position.awaits_chance else 1
        choice = next(left[kind], None)
        if choice is None:
            return [*games, *([MatchContest(tuple(decided[0]), tuple(decided[1]), 0)] if decided[0] else [])]
        decided[kind].append(choice)
        position = position.play(choice) if kind else position.happen(choice)


def seats_exchanged(contest: Played) -> MatchContest:
    """Return a contest with the seats exchanged. (A column of a match file is a player.)"""
    events = tuple(contest.events)
    return MatchContest((*map(for_the_other_seat, events[:1]), *events[1:]), tuple(contest.actions), -contest.outcome)


def write_match(path: str | Path, match: Match) -> None:
    """Write a match file, replacing an existing one atomically; see `match_text`."""
    write_atomically(Path(path), match_text(match).encode())


def match_text(match: Match) -> str:
    """Return the text of a match file.

    Raises:
        BadInputError: If a contest is not one of the game, or ends amid a play.
    """
    demand_backgammon(match.game)
    lines = [f'; [Rules "{match.game.at_score(None).spec}"]', "", f" {match.length} point match", ""]
    first, second = match.scores
    one, other = (" ".join(name.split()) or "?" for name in match.players)
    for number, (contest, start) in enumerate(zip(match.contests, match.starts, strict=False), start=1):
        lines += [f" Game {number}", f" {f'{one} : {first}':<29}  {other} : {second}"]
        first, second = first + max(contest.outcome, 0), second + max(-contest.outcome, 0)
        ends = 0 < match.length <= max(first, second)
        lines += [*_columns_of_turns(list(_texts_of_turns(start, contest)), contest.outcome, ends), ""]
    return "\n".join(lines)


def _columns_of_turns(turns: list[tuple[int, str]], outcome: int, ends_match: bool) -> list[str]:
    """Return the rows of turns of alternate seats, in two columns, and who wins.

    That is in a row of its own unless it fits beside the last turn, where GNU Backgammon expects it.
    """
    texts = [text for _, text in turns]
    if turns and turns[0][0] == 1:
        texts.insert(0, "")
    wins = f"Wins {abs(outcome)} point{'s' * (abs(outcome) > 1)}{' and the match' * ends_match}"
    is_beside = outcome < 0 and len(texts) % 2 == 1
    if is_beside:
        texts.append(f" {wins}")
    pairs = zip(texts[::2], [*texts[1::2], ""], strict=False)
    rows = [f"{row:3}) {left:<{_LEFT_COLUMN}} {right}".rstrip() for row, (left, right) in enumerate(pairs, start=1)]
    if outcome and not is_beside:
        rows.append(f"{' ' * (6 if outcome > 0 else _RIGHT_INDENT)}{wins}")
    return rows


def _texts_of_turns(start: Position, contest: Played) -> Iterator[tuple[int, str]]:
    """Yield the seat and the text of each turn of a contest."""
    reached = start
    for turn in turns(start, contest.actions, contest.events):
        position, reached, text = turn.before, turn.after, ""
        if has_dice(position):
            if has_dice(reached):
                raise BadInputError("a contest that ends amid a play cannot be written to a match file")
            play = play_text(position, turn.actions)
            text = f"{roll_text(position.state)}: {'' if play == NOTHING else play}".rstrip()
        elif turn.event is None:
            text = _with_the_cube(position, turn.actions[0])
        if text:
            yield turn.seat, text
    if has_dice(reached):
        yield reached.seat, f"{roll_text(reached.state)}:"


def _with_the_cube(position: Position, action: int) -> str:
    """Return a cube decision's text; none for a roll or taken beaver, which the roll implies."""
    turned = 2 ** (int(position.state[board.CUBE]) + 1)
    if action == board.ROLL or (action == board.TAKE and position.state[board.STAGE] == board.BEAVERED):
        return ""
    texts = {
        board.DOUBLE: f" Doubles => {turned}",
        board.TAKE: " Takes",
        board.DROP: " Drops",
        board.BEAVER: f" Beavers => {2 * turned}",
    }
    return texts[action]


def read_match(path: str | Path, game: Game | None = None) -> Match:
    """Read a match file; the game is by default the file's, or else backgammon with a cube.

    Raises:
        BadInputError: If there is no such file, or something is wrong in it: the message names the line.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadInputError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    try:
        return parse_match(decoded(content), game)
    except BadInputError as error:
        raise BadInputError(f"{str(path)!r} is not a match file: {error}") from None


def parse_match(text: str, game: Game | None = None) -> Match:
    """Read the text of a match file; see `read_match`.

    Raises:
        BadInputError: If something is wrong in it: the message names the line.
    """
    reader = _Reader(game)
    try:
        for line in text.split("\n"):
            reader.take(line.expandtabs())
        return reader.match()
    except BadInputError as error:
        raise BadInputError(f"line {reader.line}: {error}") from None


class _Reader:
    def __init__(self, game: Game | None) -> None:
        self.line = 0
        self._game = game
        self._length: int | None = None
        self._match: Match | None = None
        self._contest: _ContestReader | None = None
        self._awaits_scores = False

    def take(self, line: str) -> None:
        """Read one more line."""
        self.line += 1
        if len(line) > _LONGEST_LINE:
            raise BadInputError(f"it has {len(line)} characters, more than {_LONGEST_LINE}")
        if found := _COMMENT.match(line):
            if found[1] and self._game is None and self._length is None:
                self._game = make_game(found[1])
                demand_backgammon(self._game)
        elif not line.strip():
            return
        elif self._length is None:
            self._begin(line)
        elif _HEADING.fullmatch(line):
            if self._awaits_scores:
                raise BadInputError("a contest begins before the players of the one before are named")
            self._match = self._match and self._end_contest(self._match)
            self._awaits_scores = True
        elif self._awaits_scores:
            self._take_scores(line)
        elif self._contest is None:
            raise BadInputError(f"'Game 1' is expected, not {line.strip()!r}")
        else:
            self._contest.take_row(line)

    def match(self) -> Match:
        """Return the match that has been read."""
        if self._match is None or self._awaits_scores:
            raise BadInputError("the file ends before the first turn of a contest")
        return self._end_contest(self._match)

    def _begin(self, line: str) -> None:
        found = _LENGTH.match(line)
        if not found:
            raise BadInputError(f"a match file begins with a line like '7 point match', not {line.strip()[:60]!r}")
        self._length = int(found[1])
        self._game = (self._game or make_game("backgammon(cube=True)")).at_score(None)
        demand_backgammon(self._game)

    def _take_scores(self, line: str) -> None:
        found = _SCORES.fullmatch(line)
        if not found:
            raise BadInputError(f"the players and their points are expected, like 'one : 0   other : 2', not {line!r}")
        players, scores = (found[1], found[3]), (int(found[2]), int(found[4]))
        if self._match is None:
            assert self._game is not None
            assert self._length is not None
            self._match = Match(self._game, players, (), self._length, scores)
        match, reached = self._match, self._match.scores_after
        if (players, scores) != (match.players, reached):
            expected = "  ".join(f"{name} : {points}" for name, points in zip(match.players, reached, strict=True))
            raise BadInputError(f"after the contests before it is {expected!r}, not {line.strip()!r}")
        self._awaits_scores = False
        starts = match.starts
        if len(starts) == len(match.contests):
            raise BadInputError(f"the match to {match.length} points is won, and there can be no more games")
        self._contest = _ContestReader(starts[-1], line.index(found[3], found.end(2)))

    def _end_contest(self, match: Match) -> Match:
        """Return a match with the contest that is being read, if there is one."""
        contest, self._contest = self._contest, None
        return replace(match, contests=(*match.contests, contest.contest())) if contest else match


class _ContestReader:
    """One contest, played as it is read; ``right`` is roughly where the right column begins."""

    def __init__(self, start: Position, right: int) -> None:
        self._played = Contest(start.game, start=start)
        self._right = min(right, _RIGHT_AT_MOST)
        self._outcome: int | None = None
        self._unplayed = False

    def contest(self) -> MatchContest:
        """Return the contest that has been read."""
        outcome = self._played.points if self._outcome is None else self._outcome
        return MatchContest(tuple(self._played.events), tuple(self._played.actions), outcome)

    def take_row(self, line: str) -> None:
        """Read a row: the turns of both seats, of one, or the winner."""
        number = _ROW.match(line)
        turns = list(_TURN.finditer(line, number.end())) if number else []
        if not number or line[number.end() : turns[0].start() if turns else None].strip():
            raise BadInputError(f"{line.strip()!r} is not a row of turns; one is written like '1) 31: 8/5 6/5'")
        for i, turn in enumerate(turns):
            rest = line[turn.end() : turns[i + 1].start() if i + 1 < len(turns) else None].strip()
            in_two = i == 0 and len(turns) == 2
            column = int(i == 1 or (not in_two and turn.start() > self._right / 2))
            self._take_turn(column, turn, rest)

    def _take_turn(self, column: int, turn: "re.Match[str]", rest: str) -> None:
        if self._outcome is not None:
            raise BadInputError("the contest is won, and there can be no more turns")
        word = (turn[3] or "").lower()
        if word == "wins":
            self._win(column, rest)
            return
        if self._played.is_over:
            raise BadInputError(f"the contest is over, and {turn[0]!r} comes after its end")
        if self._unplayed:
            raise BadInputError(
                "the roll before was not played, and there is no play left out but before a resignation"
            )
        if self._played.state[board.STAGE] != board.OPENING and column != self._played.seat:
            raise BadInputError(
                f"{turn[0]!r} is in the column of {SEATS[column]}, but it is {SEATS[self._played.seat]}'s turn"
            )
        if word:
            self._use_cube(word, rest)
        else:
            self._roll(column, int(turn[1]), int(turn[2]))
            self._play(rest)

    def _roll(self, seat: int, one: int, other: int) -> None:
        stage = self._played.state[board.STAGE]
        if stage == board.DOUBLED:
            raise BadInputError("a double must be taken or dropped before the next roll")
        if stage in (board.DOUBLING, board.BEAVERED):
            self._played.play(board.ROLL if stage == board.DOUBLING else board.TAKE)
        if stage == board.OPENING and one == other:
            raise BadInputError("the opening roll is of two different dice")
        self._played.happen(event_of(one, other, seat if stage == board.OPENING else None))

    def _play(self, text: str) -> None:
        if not text and board.NO_MOVE not in self._played.position.legal_actions:
            self._unplayed = True
            return
        for action in parse_play(self._played.position, text):
            self._played.play(action)

    def _use_cube(self, word: str, rest: str) -> None:
        action = _CUBE_ACTIONS[word]
        if action not in self._played.position.legal_actions:
            raise BadInputError(f"{SEATS[self._played.seat]} cannot do that here: {word!r}")
        if action in (board.DOUBLE, board.BEAVER):
            shown = 2 ** (int(self._played.state[board.CUBE]) + (1 if action == board.DOUBLE else 2))
            if rest.replace(" ", "") != f"=>{shown}":
                raise BadInputError(f"the cube is turned to {shown} here: '{word.title()} => {shown}', not {rest!r}")
        elif rest:
            raise BadInputError(f"nothing stands behind {word!r}, but here is {rest!r}")
        self._played.play(action)

    def _win(self, column: int, rest: str) -> None:
        found = re.match(r"(\d{1,5}) points?\b", rest)
        points = int(found[1]) if found else 0
        if points == 0:
            raise BadInputError(f"'Wins 2 points' is expected, not {'Wins ' + rest!r}")
        self._outcome = points if column == 0 else -points
        if self._played.is_over:
            self._outcome = self._played.points
            if abs(self._outcome) != points:
                raise BadInputError(
                    f"the contest is won with {abs(self._outcome)} points by the rules of "
                    f"{self._played.game.spec}, not with {points}"
                )
