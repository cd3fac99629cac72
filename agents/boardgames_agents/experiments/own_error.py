"""Errors that come from code of one's own: whose they are, and in which line, also from another process."""

import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from boardgames_agents.experiments.program import OURS, Modules, PlaceOfOwn, import_all, modules, places_of_own
from boardgames_agents.hoyle.advisors import registered_advisors
from boardgames_agents.registry import registered_agents
from boardgames_env.errors import BadInputError, described, message_of, one_line
from boardgames_env.games import registered_games
from boardgames_env.processes import in_processes
from boardgames_env.spec import Entry

Result = TypeVar("Result")


class OwnError(Exception):
    """An error that came from code of one's own.

    Attributes:
        sentence: Whose it is, what it was, and in which line of that code.
        frames: The frames of that code in the traceback, as Python prints them.
    """

    def __init__(self, sentence: str, frames: str) -> None:
        super().__init__(sentence, frames)
        self.sentence, self.frames = sentence, frames

    def __str__(self) -> str:
        return self.sentence


def explained(error: BaseException) -> BaseException:
    """Return what is to be reported in the place of an error.

    That is an `OwnError` if code that is not of this project was called and the error is no `BadInputError`. One of
    these is returned as one sentence, with the line of that code if what it called raised the error. Every other error
    is returned as it is.
    """
    places = list(places_of_own())
    if isinstance(error, (OwnError, KeyboardInterrupt)) or not places:
        return error
    traces = [(each, _frames_of(each, places)) for each in _chain(error)]
    own = [(each, frames) for each, frames in traces if any(frame.is_own for frame in frames)]
    if not own:
        return error
    raised, frames = own[-1]
    last = max(number for number, frame in enumerate(frames) if frame.is_own)
    place = f"{frames[last].summary.filename}, line {frames[last].summary.lineno}"
    if isinstance(error, BadInputError) and message_of(error):
        sentence = one_line(str(error))
        if place not in sentence and not (raised is error and frames[-1].is_own):
            sentence += f" ({place})"
        is_ours = type(error).__module__.partition(".")[0] in OURS
        return error if is_ours and sentence == str(error) else BadInputError(sentence)
    shown = [traceback.format_list([frame.summary for frame in each if frame.is_own]) for _, each in own]
    sentence = f"{_owner(frames[: last + 1])} raised {described(raised)} ({place})"
    return OwnError(sentence, "".join(line for lines in shown for line in lines))


class _Frame(NamedTuple):
    """A frame of a traceback: where it is, its module, and the first argument of its function."""

    summary: traceback.FrameSummary
    module: str
    first: object
    is_own: bool


def _chain(error: BaseException) -> list[BaseException]:
    """Return an error after its cause and the members of its group, each after its own, as they happened."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting:
        each = waiting.pop()
        if any(each is other for other in found):
            continue
        found.append(each)
        before = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
        waiting += [before] if before else []
        members = getattr(each, "exceptions", ())  # (Python 3.10 has groups from a library)
        waiting += [one for one in members if isinstance(one, BaseException)] if isinstance(members, tuple) else []
    return found[::-1]


def _frames_of(error: BaseException, places: Sequence[PlaceOfOwn]) -> list[_Frame]:
    found = []
    trace = error.__traceback__
    for (frame, _), summary in zip(traceback.walk_tb(trace), traceback.extract_tb(trace), strict=False):
        code = frame.f_code
        first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        around = [place for place in places if place.holds(summary.filename)]
        is_own = bool(around) and (any(place.whole for place in around) or not _is_library(summary.filename))
        found.append(_Frame(summary, frame.f_globals.get("__name__", ""), first, is_own))
        summary.filename = next((place.named for place in around if place.file == summary.filename), summary.filename)
    return found


def _is_library(file: str) -> bool:
    libraries = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")]
    libraries += [each for name in OURS for each in getattr(sys.modules.get(name), "__path__", ())]
    return any(Path(each).resolve() in Path(file).resolve().parents for each in libraries)


def _owner(frames: Sequence[_Frame]) -> str:
    """Return whose code the last of some frames is, such as ``the agent 'mine'``; at least the name of a function."""
    for frame in reversed(frames):
        if (frame.is_own or isinstance(frame.first, Entry)) and (called := _called(frame.first)):
            return called
    own = [frame for frame in frames if frame.is_own][::-1]
    entries: list[Entry[Any]] = [*registered_agents().values(), *registered_games().values()]
    made: dict[object, str] = {entry: entry.factory.__module__ for entry in entries}
    made |= {advisor: advisor.__module__ for advisor in registered_advisors()}
    for frame in own:
        there = [each for each, module in made.items() if module == frame.module]
        if len(there) == 1:
            return _called(there[0])
    classes = [type(frame.first) for frame in own if _kind(frame.first)]
    return f"the {_kind(classes[0])} {classes[0].__name__}" if classes else f"the function {own[-1].summary.name}"


def _called(thing: object) -> str:
    """Return what messages call something registered, or what is made by its name; otherwise an empty text."""
    name = ""
    with suppress(Exception):  # (it may have any attributes)
        name = str(thing.spec if hasattr(thing, "spec") else thing.name).partition("(")[0]  # type: ignore[attr-defined]
    return f"the {_kind(thing)} {name!r}" if name and _kind(thing) else ""


def _kind(thing: object) -> str:
    return getattr(thing if isinstance(thing, type) else type(thing), "REGISTERED_AS", "")


def in_informed_processes(
    function: Callable[..., Result],
    arguments: Iterable[tuple[Any, ...]],
    jobs: int,
    in_order: bool = True,
    batch_size: int | Literal["auto"] = "auto",
) -> Iterator[Result]:
    """Yield the results of calls as `in_processes` does, in processes that import what this one has imported.

    An error comes as `explained` returns it.
    """
    known = modules()
    informed = ((known, function, each) for each in arguments)
    return in_processes(call_informed, informed, jobs, in_order, batch_size)


def call_informed(known: Modules, function: Callable[..., Result], arguments: tuple[Any, ...]) -> Result:
    """Call a function that knows the modules of another process, and raise its errors as `explained` returns them."""
    try:
        import_all(known)
        return function(*arguments)
    except BaseException as error:
        told = explained(error)
        if told is error:
            raise
        raise told from error
