"""Partial retrograde analysis: what can be proved of a position by looking at so many that follow it."""

from collections.abc import Callable
from dataclasses import dataclass

from boardgames_agents.hoyle.position_view import Choice, PositionView

Worth = tuple[int, int]
"""What best play gives the seat to move (+1, 0 or −1), and within how many plies that is certain."""


@dataclass(frozen=True)
class Analysis:
    """What was found.

    Attributes:
        views: The positions that were expanded, the first of them the root; by key.
        worths: Those that are won or lost, by key; if the search is complete, the draws too.
        complete: Whether all that can follow was looked at.
    """

    views: dict[bytes, PositionView]
    worths: dict[bytes, Worth]
    complete: bool


def analyse(root: PositionView, budget: int, known: Callable[[bytes], Worth | None]) -> Analysis:
    """Search on from a position breadth first, and back values up from where contests end.

    Unlike minimax over the tree, this heeds that positions can recur: won and lost are what is forced, and a draw is
    what is neither once everything that can follow has been looked at.

    Args:
        root: The position.
        budget: How many positions may be expanded.
        known: What is known already of a position by its key; there the search stops.
    """
    views = {root.key: root}
    worths: dict[bytes, Worth] = {}
    queue = [root]
    complete = True
    for view in queue:
        for choice in view.choices:
            if choice.points is not None or choice.key in views or choice.key in worths:
                continue
            worth = known(choice.key)
            if worth is not None:
                worths[choice.key] = worth
            elif len(queue) < budget:
                views[choice.key] = choice.then
                queue.append(choice.then)
            else:
                complete = False
    unsettled = [*views.values()]
    settled_some = True
    while settled_some:
        found = {view.key: worth for view in unsettled if (worth := _worth(view, worths)) is not None}
        settled_some = bool(found)
        worths.update(found)
        unsettled = [view for view in unsettled if view.key not in found]
    if complete:
        worths.update({view.key: (0, 0) for view in unsettled})
    return Analysis(views, worths, complete)


def worth_after(choice: Choice, worths: Callable[[bytes], Worth | None]) -> Worth | None:
    """What a move is worth to the mover, or ``None`` if that is not known."""
    if choice.points is not None:
        return (choice.points > 0) - (choice.points < 0), 1
    worth = worths(choice.key)
    return None if worth is None else (-worth[0], worth[1] + 1)


def _worth(view: PositionView, worths: dict[bytes, Worth]) -> Worth | None:
    """Won if a move is known to win; lost if all are known to lose."""
    reached = [worth_after(choice, worths.get) for choice in view.choices]
    wins = [worth[1] for worth in reached if worth is not None and worth[0] > 0]
    if wins:
        return 1, min(wins)
    losses = [worth[1] for worth in reached if worth is not None and worth[0] < 0]
    return (-1, max(losses)) if len(losses) == len(reached) else None
