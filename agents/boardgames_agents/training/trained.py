"""The player of a run."""

from pathlib import Path
from typing import TYPE_CHECKING

from boardgames_agents.policy import Policy
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.spec import Spec

if TYPE_CHECKING:
    from boardgames_agents.training.run import Run


@agent("trained", known_by="run")
def trained(game: Game, run: str = "runs/demo") -> Policy:
    """The learner of a run, as far as it has been trained; it does not learn any more.

    Args:
        game: The run's game. What `td` has learned also plays that game with other options, such as a doubling cube.
        run: The run's folder.

    Raises:
        BadInputError: If the folder holds no run, or one of another game.
    """
    from boardgames_agents.training.run import load_run

    found = load_run(Path(run))
    player = found.learner.frozen() if found.game == game else _with_other_options(found, game)
    player.origin = found.learner.snapshot().digest
    return player


def _with_other_options(run: "Run", game: Game) -> Policy:
    """Return the player of a run's network at the same game with other options: that of the network's file."""
    from boardgames_agents.lookahead.player import LookaheadPolicy
    from boardgames_agents.td.learner import TDLearner
    from boardgames_agents.td.network_file import fitted

    if not isinstance(run.learner, TDLearner) or (run.game.name, run.game.version) != (game.name, game.version):
        raise BadInputError(f"{run.folder} has trained for {run.game.spec}, not {game.spec}; play that game with it")
    learned = run.learner.learned
    return LookaheadPolicy(game, fitted(game, learned.design, learned.arrays(), run.folder))


def spec_of_run(run: Path) -> Spec:
    """Return the spec of the player of a run."""
    return Spec(trained.__name__, {"run": str(run)})


def run_of_spec(spec: Spec) -> Path | None:
    """Return the folder of the run whose player a spec names, if it names one."""
    run = spec.options.get("run")
    return Path(run) if spec.name == trained.__name__ and isinstance(run, str) else None
