"""`boardgames`: the command line. Commands import what they need when they run, so that --help is quick."""

import functools
import re
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from boardgames_cli.analyse import analyse
from boardgames_cli.bench import bench
from boardgames_cli.cache import cache
from boardgames_cli.curves import curves
from boardgames_cli.dataclass_options import add_command
from boardgames_cli.dataset import dataset
from boardgames_cli.doctor import doctor
from boardgames_cli.error_rate import error_rate
from boardgames_cli.explain import explain
from boardgames_cli.exploitability import exploitability
from boardgames_cli.export import export
from boardgames_cli.games import agent, agents, games, show, trainer, trainers
from boardgames_cli.grade import grade
from boardgames_cli.improve import improve
from boardgames_cli.knowledge import knowledge
from boardgames_cli.league import league
from boardgames_cli.learn import learn
from boardgames_cli.match import match, ratings
from boardgames_cli.matchboxes import matchboxes
from boardgames_cli.optima import optima
from boardgames_cli.paper import paper
from boardgames_cli.play import play
from boardgames_cli.printing import print_note
from boardgames_cli.recommend import recommend
from boardgames_cli.render import render
from boardgames_cli.replay import replay
from boardgames_cli.rollout import rollout
from boardgames_cli.runs import board, runs
from boardgames_cli.shared_options import Imports, import_named
from boardgames_cli.solve import solve
from boardgames_cli.substitutes import let_substitute
from boardgames_cli.test import test
from boardgames_cli.train import train
from boardgames_cli.web import web

# (-h is inherited by every command)
_SETTINGS = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    name="boardgames",
    help="Board games as environments, and the classic programs that learn to play them.",
    no_args_is_help=True,
    context_settings=_SETTINGS,
    pretty_exceptions_enable=False,
)
GROUPS: Mapping[str, tuple[Callable[..., None], ...]] = {
    "Play and look": (games, show, play, learn, web, replay, render, matchboxes),
    "Agents and contests": (agents, agent, match, league, ratings, optima),
    "Training": (train, improve, trainers, trainer, recommend, test, runs, curves, board, export),
    "Analysis": (solve, explain, knowledge, exploitability, grade, dataset, analyse, error_rate, rollout),
    "Papers, speed and storage": (paper, bench, cache, doctor),
}
"""The commands by the panel of `boardgames --help` that lists them."""

COMMANDS = tuple(command for commands in GROUPS.values() for command in commands)
for panel, commands in GROUPS.items():
    for command in commands:
        add_command(app, command, panel)


def _print_version(asked: bool) -> None:
    if asked:
        from boardgames_env import __version__

        print(f"boardgames {__version__}")
        raise typer.Exit


@app.callback()
def program(
    imports: Imports = None,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Import what is named before the command."""
    import_named(imports)


_GONE = {
    "cluster": "its results are in docs/run-on-a-cluster.md, and the simulation is docs/examples/cluster_simulation.py",
    "race-network": "in a clone of the project, python -m networks race-network trains the network for races",
}
"""Commands of earlier versions, and what to use instead."""


def _refuse(context: typer.Context) -> None:
    """Refuse a command of an earlier version in one sentence."""
    from boardgames_env.errors import BadInputError

    raise BadInputError(f"boardgames {context.info_name} is gone; {_GONE[str(context.info_name)]}")


for gone in _GONE:
    app.command(gone, hidden=True, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(_refuse)


@app.command("help", hidden=True)
def help_(context: typer.Context, words: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Print the help of the program, or of a command."""
    command_line()([*(words or []), "--help"], prog_name=context.parent and context.parent.info_name)


@app.command(hidden=True)
def version() -> None:
    """Print the version."""
    _print_version(True)


_MEANT = {
    "'list'": "games, agents, trainers, or paper for experiments",
    "--episodes": "--contests",
    "--games": "--contests",
    "--matches": "--contests",
    "--rounds": "--contests",
    "--agents": "the agents without an option, after the game",
    "--opponent": "--trainer or --against",
    "--workers": "--jobs",
    "--processes": "--jobs",
    "--output": "--out, --run or --save",
}
"""Words that other programs have, and what they are called here."""

_ELSEWHERE = {
    "improve": (
        (
            *("join", "races", "others", "margin"),
            *("no-forced", "samples", "label-lambda", "blend", "branches"),
        ),
        "in a clone of the project, python -m networks improve has it",
    ),
    "train": (("device",), "td learns on the processor alone"),
}
"""By command, options that it had before, and what to use instead."""

_INTERRUPTED, _BAD_INPUT = 130, 2

_UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What is raised for words that no command takes; Typer does not export it."""


@functools.cache
def command_line() -> Callable[..., int | None]:
    """Return all commands as one function. (``app()`` would make every command anew at each call.)"""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command line."""
    run_program(command_line(), "boardgames")


def run_program(program: Callable[..., int | None], name: str) -> None:
    """Run the commands of a program; bad input is reported in one sentence, with exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        let_substitute(stream)
    warnings.formatwarning = lambda message, *_: f"Warning: {message}\n"  # (people need no line of the source)
    try:
        code = program(prog_name=name, standalone_mode=False)
    except BaseException as error:  # (code of somebody else may raise any)
        code = _report(error, name)
    if code == _INTERRUPTED:
        print("Stopped. The same command resumes a training, an improvement, a league, a paper.", file=sys.stderr)
    if code:
        sys.exit(code)


def _report(error: BaseException, name: str) -> int:
    """Print what ended a program, and return its exit code; raise the error if it is one of this project's code."""
    if isinstance(error, _UsageError):
        if sentence := _on_usage(error, name):
            print_note(f"Error: {sentence}")
        return _BAD_INPUT
    from boardgames_agents.experiments.own_error import OwnError, explained
    from boardgames_agents.experts.human import HumanLeft
    from boardgames_env.errors import BadInputError

    told = explained(error)
    if isinstance(told, HumanLeft):
        print("You have left the contest.")
        return 0
    if isinstance(told, OwnError):
        print(f"Traceback of your code:\n{told.frames}", end="", file=sys.stderr)
    elif not isinstance(told, (BadInputError, OSError, typer.Abort)):
        raise error
    sentence = "the input has ended" if isinstance(told, typer.Abort) else str(told)
    if isinstance(told, OSError) and told.filename:
        sentence = f"{told.filename}: {told.strerror}"
    print_note(f"Error: {sentence}")
    return _BAD_INPUT


def _on_usage(error: Any, name: str) -> str:
    """Return in one sentence what is wrong with the words of a command; empty if help has been printed instead."""
    gone, instead = _ELSEWHERE.get(error.ctx.info_name, ((), "")) if error.ctx else ((), "")
    option = getattr(error, "option_name", "")
    if option.removeprefix("--") in gone:
        return f"boardgames {error.ctx.info_name} has no option {option} any more; {instead}"
    message = " ".join(error.format_message().split())
    if not message:
        return ""
    for word, meant in _MEANT.items():
        if re.search(rf"{word}(?![\w-])", message):
            message = re.split(r"\.? Did you mean| \(Possible options", message)[0]
            message = f"{message.rstrip('.')} (did you mean {meant}?)"
            break
    for suggests in (r"\.? Did you mean (.*)\?$", r" \(Possible options: (.*)\)$"):
        message = re.sub(suggests, r" (did you mean \1?)", message)
    command = error.ctx.command_path if error.ctx else name
    return f"{message[:1].lower()}{message[1:].rstrip('.')}; {command} --help explains what there is"


if __name__ == "__main__":
    main()
