"""How far a network is from perfect play, counted over all positions of a solved game."""

from collections.abc import Mapping

import numpy as np

from boardgames_agents.alpha_zero.network import PolicyNetwork
from boardgames_agents.alpha_zero.policy_fitting import legal_masks
from boardgames_agents.alpha_zero.search import SearchOptions, TreeSearch
from boardgames_agents.arena.exploitability import values_on, weakness
from boardgames_agents.arena.position_graph import PolicyOnGraph, graph_of
from boardgames_agents.policy import Distribution, MarkovPolicy
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Int64s
from boardgames_env.position import Position

_AT_ONCE = 1024
"""The positions that are searched at once."""


VALUE_KEPT, WHERE_REACHED = "value kept", "value kept where reached"
MEASURES, PLAYED = (VALUE_KEPT, WHERE_REACHED, "mean loss", "exploitability"), ("alone", "with search")
"""What is measured, and how the network plays; the name of a measure has both, such as ``value kept alone``."""


class ExactMeasures:
    """Counts the errors of networks at a game that can be solved.

    Decisions are all positions with two legal actions or more, those that play does not reach, too; *reached* are those
    of either seat that may come up while the network plays it (`Weakness`). An action keeps the value if best play gets
    as many points after it as before, in a contest without a limit.

    Args:
        game: The game.

    Raises:
        BadInputError: If the game cannot be solved, or is too large; see `graph_of`.
    """

    def __init__(self, game: Game) -> None:
        self._graph = graph = graph_of(game)
        self._values = values_on(graph)
        self._rows = np.flatnonzero(graph.ongoing)
        self._has_choice = np.diff(graph.first_edge)[self._rows] > 1
        self._mask = legal_masks(game, graph.states[self._rows])
        owners = np.searchsorted(self._rows, graph.owners)
        # what each action loses, by row and number of the action
        self._losses = np.zeros(self._mask.shape)
        losses = (1 - 2 * graph.seats[graph.owners]) * (self._values[graph.owners] - self._values[graph.children])
        self._losses[owners, np.nonzero(self._mask)[1]] = losses

    def measure(self, network: PolicyNetwork, simulations: int) -> Mapping[str, float]:
        """Return the measures of a network, alone and with a search, by name."""
        states = self._graph.states[self._rows]
        alone = np.where(self._mask, network.predict(states)[0], -np.inf).argmax(1)
        search = TreeSearch(self._graph.game, network.evaluate, SearchOptions(simulations=simulations))
        parts = [states[first : first + _AT_ONCE] for first in range(0, len(states), _AT_ONCE)]
        searched = np.concatenate([search.search(part).actions for part in parts]).astype(np.int64)
        return {**self._of(alone, "alone"), **self._of(searched, "with search")}

    def _of(self, actions: Int64s, how: str) -> dict[str, float]:
        """Return the measures of a choice of an action in each position."""
        losses = self._losses[np.arange(len(actions)), actions][self._has_choice]
        played = _Chosen(
            {
                self._graph.states[row].tobytes(): action
                for row, action in zip(self._rows.tolist(), actions.tolist(), strict=True)
            }
        )
        asked = PolicyOnGraph(self._graph, played)
        first, second = (weakness(asked, seat, self._values) for seat in (0, 1))
        return {
            f"{VALUE_KEPT} {how}": float((losses <= 0).mean()),
            f"{WHERE_REACHED} {how}": 1 - (first.errors + second.errors) / (first.decisions + second.decisions),
            f"mean loss {how}": float(losses.mean()),
            f"exploitability {how}": (first.loss + second.loss) / 2,
        }


def exact_measures(game: Game) -> ExactMeasures | None:
    """Return the exact measures of a game, or ``None`` if it is too large for them."""
    try:
        return ExactMeasures(game)
    except BadInputError:
        return None


class _Chosen(MarkovPolicy):
    """A player of the actions of a table."""

    def __init__(self, actions: Mapping[bytes, int]) -> None:
        super().__init__()
        self._actions = actions

    def distribution(self, position: Position) -> Distribution:
        """Return the action of the table."""
        return (self._actions[position.key],), (1.0,)
