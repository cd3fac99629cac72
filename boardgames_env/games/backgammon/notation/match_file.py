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
for ``Rules``, a word that GNU Backgammon 1.07 allows in no comment: it ends with a segmentation fault.) What other
programs say of the rules in comments is heard, too (`match_dialects`).

Every turn is played by the rules as it is read, so that what comes out is a contest that can be played again. Columns
need not be aligned; the roll of a turn may stand without its play where a seat resigns, or where there is one play.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from boardgames_env.contest import turns
from boardgames_env.decoding import decoded
from boardgames_env.errors import BadInputError
from boardgames_env.files import write_atomically
from boardgames_env.game import Game
from boardgames_env.games.backgammon.notation import NOTHING, play_text
from boardgames_env.games.backgammon.notation.contest_reader import ContestReader
from boardgames_env.games.backgammon.notation.foreign_files import converted, demand_match_text
from boardgames_env.games.backgammon.notation.match_dialects import (
    WrittenRules,
    WrittenScores,
    demand_no_set_up,
    is_comment,
    is_heading,
    length_of,
    lines_of,
    matches_in,
    scores_of,
)
from boardgames_env.games.backgammon.notation.matches import Match, MatchContest, Played, seats_exchanged, start_of_game
from boardgames_env.games.backgammon.notation.words import has_dice, roll_text
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.games.backgammon.rules.legality import demand_backgammon
from boardgames_env.position import Position

_LEFT_COLUMN = 27
_RIGHT_INDENT = 34
_LONGEST_LINE = 2000


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


def read_match(path: str | Path, game: Game | None = None, *, match: int = 1, strict: bool = True) -> Match:
    """Read a match file, also of eXtreme Gammon (``.xg``) and BGBlitz (``.bgf``); see `parse_match`.

    Raises:
        BadInputError: If there is no such file, it is of another kind, or something is wrong in it: the message names
            the line.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadInputError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    return match_in(content, str(path), game, match=match, strict=strict)


def match_in(content: bytes, name: str, game: Game | None = None, *, match: int = 1, strict: bool = True) -> Match:
    """Read the content of a match file, which messages call by a name; see `read_match`."""
    return _parsed(_text_in(content, name), game, match, strict, f"{name!r} is not a match file: ")


def every_match_in(content: bytes, name: str) -> tuple[Match, ...]:
    """Read all matches in the content of a match file, each as far as it can be read.

    Raises:
        BadInputError: If no turn of any of them can be read; others of which none can are named in the first warnings.
    """
    text, found, errors = _text_in(content, name), list[Match](), list[BadInputError]()
    for match in range(1, max(1, len(matches_in(lines_of(text)))) + 1):
        try:
            found.append(_parsed(text, None, match, False, f"{name!r} is not a match file: "))
        except BadInputError as error:
            errors.append(error)
    if not found:
        raise errors[0]
    first, *others = found
    return replace(first, warnings=(*first.warnings, *map(str, errors))), *others


def _text_in(content: bytes, name: str) -> str:
    text = converted(name, content)
    if text is None:
        text = decoded(content)
        for each in (content.decode("latin-1"), text):  # (other files begin with bytes of their own)
            demand_match_text(name, each)
    return text


def parse_match(text: str, game: Game | None = None, *, match: int = 1, strict: bool = True) -> Match:
    """Read the text of a match file.

    Args:
        text: The text, in the words of any program (`match_dialects`).
        game: The game. By default it is what the comments say of the rules, or else backgammon with a cube.
        match: The number of the match, where the text contains several.
        strict: Whether anything that cannot be read is an error. If not, the match goes as far as it can be read, at
            least to its first turn, and `Match.warnings` tells the line and the reason.

    Raises:
        BadInputError: If something is wrong in it: the message names the line.
    """
    return _parsed(text, game, match, strict, "")


def _parsed(text: str, game: Game | None, match: int, strict: bool, what: str) -> Match:
    """Read a match; ``what`` begins the message of an error."""
    lines = lines_of(text)
    parts = matches_in(lines)
    if not 1 <= match <= len(parts):
        raise BadInputError(f"match={match} is not allowed; the text has {len(parts)} of them, counted from 1")
    reader, warnings = _Reader(game, parts[match - 1].start), list[str]()
    if len(parts) > 1:
        warnings.append(f"this is match {match} of {len(parts)} in the text; --match (in Python, match) takes another")
    try:
        for number in parts[match - 1]:
            reader.take(lines[number])
        reader.end()
    except BadInputError as error:
        if strict or not reader.has_turns:
            raise BadInputError(f"{what}line {reader.line}: {error}") from None
        reader.stop()
        warnings.append(f"line {reader.line}: {error}; the match is read up to there")
    return replace(reader.match(), warnings=tuple(warnings))


class _Reader:
    """Reads a match line by line; ``line`` is the number of the last one."""

    def __init__(self, game: Game | None, line: int) -> None:
        self.line = line
        self._game = game
        self._rules = WrittenRules()
        self._length: int | None = None
        self._title: tuple[int, str] | None = None
        self._match: Match | None = None
        self._contest: ContestReader | None = None
        self._awaits_scores = False

    @property
    def has_turns(self) -> bool:
        """Whether a turn, or a whole contest, has been read."""
        return bool(self._match and self._match.contests) or bool(self._contest and self._contest.has_turns)

    def take(self, line: str) -> None:
        """Read one more line."""
        self.line += 1
        if len(line) > _LONGEST_LINE:
            raise BadInputError(f"it has {len(line)} characters, more than {_LONGEST_LINE}")
        if is_comment(line):
            demand_no_set_up(line)
            if self._game is None:
                self._rules.take(line)
        elif not line.strip():
            return
        elif self._awaits_scores and (scores := scores_of(line)):
            self._take_scores(line, scores)
        elif is_heading(line):
            self._take_heading(line)
        elif self._length is None or not (self._match or self._awaits_scores):
            self._take_title(line)
        elif self._awaits_scores:
            raise BadInputError(f"the players and their points are expected, like 'one : 0   other : 2', not {line!r}")
        elif length_of(line) != self._length:  # (some programs write it above every game)
            assert self._contest is not None
            self._contest.take_row(line)

    def end(self) -> None:
        """Check that something has been read, when there are no more lines."""
        self._demand_length("")
        if self._match is None:
            raise BadInputError("the file ends before the first turn of a contest")

    def stop(self) -> None:
        """Leave out a contest of which no turn has been read."""
        if self._contest and not self._contest.has_turns:
            self._contest = None

    def match(self) -> Match:
        """Return the match that has been read."""
        assert self._match is not None
        return self._with_contest(self._match)

    def _take_title(self, line: str) -> None:
        """Read a line above the first game: the length of the match, or anything before it."""
        length = length_of(line)
        if length is not None:
            self._length = length
        elif self._length is None:
            self._title = self._title or (self.line, line.strip()[:60])
        else:
            raise BadInputError(f"'Game 1' is expected, not {line.strip()!r}")

    def _demand_length(self, line: str) -> int:
        if self._length is None:
            self.line, title = self._title or (self.line, line.strip())
            raise BadInputError(f"a match file begins with a line like '7 point match', not {title!r}")
        return self._length

    def _take_heading(self, line: str) -> None:
        self._demand_length(line)
        if self._awaits_scores:
            raise BadInputError("a contest begins before the players of the one before are named")
        self._awaits_scores = True

    def _take_scores(self, line: str, written: WrittenScores) -> None:
        length = self._demand_length(line)
        if self._match is None:
            game = self._game.at_score(None) if self._game else self._rules.game(length)
            demand_backgammon(game)
            self._match = Match(game, written.players, (), length, written.points)
        is_exchanged = not written.is_of(self._match.players) and written.is_of(self._match.players[::-1])
        points = written.points[::-1] if is_exchanged else written.points
        self._match = match = self._with_contest(self._match, points)
        if not (written.is_of(match.players) or is_exchanged) or points != match.scores_after:
            both = zip(match.players, match.scores_after, strict=True)
            expected = "  ".join(f"{name} : {each}" for name, each in both)
            raise BadInputError(f"after the contests before it is {expected!r}, not {line.strip()!r}")
        starts = match.starts
        if len(starts) == len(match.contests):
            raise BadInputError(f"the match to {match.length} points is won, and there can be no more games")
        start = starts[-1]
        if is_exchanged and match.length:
            start = start_of_game(match.game_of_contests, match.scores_before[-1].turned)
        self._awaits_scores = False
        self._contest = ContestReader(start, written, is_exchanged)

    def _with_contest(self, match: Match, points_after: tuple[int, int] | None = None) -> Match:
        """Return a match with the contest that has been read, if there is one, after which the seats have points."""
        if self._contest is None:
            return match
        gained = None
        if points_after:
            first, second = match.scores_after
            gained = points_after[0] - first, points_after[1] - second
        reader, self._contest = self._contest, None
        played = reader.played
        contest = MatchContest(tuple(played.events), tuple(played.actions), reader.outcome(gained))
        return replace(match, contests=(*match.contests, seats_exchanged(contest) if reader.is_exchanged else contest))
