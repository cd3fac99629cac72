"""The words of match files, as Jellyfish, GNU Backgammon, eXtreme Gammon, servers and people write them.

All of them write a match in two columns of turns, but each in words of its own: a double is *taken* or *accepted*,
*dropped*, *rejected* or *passed*; whoever gives up *resigns*, has *Resigned Game* or *Lost on time*; behind a play
there may be clocks, marks and comments. Here a line becomes what it means; `match_file` plays it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.games.backgammon.notation.position_id import has_cube
from boardgames_env.games.backgammon.rules.legality import demand_backgammon

DICE = "dice"
"""The word of a turn that is a roll and its play."""

_UNLIMITED = 9999
_COMMENT = re.compile(r"\s*(?:;|#|//)")
_LENGTH = re.compile(
    r"\s*(?:(\d{1,6})[\s-]*(?:points?|pts?\.?)[\s-]*match\b|match\s+(?:of|to)\s+(\d{1,6})\b|"
    r"(?:money|unlimited)\s+(?:session|game|match)\b)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"\s*game\s*(?:#|no\.?)?\s*(\d{1,4})\b(?!\s*:\s*\d).*", re.IGNORECASE)
_POINTS = re.compile(r":\s*(\d{1,4})(?!\S)")
_RATING = re.compile(r"\s*,\s*\d{3,4}(?:\.\d+)?$")  # (some servers write it behind the name)

_NUMBER = re.compile(r"\s*\(?\d{1,4}\s?(?:\)|\.(?!\d))")
_TURN = re.compile(
    r"(?<![^\s.)])([1-6])(?:[-,]?([1-6]):|(?:(?<=\s\s.)|(?<=[.)]\s.)|(?<=[.)].)|(?<=^\s.)|(?<=^.)|(?=[1-6]\s{1,3}(?:bar|\d{1,2})[/-]))"
    r"([1-6])(?=\s|$))|"
    r"\b(?:(?P<doubles>(?:re)?doubles?)|(?P<beavers>beavers?)|(?P<raccoons>rac+oons?)|"
    r"(?P<takes>takes?|taken|accept(?:s|ed)?)|(?P<drops>drop(?:s|ped)?|reject(?:s|ed)?|pass(?:es|ed)?|decline[sd]?)|"
    r"(?P<wins>wins?)|(?P<resigns>resign(?:s|ed)?)|"
    r"(?P<forfeits>forfeit(?:s|ed)?|los(?:es|t)\s+on\s+time|time[sd]?\s+out))\b",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\{[^{}]*\}?|\[[^\[\]]*\]?|\((?![1-4]\))[^()]*\)?")
_BEHIND = re.compile(r"(?:;|#|//)")
_CLOCKS_AND_MARKS = re.compile(
    r"(?<=\s)\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?=\s|$)|(?<=\s)\d+(?:[.,]\d+)?\s?s(?:ec)?\b|[!?]+", re.IGNORECASE
)

_GAME = re.compile(r"\s*[;#]\s*\[(?:Rules|Game) \"(.*)\"\]")
_HEADER = re.compile(r"\s*[;#]\s*\[\s*([A-Za-z][A-Za-z ]*?)\s*[:=]?\s*(?:\"([^\"]*)\"|(\S+))\s*\]")
_SET_UP = re.compile(r"\s*;\s*Set\s*Pos", re.IGNORECASE)
_SWITCHES = {**dict.fromkeys(("on", "yes", "true", "1"), True), **dict.fromkeys(("off", "no", "false", "0"), False)}
_VARIATIONS = {
    **dict.fromkeys(("backgammon", "standard", "standardbackgammon"), "backgammon"),
    **dict.fromkeys(("hypergammon", "hypergammon(3)"), "hypergammon"),
}
_OTHER_GAME = "name the game to read it by other rules (--game; in Python, game)"


@dataclass(frozen=True)
class WrittenTurn:
    """A turn as it is written.

    Attributes:
        start: The column of its first character.
        word: `DICE`, or what is done: doubles, beavers, raccoons, takes, drops, wins, resigns or forfeits.
        dice: The dice; (0, 0) without.
        text: What stands behind the dice or the word.
        written: The dice or the word, as they are written.
        is_beside: Whether it is an end of the game in the same column as the turn before it in its row.
    """

    start: int
    word: str
    dice: tuple[int, int]
    text: str
    written: str
    is_beside: bool


@dataclass(frozen=True)
class WrittenScores:
    """The line above the turns of a game: the players, their points, and where the right column begins."""

    players: tuple[str, str]
    points: tuple[int, int]
    right: int

    def is_of(self, players: Sequence[str]) -> bool:
        """Return whether it names these players, in this order."""
        return [_folded(name) for name in self.players] == [_folded(name) for name in players]


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, whatever ends them; without NULs, and what DOS leaves at the end of a file."""
    whole = text.partition("\x1a")[0].replace("\x00", "").removeprefix("\ufeff").replace("\xa0", " ")
    # (a tab parts columns, so it is never a single blank)
    return [line.replace("\t", " \t ").expandtabs() for line in re.split(r"\r\n|\r|\n", whole)]


def matches_in(lines: Sequence[str]) -> list[range]:
    """Return the lines of each match of a file.

    The length of a match begins one, with the comments and the title above it, unless the numbers of games go on below.
    """
    starts, start, game, after_turns = [0], 0, 0, 0
    for number, line in enumerate(lines):
        if length_of(line) is not None:
            start = after_turns
        elif found := _HEADING.fullmatch(line):
            if start and int(found[1]) <= game:
                starts.append(start)
            start, game, after_turns = 0, int(found[1]), number + 1
        elif is_row(line):
            after_turns = number + 1
    return [range(*ends) for ends in zip(starts, [*starts[1:], len(lines)], strict=True)]


def is_comment(line: str) -> bool:
    """Return whether a whole line is a comment."""
    return bool(_COMMENT.match(line))


def is_heading(line: str) -> bool:
    """Return whether a line begins a game, such as ``Game 2 (Crawford)``."""
    return bool(_HEADING.fullmatch(line))


def is_row(line: str) -> bool:
    """Return whether a line begins like a row of turns."""
    start = number.end() if (number := _NUMBER.match(line)) else len(line) - len(line.lstrip())
    return bool(number or _TURN.match(line, start))


def length_of(line: str) -> int | None:
    """Return the length of the match that a line tells, 0 for a money session; ``None`` if it tells none."""
    found = None if is_comment(line) else _LENGTH.match(line)
    if not found:
        return None
    length = int(found[1] or found[2] or 0)
    return length if length < _UNLIMITED else 0


def scores_of(line: str) -> WrittenScores | None:
    """Return the players and points of a line, such as ``one : 0   other : 2``; ``None`` if it is no such line."""
    points = list(_POINTS.finditer(line))
    first = next((each for each in points if line[each.end() :].startswith("  ")), points[0] if points else None)
    second = next((each for each in points if first and each.start() > first.end() and _ends(line[each.end() :])), None)
    if first is None or second is None:
        return None
    between = line[first.end() : second.start()]
    one, other = (_RATING.sub("", name.strip()) for name in (line[: first.start()], between))
    right = first.end() + len(between) - len(between.lstrip())
    return WrittenScores((one, other), (int(first[1]), int(second[1])), right) if one and other else None


def _ends(rest: str) -> bool:
    """Return whether nothing stands behind the points of a seat, or a remark in brackets."""
    return rest.strip()[:1] in ("", "(", "[")


def turns_of_row(line: str) -> tuple[str, list[WrittenTurn]]:
    """Return what stands before the first turn of a row, and its turns; clocks, marks and comments are left out."""
    raw, line = line, _without_remarks(line)
    start = number.end() if (number := _NUMBER.match(line)) else 0
    found: list[re.Match[str]] = []
    for each in _TURN.finditer(line, start):
        is_after_dice = bool(found) and found[-1].lastgroup is None and not line[found[-1].end() : each.start()].strip()
        is_no_move = each.lastgroup == "drops" and is_after_dice and each.start() - found[-1].end() < 2
        if not is_no_move:  # ("51: Passes" is a roll without a play)
            found.append(each)
    turns = list[WrittenTurn]()
    for each, following in zip_longest(found, found[1:]):
        text = line[each.end() : following.start() if following else None].strip()
        dice = (int(each[1]), int(each[2] or each[3])) if each[1] else (0, 0)
        may_be_beside = bool(turns) and each.lastgroup in ("wins", "resigns", "forfeits")
        is_beside = may_be_beside and _is_beside(raw[: each.start()], each.lastgroup)
        turns.append(WrittenTurn(each.start(), each.lastgroup or DICE, dice, text, each[0], is_beside))
    return line[start : found[0].start() if found else None].strip(), turns


def _without_remarks(line: str) -> str:
    """Return a row with blanks in place of clocks, marks and comments, so that what stands behind keeps its column."""
    line = _blanked(line, *(each.span() for each in _IN_BRACKETS.finditer(line)))
    while behind := _BEHIND.search(line):  # (up to the turn in the other column, if there is one)
        starts = (each.start() for each in _TURN.finditer(line, behind.end()) if line[: each.start()].endswith("  "))
        line = _blanked(line, (behind.start(), next(starts, len(line))))
    return _blanked(line, *(each.span() for each in _CLOCKS_AND_MARKS.finditer(line)))


def _is_beside(before: str, word: str | None) -> bool:
    """Return whether the end of a game stands in the same column as the turn before it.

    (GNU Backgammon begins no row for the winner if that is white and has not played its roll.)
    """
    return not before.endswith("  ") or (word == "wins" and bool(re.search(r"[1-6]: {7}$", before)))


def _blanked(line: str, *spans: tuple[int, int]) -> str:
    """Return a line with blanks in some places."""
    for start, end in spans:
        line = f"{line[:start]}{' ' * (end - start)}{line[end:]}"
    return line


def is_name(text: str, player: str) -> bool:
    """Return whether a text is a player's name, with or without a colon behind it."""
    return _folded(text.rstrip(": ")) == _folded(player)


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


class WrittenRules:
    """What the comments of a match file say of its rules, such as ``; [Jacoby "On"]``."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._name = "backgammon"
        self._limit = _UNLIMITED
        self._switches: dict[str, bool] = {}

    def take(self, line: str) -> None:
        """Read a comment.

        Raises:
            BadInputError: If it names a game that is not played here, or says what cannot be understood.
        """
        if found := _GAME.match(line):
            self._game = make_game(found[1])
            demand_backgammon(self._game)
        elif found := _HEADER.match(line):
            self._hear(_folded(found[1]).replace(" ", ""), found[2] if found[3] is None else found[3], found[0].strip())

    def _hear(self, name: str, value: str, line: str) -> None:
        name, value = name.removesuffix("rule").removesuffix("s"), "".join(value.split()).lower()
        if name in ("variation", "variant"):
            if value not in _VARIATIONS:
                raise BadInputError(f"{line!r} is not played here, only Backgammon and HyperGammon (3); {_OTHER_GAME}")
            self._name = _VARIATIONS[value]
        elif name in ("cubelimit", "maxcube"):
            if not value.isdecimal():
                raise BadInputError(f"{line!r} has no number for the cube's limit")
            self._limit = int(value)
        elif name in ("jacoby", "beaver", "crawford", "raccoon", "autodouble", "automaticdouble", "cube"):
            if value not in _SWITCHES:
                raise BadInputError(f"{line!r} is neither on nor off; allowed are: {one_of(_SWITCHES)}")
            self._switches[name] = _SWITCHES[value]

    def game(self, length: int) -> Game:
        """Return the game of money sessions with these rules, for a match to some points, or 0.

        Raises:
            BadInputError: If matches or sessions are not played by these rules here.
        """
        if self._game:
            return self._game.at_score(None)
        holds = self._switches.get
        if length > 1 and not holds("crawford", True):
            raise BadInputError(f'[Crawford "Off"]: a match has its Crawford game here; {_OTHER_GAME}')
        if not length:
            for name in ("raccoon", "autodouble", "automaticdouble"):
                if holds(name):
                    raise BadInputError(f'[{name.title()} "On"] is not played here; {_OTHER_GAME}')
        try:
            cube = has_cube(self._limit, length) and holds("cube", True)
        except BadInputError as error:
            raise BadInputError(f'[CubeLimit "{self._limit}"]: {error}; {_OTHER_GAME}') from None
        money = {"jacoby": bool(holds("jacoby")), "beavers": bool(holds("beaver"))} if cube and not length else {}
        return make_game(self._name, cube=cube, **money)


def demand_no_set_up(line: str) -> None:
    """Raise `BadInputError` for a comment by which eXtreme Gammon sets up a position amid a game."""
    if _SET_UP.match(line):
        raise BadInputError("'Set Pos' puts the men elsewhere, which no play does; what follows cannot be read")
