"""The program that results depend on: packages of games and agents, their libraries, and modules of one's own."""

import hashlib
import platform
import shlex
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    PathFinder,
    SourceFileLoader,
    all_suffixes,
)
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import boardgames_env
from boardgames_agents.registry import AGENTS, registered_agents
from boardgames_env.errors import BadInputError, described, message_of
from boardgames_env.files import FileKind, cache_root, checksum, data_root, digest, package_files, write_atomically
from boardgames_env.games import GAMES, registered_games
from boardgames_env.json_file import read_json, write_json

_COMPUTING = ("numpy", "scipy", "numba", "torch", "stable-baselines3", "sb3-contrib", "open-spiel", "gnubg-nn")
"""Libraries whose other versions may draw other random numbers, round or play differently."""

_CODE = tuple(all_suffixes())
"""Ends of the names of files that Python imports."""

_KEPT_IMPORT = FileKind("the content of an import", "name that import again with --import")


@dataclass(frozen=True)
class Program:
    """What must be the same for results to be the same: digests of packages, and versions of libraries, by name.

    The version of a library that is not installed is empty.
    """

    sources: dict[str, str]
    versions: dict[str, str]

    @property
    def digest(self) -> str:
        """A short digest of sources and versions."""
        parts = sorted(self.sources.items()), sorted(self.versions.items())
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    def part(self, *packages: str) -> "Program":
        """Return the program without the sources of all but some packages."""
        return Program({name: self.sources[name] for name in packages}, self.versions)

    def difference(self, other: "Program") -> str:
        """Return how another program differs, in words; empty if it does not."""
        for package in sorted({*self.sources, *other.sources}):
            if package not in other.sources:
                return f"no package {package}"
            if self.sources.get(package) != other.sources[package]:
                return f"another version of the package {package}"
        for library, own in self.versions.items():
            if own != other.versions.get(library):
                return f"{library} {other.versions.get(library) or '(none)'} and not {own or '(none)'}"
        return ""


_own: dict[str, tuple[str, bytes | None]] = {}
"""What `import_own` has imported: by the module's name, the absolute path of its file, and the content of the file.

Of a module that was named, the name again, and nothing.
"""


def import_own(what: str) -> None:
    """Import a Python file, or a module by its name; this process and those that it starts know what it registers.

    A file is imported as the module of its name. Python looks for it, and for what it imports, in its folder last; for
    a module that is named and found nowhere else, in the current folder. The checksums of what was imported are kept in
    the user's folder: runs may import the same again.

    Raises:
        BadInputError: If it does not exist, its name belongs to another module, or it cannot be imported.
    """
    _import(what)
    where = _own[_module_named(what)[0]][0]
    imported = {"import": where, "packages": _packages_of_own(where)}
    with suppress(OSError):  # (without that folder a run asks for --import again)
        if _kept_import(where) != imported:
            write_json(_kept_import_path(where), imported, indent=1)


def _import(what: str) -> None:
    """Do what `import_own` does, but keep no checksums."""
    _packages_before_own()  # (these come first, so that a name that is taken is found where it is used)
    name, file = _module_named(what)
    if file and not file.is_file():
        raise BadInputError(f"there is no file {what}; --import takes a Python file, or the name of a module")
    folder = _folder_of_own(file)
    if file or not _is_found(name.partition(".")[0]):
        _import_sources_of(str(folder))
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
    if file:
        _demand_found(name, file)
    try:
        content = file.read_bytes() if file else None
        found = getattr(import_module(name), "__file__", None)
    except (Exception, SystemExit) as error:
        if not isinstance(error, ModuleNotFoundError) or not f"{what}.".startswith(f"{error.name}."):
            raise BadInputError(_told(error, what)) from error
        found = None
    if not found:
        raise BadInputError(f"there is no module {what!r}; --import takes a Python file, or the name of a module")
    _own[name] = (str(file), content) if file else (name, None)


def _import_sources_of(folder: str) -> None:
    """Let Python import the modules in a folder from their sources: a compiled file beside one may hold other code."""
    loaders = (ExtensionFileLoader, EXTENSION_SUFFIXES), (_FromSource, SOURCE_SUFFIXES)
    sys.path_importer_cache[folder] = FileFinder(folder, *loaders)


class _FromSource(SourceFileLoader):
    """Loads a module, and those of its package, from their sources."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the compiled source."""
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run the module."""
        for folder in getattr(module, "__path__", ()):
            _import_sources_of(folder)
        super().exec_module(module)


@cache
def _packages_before_own() -> frozenset[str]:
    """Return the packages that were there before the first import of one's own."""
    return frozenset(("__main__", *(name.partition(".")[0] for name in modules().names)))


def _folder_of_own(file: Path | None) -> Path:
    """Return the folder in which Python looks last for what is imported: a file, or a module by its name."""
    return file.parent if file else Path.cwd()


def _packages_of_own(where: str) -> dict[str, dict[str, str]]:
    """Return the package of what was imported, and those that came from its folder, with checksums of their code."""
    name, file = _module_named(where)
    folder, found = _folder_of_own(file), {}
    for package in sorted({loaded.partition(".")[0] for loaded in [*sys.modules]} - _packages_before_own()):
        places = _places_of_module(sys.modules.get(package))
        if package == name.partition(".")[0] or folder in [place.parent for place in places]:
            found[package] = _checksums(places)
    return found


def _places_of_module(module: ModuleType | None) -> list[Path]:
    return _places(getattr(module, "__path__", None) or [getattr(module, "__file__", None)])


def _places(paths: Iterable[str | None]) -> list[Path]:
    return [Path(path).parent.resolve() / Path(path).name for path in paths if path]


def _checksums(places: Iterable[Path]) -> dict[str, str]:
    """Return a checksum of the code in each of some files and folders, by path."""
    found = {}
    for place in places:
        every = sorted(place.rglob("*")) if place.is_dir() else [place]
        code = [each for each in every if each.name.endswith(_CODE) and each.parent.name != "__pycache__"]
        found[str(place)] = checksum([[str(each), checksum("", each.read_bytes())] for each in code if each.is_file()])
    return found


def _kept_import_path(where: str) -> Path:
    return data_root() / "imports" / f"{checksum(where)[:32]}.json"


def _kept_import(where: str) -> dict[str, Any] | None:
    """Return what `import_own` kept of an import by this user; ``None`` if there is nothing, or it is damaged."""
    try:
        return read_json(_kept_import_path(where), _KEPT_IMPORT)
    except BadInputError:
        return None


def _was_imported(where: str) -> bool:
    """Return whether this user has imported a file, or a module by its name, and it would be the same again."""
    kept, folder = _kept_import(where), _folder_of_own(_module_named(where)[1])
    if kept is None:
        return False
    for package, checksums in kept["packages"].items():
        try:
            found = find_spec(package) or PathFinder.find_spec(package, [str(folder)])
            places = _places((found.submodule_search_locations or [found.origin]) if found else ())
            if not places or _checksums(places) != checksums:
                return False
        except (OSError, ValueError):  # (a file is gone, or a module has no spec)
            return False
    return True


def _module_named(what: str) -> tuple[str, Path | None]:
    """Return the name of the module that is meant, and its file if that was named."""
    file = Path(what).resolve() if what.endswith(".py") or Path(what).name != what else None
    return (file.stem if file else what), file


def _is_found(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # (a module without a spec, such as the main one)
        return True


def _demand_found(name: str, file: Path) -> None:
    """Raise `BadInputError` if importing a name would not import a file."""
    try:
        found = None if "." in name else find_spec(name)
    except ValueError:  # (a module without a spec, such as the main one)
        found = None
    if found is None or not found.origin or Path(found.origin).resolve() != file:
        other = f": that is {found.origin}" if found else ""
        raise BadInputError(f"{file} cannot be imported as the module {name!r}{other}; give the file another name")


def _told(error: BaseException, what: str) -> str:
    """Return where in a module an error was raised, and what it was."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return f"{error.filename}, line {error.lineno}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    named = [each for each in frames if not each.filename.startswith("<") and each.filename != __file__]
    own = named[1:]  # (after that of `import_module`)
    what = repr(what)
    if own:
        beside = [each for each in own if Path(each.filename).parent == Path(own[0].filename).parent]
        what = f"{beside[-1].filename}, line {beside[-1].lineno}"
    return f"{what}: {message_of(error) if isinstance(error, BadInputError) else described(error)}"


OURS = ("boardgames_env", "boardgames_agents", "boardgames_baselines", "boardgames_cli")
"""The packages of this project."""


class PlaceOfOwn(NamedTuple):
    """A file or folder with code that is not of this project.

    Attributes:
        path: Where it is.
        whole: Whether all that is there is such code; otherwise libraries may be there, too.
        file: The file that was imported from there, if one was named.
        named: The path by which that file was named, maybe on another machine.
    """

    path: Path
    whole: bool
    file: str = ""
    named: str = ""

    def holds(self, file: str) -> bool:
        """Return whether a file is there."""
        return Path(file).is_file() and self.path in (found := Path(file).resolve(), *found.parents)


def places_of_own() -> Iterator[PlaceOfOwn]:
    """Yield the places of what `import_own` has imported, and of packages that bring games and agents."""
    for installed in (*entry_points(group=AGENTS), *entry_points(group=GAMES)):
        name = installed.module.partition(".")[0]
        if name not in OURS and (module := sys.modules.get(name)):
            yield from (PlaceOfOwn(place, whole=True) for place in _places_of_module(module))
    for name, (where, _) in _own.items():
        file = getattr(sys.modules.get(name), "__file__", None)
        yield from (PlaceOfOwn(place.parent, False, file or "", where) for place in _places([file]))


def own_imports(before: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what `import_own` was asked for, as another process can ask for it, after what was recorded before."""
    recorded = {_module_named(each)[0]: each for each in before}
    return tuple((recorded | {name: where for name, (where, _) in _own.items()}).values())


def import_recorded(names: Sequence[str], by: Path) -> None:
    """Import what `own_imports` returned when a run was begun, unless modules of these names are imported already.

    Whoever wrote the run has chosen the names, so nothing is imported but what this user has imported before.

    Raises:
        BadInputError: If one is no longer there, cannot be imported, or is not what this user has imported.
    """
    missing = {each: _module_named(each) for each in names if _module_named(each)[0] not in sys.modules}
    there = [each for each, (_, file) in missing.items() if not file or file.is_file()]
    if unknown := [each for each in there if not _was_imported(str(missing[each][1] or each))]:
        raise BadInputError(
            f"{by} needs the code in {' and '.join(unknown)}, which you have not imported before, or which has changed "
            f"since; if you trust it, give {' '.join(f'--import {shlex.quote(each)}' for each in unknown)}"
        )
    for each in missing:
        try:
            _import(each)
        except BadInputError as error:
            why = f"{by} needs {each}; if it has moved, say where it is with --import ({error})"
            raise BadInputError(why) from error


class Modules(NamedTuple):
    """The modules that register games, agents and the like, for another process.

    Attributes:
        names: Their names.
        own: What `import_own` was asked for, with the contents of files, which other machines may lack.
    """

    names: tuple[str, ...]
    own: dict[str, bytes | None]


def modules() -> Modules:
    """Return the modules that another process must import to know all games and agents that this one knows."""
    games = [entry.factory.__module__ for entry in registered_games().values()]
    agents = [entry.factory.__module__ for entry in registered_agents().values()]
    return Modules(tuple(dict.fromkeys([*games, *agents, *_own])), dict(_own.values()))


def import_all(known: Modules) -> None:
    """Import the modules of another process, but for its main file.

    Files of its own that are not on this machine are written to the cache folder.
    """
    for each, content in known.own.items():
        name, file = _module_named(each)
        if name in _own:
            continue
        if file and content is not None and not (file.is_file() and file.read_bytes() == content):
            file = cache_root() / "imports" / checksum("", content)[:16] / file.name
            if not file.is_file():
                write_atomically(file, content)
        _import(str(file or name))
        _own[name] = (each, content)  # (runs record where it was named)
    for name in known.names:
        if name != "__main__":
            import_module(name)


def program() -> Program:
    """Return the program that is installed here.

    Raises:
        BadInputError: If a game or an agent is registered outside a module with a file.
    """
    return _program(modules().names)


@cache
def _program(names: tuple[str, ...]) -> Program:
    files: dict[str, list[Path]] = {}
    for name in (boardgames_env.__name__, *names):
        file = getattr(sys.modules[name], "__file__", None)
        if name == "__main__" or not file:
            raise BadInputError(
                f"{name} has registered a game or an agent; results are stored by the program that made them, "
                "so put it into a module of its own and import that"
            )
        files.setdefault(name.partition(".")[0], []).extend(package_files(Path(file)))
    sources = {package: digest(tuple(dict.fromkeys(each))) for package, each in sorted(files.items())}
    return Program(sources, {"Python": platform.python_version(), **{each: _version(each) for each in _COMPUTING}})


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
