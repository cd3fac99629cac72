"""The words of a game in disguise: its title, its men, and its rules without the names that would give it away."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from boardgames_env.board import Board, Man
from boardgames_env.ending import deciding_lines
from boardgames_env.game import Game
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.kernels import State
from boardgames_env.kernels.signatures import Int64s

_COLOURS = (
    ("amber", "#d9a521"),
    ("coral", "#e0705a"),
    ("fern", "#3f7d4a"),
    ("indigo", "#3d3a8c"),
    ("lilac", "#a78bca"),
)
_SITE, _TOKEN, _SET = ("berth", "den", "nest", "vault"), ("bead", "peg", "seal", "stamp"), ("batch", "clutch", "kin")
_TITLE = ("Bel", "Dor", "Kaz", "Mir", "Quo", "Tul", "Vesh", "Zan"), ("adu", "erik", "imo", "onda", "upal")


@dataclass(frozen=True)
class Wording:
    """The words of a disguise: its title, the names of the seats' men, and what stands for location, man and line."""

    title: str
    colours: tuple[tuple[str, str], tuple[str, str]]
    site: str
    token: str
    line: str

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "Wording":
        """Draw the words."""
        first, second = (_COLOURS[number] for number in rng.permutation(len(_COLOURS))[:2])
        site, token, line = (str(rng.choice(words)) for words in (_SITE, _TOKEN, _SET))
        return cls("".join(str(rng.choice(part)) for part in _TITLE), (first, second), site, token, line)

    def man(self, seat: int, kind: int = 0) -> Man:
        """Return the name and look of a seat's men of a kind."""
        name, colour = self.colours[seat]
        letter = name[0].upper()
        return Man(f"double {name}", 2 * letter, "king", colour) if kind else Man(name, letter, "disc", colour)

    def note(self, behind: Game, state: State) -> str:
        """Return what the men of a state of the original do not show, if it can be said in other words."""
        said = behind.note(state) if behind.note else ""
        own = dict(zip((man.name for man in behind.men), (name for name, _ in self.colours), strict=True))
        known = {**own, "man": self.token, "men": f"{self.token}s", **_NOTES}
        words = re.findall(r"[a-z]+", said)
        return re.sub(r"[a-z]+", lambda word: known[word[0]], said) if set(words) <= set(known) else ""

    def rules(self, behind: Game, made: Game, locations: Int64s) -> str:
        """Return the rules of a game in other words.

        Args:
            behind: The original.
            made: The game in disguise.
            locations: The original's location that each location of the disguise stands for.
        """
        (first, _), (second, _) = self.colours
        words = {"site": self.site, "token": self.token, "line": self.line, "first": first, "second": second}
        labels = made.board.labels
        men = np.sign(behind.initial.state[1 + locations]).tolist()
        begin = [[label for label, man in zip(labels, men, strict=True) if man == sign] for sign in (1, -1)]
        known = _turns(behind)
        parts = [
            f"Two sides, {first} and {second}, take turns; {first} begins. There are {len(labels)} {self.site}s: "
            f"{', '.join(sorted(labels))}. How they are arranged in a picture means nothing.",
            f"At the start there are {self.token}s of {first} on {', '.join(begin[0])}, and of {second} on "
            f"{', '.join(begin[1])}; the other {self.site}s are free."
            if any(begin)
            else f"At the start all {self.site}s are free.",
            (known or self._of_actions(made)).format(**words),
        ]
        parts += [text.format(**words) for text in _lists(behind, made, locations) if known]
        near = made.board.adjacency
        linked = sorted(
            f"{labels[one]}+{labels[other]}" for one in range(len(near)) for other in near[one] if one < other
        )
        if linked and behind.name not in _WITHOUT_LINKS:
            parts.append(f"Linked {self.site}s: {', '.join(linked)}.")
        if made.board.winning_lines:
            sets = ", ".join(sorted("+".join(labels[at] for at in line) for line in made.board.winning_lines))
            parts.append(f"Each of these is a {self.line}: {sets}.")
        if not known and deciding_lines(behind):
            parts.append(f"A side whose {self.token}s fill a {self.line} has won.")
        return "\n".join([*parts, *made.limits.sentences(f"{self.token}s", "double ones")])

    def _of_actions(self, made: Game) -> str:
        """Return what the kinds of actions mean, for a game whose turns have no text of their own."""
        kinds = {each.kind for each in made.actions}
        said = [text for kind, text in _ACTIONS.items() if kind in kinds]
        return " ".join([*said, "Which of them may be chosen depends on the situation."])


_NOTES = {"a": "a", "captures": "removes", "misses": "skips", "this": "this", "turn": "turn", "waits": "is idle"}
_NOTES |= {"until": "until", "all": "all", "are": "are", "placed": "out", "in": "in", "hand": "store"}
"""Other words for those of games' notes; a note with any other word is left out."""

_PUT = "In a turn, a side puts one {token} of its own on any free {site}."
_PUT_3 = "As long as a side has fewer than three {token}s out, it puts one of its own on any free {site} in its turn."
_PUT_4 = _PUT_3.replace("three", "four")
_FILL = "The side whose {token}s first fill a {line} wins."
_STEP = "In a turn, a side brings one of its {token}s to a free {site} that is linked to where it is."
_ARRIVE = "The side that first reaches the other one's edge wins."
_STUCK = "A side that can do nothing in its turn loses."
_ANY = "Later it brings one of its {token}s to any free {site} in its turn."
_NONE_FREE = "If no {site} is free any more, nobody has won."
_THE_FREE = "Later it names one of its {token}s, which goes to the only free {site}."

_TURNS: Mapping[str, str] = {
    "tic_tac_toe": f"{_PUT} {_FILL} {_NONE_FREE}",
    "lose_tic_tac_toe": f"{_PUT} The side whose {{token}}s first fill a {{line}} loses. {_NONE_FREE}",
    "achi": f"{_PUT_4} {_THE_FREE} {_FILL}",
    "les_pendus": f"{_PUT_3} {_ANY} {_FILL}",
    "nine_holes": f"{_PUT_3} {_ANY} {_FILL}",
    "marelle": f"{_PUT_3} Later, {_STEP[0].lower()}{_STEP[1:]} {_FILL}",
    "tsoro_yematatu": f"{_PUT_3} {_THE_FREE} It must be in one {{line}} with where the {{token}} is. {_FILL}",
    "shisima": f"{_STEP} {_FILL}",
    "tant_fant": f"{_STEP} The side whose {{token}}s first fill a {{line}} wins, but not by the one it began on.",
    "pong_hau_ki": f"{_STEP} It names the {{token}}, as only one {{site}} is free. {_STUCK}",
    "hexapawn": "In a turn, a side brings one of its {token}s over one of its straight links to a free {site}, or over "
    f"one of its slanted links to a {{site}} with a {{token}} of the other side, which is removed. {_ARRIVE} {_STUCK}",
    "breakthrough": "In a turn, a side brings one of its {token}s over one of its straight or slanted links to a free "
    "{site}, or over a slanted one to a {site} with a {token} of the other side, which is removed. "
    f"{_ARRIVE} So does one that removes all {{token}}s of the other side.",
    "gomoku": f"{_PUT} {_FILL} {_NONE_FREE}",
    "fives": f"{_PUT} {_FILL} {_NONE_FREE}",
    "qubic": f"{_PUT} {_FILL} {_NONE_FREE}",
    "connect_four": "In a turn, a side names a pile that is not full, and one of its {token}s goes to the first "
    f"{{site}} of it that is free. {_FILL} {_NONE_FREE}",
    "othello": "In a turn, a side puts one of its {token}s on a free {site} from which, along one or more of the "
    "chains, one way or the other, there follow one or more {token}s of the other side and then, without a free "
    "{site} between, one of its own. In each such chain all those of the other side between become its own. A side "
    "that can do nothing waits; one that can do something must. When neither can, the side with more {token}s has "
    "won; if they have equal numbers, nobody has.",
    "hex": f"{_PUT} It stays there. The side that first has {{token}}s on linked {{site}}s all the way from one of its "
    "shores to the other wins; sooner or later one must. In place of its first turn, {second} may say trade: the "
    "{token} of {first} goes, and {second} has one on the {site} that is its counterpart.",
    "english_draughts": "In a turn, a side brings one of its {token}s over one of its links to a free {site}, or by "
    "one of its jumps over a {token} of the other side in the middle, which is removed, to a free {site}. A side that "
    "can jump must, with any {token} that can, and goes on with the same one as long as that can. A {token} that gets "
    f"to the other side's edge becomes double, which ends the turn; then it has both sides' links and jumps. {_STUCK}",
    "mu_torere": f"{_STEP} It names the {{token}}, as only one {{site}} is free. One {{site}} is linked to all others; "
    "a {token} may go there only from beside one of the other side, on another {site} that is linked to its own. "
    f"{_STUCK}",
}
"""The turns of games with their usual options, in words of their own."""

_ACTIONS: Mapping[str, str] = {
    "at": "One {site} alone, such as the first of them, puts a {token} of the side there, or lets the one there act.",
    "column": "One {site} alone stands for a pile: a {token} of the side is added to it.",
    "move": "Two {site}s with a hyphen between them bring a {token} of the side from one to the other.",
    "jump": "Two {site}s with an x between them bring a {token} over one of the other side, which is removed.",
    "capture": "An x before a {site} removes the {token} of the other side there.",
    "wait": "The word wait changes nothing.",
    "trade": "The word trade exchanges what the sides have.",
}
"""What actions do, by their kind."""

_WITHOUT_LINKS: tuple[str, ...] = (
    *("achi", "les_pendus", "nine_holes", "tsoro_yematatu", "gomoku", "othello", "connect_four"),
    *("hexapawn", "breakthrough", "english_draughts"),
)
"""Games in whose rules, with their usual options, it does not matter which locations lie next to each other, or whose
text lists what does.
"""

_SIZES = {"size", "columns", "rows", "in_a_row"}
"""The options with which the text of a game's turns holds as well."""


def _turns(behind: Game) -> str:
    """Return the text of a game's turns; empty for one that has none, or not with its options."""
    if isinstance(behind.family, MorrisRules):
        return _turns_with_mills(behind.family)
    return _TURNS.get(behind.name, "") if set(behind.options) <= _SIZES else ""


def _turns_with_mills(rules: MorrisRules) -> str:
    """Return the text of the turns of a men's morris."""
    left = rules.placing_ends
    ends = f" until only {left} {{site}}s are free; the others are put away" if left else ""
    parts = [
        f"Each side has {rules.men} {{token}}s in store. At first a turn puts one of them on any free {{site}}{ends}. "
        f"Once that is over for both, {_STEP[0].lower()}{_STEP[1:]}",
        f"One with {rules.fly_at} or fewer left may bring one to any free {{site}}." if rules.fly_at else "",
        f"A side whose {{token}}s newly fill a {{line}}{'' if rules.placing_captures else ', once all are out,'} "
        f"removes one of the other side's, {'one for each' if rules.capture_each_mill else 'even if it fills two'} at "
        f"once{'.' if rules.any_capture else ', but none out of a filled {line} unless all are in such.'}",
        "A side that newly fills a {line} has another turn, and the other side waits." if rules.extra_turn else "",
        f"A side with {rules.lose_at} {{token}}s, those in store included, loses. {_STUCK}",
        "If no {site} is free when all are out, nobody has won."
        if 2 * rules.men == rules.board.size and not rules.placing_ends
        else "",
    ]
    return " ".join(filter(None, parts))


def _lists(behind: Game, made: Game, locations: Int64s) -> Iterator[str]:
    """Yield what the text of a game's turns says is listed, in words of a disguise."""
    board, labels, place = behind.board, made.board.labels, np.argsort(locations)

    def named(text: str, lines: Iterable[Iterable[int]], joint: str) -> str:
        return f"{text}: {', '.join(sorted(joint.join(labels[place[each]] for each in line) for line in lines))}."

    sides = list(zip(("{first}", "{second}"), board.homes, board.homes[::-1], strict=False))
    moves = [action.locations for action in behind.actions if action.kind == "move"]
    if behind.name in ("hexapawn", "breakthrough", "english_draughts"):
        x, y = zip(*board.coordinates, strict=True)
        for side, home, goal in sides:
            ahead = [each for each in moves if (y[each[1]] - y[each[0]]) * (y[goal[0]] - y[home[0]]) > 0]
            straight = [each for each in ahead if x[each[0]] == x[each[1]]]
            slanted = [each for each in ahead if each not in straight]
            if straight:
                yield named(f"Straight links of {side}", straight, ">")
            yield named(f"{'Slanted links' if straight else 'Links'} of {side}", slanted, ">")
            if not straight:
                after = [(a, b, d) for a, b in ahead for c, d in ahead if c == b and x[b] - x[a] == x[d] - x[c]]
                yield named(f"Jumps of {side}", after, ">")
            yield named(f"The edge of {side}", [[each] for each in home], "")
    elif behind.name == "connect_four":
        piles = [action.locations[::-1] for action in behind.actions]
        yield named("Piles, each from its first {site} on", piles, ">")
    elif behind.name == "othello":
        yield named("Chains", _chains(board), "+")
    elif behind.name == "hex":
        size = round(sqrt(board.size))
        for seat, side in enumerate(("{first}", "{second}")):
            for shore in (0, size - 1):
                cells = [[shore * size + each, each * size + shore][seat] for each in range(size)]
                yield named(f"A shore of {side}", [[each] for each in cells], "")
        pairs = [(a, size * (a % size) + a // size) for a in range(board.size) if a % size > a // size]
        yield named("Counterparts, which others are of themselves", pairs, "=")


def _chains(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield the rows, columns and diagonals of a square board, of three locations at least."""
    at = {(int(x), int(y)): location for location, (x, y) in enumerate(board.points)}
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for x, y in at:
            if (x - dx, y - dy) not in at:
                chain = [
                    at[x + step * dx, y + step * dy] for step in range(len(at)) if (x + step * dx, y + step * dy) in at
                ]
                if len(chain) > 2:
                    yield tuple(chain)
