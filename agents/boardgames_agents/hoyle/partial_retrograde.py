"""Partial retrograde analysis: what can be proved of a position within a budget of positions that follow it."""

from collections.abc import Callable

from boardgames_agents.hoyle.position_view import Choice, PositionView

ProvenValue = tuple[int, int]
"""The value of best play for the seat to move (+1, 0 or −1), and the number of plies within which it is certain."""


def analyse(
    root: PositionView, budget: int, known: Callable[[bytes], ProvenValue | None]
) -> tuple[dict[bytes, PositionView], dict[bytes, ProvenValue]]:
    """Expand a position breadth first, and back values up from ended contests.

    Unlike minimax over a tree, this is correct where positions recur: wins and losses are forced, and a draw is what is
    neither once everything that can follow has been expanded.

    At most ``budget`` positions are expanded, and none whose value is known.

    Returns:
        The expanded positions by key, the root first, and the proven values by key: wins and losses, and draws if all
        positions that can follow were expanded.
    """
    views = {root.key: root}
    values: dict[bytes, ProvenValue] = {}
    queue = [root]
    complete = True
    for view in queue:
        for choice in view.choices:
            if choice.points is not None or choice.key in views or choice.key in values:
                continue
            value = known(choice.key)
            if value is not None:
                values[choice.key] = value
            elif len(queue) < budget:
                views[choice.key] = choice.then
                queue.append(choice.then)
            else:
                complete = False
    open_views = queue
    while found := {view.key: value for view in open_views if (value := _value(view, values)) is not None}:
        values.update(found)
        open_views = [view for view in open_views if view.key not in found]
    if complete:
        values.update({view.key: (0, 0) for view in open_views})
    return views, values


def value_after(choice: Choice, values: Callable[[bytes], ProvenValue | None]) -> ProvenValue | None:
    """Return the value of a move for the mover, or ``None`` if it is unknown."""
    if choice.points is not None:
        return (choice.points > 0) - (choice.points < 0), 1
    value = values(choice.key)
    return None if value is None else (-value[0], value[1] + 1)


def _value(view: PositionView, values: dict[bytes, ProvenValue]) -> ProvenValue | None:
    """Return a win if a move is known to win, a loss if all moves are known to lose, otherwise ``None``."""
    reached = [value_after(choice, values.get) for choice in view.choices]
    wins = [value[1] for value in reached if value is not None and value[0] > 0]
    if wins:
        return 1, min(wins)
    losses = [value[1] for value in reached if value is not None and value[0] < 0]
    return (-1, max(losses)) if len(losses) == len(reached) else None
