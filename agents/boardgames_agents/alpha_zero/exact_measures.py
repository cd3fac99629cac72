"""How far a network is from perfect play at a solved game: over all positions, or at a sample of a larger game."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from boardgames_agents.alpha_zero.network import PolicyNetwork
from boardgames_agents.alpha_zero.policy_fitting import legal_masks
from boardgames_agents.alpha_zero.search import SearchOptions, TreeSearch
from boardgames_agents.arena.exploitability import values_on, weakness
from boardgames_agents.arena.position_graph import PolicyOnGraph, TooManyPositionsError, graph_of
from boardgames_agents.arena.solved_game import SolvedGame
from boardgames_agents.experiments.runner import Progress, no_progress
from boardgames_agents.policy import Distribution, MarkovPolicy
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Bools, Float64s, Int8s, Int64s
from boardgames_env.position import Position, demand_states
from boardgames_env.solve import demand_solvable

_SAMPLE = 500
"""The decisions of random contests at which a network is measured where there are too many positions."""

_SAMPLE_KIND = FileKind("decisions of a solved game", "remove it, and it is computed again")

VALUE_KEPT, WHERE_REACHED = "value kept", "value kept where reached"
MEAN_LOSS, EXPLOITABILITY = "mean loss", "exploitability"
MEASURES, PLAYED = (VALUE_KEPT, WHERE_REACHED, MEAN_LOSS, EXPLOITABILITY), ("alone", "with search")
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
        found = _choices(network, self._graph.states[self._rows], self._mask, simulations)
        return {name: value for how, actions in found.items() for name, value in self._of(actions, how).items()}

    def _of(self, actions: Int64s, how: str) -> dict[str, float]:
        """Return the measures of a choice of an action in each position."""
        played = _Chosen(
            {
                self._graph.states[row].tobytes(): action
                for row, action in zip(self._rows.tolist(), actions.tolist(), strict=True)
            }
        )
        asked = PolicyOnGraph(self._graph, played)
        first, second = (weakness(asked, seat, self._values) for seat in (0, 1))
        return {
            **_kept(self._losses[self._has_choice], actions[self._has_choice], how),
            f"{WHERE_REACHED} {how}": 1 - (first.errors + second.errors) / (first.decisions + second.decisions),
            f"{EXPLOITABILITY} {how}": (first.loss + second.loss) / 2,
        }


class Decisions(NamedTuple):
    """Decisions at a solved game.

    Attributes:
        states: The positions; int8, shape ``(N, state_size)``.
        losses: The points that each action gives away, 0 for those that are not legal; shape ``(N, num_actions)``.
    """

    states: Int8s
    losses: Float64s


class SampledMeasures:
    """Counts the errors of networks at decisions of a solved game that has too many positions to count them all.

    Args:
        game: The game.
        decisions: Different positions of random contests, with what the actions lose there.
    """

    def __init__(self, game: Game, decisions: Decisions) -> None:
        self._decisions, self._mask = decisions, legal_masks(game, decisions.states)

    def measure(self, network: PolicyNetwork, simulations: int) -> Mapping[str, float]:
        """Return the share of decisions that keep the value and the mean loss, alone and with a search, by name."""
        found = _choices(network, self._decisions.states, self._mask, simulations)
        return {
            name: value
            for how, actions in found.items()
            for name, value in _kept(self._decisions.losses, actions, how).items()
        }


def exact_measures(
    game: Game, sample: Path, progress: Progress = no_progress
) -> ExactMeasures | SampledMeasures | None:
    """Return the measures of a game that can be solved, or ``None`` of any other.

    Args:
        game: The game.
        sample: The file in which the decisions of a large game are kept, or looked up if it is there.
        progress: Shows how many decisions of a large game have been computed.
    """
    try:
        return ExactMeasures(game)
    except TooManyPositionsError:
        return SampledMeasures(game, _decisions(game, sample, progress)) if _is_solvable(game) else None
    except BadInputError:
        return None


def _is_solvable(game: Game) -> bool:
    """Return whether a large game can be solved; one whose size is not known counts as too large."""
    try:
        if game.positions is not None:
            demand_solvable(game)
    except BadInputError:
        return False
    return game.positions is not None


def _decisions(game: Game, file: Path, progress: Progress) -> Decisions:
    """Return the decisions of a file, which is written first if it is not there."""
    if not file.exists():
        solved = SolvedGame(game)
        positions = list(solved.positions(_SAMPLE, np.random.default_rng(0)))
        losses = np.zeros((len(positions), game.num_actions))
        with progress(f"values of {game.spec}", len(positions)) as bar:
            for position, row in zip(positions, losses, strict=True):
                values = solved.values(position)
                row[list(values)] = max(values.values()) - np.array(list(values.values()))
                bar.step()
        write_arrays(
            file, Decisions(np.array([each.state for each in positions]), losses)._asdict(), {"game": game.spec}
        )
    arrays, data = read_arrays(file, _SAMPLE_KIND)
    with _SAMPLE_KIND.reading(file):
        if data["game"] != game.spec:
            raise BadInputError(f"it is of {data['game']}, not of {game.spec}")
        found = Decisions(**arrays)
        demand_states(found.states, game)
        if found.losses.shape != (len(found.states), game.num_actions):
            raise BadInputError(f"losses have shape {found.losses.shape}")
        return found


def _choices(network: PolicyNetwork, states: Int8s, legal: Bools, simulations: int) -> dict[str, Int64s]:
    """Return the action of a network in each position, by how it plays: alone, and with a search."""
    search = TreeSearch(network.game, network, SearchOptions(simulations=simulations))
    alone, searched = np.where(legal, network.predict(states)[0], -np.inf).argmax(1), search.best_actions(states)
    return dict(zip(PLAYED, (alone, searched), strict=True))


def _kept(losses: Float64s, actions: Int64s, how: str) -> dict[str, float]:
    """Return how often actions keep the value and what they lose, given what each action of each position loses."""
    lost = losses[np.arange(len(actions)), actions]
    return {f"{VALUE_KEPT} {how}": float((lost <= 0).mean()), f"{MEAN_LOSS} {how}": float(lost.mean())}


class _Chosen(MarkovPolicy):
    """A player of the actions of a table."""

    def __init__(self, actions: Mapping[bytes, int]) -> None:
        super().__init__()
        self._actions = actions

    def distribution(self, position: Position) -> Distribution:
        """Return the action of the table."""
        return (self._actions[position.key],), (1.0,)
