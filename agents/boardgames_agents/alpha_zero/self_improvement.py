"""The improvement of a network at a game without dice: the teacher is a tree search with the network itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from boardgames_agents.alpha_zero.exact_measures import ExactMeasures, SampledMeasures, exact_measures
from boardgames_agents.alpha_zero.network import PolicyDesign, PolicyNetwork, load_network
from boardgames_agents.alpha_zero.player import last_network
from boardgames_agents.alpha_zero.policy_fitting import PolicyFitting, fit_policy, policy_losses
from boardgames_agents.alpha_zero.search import MOST_SIMULATIONS
from boardgames_agents.alpha_zero.self_play import PolicyExamples, self_played
from boardgames_agents.improve.engine import Engine
from boardgames_agents.improve.improvement_folder import IterationConfig
from boardgames_agents.improve.network_job import NetworkJob
from boardgames_agents.policy import Snapshot
from boardgames_agents.registry import demand_agent
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import FileKind
from boardgames_env.json_file import read_json, write_json
from boardgames_env.kernels.signatures import Float64s
from boardgames_env.spec import Spec

_MEASURES, _DECISIONS = "measures.json", "decisions.safetensors"
_MEASURES_KIND = FileKind("measures of a network", "remove it, and it is computed again")


@dataclass(frozen=True)
class SelfPlayConfig(IterationConfig):
    """The configuration of an improvement at a game without dice. It determines the result.

    Attributes:
        game: A game without dice, such as ``tic_tac_toe``.
        network: ``alpha_zero``, for a new network, or ``alpha_zero(network='mine.safetensors')``, with the file of the
            first network or a folder of an improvement, whose last network it is.
        iterations: Iterations; a greater number goes on.
        contests: Contests of self-play of an iteration.
        block: Contests of a block, which one process plays.
        simulations: Simulations of each search of self-play, and of the measures with search.
        window: Iterations whose examples a network learns from.
        seed: Random seed; the same seed gives the same networks.
        design: The shape of a new network.
        fitting: How networks are fitted.

    Raises:
        BadInputError: If a number is not allowed.
    """

    game: str
    network: str = "alpha_zero"
    iterations: int = 20
    contests: int = 500
    block: int = 50
    simulations: int = 32
    window: int = 5
    seed: int = 0
    design: PolicyDesign = field(default_factory=PolicyDesign)
    fitting: PolicyFitting = field(default_factory=PolicyFitting)

    def __post_init__(self) -> None:
        require(1, iterations=self.iterations, block=self.block, window=self.window)
        require(1, MOST_SIMULATIONS, simulations=self.simulations)
        require(0, seed=self.seed)
        if self.blocks < 2 or self.contests % self.block:
            raise BadInputError(
                f"contests={self.contests} is not allowed; it must be a multiple of {self.block}, and at least twice "
                "that"
            )

    @property
    def blocks(self) -> int:
        """The number of blocks of an iteration."""
        return self.contests // self.block


class SelfImprovement(Engine[PolicyNetwork, PolicyExamples]):
    """AlphaZero in a folder: self-play with a tree search, and a fit to what it finds, iteration by iteration.

    Raises:
        BadInputError: If the agent is not ``alpha_zero``, the game has dice or counts points, there is no such device
            or encoding, or the folder holds something else.
    """

    loss = "thousandths of a nat, the cross-entropies of policy and outcome in contests that were not learned from"
    gated = False  # (the labels of both networks are found with the first of them)
    networks = PolicyNetwork
    kept = PolicyExamples
    _config: SelfPlayConfig

    def _demand_game(self) -> None:
        spec = Spec.parse(self._config.network)
        demand_agent(spec.name)
        if spec.name != "alpha_zero" or not spec.options.keys() <= {"network"}:
            raise BadInputError(
                f"{self.game.spec} has no dice, so {spec} cannot learn from a look-ahead over them; give alpha_zero, "
                "which learns from a tree search, or alpha_zero(network='…')"
            )
        PolicyNetwork(self.game, self._config.design)

    def _first(self) -> tuple[PolicyNetwork, str]:
        config = self._config
        file = Spec.parse(config.network).options.get("network", "")
        if not isinstance(file, str):
            raise BadInputError(f"alpha_zero: network={file!r} is not allowed; network must be text")
        if not file:
            return PolicyNetwork(self.game, config.design, config.seed), config.network
        network = load_network(last_network(Path(file)), self.game)
        if config.design not in (PolicyDesign(), network.design):
            raise BadInputError(f"{file} holds a network of another design; leave out its inputs, layers and width")
        return network, config.network

    def _grown(self, network: PolicyNetwork) -> PolicyNetwork:
        return network.copy()

    def _job(self, seed: tuple[int, ...], teacher: Snapshot) -> NetworkJob[PolicyExamples]:
        config = self._config
        return NetworkJob(self_played, config.game, seed, (config.block, config.simulations), (teacher,))

    def _fit(self, network: PolicyNetwork, examples: PolicyExamples, seed: tuple[int, ...]) -> None:
        fit_policy(network, examples, self._config.fitting, seed)

    def _losses(self, network: PolicyNetwork, apart: PolicyExamples) -> Float64s:
        return policy_losses(network, apart)

    @cached_property
    def _exact(self) -> ExactMeasures | SampledMeasures | None:
        return exact_measures(self.game, self.folder / _DECISIONS, self._progress)

    def _measures(self, number: int, network: Path) -> Mapping[str, float]:
        file = self._folder(number) / _MEASURES
        if not file.exists():
            exact = self._exact
            found = exact.measure(self._load(network), self._config.simulations) if exact else {}
            write_measures(file, found)
        return read_measures(file)


def write_measures(file: Path, measures: Mapping[str, float]) -> None:
    """Write the measures of a network, by name, to a file."""
    write_json(file, measures)


def read_measures(file: Path) -> Mapping[str, float]:
    """Read the measures in a file."""
    data = read_json(file, _MEASURES_KIND)
    with _MEASURES_KIND.reading(file):
        return {name: float(value) for name, value in data.items()}
