"""`boardgames`: the command line. Commands import what they need when they run, so that --help is quick."""

import sys

import typer

from boardgames_cli import (
    analyse,
    bench,
    cache,
    explain,
    export,
    games,
    knowledge,
    league,
    match,
    optima,
    paper,
    play,
    rollout,
    solve,
    test,
    train,
)

app = typer.Typer(
    name="boardgames",
    help="Board games as environments, and the classic programs that learn to play them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for commands in (
    games,
    solve,
    play,
    match,
    optima,
    league,
    analyse,
    rollout,
    train,
    test,
    export,
    explain,
    knowledge,
    paper,
    bench,
    cache,
):
    for command in commands.COMMANDS:
        app.command()(command)


@app.command(hidden=True, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def cluster() -> None:
    """Refuse a command of version 0.1."""
    from boardgames_env.errors import BadInputError

    raise BadInputError(
        "boardgames cluster is gone; its results are in docs/run-on-a-cluster.md, and the simulation is "
        "docs/examples/cluster_simulation.py"
    )


_INTERRUPTED = 130


def main() -> None:
    """Run the command line; bad input is reported in one sentence, with exit code 2."""
    try:
        app()
    except SystemExit as exit_:
        if exit_.code == _INTERRUPTED:
            print("Stopped. The same command resumes a training, a league or a paper.", file=sys.stderr)
        raise
    except Exception as error:
        from boardgames_agents.experts.human import HumanLeft
        from boardgames_env.errors import BadInputError

        if isinstance(error, HumanLeft):
            print("You have left the contest.")
            return
        if isinstance(error, BadInputError):
            message = str(error)
        elif isinstance(error, OSError):
            message = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        else:
            raise
        print(f"Error: {message}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
