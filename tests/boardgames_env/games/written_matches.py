"""Matches written in the words of programs, servers and people: a writer of its own, to try the reader with."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from boardgames_env import Position
from boardgames_env.contest import turns
from boardgames_env.games.backgammon.notation import NOTHING, play_text
from boardgames_env.games.backgammon.notation.matches import Match, MatchContest, Played
from boardgames_env.games.backgammon.notation.words import has_dice, roll_text
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.moves import moves_of
from tests.boardgames_env.games.backgammon_contests import played_match

SPECS = (
    "hypergammon(cube=True,match_length=3)",
    "hypergammon(cube=True,match_length=7)",
    "hypergammon(beavers=True,cube=True,jacoby=True)",
    "hypergammon(match_length=5)",
    "backgammon(cube=True,match_length=2)",
    "backgammon(cube=True,jacoby=True)",
)
WINS, BOTH, WORD_ALONE = "Wins", "Resigned and Wins", "Resigned"


@dataclass(frozen=True)
class Dialect:
    """How a match is written; the first value of each field in `WAYS` is Jellyfish's."""

    line_end: str = "\n"
    file_end: str = ""
    file_start: str = ""
    case: str = ""
    length: str = " {n} point match"
    above: str = ""
    rules: str = "Rules"
    heading: str = " Game {k}"
    players: str = " {one} : {first}{gap}{other} : {second}"
    number: str = "{row:3}) "
    rows: str = "both"
    dice: str = "31: "
    bar: str = "bar"
    off: str = "off"
    to: str = "/"
    and_: str = " "
    times: str = "({n})"
    star: str = "*"
    no_move: str = ""
    forced: str = "written"
    double: str = " Doubles => {n}"
    take: str = " Takes"
    drop: str = " Drops"
    behind: str = ""
    unplayed: str = ""
    wins: str = "Wins {n} point{s}"
    wins_beside: str = ""
    end: str = WINS
    resigned: str = "Resigned Game"
    columns: str = "kept"
    after: str = ""
    between: str = ""


WAYS: dict[str, tuple[str, ...]] = {
    "line_end": ("\r\n", "\r", "\n\n"),
    "file_end": ("\x1a", "\x00\x00\x00", "\r\n\x1a\x00", "\n\n\n"),
    "file_start": ("\ufeff", "\n\n"),
    "case": ("upper", "lower"),
    "length": (" {n} points match", "Match of {n} points", "{n}-point match", "{n} POINT MATCH", " {n} pt. match"),
    "above": ("Ann v. Bob, the final", "# exported by hand", "; from the club", "Ann - Bob\n\n25 May", "// Ann wins!"),
    "rules": ("headers", "headers, without blanks", "headers in lower case"),
    "heading": ("Game {k}", " Game {k} (Crawford)", " GAME {k}:", " Game #{k}", "  game {k} - of the final"),
    "players": (
        " {one},1534.20 : {first}{gap}{other},1610 : {second}",
        "{one}: {first} {other}: {second}",
        " {one} : {first}{gap}{other} : {second}   (rated)",
        " {one}\t: {first}\t{other}\t: {second}",
    ),
    "number": ("{row}. ", "", "{row})", "({row}) ", "{row:4})\t"),
    "rows": ("one", "tabs"),
    "dice": ("31 ", "13: ", "3-1: ", "31:"),
    "bar": ("25", "b", "Bar", "BAR"),
    "off": ("0", "o", "Off"),
    "to": ("-",),
    "and_": (", ", ",", "  "),
    "times": ("x{n}", "apart", "×{n}", "X{n}", "steps"),
    "star": ("", "behind"),
    "no_move": ("Cannot Move", "no move", "(no play)", "Dances", "-", "can't move", "Passes", "Fans"),
    "forced": ("left out",),
    "double": (" Doubles to {n}", " Doubles {n}", " doubles", " Redoubles => {n}", " Doubles=>{n}", " Double -> {n}"),
    "take": (" Accepts", " Take", " accepted", " TAKES"),
    "drop": (" Rejects", " Passes", " Drop", " Pass", " Declines", " rejected"),
    "behind": (
        *(" (0:12)", " [1:02:13]", " {drops the ball? 31: no}", " ?!", " 0:31", " 12.5s", " !! (takes courage, 24/18)"),
        *(" {[%clk 0:01:02]}", " (+0.123)", " ; well played", " # 42 is worse", " [wins 2 games]"),
    ),
    "unplayed": ("????", "???", "?"),
    "wins": ("wins {n} points", "WINS {n} POINT{s}", "Wins {n} pt", "Wins {n}", "Wins {n} points with a gammon"),
    "wins_beside": ("beside",),
    "end": (BOTH, WORD_ALONE),
    "resigned": ("Resigns", "resigned game", "Resigned Match", "Forfeits", "Lost on time", "Times out", "RESIGNED"),
    "columns": ("exchanged",),
    "after": (" Game {k}\n", "\n Game {k}\n\n", "; end of the match"),
    "between": ("; well", "# Ann offers a draw", ""),
}
"""Other ways than Jellyfish's, for every field of a dialect."""

assert list(WAYS) == [field.name for field in fields(Dialect)]


def dialects(number: int) -> Iterator[Dialect]:
    """Yield dialects: first each way by itself, then several at once, at random."""
    alone = [replace(Dialect(), **{name: way}) for name, ways in WAYS.items() for way in ways]
    yield from alone[:number]
    rng = np.random.default_rng(1)
    for _ in range(number - len(alone)):
        names = rng.choice(list(WAYS), int(rng.integers(2, 9)), replace=False)
        yield replace(Dialect(), **{str(name): str(rng.choice(WAYS[str(name)])) for name in names})


@lru_cache
def match_to_write(number: int) -> Match:
    """A match that several texts are written of; in some, players resign before the end of games."""
    spec = SPECS[number % len(SPECS)]
    match = played_match(spec, number // len(SPECS))
    contests = list(match.contests)
    contests = contests[: 1 if spec.startswith("backgammon") else 3]
    rng = np.random.default_rng(number)
    contests = [
        shortened(contest, start, rng) if spec.startswith("backgammon") or rng.random() < 0.5 else contest
        for contest, start in zip(contests, match.starts, strict=False)
    ]
    return Match(match.game.at_score(None), ("Ann B.", "bob_2"), contests, match.length)


def shortened(contest: Played, start: Position, rng: np.random.Generator) -> Played:
    """A contest up to some turn, or to a roll that can be played, after which the loser of the whole one resigns.

    What the loser gives up is once, twice or three times the cube; if there is no such turn, the contest is whole.
    """
    ends, actions, events = list[tuple[int, int]](), 0, 0
    for turn in turns(start, contest.actions, contest.events):
        actions, events = actions + len(turn.actions), events + (turn.event is not None)
        stake = 2 ** int(turn.after.state[board.CUBE])
        is_choice = turn.event is None or not (board.NO_MOVE in turn.after.legal_actions or has_one_play(turn.after))
        is_end = (has_dice(turn.before) or has_dice(turn.after)) and not turn.after.is_over
        if is_choice and is_end and abs(contest.outcome) in (stake, 2 * stake, 3 * stake):
            ends.append((actions, events))
    first, last = (8, 20) if start.game.name == "backgammon" else (len(ends) // 2, len(ends))  # (it has long contests)
    if first >= last or not ends:
        return contest
    actions, events = ends[min(int(rng.integers(first, last)), len(ends) - 1)]
    return MatchContest(tuple(contest.events[:events]), tuple(contest.actions[:actions]), contest.outcome)


def has_one_play(position: Position) -> bool:
    """Whether a roll can be played in one way alone. (GNU Backgammon reads it, too, where nothing is written.)"""
    return len(moves_of(position.game, position.state)[1]) == 1


class Writer:
    """Writes a match in a dialect."""

    def __init__(self, match: Match, dialect: Dialect) -> None:
        self.match = match
        self.dialect = dialect

    def text(self) -> str:
        """The text of the match."""
        match, dialect = self.match, self.dialect
        lines = [*dialect.above.split("\n"), *self._rules(), "", dialect.length.format(n=match.length), ""]
        points, starts = match.scores, match.starts
        for number, contest in enumerate(match.contests):
            is_exchanged = dialect.columns == "exchanged" and number % 2 == 1
            lines += [dialect.heading.format(k=number + 1), self._players(points, is_exchanged)]
            after = (points[0] + max(contest.outcome, 0), points[1] + max(-contest.outcome, 0))
            is_last = number + 1 == len(match.contests)
            rows = self._rows(contest, starts[number], is_exchanged, is_last)
            lines += [*rows, dialect.between, ""]
            points = after
        lines += dialect.after.format(k=len(match.contests) + 1).split("\n")
        return dialect.file_start + dialect.line_end.join(lines) + dialect.file_end

    def _rules(self) -> list[str]:
        game, way = self.match.game, self.dialect.rules
        if way == "Rules":
            return [f'; [Rules "{game.spec}"]']
        told = {
            "Site": "a server",
            "Player 1": self.match.players[0],
            "EventTime": "21.53",
            "Variation": {"backgammon": "Backgammon", "hypergammon": "HyperGammon (3)"}[game.name],
            "Unrated": "Off",
            "Crawford": "On",
            "Jacoby": "On" if game.options.get("jacoby") else "Off",
            "Beaver": "On" if game.options.get("beavers") else "Off",
            "CubeLimit": "1024" if game.options.get("cube") else "1",
        }
        blank = "" if "without" in way else " "
        lines = [f';{blank}[{name} "{value}"]' for name, value in told.items()]
        return [line.lower() for line in lines] if "lower" in way else lines

    def _players(self, points: tuple[int, int], is_exchanged: bool) -> str:
        one, other = self.match.players[:: -1 if is_exchanged else 1]
        first, second = points[:: -1 if is_exchanged else 1]
        gap = " " * max(2, 28 - len(one))
        return self.dialect.players.format(one=one, other=other, first=first, second=second, gap=gap)

    def _rows(self, contest: Played, start: Position, is_exchanged: bool, is_last: bool) -> list[str]:
        dialect = self.dialect
        cells = [(seat ^ is_exchanged, text) for seat, text in self._turns(contest, start)]
        rows, pending = list[list[str]](), False
        for column, text in cells:
            if column == 0 or not pending or dialect.rows == "one":
                rows.append(["", ""])
            rows[-1][column] = text
            pending = column == 0
        lines = [self._row(number, row) for number, row in enumerate(rows, start=1)]
        if contest.outcome:
            lines += self._ends(contest, start, is_exchanged, is_last, len(rows) + 1)
        return lines

    def _row(self, number: int, row: list[str]) -> str:
        number_text = self.dialect.number.format(row=number)
        if self.dialect.rows == "tabs":
            return f"{number_text}{row[0]}\t{'' if row[0] else 4 * chr(9)}{row[1]}".rstrip()
        return f"{number_text}{row[0]:<27} {'' if len(row[0]) < 27 else ' '}{row[1]}".rstrip()

    def _turns(self, contest: Played, start: Position) -> Iterator[tuple[int, str]]:
        dialect, reached = self.dialect, start
        every = list(turns(start, contest.actions, contest.events))
        for turn in every:
            position, reached = turn.before, turn.after
            if has_dice(position):
                play = play_text(position, turn.actions)
                text = dialect.no_move if play == NOTHING else self._play(play)
                if dialect.forced == "left out" and turn is not every[-1] and has_one_play(position):
                    text = ""
                yield turn.seat, self._cased(f"{self._dice(position)}{text}{dialect.behind}")
            elif turn.event is None and (text := self._with_the_cube(position, turn.actions[0])):
                yield turn.seat, self._cased(text)
        if has_dice(reached):
            yield reached.seat, f"{self._dice(reached)}{dialect.unplayed}"

    def _dice(self, position: Position) -> str:
        larger, smaller = roll_text(position.state)
        return self.dialect.dice.replace("3", "d").replace("1", smaller).replace("d", larger)

    def _play(self, play: str) -> str:
        dialect, journeys = self.dialect, list[str]()
        for journey in play.split(" "):
            found = re.fullmatch(r"([^(]*)(?:\((\d)\))?", journey)
            assert found
            steps, men = found[1], int(found[2] or 1)
            steps = steps.replace("bar", dialect.bar).replace("off", dialect.off)
            is_apart = dialect.times in ("apart", "steps")
            is_behind = dialect.star == "behind" and men > 1 and not is_apart and steps.count("*") == 1
            if is_behind and steps.endswith("*"):
                steps = steps[:-1]
            else:
                is_behind = False
            if dialect.star == "":
                steps = steps.replace("*", "")
            points = steps.split("/")
            hops = [steps] if dialect.times != "steps" else [f"{a.strip('*')}/{b}" for a, b in pairwise(points)]
            steps = steps.replace("/", dialect.to)
            if is_apart:
                journeys += [hop.replace("/", dialect.to) for hop in hops] * men
            else:
                journeys.append(steps + (dialect.times.format(n=men) if men > 1 else "") + "*" * is_behind)
        return dialect.and_.join(journeys)

    def _with_the_cube(self, position: Position, action: int) -> str:
        turned, dialect = 2 ** (int(position.state[board.CUBE]) + 1), self.dialect
        if action == board.ROLL or (action == board.TAKE and position.state[board.STAGE] == board.BEAVERED):
            return ""
        return {
            board.DOUBLE: dialect.double.format(n=turned),
            board.TAKE: dialect.take,
            board.DROP: dialect.drop,
            board.BEAVER: f" Beavers => {2 * turned}",
        }[action]

    def _ends(self, contest: Played, start: Position, is_exchanged: bool, is_last: bool, number: int) -> list[str]:
        """The lines that end a game: who resigns, who wins."""
        dialect = self.dialect
        *_, last = turns(start, contest.actions, contest.events)
        winner, points = (0 if contest.outcome > 0 else 1) ^ is_exchanged, abs(contest.outcome)
        wins = self._indented(winner, self._cased(dialect.wins.format(n=points, s="s" * (points > 1))))
        if dialect.wins_beside and winner == 1:
            wins = self._row(number, ["", wins.strip()])
        if dialect.end == WINS:
            return [wins]
        if last.after.is_over:
            return []
        word = self._cased(dialect.resigned)
        if dialect.end == BOTH:  # (one server writes who resigns into the column of the winner)
            return [self._indented(winner if number % 2 else 1 - winner, word), wins]
        stake = 2 ** int(last.after.state[board.CUBE])
        score = last.after.game.score
        away = score(last.after.state).away[winner ^ is_exchanged] if score else 0
        ends_match = re.search("match|forfeits|time", dialect.resigned, re.IGNORECASE)
        if not is_last or points == (max(stake, away) if ends_match else stake):
            return [self._indented(1 - winner, word)]
        if not ends_match and points in (2 * stake, 3 * stake):
            kind = {2: "gammon", 3: "backgammon"}[points // stake]
            return [self._indented(1 - winner, f"{word.split()[0]} a {kind}")]
        return [wins]

    def _indented(self, column: int, text: str) -> str:
        return f"{' ' * (34 if column else 6)}{text}"

    def _cased(self, text: str) -> str:
        cases: dict[str, Callable[[str], str]] = {"upper": str.upper, "lower": str.lower, "": str}
        return cases[self.dialect.case](text)
