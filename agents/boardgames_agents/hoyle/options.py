"""The options of `hoyle`."""

from dataclasses import dataclass
from typing import Literal

from boardgames_env.errors import require

Program = Literal["2001", "1994"]
VotingName = Literal["usual", "pwl", "tally", "smooth", "limit", "both"]


@dataclass(frozen=True)
class HoyleOptions:
    """The options of `hoyle`.

    Attributes:
        program: The program of Epstein 2001 or that of Epstein 1994. The older one votes by ``tally`` unless another
            voting is chosen, and keeps less: of experts' moves those of contests that the expert won ("moves that
            expert opposition appears to have found valuable"), of its own those of contests that it lost, and of
            significant states those that occurred in the contest ("selective retrograde analysis"). Its space is then
            close to the numbers of the paper's Tables 2 and 3.
        voting: The vote of the fallible Advisors: ``usual`` for the program's own, learned weights (``pwl``), or a move
            selection paradigm of the older program, ``tally``, ``smooth``, ``limit`` or ``both``.
        budget: The number of positions that a search for a loser's error may expand.
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

    program: Program = "2001"
    voting: VotingName = "usual"
    budget: int = 500
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
        require(1, 1_000_000, budget=self.budget)
        require(1, 100, field_of_view=self.field_of_view)
        require(0, 1_000_000, pattern_cache=self.pattern_cache)
        require(0, 1, forget=self.forget)
        require(0.5, 1, consistency=self.consistency)


DEFAULTS = HoyleOptions()
