"""The classes of positions of a morris game, by men on the board and ply of placing."""

import re
from typing import TYPE_CHECKING, NamedTuple

from boardgames_env.errors import BadInputError
from boardgames_env.solve.morris.index import Group, Index, count_positions, count_rows, make_index

if TYPE_CHECKING:
    from boardgames_env.games.morris.morris_rules import MorrisRules

SLIDING = -1


class PositionClass(NamedTuple):
    """The positions with given numbers of men on the board: ``own`` of the mover, ``other`` of the other seat.

    ``ply`` is the number of men that have been placed, or `SLIDING` once all have.
    """

    own: int
    other: int
    ply: int = SLIDING

    @property
    def is_sliding(self) -> bool:
        """Whether all men have been placed."""
        return self.ply == SLIDING

    def __str__(self) -> str:
        return f"{self.own}-{self.other}" if self.is_sliding else f"ply-{self.ply:02}-{self.own}-{self.other}"


def parse_class(text: str) -> PositionClass:
    """Return the sliding class of a name such as ``4-3``; raise `BadInputError` for any other text."""
    if not re.fullmatch(r"[0-9]{1,2}-[0-9]{1,2}", text.strip()):
        raise BadInputError(
            f"{text[:20]!r} is not a class of positions; write the men of the mover and of the other, as 4-3"
        )
    own, other = map(int, text.split("-"))
    return PositionClass(own, other)


class Classes:
    """The classes of a game, and which lead to which; rules not for this solver raise `BadInputError`."""

    def __init__(self, rules: "MorrisRules") -> None:
        if rules.extra_turn or rules.capture_each_mill or rules.placing_ends or not rules.placing_captures:
            raise BadInputError(
                "this morris game cannot be solved: the solver handles only games in which every mill captures one man "
                "and gives no other turn"
            )
        self.rules = rules
        self.points = rules.board.size

    def in_hand(self, each: PositionClass) -> tuple[int, int]:
        """Return the numbers of men that the mover and the other seat have in hand."""
        if each.is_sliding:
            return 0, 0
        return self.rules.men - each.ply // 2, self.rules.men - (each.ply + 1) // 2

    def without_capture(self, each: PositionClass) -> PositionClass:
        """Return the class that a move without a capture leads to."""
        if each.is_sliding:
            return PositionClass(each.other, each.own)
        ply = each.ply + 1 if each.ply + 1 < 2 * self.rules.men else SLIDING
        return PositionClass(each.other, each.own + 1, ply)

    def with_capture(self, each: PositionClass) -> PositionClass:
        """Return the class that a move with a capture leads to."""
        free = self.without_capture(each)
        return PositionClass(free.own - 1, free.other, free.ply)

    def capture_wins(self, each: PositionClass) -> bool:
        """Return whether a capture leaves the other seat too few men."""
        return each.other - 1 + self.in_hand(each)[1] <= self.rules.lose_at

    def leads_to(self, each: PositionClass) -> list[PositionClass]:
        """Return the classes that must be solved before this one, apart from its partner."""
        found = [] if each.is_sliding else [self.without_capture(each)]
        can_capture = each.other > 0 and (each.is_sliding or each.own >= 2)
        if can_capture and not self.capture_wins(each):
            found.append(self.with_capture(each))
        return found

    def partners(self, each: PositionClass) -> tuple[PositionClass, ...]:
        """Return the class and, in sliding, the one with the numbers of men exchanged."""
        if not each.is_sliding or each.own == each.other:
            return (each,)
        return each, PositionClass(each.other, each.own)

    def closure(self, wanted: list[PositionClass]) -> list[PositionClass]:
        """Return some classes and all that they depend on, in the order in which they can be solved.

        A class that is not one of the game raises `BadInputError`.
        """
        fewest, most = self.rules.lose_at + 1, self.rules.men
        for each in wanted:
            if each.is_sliding and not (fewest <= each.own <= most and fewest <= each.other <= most):
                raise BadInputError(f"{each} is not a class of this game; each side has {fewest} to {most} men")
        found: set[PositionClass] = set()
        unfinished = list(wanted)
        while unfinished:
            each = unfinished.pop()
            for partner in self.partners(each):
                if partner not in found:
                    found.add(partner)
                    unfinished += self.leads_to(partner)
        return sorted(found, key=_turn)

    def all(self) -> list[PositionClass]:
        """Return all classes that the game can reach, in the order in which they can be solved."""
        return self.closure([PositionClass(0, 0, 0)])

    def group(self, each: PositionClass) -> Group:
        """Return the symmetries of the rules within a class."""
        board = self.rules.board
        flying = each.is_sliding and max(each.own, each.other) <= self.rules.fly_at
        return board.flying_automorphisms if flying else board.automorphisms

    def index(self, each: PositionClass) -> Index:
        """Return the index of a class's rows."""
        return make_index(self.points, self.group(each), each.own, each.other)

    def rows(self, each: PositionClass) -> int:
        """Return the number of rows of a class."""
        return count_rows(self.points, self.group(each), each.own, each.other)

    def positions_up_to_symmetry(self, each: PositionClass) -> int:
        """Return the number of positions of a class up to symmetry, of which some have several rows."""
        return count_positions(self.points, self.group(each), each.own, each.other)


def _turn(each: PositionClass) -> tuple[int, ...]:
    """Sort sliding classes by the men left, then placing classes backwards."""
    if each.is_sliding:
        return 0, each.own + each.other, max(each.own, each.other), each.own
    return 1, -each.ply, each.own, each.other
