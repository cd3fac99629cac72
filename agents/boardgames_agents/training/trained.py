"""The player of a run."""

from pathlib import Path

from boardgames_agents.policy import Policy
from boardgames_agents.registry import agent, make_player
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.spec import Spec


@agent("trained", for_people="Trained player: what one of your own runs has learned", known_by="run")
def trained(game: Game, run: str = "runs/demo") -> Policy:
    """The learner of a run, as far as it has been trained; it does not learn any more.

    Args:
        game: The run's game. A network also plays that game with other options, such as a doubling cube, if it has a
            value or a preference for all that can happen there.
        run: The run's folder.

    Raises:
        BadInputError: If the folder holds no run, or one of another game.
    """
    from boardgames_agents.training.run import load_run

    found = load_run(Path(run))
    if found.game == game:
        player = make_player(found.learner, game)
    else:
        try:
            if (found.game.name, found.game.version) != (game.name, game.version):
                raise BadInputError("play that game with it")
            player = found.learner.frozen_at(game)
        except BadInputError as error:
            raise BadInputError(f"{run} has trained for {found.game.spec}, not {game.spec}; {error}") from error
    player.origin = found.learner.snapshot().digest
    return player


def spec_of_run(run: Path) -> Spec:
    """Return the spec of the player of a run."""
    return Spec(trained.__name__, {"run": str(run)})


def run_of_spec(spec: Spec) -> Path | None:
    """Return the folder of the run whose player a spec names, if it names one."""
    run = spec.options.get("run")
    return Path(run) if spec.name == trained.__name__ and isinstance(run, str) else None
