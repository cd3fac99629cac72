"""The player of a run."""

from pathlib import Path

from boardgames_agents.policy import Policy
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.spec import Spec


@agent("trained")
def trained(game: Game, run: str = "runs/demo") -> Policy:
    """The learner of a run, as far as it has been trained; it does not learn any more.

    Args:
        game: The run's game.
        run: The run's folder.

    Raises:
        BadInputError: If the folder holds no run, or one of another game.
    """
    from boardgames_agents.training.run import load_run

    found = load_run(Path(run))
    if found.game != game:
        raise BadInputError(f"{run} has trained for {found.game.spec}, not {game.spec}; play that game with it")
    player = found.learner.frozen()
    player.origin = found.learner.snapshot().digest
    return player


def spec_of_run(run: Path) -> Spec:
    """Return the spec of the player of a run."""
    return Spec(trained.__name__, {"run": str(run)})


def run_of_spec(spec: Spec) -> Path | None:
    """Return the folder of the run whose player a spec names, if it names one."""
    run = spec.options.get("run")
    return Path(run) if spec.name == trained.__name__ and isinstance(run, str) else None
