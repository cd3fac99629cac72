"""Significant and dangerous states, found by searching for the loser's error (Epstein 2001, section 3.1)."""

from collections.abc import Iterator

import numpy as np

from boardgames_agents.hoyle.item import Experience, Item, Turn, as_keys, as_rows, position_of
from boardgames_agents.hoyle.partial_retrograde import ProvenValue, analyse, value_after
from boardgames_agents.hoyle.position_view import Choice, PositionView, ViewCache
from boardgames_agents.policy import Snapshot
from boardgames_agents.policy.knowledge import KnowledgeEntry
from boardgames_env.game import Game


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
    """

    name = "significant and dangerous states"

    def __init__(self, views: ViewCache, budget: int, selective: bool = False, occurred_only: bool = False) -> None:
        self._views = views
        self._budget = budget
        self._selective = selective
        self._occurred_only = occurred_only
        self._values: dict[bytes, ProvenValue] = {}
        self._dangerous: dict[bytes, bytes] = {}  # by the key of the dangerous state, the state of the last chance

    def value(self, key: bytes) -> ProvenValue | None:
        """Return the value of a significant state for the seat to move, or ``None`` for any other state."""
        return self._values.get(key)

    def after(self, choice: Choice) -> ProvenValue | None:
        """Return the value of a move for the mover, by the rules or by a significant state."""
        return value_after(choice, self._values.get)

    def is_dangerous(self, key: bytes) -> bool:
        """Return whether the move to a state seems to have lost."""
        return key in self._dangerous

    @property
    def significant(self) -> list[tuple[bytes, ProvenValue]]:
        """The significant states by key, oldest first."""
        return list(self._values.items())

    @property
    def dangerous(self) -> list[bytes]:
        """The keys of the dangerous states, oldest first."""
        return list(self._dangerous)

    def learn(self, experience: Experience) -> None:
        """Search for the loser's error."""
        before = len(self._values)
        while chance := self._last_chance(experience):
            if not self._study(chance.view, experience):
                self._dangerous[chance.choice.key] = chance.view.state
            if not _is_lost(self.value(chance.view.key)):
                break
        if len(self._values) > before:
            self._study_dangerous(experience)

    def _last_chance(self, experience: Experience) -> Turn | None:
        """Return the loser's last unforced move from a position of unknown value.

        If a position is known to be lost, the error came before it.
        """
        for turn in reversed(experience.turns):
            if not turn.whole or turn.view.seat != experience.loser or turn.view.is_forced:
                continue
            value = self.value(turn.view.key)
            if value is None:
                return turn
            if not _is_lost(value):
                return None  # the move gave away a known win
        return None

    def _study_dangerous(self, experience: Experience) -> None:
        """Analyse dangerous states again; forget those that are decided now."""
        for key, state in list(self._dangerous.items()):
            chance = self._views.view_of_state(state)
            if self._study(chance, experience) or self.value(key) is not None:
                del self._dangerous[key]

    def _study(self, root: PositionView, experience: Experience) -> bool:
        """Analyse a position and record what is proved. Return whether the position itself is decided."""
        views, values = analyse(root, self._budget, self.value)
        occurred = {turn.view.key for turn in experience.turns}
        for key, view in views.items():
            value = values.get(key)
            if value is None or (self._selective and key not in occurred):
                continue
            if value[0]:
                self._values[key] = value
            if len(view.choices) > 1 and (key in occurred or not self._occurred_only):
                reached = [(choice.key, value_after(choice, values.get)) for choice in view.choices]
                keep_it = frozenset(after for after, then in reached if then is not None and then[0] == value[0])
                experience.examples.append((view, keep_it))
        return root.key in values

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """Yield the states, with the winner of significant ones."""
        for key, (value, plies) in self._values.items():
            position = position_of(game, key)
            winner = game.men[position.seat if value > 0 else 1 - position.seat].name
            yield KnowledgeEntry(
                "significant states", f"{winner} wins within {plies} {'ply' if plies == 1 else 'plies'}", position
            )
        for key in self._dangerous:
            yield KnowledgeEntry("dangerous states", "the last move may have lost", position_of(game, key))

    @property
    def space(self) -> int:
        """The number of states kept."""
        return len(self._values) + len(self._dangerous)

    def snapshot(self) -> Snapshot:
        """Return the states, a row each: significant ones with their values, dangerous ones with the last chance."""
        size = self._views.frame.game.state_size
        return Snapshot(
            {
                "significant": as_rows(list(self._values), size),
                "worths": np.array(list(self._values.values()), dtype=np.int64).reshape(len(self._values), 2),
                "dangerous": as_rows(list(self._dangerous), size),
                "chances": as_rows(list(self._dangerous.values()), size),
            }
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the states of a snapshot."""
        arrays = snapshot.arrays
        for state in arrays["chances"]:
            self._views.frame.game.position(state)
        values = [(int(value), int(plies)) for value, plies in arrays["worths"].tolist()]
        self._values = dict(zip(as_keys(arrays["significant"]), values, strict=True))
        self._dangerous = dict(zip(as_keys(arrays["dangerous"]), as_keys(arrays["chances"]), strict=True))


def _is_lost(value: ProvenValue | None) -> bool:
    return value is not None and value[0] < 0
