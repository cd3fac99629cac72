"""Significant and dangerous states, found by looking for the loser's error (Epstein 2001, section 3.1)."""

from collections.abc import Iterator

import numpy as np

from boardgames_agents.hoyle.item import Experience, Item, KnowledgeEntry, Turn, as_keys, as_rows, position_of
from boardgames_agents.hoyle.partial_retrograde import Analysis, Worth, analyse, worth_after
from boardgames_agents.hoyle.position_view import Choice, PositionView, ViewCache
from boardgames_agents.policy import Snapshot
from boardgames_env.game import Game


class States(Item):
    """States that are won or lost with perfect play, and moves that seem to have lost.

    After a contest that was not drawn, partial retrograde analysis starts from the loser's last chance: the last
    position in which the loser had several moves that did not lose within two plies. Every position in the search
    that proves to be won or lost is *significant*. If the last chance itself cannot be settled within the budget, the
    position that the loser's move led to is *dangerous*. When more has become known, dangerous states are looked at
    again: they become significant, or prove safe and are forgotten.

    Where the last chance proves lost already, the one before it is studied, and so on: the error is still to be found.
    (The paper studies one last chance, and records that itself as dangerous. It is the winner who moves into it; what
    the Advisor Leery is to avoid is the "questionable move" of Visual Cues, Table 1, so that is what we record.)

    Args:
        views: Makes views.
        budget: How many positions a search may expand.
        selective: Whether only the positions that came up in the contest itself are recorded.
    """

    name = "significant and dangerous states"

    def __init__(self, views: ViewCache, budget: int, selective: bool = False) -> None:
        self._views = views
        self._budget = budget
        self._selective = selective
        self._worths: dict[bytes, Worth] = {}
        self._dangerous: dict[bytes, bytes] = {}  # the state it is, by key, and the loser's last chance

    def worth(self, key: bytes) -> Worth | None:
        """What a significant state is worth to the seat to move, or ``None`` for any other state."""
        return self._worths.get(key)

    def after(self, choice: Choice) -> Worth | None:
        """What a move is worth to the mover, by the rules or by a significant state."""
        return worth_after(choice, self._worths.get)

    def is_dangerous(self, key: bytes) -> bool:
        """Whether the move that led to a state seems to have lost."""
        return key in self._dangerous

    @property
    def significant(self) -> list[tuple[bytes, Worth]]:
        """The significant states by key, the oldest first."""
        return list(self._worths.items())

    @property
    def dangerous(self) -> list[bytes]:
        """The keys of the dangerous states, the oldest first."""
        return list(self._dangerous)

    def learn(self, experience: Experience) -> None:
        """Look for the loser's error."""
        before = len(self._worths)
        while chance := self._last_chance(experience):
            if not self._study(chance.view, experience):
                self._dangerous[chance.choice.key] = chance.view.state
            if not _is_lost(self.worth(chance.view.key)):
                break
        if len(self._worths) > before:
            self._look_again(experience)

    def _last_chance(self, experience: Experience) -> Turn | None:
        """The last move of the loser's that was not forced, from a position of which nothing is known.

        Where a position is known to be lost, the error came before it.
        """
        for turn in reversed(experience.turns):
            had_a_choice = turn.whole and turn.view.seat == experience.loser and not turn.view.is_forced
            if not had_a_choice:
                continue
            worth = self.worth(turn.view.key)
            if worth is None:
                return turn
            if not _is_lost(worth):
                return None  # it threw away what was known to be won
        return None

    def _look_again(self, experience: Experience) -> None:
        """See whether dangerous states can be settled by now."""
        for key, state in list(self._dangerous.items()):
            chance = self._views.view_of_state(state)
            if self._study(chance, experience) or self.worth(key) is not None:
                del self._dangerous[key]

    def _study(self, root: PositionView, experience: Experience) -> bool:
        """Analyse a position, and record what that proves; whether it is settled."""
        analysis = analyse(root, self._budget, self.worth)
        came_up = {turn.view.key for turn in experience.turns}
        for key, view in analysis.views.items():
            worth = analysis.worths.get(key)
            if worth is None or (self._selective and key not in came_up):
                continue
            if worth[0]:
                self._worths[key] = worth
            if len(view.choices) > 1:
                experience.examples.append((view, _correct(view, worth, analysis)))
        return root.key in analysis.worths

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """The states, with who wins them."""
        for key, (value, plies) in self._worths.items():
            position = position_of(game, key)
            winner = game.men[position.seat if value > 0 else 1 - position.seat].name
            yield KnowledgeEntry(
                "significant states", f"{winner} wins within {plies} {'ply' if plies == 1 else 'plies'}", position
            )
        for key in self._dangerous:
            yield KnowledgeEntry("dangerous states", "the last move may have lost", position_of(game, key))

    @property
    def space(self) -> int:
        """How many states are kept."""
        return len(self._worths) + len(self._dangerous)

    def snapshot(self) -> Snapshot:
        """The states, a row each: the significant with their worth, the dangerous with the loser's last chance."""
        size = self._views.frame.game.state_size
        return Snapshot(
            {
                "significant": as_rows(list(self._worths), size),
                "worths": np.array(list(self._worths.values()), dtype=np.int64).reshape(len(self._worths), 2),
                "dangerous": as_rows(list(self._dangerous), size),
                "chances": as_rows(list(self._dangerous.values()), size),
            }
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Know the states of a snapshot."""
        arrays = snapshot.arrays
        worths = [(int(value), int(plies)) for value, plies in arrays["worths"].tolist()]
        self._worths = dict(zip(as_keys(arrays["significant"]), worths, strict=True))
        self._dangerous = dict(zip(as_keys(arrays["dangerous"]), as_keys(arrays["chances"]), strict=True))


def _is_lost(worth: Worth | None) -> bool:
    return worth is not None and worth[0] < 0


def _correct(view: PositionView, worth: Worth, analysis: Analysis) -> frozenset[bytes]:
    """The keys of the positions that the moves which keep a position's worth lead to."""
    reached = {choice.key: worth_after(choice, analysis.worths.get) for choice in view.choices}
    return frozenset(key for key, after in reached.items() if after is not None and after[0] == worth[0])
