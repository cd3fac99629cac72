"""Significant and dangerous states, found by searching for the loser's error (Epstein 2001, section 3.1).

Partial retrograde analysis proves what can be proved of a position within a budget of positions that follow it.
"""

from collections.abc import Callable, Iterator

import numpy as np

from boardgames_agents.hoyle.items import ContestTurn, Experience, Item, as_keys, as_rows, position_of
from boardgames_agents.hoyle.position_view import Choice, PositionView, ViewCache
from boardgames_agents.policy import Snapshot
from boardgames_agents.policy.explanation import counted
from boardgames_agents.policy.knowledge import KnowledgeEntry
from boardgames_env.game import Game

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
    while found := {view.key: value for view in open_views if (value := _value_of_moves(view, values)) is not None}:
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


def _value_of_moves(view: PositionView, values: dict[bytes, ProvenValue]) -> ProvenValue | None:
    """Return a win if a move is known to win, a loss if all moves are known to lose, otherwise ``None``."""
    reached = [value_after(choice, values.get) for choice in view.choices]
    wins = [value[1] for value in reached if value is not None and value[0] > 0]
    if wins:
        return 1, min(wins)
    losses = [value[1] for value in reached if value is not None and value[0] < 0]
    return (-1, max(losses)) if len(losses) == len(reached) else None


class States(Item):
    """States that are won or lost with perfect play, and moves that seem to have lost.

    After a contest that was not drawn, partial retrograde analysis starts from the loser's last chance: the last
    position in which the loser had several moves that did not lose within two plies. Every position of the analysis
    that is proved won or lost is *significant*. If the last chance itself cannot be decided within the budget, the
    position after the loser's move is *dangerous*. When more has become known, dangerous states are analysed again:
    they become significant, or prove safe and are forgotten.

    If the last chance is proved lost, the one before it is studied, and so on, because the error came earlier. (The
    paper studies one last chance, and records that itself as dangerous. But it is the winner who moves into it. The
    Advisor Leery is to avoid the "questionable move" of Visual Cues, Table 1, so we record that.)

    An analysis may expand ``budget`` positions. With ``selective``, only positions that occurred in the contest itself
    are recorded; with ``occurred_only``, only these are examples for the items that are learned later.

    Attributes:
        significant: The values of the significant states for the seat to move, by key, oldest first.
        dangerous: By the key of a dangerous state, the state of the last chance, oldest first.
    """

    name = "significant and dangerous states"

    def __init__(self, views: ViewCache, budget: int, selective: bool = False, occurred_only: bool = False) -> None:
        self._views = views
        self._budget = budget
        self._selective = selective
        self._occurred_only = occurred_only
        self.significant: dict[bytes, ProvenValue] = {}
        self.dangerous: dict[bytes, bytes] = {}

    def after(self, choice: Choice) -> ProvenValue | None:
        """Return the value of a move for the mover, by the rules or by a significant state."""
        return value_after(choice, self.significant.get)

    def learn(self, experience: Experience) -> None:
        """Search for the loser's error."""
        before = len(self.significant)
        while chance := self._last_chance(experience):
            if not self._study(chance.view, experience):
                self.dangerous[chance.choice.key] = chance.view.state
            if not _is_lost(self.significant.get(chance.view.key)):
                break
        if len(self.significant) > before:  # analyse dangerous states again; forget those that are decided now
            for key, state in list(self.dangerous.items()):
                if self._study(self._views.view_of_state(state), experience) or key in self.significant:
                    del self.dangerous[key]

    def _last_chance(self, experience: Experience) -> ContestTurn | None:
        """Return the loser's last unforced move from a position of unknown value.

        If a position is known to be lost, the error came before it.
        """
        for turn in reversed(experience.turns):
            if not turn.whole or turn.view.seat != experience.loser or turn.view.is_forced:
                continue
            value = self.significant.get(turn.view.key)
            if value is None:
                return turn
            if not _is_lost(value):
                return None  # the move gave away a known win
        return None

    def _study(self, root: PositionView, experience: Experience) -> bool:
        """Analyse a position and record what is proved. Return whether the position itself is decided."""
        views, values = analyse(root, self._budget, self.significant.get)
        occurred = {turn.view.key for turn in experience.turns}
        for key, view in views.items():
            value = values.get(key)
            if value is None or (self._selective and key not in occurred):
                continue
            if value[0]:
                self.significant[key] = value
            if len(view.choices) > 1 and (key in occurred or not self._occurred_only):
                reached = [(choice.key, value_after(choice, values.get)) for choice in view.choices]
                keep_it = frozenset(after for after, then in reached if then is not None and then[0] == value[0])
                experience.examples.append((view, keep_it))
        return root.key in values

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """Yield the states, with the winner of significant ones."""
        for key, (value, plies) in self.significant.items():
            position = position_of(game, key)
            winner = game.men[position.seat if value > 0 else 1 - position.seat].name
            yield KnowledgeEntry("significant states", f"{winner} wins within {counted(plies, 'ply')}", position)
        for key in self.dangerous:
            yield KnowledgeEntry("dangerous states", "the last move may have lost", position_of(game, key))

    @property
    def space(self) -> int:
        """The number of states kept."""
        return len(self.significant) + len(self.dangerous)

    def snapshot(self) -> Snapshot:
        """Return the states, a row each: significant ones with their values, dangerous ones with the last chance."""
        size = self._views.frame.game.state_size
        return Snapshot(
            {
                "significant": as_rows(list(self.significant), size),
                "worths": np.array(list(self.significant.values()), dtype=np.int64).reshape(len(self.significant), 2),
                "dangerous": as_rows(list(self.dangerous), size),
                "chances": as_rows(list(self.dangerous.values()), size),
            }
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the states of a snapshot."""
        arrays = snapshot.arrays
        for state in arrays["chances"]:
            self._views.frame.game.position(state)
        values = [(int(value), int(plies)) for value, plies in arrays["worths"].tolist()]
        self.significant = dict(zip(as_keys(arrays["significant"]), values, strict=True))
        self.dangerous = dict(zip(as_keys(arrays["dangerous"]), as_keys(arrays["chances"]), strict=True))


def _is_lost(value: ProvenValue | None) -> bool:
    return value is not None and value[0] < 0
