"""Tier 2: planners, which recommend sequences of moves.

(The planner is ours. The paper only says that tier 2 "is currently under construction for Hoyle" (Epstein 2001, section
3.3), and that FORR "provides a structure that interleaves plans with single-action comments, and replans as
necessary".)
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from boardgames_agents.hoyle.forr import Planner
from boardgames_agents.hoyle.position_view import Choice, PositionView


class Forcing(Planner[PositionView, Choice]):
    """Win by force: leave the other seat one reply at a time that does not lose at once, and in the end none.

    Replies that are equal up to symmetry count as one. A reply loses at once if it ends the contest with a loss, or if
    it can be answered by a move that wins by the rules. A plan is therefore proved, and it is the shortest of its kind.
    Its steps are the keys of the positions after its moves: from any of them the remaining steps win. It has at most
    ``depth`` own moves, and a search expands at most ``budget`` positions.
    """

    def __init__(self, budget: int = 1000, depth: int = 8) -> None:
        self._budget = budget
        self._depth = depth

    def plan(self, case: PositionView, options: Sequence[Choice]) -> Sequence[bytes]:
        """Return the keys of the positions after each move of the shortest plan."""
        search = _Search(self._budget)
        with suppress(_OutOfBudgetError):
            for depth in range(1, self._depth + 1):
                search.cut = False
                if steps := search.plan(options, depth):
                    return steps
                if not search.cut:
                    break
        return ()

    def option(self, case: PositionView, options: Sequence[Choice], step: object) -> Choice | None:
        """Return the move to a position."""
        return next((option for option in options if option.key == step), None)


class _OutOfBudgetError(Exception):
    """The budget of positions is used up."""


class _Search:
    """A depth-first search for a plan, repeated with increasing depth.

    Attributes:
        cut: Whether a search was cut off by its depth.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._held: dict[bytes, list[Choice]] = {}
        self._fruitless: dict[bytes, int] = {}
        self._expanded: set[bytes] = set()
        self.cut = False

    def plan(self, options: Sequence[Choice], depth: int) -> tuple[bytes, ...]:
        """Return the steps of a plan that begins with one of the options and has at most ``depth`` moves, if any."""
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
        """Return the plan after a forced reply, unless it is known that there is none this short."""
        if self._fruitless.get(reply.key, 0) >= depth:
            self.cut = True
            return ()
        steps = self.plan(self._choices(reply), depth)
        if not steps:
            self._fruitless[reply.key] = depth
        return steps

    def _replies(self, option: Choice) -> list[Choice]:
        """Return the replies that do not lose at once, at most two of them: further ones do not matter."""
        if option.key not in self._held:
            holding = (reply for reply in self._choices(option) if not self._loses(reply))
            self._held[option.key] = list(islice(holding, 2))
        return self._held[option.key]

    def _loses(self, reply: Choice) -> bool:
        if reply.points is not None:
            return reply.points < 0
        return any((answer.points or 0) > 0 for answer in self._choices(reply))

    def _choices(self, choice: Choice) -> Sequence[Choice]:
        """Return the replies to a choice."""
        if choice.key not in self._expanded:
            if len(self._expanded) >= self._budget:
                raise _OutOfBudgetError
            self._expanded.add(choice.key)
        return choice.replies
