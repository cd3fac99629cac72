"""Commands of functions that take dataclasses, whose fields become the options of the command.

A parameter of a command's function may be annotated with a frozen dataclass. The command then has an option for each of
its fields, and for those of the dataclasses within it, with the name, type, default and help that `options_of` reads;
the function is given the dataclass. Dataclasses of the library are named by `takes` and imported when the command runs
or prints its help, so that ``boardgames --help`` is quick.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import MISSING, dataclass, field, is_dataclass
from importlib import import_module
from inspect import Parameter, Signature, get_annotations, signature
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, TypeVar, get_args, get_origin

import typer
from typer.core import TyperCommand
from typer.models import ParameterInfo

from boardgames_cli.printing import status
from boardgames_cli.shared_options import Imports, import_named

if TYPE_CHECKING:
    from boardgames_env.spec import Option

WORKERS = "boardgames_agents.experiments.runner:Workers"

Declared = TypeVar("Declared")
Run = TypeVar("Run", bound=Callable[..., None])


class Given(dict[str, Any], Generic[Declared]):
    """The fields of a dataclass that are given on the command line, by name; a parameter of a command is of this type.

    Those of the dataclasses within it are among them. The default of every option is ``None``; the help names that of
    the field. Two parameters of a command may have fields of the same name, which are one option.
    """

    declared: type[Declared]

    def made(self) -> Declared:
        """Return the dataclass; fields that are not given have their defaults."""
        made: Declared = _made(self.declared, self)
        return made


def _made(declared: Any, given: Mapping[str, Any]) -> Any:
    from boardgames_env.spec import options_of

    values = {name: given[name] for name in options_of(declared) if name in given}
    inner = {name: option.type for name, option in options_of(declared).items() if _declared(option.type)}
    return declared(**values, **{name: _made(each, given) for name, each in inner.items()})


@dataclass(frozen=True)
class _Taken:
    """What `takes` tells of a command."""

    paths: Sequence[str] = ()
    without: Sequence[str] = ()
    infos: Mapping[str, Any] = field(default_factory=dict)

    def info(self, option: "Option") -> Any:
        """Return Typer's description of an option: that of the command, or that of the field, or an empty one."""
        of_field = (mark for mark in option.marks if isinstance(mark, ParameterInfo))
        return copy(self.infos.get(option.name) or next(of_field, None) or typer.Option())


_TAKEN: dict[Callable[..., None], _Taken] = {}


def takes(*paths: str, without: Sequence[str] = (), **infos: Any) -> Callable[[Run], Run]:
    """Name the dataclasses of the library that a command's function takes.

    Args:
        paths: The dataclasses, such as ``boardgames_agents.experiments.runner:Workers``. The function's annotations
            name them, too, as text.
        without: The names of fields that are no options; they have their defaults.
        infos: `typer.Option` or `typer.Argument` by the name of a field that is an argument, or whose flag, metavar or
            help differs.
    """

    def note(run: Run) -> Run:
        _TAKEN[run] = _Taken(paths, without, infos)
        return run

    return note


def _imported(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def with_all_options(run: Callable[..., None]) -> Callable[..., None]:
    """Return a command's function with a parameter for each option, those of its dataclasses and ``--import``."""
    taken = _TAKEN.get(run, _Taken())
    classes = {path.partition(":")[2]: _imported(path) for path in taken.paths}
    # (In Python 3.10 `get_type_hints` wraps what has the default None in `Optional`, and Typer does not look inside.)
    hints = get_annotations(run, locals={**classes, "Given": Given}, eval_str=True)
    parameters: list[Parameter] = []
    for each in signature(run).parameters.values():
        if _declared(hints[each.name]):
            named = {other.name for other in parameters}
            parameters += [made for made in _parameters(hints[each.name], taken) if made.name not in named]
        else:
            parameters.append(each.replace(annotation=hints[each.name], kind=Parameter.KEYWORD_ONLY))
    parameters.append(Parameter("imports", Parameter.KEYWORD_ONLY, default=None, annotation=Imports))

    def command(*, imports: list[str] | None = None, **values: Any) -> None:
        import_named(imports)
        run(**{name: _value(name, hints[name], values, taken) for name in signature(run).parameters})

    command.__name__, command.__doc__, command.__module__ = run.__name__, run.__doc__, run.__module__
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return command


def _declared(hint: Any) -> Any:
    """Return the dataclass whose fields are options in place of a parameter, or ``None``."""
    declared = get_args(hint)[0] if get_origin(hint) is Given else hint
    return declared if is_dataclass(declared) else None


def _options(hint: Any, taken: _Taken) -> "list[Option]":
    from boardgames_env.spec import options_of

    return [option for name, option in options_of(_declared(hint)).items() if name not in taken.without]


def _parameters(hint: Any, taken: _Taken) -> list[Parameter]:
    """Return a parameter for each field of a dataclass, and of those within it."""
    parameters = []
    for option in _options(hint, taken):
        if _declared(option.type):
            within: Any = option.type
            parameters += _parameters(Given[within] if get_origin(hint) is Given else within, taken)
            continue
        info, kind, default = taken.info(option), option.type, option.default
        info.help = info.help or option.help.replace("`", "")
        if get_origin(hint) is Given:
            kind, default = kind | None, None
            if option.default not in (MISSING, "") and "by default" not in info.help:
                shown = f"{option.default:,}" if type(option.default) is int else option.default
                info.help = f"{info.help.rstrip('.')}; by default {shown}."
        default, annotation = Parameter.empty if default is MISSING else default, Annotated[kind, info]
        parameters.append(Parameter(option.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation))
    return parameters


def _value(name: str, hint: Any, values: Mapping[str, Any], taken: _Taken) -> Any:
    """Return the value of a parameter or a field: a dataclass is made of the values of its options."""
    if not _declared(hint):
        return values[name]
    if get_origin(hint) is Given:
        names = [each.name for each in _parameters(hint, taken)]
        given: Given[Any] = Given({name: values[name] for name in names if values[name] is not None})
        given.declared = _declared(hint)
        return given
    return hint(**{each.name: _value(each.name, each.type, values, taken) for each in _options(hint, taken)})


class LazyCommand(TyperCommand):
    """A command that makes its options when it runs or prints its help."""

    run: ClassVar[Callable[..., None]]
    _is_made = False

    def get_params(self, ctx: Any) -> Any:
        """Return the options, made at the first call."""
        if not self._is_made:
            alone = typer.Typer(add_completion=False)
            with status("Starting"):  # (importing what declares them may take seconds)
                alone.command()(with_all_options(type(self).run))
            made = typer.main.get_command(alone)
            self.params, self.callback, self._is_made = made.params, made.callback, True
        return super().get_params(ctx)


def add_command(app: typer.Typer, run: Callable[..., None], panel: str) -> None:
    """Add a command of a function to a program; its options are made when they are needed."""

    def later() -> None:
        raise AssertionError  # (the options come first)

    later.__name__, later.__doc__ = run.__name__, run.__doc__
    app.command(rich_help_panel=panel, cls=type(run.__name__, (LazyCommand,), {"run": staticmethod(run)}))(later)
