"""The improvement of a network at a game with dice: the teacher is the network's own look-ahead.

Before each iteration the network may play contests with itself, by TD(λ) (`boardgames_agents.improve.teacher`) or by
batch TD(λ) (`boardgames_agents.improve.batch_td`), which may be all that an iteration is.
"""

import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress, run_jobs
from boardgames_agents.improve.batch_td import learn_by_rounds, played
from boardgames_agents.improve.engine import SELF_PLAY, START, Engine
from boardgames_agents.improve.examples import Examples, collected, demand_dice, joined
from boardgames_agents.improve.fitting import fit
from boardgames_agents.improve.improvement_folder import ImprovementConfig, network_of
from boardgames_agents.improve.network_job import NetworkJob, snapshot_of
from boardgames_agents.improve.teacher import learned_by_self_play, mean_of
from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import load_network, save_network
from boardgames_env.encoding import encoding_of
from boardgames_env.errors import BadInputError
from boardgames_env.kernels.signatures import Float64s

_TEACHER, _FILTER = "teacher.safetensors", "filter.safetensors"


class Improvement(Engine[Network, Examples]):
    """The improvement of a network at a game with dice, by expectimax.

    `networks.improvement.WorkshopImprovement`, in a clone of the project, extends it.

    The folder holds besides ``filter.safetensors`` if a network filters replies.

    Raises:
        BadInputError: If the agent does not play by a network, the game has no dice or has a doubling cube, there is no
            such device or encoding, or the folder holds something else.
    """

    loss = "thousandths of a point per decision, by the labels of rolls that were not learned from"
    copies: tuple[str, ...] = (START, _FILTER)
    networks = Network
    kept = Examples
    _config: ImprovementConfig

    def __init__(
        self, folder: Path, config: ImprovementConfig, workers: Workers = ONE_PROCESS, progress: Progress = no_progress
    ) -> None:
        super().__init__(folder, config, workers, progress)
        self._filtering = snapshot_of(load_network(folder / _FILTER, self.game)) if config.filtering else None

    def _begin(self, network: Network, made_by: str) -> None:
        state = self.game.initial.state[np.newaxis]
        grown = self._grown(network)
        if not np.allclose(network.predict_batch(state), grown.predict_batch(state), atol=1e-4):
            warnings.warn(
                f"the fitted network begins anew: with its layers and inputs it cannot take over what {made_by} knows",
                stacklevel=1,
            )
        filtering = self._config.filtering
        filter_ = network_of(filtering, self.game) if filtering else None
        super()._begin(network, made_by)
        if filter_ is not None:
            save_network(self.folder / _FILTER, filter_, {"made by": filtering})

    def _demand_game(self) -> None:
        demand_dice(self.game)
        if self._config.inputs:
            encoding_of(self.game, self._config.inputs)

    def _first(self) -> tuple[Network, str]:
        return network_of(self._config.network, self.game), self._config.network

    def _teacher(self, number: int, before: Path) -> Path:
        """Return the file of the teacher: the network before, or what it becomes by self-play."""
        config, file = self._config, self._folder(number) / _TEACHER
        by_rounds = config.by_rounds.rounds > 0
        if not (config.teacher.self_play or by_rounds):
            return before
        if not file.exists():
            network = load_network(before, self.game)
            if by_rounds or not config.fits:
                network = self._grown(network)
            stage = "batch TD(λ)" if by_rounds else "self-play"
            about = self._about(f"{stage} of iteration {number} from {config.network}")
            learned = (
                self._learned_by_rounds(network, number)
                if by_rounds
                else self._learned_by_self_play(network, number, about)
            )
            save_network(file, learned, about)
        return file

    def _learned_by_rounds(self, network: Network, number: int) -> Network:
        """Return the network, which learns by the rounds of an iteration."""
        options, fitting, seed = self._config.by_rounds, self._config.fitting, (self._config.seed, number, SELF_PLAY)
        with self._progress(f"batch TD(λ) {number}", options.rounds) as bar:
            learn_by_rounds(network, options, fitting, seed, self._workers, bar, self._round_job)
        return network

    def _learned_by_self_play(self, network: Network, number: int, about: Mapping[str, str]) -> Network:
        """Return the mean of what branches of TD(λ) make of the network; each is kept in a file."""
        config, options, start = self._config, self._config.teacher, snapshot_of(network)
        files = [self._folder(number) / f"branch-{branch}.safetensors" for branch in range(options.branches)]
        missing = [branch for branch, each in enumerate(files) if not each.exists()]
        seeds = [(config.seed, number, SELF_PLAY, branch) for branch in missing]
        jobs = [NetworkJob(learned_by_self_play, config.game, seed, (options,), (start,)) for seed in seeds]
        with self._progress(f"self-play {number}", len(missing)) as bar:
            for index, weights in run_jobs(jobs, self._workers):
                save_network(files[missing[index]], mean_of(network, [weights]), about)
                bar.step()
        return mean_of(network, [load_network(each, self.game).arrays() for each in files])

    def _grown(self, network: Network) -> Network:
        """Return a copy of a network, or one of the design that is asked for; see `Network.grown`."""
        design, config = network.design, self._config
        grown = network.grown(
            config.hidden or design.hidden, config.inputs or design.inputs, config.seed, config.further or None
        )
        if config.teacher.self_play and grown.design.further:
            raise BadInputError(
                f"self_play={config.teacher.self_play} is TD(λ), which has traces for one hidden layer; "
                "for a network of several layers give rounds"
            )
        return grown

    def _fit(self, network: Network, examples: Examples, seed: tuple[int, ...]) -> None:
        fit(network, examples, self._config.fitting, seed)

    def _evaluator(self, network: Network) -> Evaluator:
        """Return the evaluator by which a network plays."""
        return with_tables(network, self.game)

    def _job(self, seed: tuple[int, ...], teacher: Snapshot) -> NetworkJob[Examples]:
        config = self._config
        arguments = config.block, config.examples, config.kept
        return NetworkJob(collected, config.game, seed, arguments, (teacher, self._filtering))

    def _round_job(self, seed: tuple[int, ...], contests: range, network: Snapshot) -> NetworkJob[Examples]:
        """Return the job that plays some contests of a round of batch TD(λ)."""
        config = self._config
        arguments = contests, config.by_rounds, config.kept
        return NetworkJob(played, config.game, seed, arguments, (network, self._filtering))

    def _losses(self, network: Network, apart: Examples) -> Float64s:
        return apart.losses(self._evaluator(network).outcome_probabilities(apart.states))

    def _joined(self, parts: list[Examples]) -> Examples:
        return joined(parts)
