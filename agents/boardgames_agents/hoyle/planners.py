"""Tier 2: planners that work out sequences of moves.

What is here is ours. The paper only says that tier 2 "is currently under construction for Hoyle" (Epstein 2001, section
3.3), and that FORR "provides a structure that interleaves plans with single-action comments, and replans as necessary".
"""

from collections.abc import Sequence

from boardgames_agents.hoyle.forr import Planner
from boardgames_agents.hoyle.position_view import Choice, PositionView


class Forcing(Planner[PositionView, Choice]):
    """Win by force: leave the other seat one reply at a time that does not lose at once, and in the end none.

    Replies that are the same but for symmetry count as one. A reply loses at once if it ends the contest with a loss,
    or if it can be answered by a move that wins by the rules. So a plan is proved, and no shorter one is of its kind.
    Its steps are the keys of the positions that its moves lead to: whoever comes to one of them wins with what is left
    of the plan.

    Args:
        budget: How many positions a search may expand; without a plan by then, there is none.
        depth: How many moves of its own a plan may have.
    """

    def __init__(self, budget: int = 1000, depth: int = 8) -> None:
        self._budget = budget
        self._depth = depth

    def plan(self, case: PositionView, options: Sequence[Choice]) -> Sequence[bytes]:
        """The keys of the positions after each move of the shortest plan."""
        search = _Search(self._budget)
        try:
            for depth in range(1, self._depth + 1):
                if steps := search.plan(options, depth):
                    return steps
                if not search.cut:
                    break
        except _OutOfBudgetError:
            pass
        return ()

    def option(self, case: PositionView, options: Sequence[Choice], step: object) -> Choice | None:
        """The move to a position."""
        return next((option for option in options if option.key == step), None)


class _OutOfBudgetError(Exception):
    """As many positions have been expanded as are allowed."""


class _Search:
    """A depth-first search for a plan, to be repeated deeper and deeper.

    Attributes:
        expanded: The keys of the positions that have been expanded.
        cut: Whether the last search might have found something deeper.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._held: dict[bytes, list[Choice]] = {}
        self._fruitless: dict[bytes, int] = {}
        self.expanded: set[bytes] = set()
        self.cut = False

    def plan(self, options: Sequence[Choice], depth: int) -> tuple[bytes, ...]:
        """The steps of a plan of at most so many moves that begins with one of the options; none if there is none."""
        self.cut = False
        return self._plan(options, depth)

    def _plan(self, options: Sequence[Choice], depth: int) -> tuple[bytes, ...]:
        for option in options:
            if (option.points or 0) > 0:
                return (option.key,)
        for option in options:
            replies = self._replies(option) if option.points is None else []
            if option.points is None and not replies:
                return (option.key,)
            if len(replies) != 1 or replies[0].points is not None:
                continue
            if depth == 1:
                self.cut = True
            elif rest := self._after(replies[0], depth - 1):
                return option.key, *rest
        return ()

    def _after(self, reply: Choice, depth: int) -> tuple[bytes, ...]:
        """The plan after a forced reply, unless it is known that there is none so short."""
        if self._fruitless.get(reply.key, 0) >= depth:
            self.cut = True
            return ()
        steps = self._plan(self._choices(reply), depth)
        if not steps:
            self._fruitless[reply.key] = depth
        return steps

    def _replies(self, option: Choice) -> list[Choice]:
        """The replies that do not lose at once; when there are two of them, it does not matter how many more."""
        held = self._held.get(option.key)
        if held is None:
            held = self._held[option.key] = []
            for reply in self._choices(option):
                if not self._loses(reply):
                    held.append(reply)
                if len(held) == 2:
                    break
        return held

    def _loses(self, reply: Choice) -> bool:
        if reply.points is not None:
            return reply.points < 0
        return any((answer.points or 0) > 0 for answer in self._choices(reply))

    def _choices(self, choice: Choice) -> Sequence[Choice]:
        """The moves of whoever moves after a choice."""
        if choice.key not in self.expanded:
            if len(self.expanded) >= self._budget:
                raise _OutOfBudgetError
            self.expanded.add(choice.key)
        return choice.replies
