"""Commands whose options are the fields of dataclasses."""

from dataclasses import dataclass, field, is_dataclass
from typing import Annotated, Any
from unittest.mock import ANY

import pytest
import typer
from typer.testing import CliRunner

from boardgames_cli.dataclass_options import _TAKEN, Given, _imported, add_command, takes
from boardgames_cli.main import COMMANDS
from boardgames_env.spec import options_of


@dataclass(frozen=True)
class Inner:
    """What lies within.

    Attributes:
        hidden: Hidden units, such as ``40``.
        fast: Whether it is fast.
    """

    hidden: int = 40
    fast: bool = True


@dataclass(frozen=True)
class Outer:
    """What lies around it.

    Attributes:
        game: The game.
        rate: The rate.
        secret: No option of the command.
        inner: What lies within.
    """

    game: str
    rate: float | None = None
    secret: int = 7
    inner: Inner = field(default_factory=Inner)


@takes(f"{__name__}:Outer", without=("secret",), game=typer.Argument(metavar="GAME"), rate=typer.Option("--pace"))
def outer(options: "Outer", times: Annotated[int, typer.Option(help="How often.")] = 1) -> None:
    """Show a dataclass."""
    print(options, times)


@takes(f"{__name__}:Inner", hidden=typer.Option(help="Units, by default many."))
def given(options: "Given[Inner]") -> None:
    """Show what is given."""
    print(dict(options))


@takes(f"{__name__}:Outer", f"{__name__}:Inner", without=("secret",))
def either(one: "Given[Outer]", other: "Given[Inner]") -> None:
    """Show two dataclasses that have options in common."""
    print(one.made() if "game" in one else other.made())


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    for each in (outer, given, either):
        add_command(app, each, panel="Commands")
    return app


def run(app: typer.Typer, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, words)
    return result.exit_code, result.output.strip()


def options(app: typer.Typer, name: str) -> dict[str, tuple[Any, str | None]]:
    """Return the default and the help of each option of a command, by its flag."""
    made = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    context = made.make_context(name, [], resilient_parsing=True)
    return {each.opts[0]: (each.default, each.help) for each in made.get_params(context)}


def test_a_command_gets_the_dataclass_of_its_options(app: typer.Typer) -> None:
    assert run(app, "outer", "achi") == (0, f"{Outer('achi')} 1")
    words = ("--times", "2", "--pace", "0.5", "--hidden", "3", "--no-fast", "achi")
    assert run(app, "outer", *words) == (0, f"{Outer('achi', 0.5, inner=Inner(3, fast=False))} 2")


def test_options_are_the_fields_with_their_defaults_and_help(app: typer.Typer) -> None:
    assert options(app, "outer") == {
        "game": (None, "The game."),
        "--pace": (None, "The rate."),
        "--hidden": (40, "Hidden units, such as 40."),
        "--fast": (True, "Whether it is fast."),
        "--times": (1, "How often."),
        "--import": (None, ANY),
        "--help": (ANY, ANY),
    }


def test_a_command_may_ask_what_is_given(app: typer.Typer) -> None:
    assert run(app, "given") == (0, "{}")
    assert run(app, "given", "--no-fast") == (0, "{'fast': False}")
    made = options(app, "given")
    assert made["--fast"] == (None, "Whether it is fast; by default True.")
    assert made["--hidden"] == (None, "Units, by default many.")


def test_two_dataclasses_may_share_options_and_be_made_of_what_is_given(app: typer.Typer) -> None:
    assert run(app, "either", "--hidden", "3", "--no-fast") == (0, str(Inner(3, fast=False)))
    words = ("--game", "achi", "--hidden", "3", "--rate", "0.5")
    assert run(app, "either", *words) == (0, str(Outer("achi", 0.5, inner=Inner(3))))
    assert list(options(app, "either")).count("--hidden") == 1


def test_dataclasses_are_imported_when_a_command_is_asked_for(app: typer.Typer) -> None:
    takes("no_such_module:Nothing")(later)
    add_command(app, later, panel="Commands")
    assert "Show nothing." in run(app, "--help")[1]
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        options(app, "later")


def later() -> None:
    """Show nothing."""


def field_names(declared: type) -> set[str]:
    """The names of the fields of a dataclass, and of the dataclasses within it."""
    inner = [each.type for each in options_of(declared).values() if is_dataclass(each.type)]
    return {*options_of(declared), *(name for each in inner for name in field_names(each))}


def test_commands_name_fields_that_there_are() -> None:
    for command, taken in _TAKEN.items():
        if command in COMMANDS:
            fields = {name for path in taken.paths for name in field_names(_imported(path))}
            assert {*taken.without, *taken.infos} <= fields, command.__name__
