"""Options that commands share, and commands whose options are a dataclass."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

Options = TypeVar("Options")

GameArgument = Annotated[str, typer.Argument(help="A game, such as achi or 'achi(adjacent=True)'.", metavar="GAME")]
Seed = Annotated[int, typer.Option(help="Random seed; the same seed gives the same contests.")]
Jobs = Annotated[int, typer.Option(help="Number of processes; the result is the same with any number.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]
Backend = Annotated[str, typer.Option(help="joblib, for processes of this machine, or ray, for a Ray cluster.")]
Address = Annotated[
    str, typer.Option(help="Address of the Ray cluster: host:port; auto, if this machine is part of it; or local.")
]

Imports = Annotated[
    list[str] | None,
    typer.Option(
        "--import",
        help="A Python file, or a module, that brings games, agents, trainers or Advisors of your own; repeatable.",
        metavar="FILE|MODULE",
    ),
]

BACKGAMMON = "backgammon(cube=True)"
"""The game whose positions are analysed by default."""

Dice = Annotated[str | None, typer.Option(help="The roll to play, such as 31.")]
With = Annotated[
    str, typer.Option("--with", help="The agent that evaluates; it must predict outcomes.", metavar="AGENT")
]
GameOption = Annotated[str | None, typer.Option(help=f"The game; by default {BACKGAMMON}, or that of a match file.")]


def takes(declared: type[Options]) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Make a command of a function of one dataclass, whose fields become the options of the command."""

    def decorate(run: Callable[[Options], None]) -> Callable[..., None]:
        def command(**values: Any) -> None:
            run(declared(**values))

        command.__name__, command.__doc__, command.__module__ = run.__name__, run.__doc__, run.__module__
        command.__annotations__ = get_type_hints(declared, include_extras=True)
        command.__signature__ = signature(declared)  # type: ignore[attr-defined]
        return command

    return decorate


def import_named(imports: list[str] | None) -> None:
    """Import what the option --import names."""
    if imports:
        from boardgames_agents.experiments.program import import_own

        for each in imports:
            import_own(each)


def with_imports(run: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option --import."""

    def command(*, imports: list[str] | None = None, **values: Any) -> None:
        import_named(imports)
        run(**values)

    own, option = signature(run), Parameter("imports", Parameter.KEYWORD_ONLY, default=None, annotation=Imports)
    command.__name__, command.__doc__, command.__module__ = run.__name__, run.__doc__, run.__module__
    command.__annotations__ = {**get_type_hints(run, include_extras=True), "imports": Imports}
    command.__signature__ = own.replace(parameters=[*own.parameters.values(), option])  # type: ignore[attr-defined]
    return command


def seeds_in(text: str) -> tuple[int, ...]:
    """Return the numbers in a text such as ``0-2,7``; raise `BadInputError` for any other text."""
    from boardgames_env.errors import BadInputError

    seeds: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        last = last if dash else first
        if not first.isdecimal() or not last.isdecimal() or int(last) < int(first):
            raise BadInputError(f"{text!r} names no seeds; write such as 0-9, or 0,3,5-7")
        seeds.update(dict.fromkeys(range(int(first), int(last) + 1)))
    return tuple(seeds)
