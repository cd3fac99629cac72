"""The improvement of a network with what only the networks of the package needed; see `README.md` here."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.backgammon.race_network import load_weights, save_weights
from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress
from boardgames_agents.improve.batch_td import played
from boardgames_agents.improve.examples import Examples
from boardgames_agents.improve.fitting import FittingOptions
from boardgames_agents.improve.improvement import Improvement
from boardgames_agents.improve.improvement_folder import ImprovementConfig, demand_same, network_of
from boardgames_agents.improve.network_job import NetworkJob
from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import Network
from boardgames_env.errors import BadInputError, require
from networks.examples import WorkshopExampleOptions, collected

_RACES = "races.safetensors"


@dataclass(frozen=True)
class WorkshopFittingOptions(FittingOptions):
    """How a network is fitted.

    With ``blend`` less than 1 the result is a weighted mean of the weights before and after the fit (Wortsman et al.,
    *Robust fine-tuning of zero-shot models*, CVPR 2022). It keeps more of what the network knew of positions unlike the
    examples, which helps a look-ahead with it.

    Attributes:
        blend: Share of the fitted weights in the result; the rest is the weights before the fit.

    Raises:
        BadInputError: If a number is not allowed.
    """

    blend: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(0, 1, blend=self.blend)


@dataclass(frozen=True)
class WorkshopConfig(ImprovementConfig):
    """The configuration of an improvement. It determines the result. (On ``joined`` see `joined_networks`.)

    Attributes:
        joined: An agent whose network is joined to the first: the hidden units of both, and their mean outputs; empty
            for none.
        hidden: Hidden units of the networks that are fitted; 0 for as many as the first has, or with ``joined`` as many
            as both have.
        races: The file of a network for races, to which all races are left; empty for none.
        examples: How examples are collected.
        fitting: How networks are fitted.

    Raises:
        BadInputError: If a number is not allowed.
    """

    examples: WorkshopExampleOptions = field(default_factory=WorkshopExampleOptions)
    fitting: WorkshopFittingOptions = field(default_factory=WorkshopFittingOptions)
    joined: str = ""
    races: str = ""


class WorkshopImprovement(Improvement):
    """An improvement in a folder.

    The folder holds besides ``races.safetensors`` if races are left to another network.

    Raises:
        BadInputError: As for `Improvement`.
    """

    copies = (*Improvement.copies, _RACES)
    _config: WorkshopConfig

    def __init__(
        self, folder: Path, config: WorkshopConfig, workers: Workers = ONE_PROCESS, progress: Progress = no_progress
    ) -> None:
        super().__init__(folder, config, workers, progress)
        self._weights = load_weights(folder / _RACES) if config.races else None

    def _first(self) -> tuple[Network, str]:
        (network, made_by), config = super()._first(), self._config
        if not config.joined:
            return network, made_by
        inputs = config.inputs or network.design.inputs
        parts = []
        for spec, each in ((config.network, network), (config.joined, network_of(config.joined, self.game))):
            part = each.grown(each.design.hidden, inputs)
            if each.encoding not in (part.encoding, part.encoding.repeated):
                raise BadInputError(
                    f"{spec} has the inputs {each.design.inputs}, and would lose what it knows with {inputs}; join "
                    "networks with the same inputs, or give inputs that repeat those of both"
                )
            parts.append(part)
        first = joined_networks(*parts)
        if 0 < config.hidden < first.design.hidden:
            raise BadInputError(
                f"hidden={config.hidden} is not allowed; the joined network has {first.design.hidden} hidden units, "
                "and can only grow"
            )
        first.about = network.about
        return first, f"{config.network} and {config.joined}"

    def _begin(self, network: Network, made_by: str) -> None:
        config = self._config
        weights = load_weights(Path(config.races)) if config.races else None
        with_tables(network, self.game, weights)  # (which refuses a network for races that is for another game)
        super()._begin(network, made_by)
        if weights is not None:
            save_weights(self.folder / _RACES, weights, {"made by": config.races})

    def _demand_same(self) -> None:
        """Raise `BadInputError` if the folder holds another improvement; the file for races may have gone or moved."""
        copy, file = self.folder / _RACES, Path(self._config.races)
        there = _digest_of_races(copy) if copy.exists() else None
        given = None
        if self._config.races:
            given = _digest_of_races(file) if file.exists() or there is None else there
        if there != given:
            raise BadInputError(
                f"{self.folder} holds an improvement with {'another' if there else 'no'} network for races; give "
                "another folder, or races as there"
            )
        demand_same(self.folder, self._config, but=("races",))

    def _fit(self, network: Network, examples: Examples, seed: tuple[int, ...]) -> None:
        before, blend = network.arrays(), self._config.fitting.blend
        super()._fit(network, examples, seed)
        if blend < 1:
            share, after = np.float32(blend), network.arrays()
            network.load({name: before[name] + share * (layer - before[name]) for name, layer in after.items()})

    def _evaluator(self, network: Network) -> Evaluator:
        return with_tables(network, self.game, self._weights)

    def _job(self, seed: tuple[int, ...], teacher: Snapshot) -> NetworkJob[Examples]:
        return self._with_races(super()._job(seed, teacher), collected)

    def _round_job(self, seed: tuple[int, ...], contests: range, network: Snapshot) -> NetworkJob[Examples]:
        return self._with_races(super()._round_job(seed, contests, network), played)

    def _with_races(self, job: NetworkJob[Examples], work: Callable[..., Examples]) -> NetworkJob[Examples]:
        races = Snapshot(self._weights._asdict()) if self._weights else None
        return replace(job, work=work, snapshots=(*job.snapshots, races))


def _digest_of_races(file: Path) -> str:
    return Snapshot(load_weights(file)._asdict()).digest


def joined_networks(one: Network, other: Network) -> Network:
    """Return a network with the hidden units of both, whose outputs are the means of theirs before the sigmoid.

    Networks that were trained apart err apart, so it often predicts better than either.

    Raises:
        BadInputError: If they are for other games, or their designs differ by more than the hidden units.
    """
    if one.design.further or other.design.further:
        raise BadInputError("networks of several hidden layers cannot be joined; give those of one")
    own = one.design.hidden
    design = replace(one.design, hidden=own + other.design.hidden)
    if other.game is not one.game:
        raise BadInputError(f"a network for {other.game.spec} cannot be joined to one for {one.game.spec}")
    for name, own_value in vars(one.design).items():
        if name != "hidden" and (value := getattr(other.design, name)) != own_value:
            raise BadInputError(
                f"a network with {name}={value!r} cannot be joined to one with {name}={own_value!r}; only "
                "the number of hidden units may differ"
            )
    joined = Network(one.game, design)
    for part, units in ((one.layers, slice(own)), (other.layers, slice(own, None))):
        joined.layers.hidden[:, units] = part.hidden
        joined.layers.hidden_bias[units] = part.hidden_bias
        joined.layers.output[:, units] = part.output / 2
    joined.layers.output_bias[:] = (one.layers.output_bias + other.layers.output_bias) / 2
    return joined
