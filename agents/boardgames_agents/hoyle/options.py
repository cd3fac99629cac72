"""The options of `hoyle`, and the programs that give the defaults of some of them."""

from dataclasses import dataclass, fields, replace
from typing import Literal

from boardgames_agents.search.men import MOST_PLIES
from boardgames_env.errors import BadInputError, require

ProgramName = Literal["today", "2001", "1994"]
VotingName = Literal["usual", "pwl", "tally", "smooth", "limit", "both"]


@dataclass(frozen=True)
class HoyleProgram:
    """A program, and the options whose defaults depend on it; `HoyleOptions` describes them."""

    name: ProgramName
    voting: VotingName = "pwl"
    budget: int = 500
    lookahead: int = 0
    lookahead_by: Literal["veto", "vote"] = "veto"
    capture_forks: bool = False
    corrected_weights: bool = False
    staged_weights: bool = False
    examples: Literal["searched", "contest"] = "searched"
    net_lines: bool = False


_PROGRAMS: dict[ProgramName, HoyleProgram] = {
    "today": HoyleProgram("today"),
    "2001": HoyleProgram("2001"),
    "1994": HoyleProgram("1994", voting="tally"),
}
_TODAY_WITH_CAPTURES = HoyleProgram(
    "today", budget=20, lookahead=9, capture_forks=True, corrected_weights=True, staged_weights=True
)


@dataclass(frozen=True)
class HoyleOptions:
    """The options of `hoyle`. Where the default is ``None``, it is the program's.

    Attributes:
        program: ``today`` is ours and the strongest: in games with captures it looks ahead for men, learns forks of
            captures, and has corrected weights for each stage; elsewhere it is the program of 2001. ``2001`` and
            ``1994`` are the programs of Epstein's papers. The older one votes by ``tally`` and keeps less: of experts'
            moves those of contests that the expert won ("moves that expert opposition appears to have found
            valuable"), of its own those of contests that it lost, and of significant states those that occurred in the
            contest ("selective retrograde analysis"). Its space is then close to the numbers of the paper's Tables 2
            and 3.
        voting: The vote of the fallible Advisors: ``usual`` for the program's own, learned weights (``pwl``), or a move
            selection paradigm of the older program, ``tally``, ``smooth``, ``limit`` or ``both``.
        budget: The number of positions that a search for a loser's error may expand.
        lookahead: The number of plies, after a move, within which the loss of a man by force is seen, in games with
            captures: 0 in the papers' programs; 3 is the fork of Epstein 2001, "a subgoal (e.g., piece capture)"; more
            is ours. An odd number: the last of them is the other seat's.
        lookahead_by: Whether moves that lose a man are ruled out in tier 1, by a ``veto``, or opposed by a ``vote`` in
            tier 3 whose weight is learned.
        capture_forks: Whether forks are also learned from captures, in games in which lines capture men.
        corrected_weights: Whether an Advisor's weight counts only the correct opinions beyond those that a random
            permutation of its comments would give.
        staged_weights: Whether weights are learned for placing and for sliding apart.
        examples: Which positions of a search for a loser's error the weights are learned from: all that are decided
            (``searched``), or only those of the ``contest`` itself.
        net_lines: Whether Candide and Worried judge a move by the net change of open lines, those that a slide leaves
            included.
        patterns: Whether patterns are learned (Epstein 2001, section 4.1; Visual Cues, sections 3 and 4).
        zones: Whether zones are learned (Epstein 2001, section 4.2).
        planning: Whether tier 2 plans. The planner is ours; the papers only leave a place for one.
        field_of_view: The largest distance between two locations of a pattern, in metric units of the board.
        pattern_cache: The number of patterns kept, least recently used first out; 0 for no limit.
        forget: Factor on the strengths of patterns after each contest; 1 keeps them.
        consistency: The share of the contests with a pattern that must have ended alike, from 0.5 to 1.
        only: Names of the Advisors that are asked, separated by commas; empty for those of the program.
        also: Names of further Advisors.
        without: Names of Advisors that are not asked, separated by commas.

    Raises:
        BadInputError: If a number is out of range.
    """

    program: ProgramName = "today"
    voting: VotingName = "usual"
    budget: int | None = None
    lookahead: int | None = None
    lookahead_by: Literal["veto", "vote"] | None = None
    capture_forks: bool | None = None
    corrected_weights: bool | None = None
    staged_weights: bool | None = None
    examples: Literal["searched", "contest"] | None = None
    net_lines: bool | None = None
    patterns: bool = False
    zones: bool = False
    planning: bool = False
    field_of_view: int = 4
    pattern_cache: int = 0
    forget: float = 1.0
    consistency: float = 0.9
    only: str = ""
    also: str = ""
    without: str = ""

    def __post_init__(self) -> None:
        given = self.settled(captures=True)
        require(1, 1_000_000, budget=given.budget)
        require(0, MOST_PLIES, lookahead=given.lookahead)
        if given.lookahead and given.lookahead % 2 == 0:
            raise BadInputError(f"lookahead={self.lookahead} is not allowed; use 0 or an odd number up to {MOST_PLIES}")
        require(1, 100, field_of_view=self.field_of_view)
        require(0, 1_000_000, pattern_cache=self.pattern_cache)
        require(0, 1, forget=self.forget)
        require(0.5, 1, consistency=self.consistency)

    def settled(self, captures: bool) -> HoyleProgram:
        """Return the program for a game in which men are captured, or are not, with the options that were given."""
        program = _TODAY_WITH_CAPTURES if captures and self.program == "today" else _PROGRAMS[self.program]
        given = {each.name: getattr(self, each.name) for each in fields(HoyleProgram) if each.name != "name"}
        return replace(program, **{name: value for name, value in given.items() if value not in (None, "usual")})


DEFAULTS = HoyleOptions()
