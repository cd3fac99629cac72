"""`boardgames export`: the network of a run, or the contests of a match store, in a file."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.printing import console
from boardgames_cli.shared_options import demand_record_name, replay_command, shell_quoted


def export(
    source: Annotated[
        Path, typer.Argument(help="The folder of a run with a td learner, or a match store.", metavar="RUN|STORE")
    ],
    file: Annotated[Path, typer.Argument(help="The file to write.", metavar="FILE")],
) -> None:
    """Write the network of a run to a file, for the agent td_net; or the contests of a match store to a record."""
    from boardgames_agents.arena.match_store import MatchStore
    from boardgames_agents.policy.explanation import counted
    from boardgames_agents.record import write_records
    from boardgames_agents.td.learner import TDLearner
    from boardgames_agents.td.network_file import save_network
    from boardgames_agents.training.run import load_run
    from boardgames_env import BadInputError

    if source.is_file():
        demand_record_name(file)
        records = MatchStore(source).records()
        write_records(file, records)
        look = f"look at one:\n  {replay_command(file)}"
        console.print(f"{file} holds {counted(len(records), 'contest')}; {look}", soft_wrap=True)
        return
    trained = load_run(source)
    config = trained.config
    if not isinstance(trained.learner, TDLearner):
        raise BadInputError(f"{source} holds a run of {config.learner}, not of td; export one of td")
    words = shlex.join(["boardgames", "train", config.game, config.learner, "--trainer", config.trainer])
    command = f"{words} --contests {config.contests} --seed {config.seed}"
    save_network(file, trained.learner.learned, {"command": command, "contests": str(trained.contests)})
    console.print(f"{file} holds the network after {counted(trained.contests, 'contest')}; play it:", soft_wrap=True)
    spec = f"td_net(file={str(file)!r})"
    console.print(f"  boardgames play {shlex.quote(config.game)} --against {shell_quoted(spec)}", soft_wrap=True)
