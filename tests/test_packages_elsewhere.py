"""What installed packages and own files bring: the command line, and every process it starts, knows it."""

import importlib
import os
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import cache_from_source
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compile_file
from subprocess import CompletedProcess

import numpy as np
import pytest
import typer

import boardgames_agents.registry
import boardgames_env.games
from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.position_graph import PolicyOnGraph, graph_of
from boardgames_agents.experiments import program
from boardgames_agents.experiments.own_error import OwnError, call_informed
from boardgames_agents.experts.perfect import PerfectPlayer
from boardgames_agents.hoyle import advisors
from boardgames_agents.lookahead.player import explainer_of
from boardgames_agents.policy import Distribution
from boardgames_agents.policy.batch_players import LookupPlayer, is_distribution
from boardgames_agents.registry import make_agent
from boardgames_agents.training import config as config_module
from boardgames_agents.training import trainers
from boardgames_agents.training.run import RunConfig, train
from boardgames_cli.main import COMMANDS, app
from boardgames_env import BadInputError, files, make_game
from boardgames_env.json_file import read_unverified, write_json
from boardgames_env.position import Position
from tests.conftest import Command, Run
from tests.processes import python

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with an installed package that brings a game and an agent, as pip would leave it."""
    for name in ("four_corners", "opportunist", "reinforce"):
        shutil.copy(EXAMPLES / f"{name}.py", tmp_path)
    about = tmp_path / "examples-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: examples\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(
        "[boardgames_env.games]\nfour_corners = four_corners\n[boardgames_env.agents]\nopportunist = opportunist\n"
        "reinforce = reinforce\n",
        encoding="utf-8",
    )
    return tmp_path


def run(*words: str, path: Path, code: str = "") -> CompletedProcess[str]:
    """Run code, or without it a command, where packages of a folder are found too."""
    words = words if code else ("-m", "boardgames_cli.main", *words)
    return python(*words, code=code, PYTHONPATH=os.pathsep.join([str(path), os.environ.get("PYTHONPATH", "")]))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_games_agents_and_learners_of_an_installed_package_are_known(installed: Path, jobs: str) -> None:
    folder = str(installed / "run")
    for words in (
        ("match", "four_corners", "opportunist", "random", "--contests", "4", "--jobs", jobs),
        ("train", "four_corners", "reinforce(alpha=0.1)", "--trainer", "self", "--contests", "50", "--run", folder),
        ("match", "four_corners", f"trained(run={folder!r})", "random", "--contests", "4"),
    ):
        told = run(*words, path=installed)
        assert told.returncode == 0, told.stderr
        shown = folder if folder in words[2] else words[2]  # (a trained player is called by its run)
        assert words[0] != "match" or f"four_corners: {shown} v. random, 4 contests" in told.stdout
    told = run("show", "five_corners", path=installed)
    assert told.returncode == 2
    assert "there is no game 'five_corners' (did you mean four_corners?)" in told.stderr


@pytest.mark.slow
def test_a_league_in_several_processes_knows_what_its_own_process_has_imported(tmp_path: Path) -> None:
    code = """
import sys
import tempfile
from pathlib import Path
import four_corners, opportunist
from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.round_robin import League, play
from boardgames_agents.experiments.program import program
from boardgames_agents.experiments.runner import Workers
league = League(("four_corners", "tic_tac_toe"), (Entrant("opportunist"), Entrant("random")), 60)
played = play(league, Path(sys.argv[1]), Workers(jobs=2))
print([each.pairings[0].score.contests for each in played], {"four_corners", "opportunist"} <= set(program().sources))
"""
    told = run(str(tmp_path), code=code, path=EXAMPLES)
    assert told.stdout == "[60, 60] True\n", told.stderr


@pytest.mark.slow
def test_leagues_want_agents_that_have_a_file(tmp_path: Path) -> None:
    code = """
from boardgames_agents.experiments.program import program
from boardgames_agents.registry import agent
from boardgames_agents.experts import RandomPlayer
@agent("mine")
def mine(game):
    return RandomPlayer(game)
program()
"""
    told = run(code=code, path=tmp_path)
    assert "__main__ has registered a game or an agent" in told.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_package_that_cannot_be_imported_keeps_nothing_else_from_working(installed: Path) -> None:
    (installed / "opportunist.py").write_text("import nowhere", encoding="utf-8")
    told = run("match", "tic_tac_toe", "random", "perfect", "--contests", "2", path=installed)
    assert (told.returncode, told.stderr) == (0, "")  # (only what is named is imported)
    told = run("match", "tic_tac_toe", "random", "opportunist", "--contests", "2", path=installed)
    assert told.returncode == 2
    assert "the agents of opportunist cannot be imported: ModuleNotFoundError" in told.stderr
    assert "there is no agent 'opportunist'" in told.stderr
    (installed / "four_corners.py").write_text("import nowhere", encoding="utf-8")
    told = run("show", "four_corners", path=installed)
    assert told.returncode == 2
    assert "the game 'four_corners' of four_corners cannot be imported: ModuleNotFoundError" in told.stderr
    (installed / "four_corners.py").write_text("", encoding="utf-8")
    assert "registers no game 'four_corners'" in run("show", "four_corners", path=installed).stderr


TRAINER = """
from boardgames_agents.training.trainers import FixedOpponent, trainer
from boardgames_env.spec import Spec

@trainer("gentle")
def gentle(game) -> FixedOpponent:
    return FixedOpponent(game, Spec("opportunist"))
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for files of one's own; what they register is forgotten after the test."""
    for registered in (program.modules, trainers.registered_trainers, advisors.registered_advisors):
        registered()  # (all of the package's own, which is imported once)
    for module, name in (
        *((boardgames_agents.registry, "_entries"), (boardgames_env.games, "_entries"), (trainers, "_trainers")),
        *((advisors, "_advisors"), (program, "_own")),
    ):
        monkeypatch.setattr(module, name, getattr(module, name).copy())
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    before = set(sys.modules)
    for name in ("four_corners", "opportunist", "crossroads"):
        shutil.copy(EXAMPLES / f"{name}.py", tmp_path)
    (tmp_path / "gentle.py").write_text(TRAINER, encoding="utf-8")
    yield tmp_path
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


def test_every_command_imports_files_of_ones_own() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for command in COMMANDS:
        made = commands[command.__name__.replace("_", "-")]
        parameters = made.get_params(made.make_context(None, [], resilient_parsing=True))
        assert "--import" in [option for each in parameters for option in each.opts]


@pytest.mark.slow
def test_games_agents_trainers_and_advisors_of_own_files_are_known(own: Path, boardgames: Run) -> None:
    corners, opportunist = own / "four_corners.py", own / "opportunist.py"
    told = boardgames("match", "four_corners", "opportunist", "random", "--contests", 4, "--import", corners,
                      "--import", opportunist)  # fmt: skip
    assert "four_corners: opportunist v. random, 4 contests" in told
    assert "gentle" in boardgames("--import", own / "gentle.py", "trainers")
    words = ("match", "tic_tac_toe", "hoyle(only='Crossroads')", "random", "--contests", 1)
    assert "1 contest," in boardgames(*words, "--import", own / "crossroads.py")


BESIDE = """
from boardgames_env import BadInputError

class Textless(Exception):
    def __str__(self):
        return 1 // 0

class Two(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")

class Stop(BaseException): ...

class Unlike(BadInputError):
    def __init__(self, one, two):
        super().__init__(f"{one}, {two}")

def refused():
    raise BadInputError("one\\ntwo\\n")

def unlike():
    raise Unlike("one", "two")
"""

FAULTY = """
from boardgames_agents.hoyle.advisors import Advisor, advisor
from boardgames_agents.policy import MarkovPolicy, Policy
from boardgames_agents.registry import agent
from boardgames_agents.tabular.menace import Menace
from boardgames_agents.training.trainers import FixedOpponent, trainer
from boardgames_env.spec import Spec
import mishaps
import numpy as np

def divided(position):
    return 1 // 0

@agent("choosing")
class Choosing(Policy):
    def __init__(self, game, what: str = ""):
        self._what = what

    def choose(self, position):
        return eval(self._what)

@agent("drawing")
class Drawing(MarkovPolicy):
    def __init__(self, game, what: str = ""):
        super().__init__()
        self._what = what

    def distribution(self, position):
        return eval(self._what)

@agent("unfinished")
class Unfinished(Policy):
    def __init__(self, game):
        pass

@agent("seeing", curves={})
class Seeing(Menace):
    def __init__(self, game):
        raise KeyError("beads")

@agent("watching", curves={})
class Watching(Menace):
    def saw(self, position, action):
        return [][action]

@agent("forgetful", curves={})
class Forgetful(Menace):
    def snapshot(self):
        return None

@agent("mute", curves={})
class Mute(Menace):
    def knowledge(self):
        return {"beads": "many"}

@agent("melting", curves={})
class Melting(Menace):
    def frozen(self):
        return None

@trainer("meeting")
class Meeting(FixedOpponent):
    def __init__(self, game, what: str = ""):
        super().__init__(game, Spec("random"))
        self._what = what

    def meeting(self, contest, learner):
        return eval(self._what)

@agent("made")
def of_another_name(game, what: str = ""):
    return Choosing(game, what)

@agent("unmade")
def cannot_be_made(game):
    return {}["a part"]

@trainer("coach")
def of_another_class(game, what: str = ""):
    return Meeting(game, what)

class Player(Policy):
    def choose(self, position):
        return divided(position)

@agent("turning", curves={})
class Turning(Menace):
    def frozen(self):
        return Player()

@advisor
class Sleepy(Advisor):
    name = "Sleepy head"
    programs = ()

    def comment(self, case, options):
        return {option: divided(case) for option in options}
"""

MATCH, TRAIN = ("match", "tic_tac_toe", "random", "--contests", 2), ("train", "tic_tac_toe", "menace", "--contests", 2)

TESTED = ("--contests", 2, "--test-contests", 2)

POOL = ("--trainer", "pool", "--contests", 2, "--test-every", 0)

WORKERS = ("--jobs", "2"), ("--backend", "ray", "--address", "local")

CAUSED = "try:\n        1 // 0\n    except ZeroDivisionError as error:\n        raise "
MISHAPS = {
    "caused": (f"{CAUSED}ValueError('deeper') from error", "ValueError: deeper"),
    "meanwhile": (f"{CAUSED}ValueError('deeper')", "ValueError: deeper"),
    "alone": (f"{CAUSED}ValueError('deeper') from None", "ValueError: deeper"),
    "textless": ("raise Textless", "Textless"),
    "empty": ("raise ValueError", "ValueError"),
    "blank": ("raise ValueError(' \\n ')", "ValueError"),
    "lines": ("raise ValueError('\\n\\n  first\\nsecond\\n')", "ValueError: first"),
    "noted": ("error = KeyError(3); error.__notes__ = ['a note', 'and more']; raise error", "KeyError: 3"),
    "unpicklable": ("raise Two(1, 2)", "Two: 1 and 2"),
    "local": ("class Local(Exception): pass\n    raise Local('here')", "Local: here"),
    "base": ("raise Stop('halt')", "Stop: halt"),
    "ended": ("raise SystemExit(3)", "SystemExit: 3"),
    "unread": ("raise EOFError('no input')", "EOFError: no input"),
    "unwritten": ("raise BrokenPipeError(32, 'gone')", "BrokenPipeError: [Errno 32] gone"),
    "iterated": ("return next(iter(()))", "StopIteration"),
    "unspoken": ("raise BadInputError", "BadInputError"),
}
"""Errors of a module beside one's own file: by the name of a function, what it does, and what the sentence says."""

if sys.version_info >= (3, 11):
    two = "ExceptionGroup('two', [ValueError('a'), ExceptionGroup('within', [KeyError('b')])])"
    MISHAPS["grouped"] = f"raise {two}", "ExceptionGroup: two (2 sub-exceptions)"
    MISHAPS["gathered"] = f"{CAUSED}ExceptionGroup('all', [error]) from error", "ExceptionGroup: all (1 sub-exception)"
    MISHAPS["halted"] = "raise BaseExceptionGroup('all', [Stop()])", "BaseExceptionGroup: all (1 sub-exception)"

SENTENCES: dict[str, tuple[tuple[object, ...], str]] = {
    "raises": ((*MATCH, "choosing(what='divided(position)')"), "the agent 'choosing' raised ZeroDivisionError: "),
    "file": ((*MATCH, "choosing(what='open(str())')"), "the agent 'choosing' raised FileNotFoundError: "),
    "made": (("test", "tic_tac_toe", "seeing"), "the agent 'seeing' raised KeyError: 'beads' ("),
    "trainer": ((*TRAIN, "--trainer", "meeting(what='{}[3]')"), "the trainer 'meeting' raised KeyError: 3 ("),
    "learner": (("train", "tic_tac_toe", "watching", "--contests", 2), "the agent 'watching' raised IndexError: "),
    "factory": ((*MATCH, "made(what='divided(position)')"), "the agent 'made' raised ZeroDivisionError: "),
    "unmade": ((*MATCH, "unmade"), "the agent 'unmade' raised KeyError: 'a part' ("),
    "trainer's factory": ((*TRAIN, "--trainer", "coach(what='{}[3]')"), "the trainer 'coach' raised KeyError: 3 ("),
    "player": (("train", "tic_tac_toe", "turning", *TESTED), "the agent 'turning' raised ZeroDivisionError: "),
    "earlier self": (("train", "tic_tac_toe", "turning", *POOL), "the agent Player raised ZeroDivisionError: "),
    "Advisor": ((*MATCH, "hoyle(only='Sleepy head')"), "the Advisor 'Sleepy head' raised ZeroDivisionError: "),
}
"""By what is wrong, a command that calls faulty code, and the beginning of its last line."""

REFUSALS: dict[str, tuple[tuple[object, ...], str]] = {
    "illegal": ((*MATCH, "choosing(what='99')"), "chose action 99, which is not legal here; legal: 0, 1"),
    "nothing": ((*MATCH, "choosing(what='None')"), "chose action None of type NoneType, which is not legal"),
    "text": ((*MATCH, "choosing(what='str(4)')"), "chose action '4' of type str, which is not legal"),
    "float": ((*MATCH, "choosing(what='np.float64(4)')"), "of type float64, which is not legal"),
    "within": ((*MATCH, "choosing(what='position.play(9)')"), "action 9 is not legal in this position"),
    "no distribution": ((*MATCH, "drawing(what='None')"), "chose by None, which is no distribution: it must be"),
    "too short": ((*MATCH, "drawing(what='((0, 1), (1.0,))')"), "which is no distribution: it must be"),
    "sum": ((*MATCH, "drawing(what='((0, 1), (0.5, 0.4))')"), "which is no distribution: it must be"),
    "exactly": (("exploitability", "tic_tac_toe", "drawing(what='((9,), (1.0,))')"), "chose action 9, which is not"),
    "unfinished": ((*MATCH, "unfinished"), "unfinished cannot be used yet: Unfinished has not defined choose"),
    "no meeting": ((*TRAIN, "--trainer", "meeting(what='None')"), "meeting() returned None, which is no Meeting"),
    "no snapshot": (("train", "tic_tac_toe", "forgetful", "--contests", 2), "snapshot() returned None, which is no"),
    "no number": (("train", "tic_tac_toe", "mute", *TESTED), "mute: knowledge() returned 'many', which is no Number"),
    "lines": ((*MATCH, "choosing(what='mishaps.refused()')"), "Error: one two"),
    "class": ((*MATCH, "choosing(what='mishaps.unlike()')"), "Error: one, two"),
    "no player": ((*MATCH, "melting"), "melting: frozen() returned None, which is no Policy"),
    "not frozen": (("train", "tic_tac_toe", "melting", *TESTED), "melting: frozen() returned None, which is no Policy"),
}
"""The same for what the package refuses itself."""


@pytest.fixture
def faulty(own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of agents and a trainer that are wrong, in the current folder."""
    monkeypatch.chdir(own)
    (own / "faulty.py").write_text(FAULTY, encoding="utf-8")
    functions = "".join(f"def {name}():\n    {text}\n" for name, (text, _) in MISHAPS.items())
    (own / "mishaps.py").write_text(BESIDE + functions, encoding="utf-8")
    return own / "faulty.py"


@pytest.mark.parametrize("which", SENTENCES)
def test_an_error_in_own_code_shows_that_code_alone(which: str, faulty: Path, command: Command) -> None:
    words, begins = SENTENCES[which]
    code, _, err = command(*words, "--import", faulty)
    first, *frames, last = err.splitlines()
    assert (code, first) == (2, "Traceback of your code:")
    assert last.startswith(f"Error: {begins}")
    (line,) = re.findall(rf" \({re.escape(str(faulty))}, (line \d+)\)$", last)
    files = [each for each in frames if each.startswith("  File ")]
    assert all(f'"{faulty}"' in each for each in files)
    assert f'"{faulty}", {line}, in ' in files[-1]


@pytest.mark.slow
@pytest.mark.parametrize("workers", WORKERS, ids=["joblib", "ray"])
def test_an_error_in_own_code_is_the_same_from_another_process(workers: tuple[str, ...], faulty: Path) -> None:
    if "ray" in workers:
        pytest.importorskip("ray", reason="the extra ray is not installed")
    agents = "random,choosing(what='mishaps.unpicklable()')"
    words = ("league", "tic_tac_toe", "--agents", agents, "--contests", "400")
    imports = ("--folder", str(faulty.parent / "league"), "--import", str(faulty))
    told = [run(*words, *more, *imports, path=faulty.parent) for more in ((), workers)]
    lines = [[each for each in one.stderr.splitlines() if "contests" not in each] for one in told]
    assert lines[0] == lines[1]
    assert [each.returncode for each in told] == [2, 2]


@pytest.mark.parametrize("name", MISHAPS)
def test_an_error_in_own_code_is_one_sentence_whatever_it_is(name: str, faulty: Path, command: Command) -> None:
    code, _, err = command(*MATCH, f"choosing(what='mishaps.{name}()')", "--import", faulty)
    first, *frames, last = err.strip().splitlines()
    assert (code, first) == (2, "Traceback of your code:")
    does, sentence = MISHAPS[name]
    beside = faulty.parent / "mishaps.py"
    line = beside.read_text(encoding="utf-8").partition(f"def {name}():")[0].count("\n") + 2 + does.count("\n")
    assert last == f"Error: the agent 'choosing' raised {sentence} ({beside}, line {line})"
    places = [each for each in frames if not each.startswith("    ")]
    assert all(re.match(rf'  File "({faulty}|{beside})", line \d+, in ', each) for each in places)
    assert places[-1] == f'  File "{beside}", line {line}, in {name}'


@pytest.mark.parametrize("name", MISHAPS)
def test_an_error_in_own_code_can_be_sent_to_a_process_that_does_not_know_it(name: str, faulty: Path) -> None:
    program.import_own(str(faulty))
    game = make_game("tic_tac_toe")
    players = (make_agent(f"choosing(what='mishaps.{name}()')", game), make_agent("random", game))
    with pytest.raises(OwnError) as caught:
        call_informed(program.modules(), play_contest, (game, players, [1]))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.sentence, again.frames) == (caught.value.sentence, caught.value.frames)
    assert again.sentence.startswith(f"the agent 'choosing' raised {MISHAPS[name][1]} (")


def test_an_error_on_another_machine_names_the_file_that_was_imported_here(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(own / "cache"))
    lost, source = own / "elsewhere" / "lost.py", FAULTY.replace("import mishaps\n", "")
    program.import_all(program.Modules((), {str(lost): source.encode()}))
    with pytest.raises(OwnError) as caught:
        call_informed(program.modules(), make_agent, ("unmade", make_game("tic_tac_toe")))
    place = f"{lost}, line {source[: source.index('a part')].count(chr(10)) + 1}"
    assert caught.value.sentence == f"the agent 'unmade' raised KeyError: 'a part' ({place})"
    assert caught.value.frames.startswith(f'  File "{lost}", line ')


@pytest.mark.parametrize(
    ("name", "before", "fault"),
    [
        ("falling_corners", "    return Game(", "    {}['a part']\n"),
        (
            "missing_corners",
            "    return write_where(",
            "    if state[1] != 0 and state[9] != 0:\n        {}['a part']\n",
        ),
    ],
)
def test_an_error_in_a_game_of_ones_own_is_its_own(
    name: str, before: str, fault: str, own: Path, command: Command
) -> None:
    """In the function that makes it, and in a rule."""
    source = (own / "four_corners.py").read_text(encoding="utf-8").replace("four_corners", name)
    file = own / f"{name}.py"
    file.write_text(source.replace(before, f"{fault}{before}", 1), encoding="utf-8")
    code, _, err = command("show", name, "--import", file)
    assert (code, err.count("  File ")) == (2, 1)
    assert f"Error: the game {name!r} raised KeyError: 'a part' ({file}, line " in err


@pytest.mark.parametrize("which", REFUSALS)
def test_what_own_code_returns_is_refused_in_one_sentence(which: str, faulty: Path, refused: Run) -> None:
    words, sentence = REFUSALS[which]
    why = refused(*words, "--import", faulty)
    assert sentence in why
    assert (f"({faulty}, line " in why) == (which == "within")


NO_DISTRIBUTIONS = (
    *("{0: 1.0}", "'ab'", "((), ())", "((0, 1), (0.5, 0.25, 0.25))", "({0, 1}, (0.5, 0.5))"),
    *("((0, 1), (2.0, -1.0))", "((0, 1), (1.5, -0.5))", "((0,), (float('nan'),))", "((0, 1), (np.inf, -np.inf))"),
    *("((0, 1), (0.5 + 0j, 0.5))", "((0, 1), np.array([1, 0j]))", "((0, 1), ('0.5', '0.5'))", "((0, 1), '10')"),
    *("((0, 1), np.full((2, 2), 0.25))", "((0, 1), np.full((2, 1), 0.5))", "((0, 1), np.array(1.0))"),
    *("((0, 1), (True, False))", "((0, 1), np.array([True, False]))", "((False, True), (0.5, 0.5))"),
    *("((0, 0), (0.5, 0.5))", "((0, np.int64(0), 1), (0.25, 0.25, 0.5))", "(np.array([[0], [1]]), (0.5, 0.5))"),
    *("((0, 1), (10**400, 1 - 10**400))", "((0, 1), (None, 1.0))", "((0.0, 1.0), (0.5, 0.5))"),
)
DISTRIBUTIONS = (
    *("((0, 1), (0.5, 0.5))", "[[0, 1], [0.5, 0.5]]", "((0,), (1,))", "((0, 1), (1.0, 0.0))"),
    *("(np.arange(2), np.array([0.5, 0.5]))", "(range(3), (np.float32(1 / 3),) * 3)"),
)

ASKING: dict[str, tuple[object, ...]] = {
    "match": (*MATCH, "{}"),
    "grade": ("grade", "{}", "tic_tac_toe"),
    "exploitability": ("exploitability", "tic_tac_toe", "{}"),
    "test": ("test", "tic_tac_toe", "{}", "--contests", 2),
    "train": ("train", "tic_tac_toe", "menace", "--trainer", "{}", "--contests", 2),
    "league": ("league", "tic_tac_toe", "--agents", "random,{}", "--contests", 2, "--folder", "league"),
}


@pytest.mark.parametrize("text", NO_DISTRIBUTIONS)
def test_what_is_no_distribution_is_refused(text: str) -> None:
    assert not is_distribution(eval(text))


@pytest.mark.parametrize("text", DISTRIBUTIONS)
def test_lists_and_arrays_of_numbers_are_distributions(text: str) -> None:
    assert is_distribution(eval(text))


@pytest.mark.parametrize("which", ASKING)
def test_every_command_refuses_what_is_no_distribution(which: str, faulty: Path, refused: Run) -> None:
    words = [str(word).replace("{}", "drawing(what='((0, 1), (2.0, -1.0))')") for word in ASKING[which]]
    assert "which is no distribution: it must be a tuple of different actions" in refused(*words, "--import", faulty)


class Twice(PerfectPlayer):
    """Returns one action twice."""

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        return position.legal_actions[:1] * 2, (0.5, 0.5)


@pytest.mark.parametrize("plies", [0, 100])
def test_wherever_a_distribution_is_asked_it_is_checked(plies: int) -> None:
    game = make_game("tic_tac_toe")
    game = replace(game, limits=replace(game.limits, plies=plies))
    policy = Twice(game)
    policy.begin(game, (0, 1), np.random.default_rng(0))
    states, in_batch = np.array([game.initial.state]), LookupPlayer(policy, game, 1)
    in_batch.seed(0, np.random.default_rng(0))
    askers: list[Callable[[], object]] = [
        lambda: policy.choose(game.initial),
        lambda: policy.explanation(game.initial),
        lambda: explainer_of(policy, game).explanation(game.initial),
        lambda: in_batch.choose(states, np.zeros(1, dtype=np.int64)),
        lambda: PolicyOnGraph(graph_of(game), policy).probabilities(np.zeros(1, dtype=np.int64)),
        lambda: play_contest(game, (policy, make_agent("random", game)), [1]),
    ]
    for ask in askers:
        with pytest.raises(BadInputError, match=r"^Twice chose by .* different actions .*$"):
            ask()


def test_a_run_finds_what_it_was_trained_with(own: Path, boardgames: Run, refused: Run) -> None:
    files = [f"--import={own / name}.py" for name in ("opportunist", "gentle")]
    run = own / "run"
    test = ("match", "tic_tac_toe", f"trained(run={str(run)!r})", "random", "--contests", 2)
    boardgames("train", "tic_tac_toe", "menace", "--trainer", "gentle", "--contests", 4, "--test-every", 0,
               "--run", run, *files)  # fmt: skip
    boardgames(*test)
    for name in ("opportunist", "gentle"):
        del sys.modules[name]
    (own / "gentle.py").rename(own / "gentle.old")
    for registry, entry in ((boardgames_agents.registry._entries, "opportunist"), (trainers._trainers, "gentle")):
        del registry[entry]  # type: ignore[attr-defined]  (as in a process that has not imported them)
    assert f"{run} needs {own / 'gentle.py'}; if it has moved, say where it is with --import" in refused(*test)
    (own / "moved").mkdir()
    (own / "gentle.old").rename(own / "moved" / "gentle.py")
    boardgames(*test, "--import", own / "moved" / "gentle.py")


def mark(folder: Path) -> Path:
    """A file that is there once the code of `marking` has run."""
    return folder / "mark"


def marking(folder: Path) -> str:
    return f"open({str(mark(folder))!r}, 'w', encoding='utf-8').close()\n"


def run_that_imports(folder: Path, *imports: object, trainer: str = "random") -> Path:
    """Write a run whose configuration names imports, whole and with its checksum."""
    if not (folder / "config.json").exists():
        train(folder, RunConfig("tic_tac_toe", "menace", "random", 2, checkpoint_every=2))
    config = read_unverified(folder / "config.json", config_module._KIND) | {"trainer": trainer}
    del config["sha256"]
    write_json(folder / "config.json", {**config, "imports": [*map(str, imports)]})
    return folder


def forget(*names: str) -> None:
    """Forget modules, as a new process has not imported them."""
    importlib.invalidate_caches()
    for name in names:
        sys.modules.pop(name, None)


TRAINED = "trained(run={run!r})"

COMMANDS_ON_RUNS: dict[str, tuple[str, ...]] = {
    "test": ("test", "{run}", "--contests", "2"),
    "train": ("train", "--run", "{run}", "--contests", "4"),
    "train again": ("train", "tic_tac_toe", "menace", "--trainer", "random", "--contests", "4", "--run", "{run}"),
    "explain": ("explain", "{run}"),
    "knowledge": ("knowledge", "{run}"),
    "exploitability": ("exploitability", "{run}"),
    "export": ("export", "{run}", "{run}/out.safetensors"),
    "match": ("match", "tic_tac_toe", TRAINED, "random", "--contests", "2"),
    "play": ("play", "tic_tac_toe", "--against", TRAINED, "--watch", "random"),
    "error-rate": ("error-rate", TRAINED),
    "analyse": ("analyse", "start", "--dice", "31", "--with", TRAINED),
    "league": ("league", "tic_tac_toe", "--agents", f"random,{TRAINED}", "--contests", "2", "--folder", "{run}/league"),
    "rollout": ("rollout", "start", "--dice", "31", "--with", TRAINED),
    "improve": ("improve", "hypergammon", TRAINED, "--run", "{run}/improve"),
}


@pytest.mark.parametrize(
    "which",
    [pytest.param(each, marks=[pytest.mark.slow] if each == "improve" else []) for each in COMMANDS_ON_RUNS],  # (torch)
)
def test_no_command_runs_the_code_of_a_run_from_elsewhere(which: str, own: Path, refused: Run) -> None:
    evil = own / "run" / "evil.py"
    run = run_that_imports(own / "run", evil)
    evil.write_text(marking(own), encoding="utf-8")
    why = refused(*(word.format(run=str(run)) for word in COMMANDS_ON_RUNS[which]))
    assert f"{run} needs the code in {evil}, which you have not imported before" in why
    assert why.endswith(f"if you trust it, give --import {evil}")
    assert not mark(own).exists()


def test_the_curves_of_a_run_from_elsewhere_are_shown(own: Path, boardgames: Run) -> None:
    evil = own / "run" / "evil.py"
    run = run_that_imports(own / "run", evil)
    evil.write_text(marking(own), encoding="utf-8")
    boardgames("curves", run)
    assert not mark(own).exists()


def test_the_option_import_runs_the_code_of_a_run_from_elsewhere(own: Path, boardgames: Run) -> None:
    evil = own / "run" / "evil.py"
    run = run_that_imports(own / "run", evil)
    evil.write_text(marking(own), encoding="utf-8")
    boardgames("explain", run, "--import", evil)
    assert mark(own).exists()


@pytest.mark.parametrize(
    ("imports", "files"),
    [
        ("evil.py", ["evil.py"]),
        ("./evil.py", ["evil.py"]),
        ("../run/evil.py", ["evil.py"]),
        ("evil", ["evil.py"]),
        ("evil.deep", ["evil/__init__.py"]),
        ("evil.deep", ["evil/deep.py"]),
        ("evil/deep.py", ["evil/__init__.py", "evil/deep.py"]),
        ("antigravity", []),
        ("evil/", ["evil/__init__.py"]),
        ("evil.pyc", ["evil.py"]),
        ("opportunist.py", ["opportunist.py"]),
    ],
)
def test_no_name_runs_code_from_elsewhere(
    imports: str, files: list[str], own: Path, refused: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor where one is in the folder of the run, or has imported another file of the same name."""
    run = run_that_imports(own / "run", imports)
    program.import_own(str(own / "opportunist.py"))
    forget("opportunist", "antigravity")
    for name in files:
        (run / name).parent.mkdir(exist_ok=True)
        (run / name).write_text(marking(own), encoding="utf-8")
    monkeypatch.chdir(run)
    why = refused("explain", run)
    assert f"--import {imports}" in why or "say where it is with --import" in why
    assert not mark(own).exists()
    assert "antigravity" not in sys.modules
    assert str(run) not in sys.path


def test_a_run_that_is_named_by_another_runs_no_code(own: Path, refused: Run) -> None:
    evil = own / "inner" / "evil.py"
    inner = run_that_imports(own / "inner", evil)
    evil.write_text(marking(own), encoding="utf-8")
    outer = run_that_imports(own / "outer", trainer=TRAINED.format(run=str(inner)))
    assert f"{inner} needs the code in" in refused("train", "--run", outer, "--contests", 4)
    assert not mark(own).exists()


def change_content(own: Path) -> None:
    with (own / "mine.py").open("a", encoding="utf-8") as file:
        file.write(marking(own))


def change_what_it_imports(own: Path) -> None:
    (own / "helping.py").write_text(marking(own), encoding="utf-8")


def change_a_package_that_it_imports(own: Path) -> None:
    (own / "many" / "one.py").write_text(marking(own), encoding="utf-8")


def shadow_what_it_imports(own: Path) -> None:
    """A package comes before a module of its name."""
    (own / "helping").mkdir()
    (own / "helping" / "__init__.py").write_text(marking(own), encoding="utf-8")


def add_to_a_package_that_it_imports(own: Path) -> None:
    (own / "many" / "one").mkdir()
    (own / "many" / "one" / "__init__.py").write_text(marking(own), encoding="utf-8")


def remove_what_it_imports(own: Path) -> None:
    (own / "helping.py").unlink()


def damage_what_was_kept(own: Path) -> None:
    for file in (own / "user").rglob("*.json"):
        file.write_bytes(file.read_bytes().replace(b"mine", b"mile"))


@pytest.mark.parametrize("named", ["mine.py", "mine"])
@pytest.mark.parametrize(
    "change",
    [
        *(None, change_content, change_what_it_imports, change_a_package_that_it_imports, shadow_what_it_imports),
        *(add_to_a_package_that_it_imports, remove_what_it_imports, damage_what_was_kept),
    ],
)
def test_a_run_imports_again_what_its_user_has_imported_and_nothing_else(
    change: Callable[[Path], None] | None,
    named: str,
    own: Path,
    boardgames: Run,
    refused: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    modules = ("mine", "helping", "many", "many.one")
    (own / "many").mkdir()
    for name, text in (("helping.py", ""), ("many/__init__.py", "import many.one"), ("many/one.py", "")):
        (own / name).write_text(text, encoding="utf-8")
    (own / "mine.py").write_text("import helping\nimport many\n", encoding="utf-8")
    monkeypatch.chdir(own)
    words = "train", "tic_tac_toe", "menace", "--contests", 2, "--test-every", 0, "--run", "run"
    boardgames(*words, "--import", named)
    forget(*modules)
    program._own.clear()
    if change:
        change(own)
        assert "which you have not imported before, or which has changed since" in refused("explain", "run")
        assert not mark(own).exists()
    else:
        boardgames("explain", "run")
        assert {*modules} <= {*sys.modules}
        forget(*modules)
        monkeypatch.setenv("XDG_DATA_HOME", str(own / "another user"))
        assert "which you have not imported before" in refused("explain", "run")


@pytest.mark.parametrize("compiled", ["mine.py", "helping.py", "many/__init__.py", "many/one.py"])
def test_a_compiled_file_in_the_place_of_a_source_is_not_run(compiled: str, own: Path, boardgames: Run) -> None:
    run = run_that_imports(own / "run")
    (own / "many").mkdir()
    for name, text in (("helping.py", ""), ("many/__init__.py", "import many.one"), ("many/one.py", "")):
        (own / name).write_text(text, encoding="utf-8")
    (own / "mine.py").write_text("import helping\nimport many\n", encoding="utf-8")
    run_that_imports(run, own / "mine.py")
    boardgames("explain", run, "--import", own / "mine.py")
    (own / "evil.py").write_text(marking(own), encoding="utf-8")
    compile_file(
        str(own / "evil.py"),
        cache_from_source(str(own / compiled)),
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )
    for imports in ((), ("--import", own / "mine.py")):
        forget("mine", "helping", "many", "many.one")
        boardgames("explain", run, *imports)
        assert {"mine", "helping", "many", "many.one"} <= {*sys.modules}
        assert not mark(own).exists()


def test_an_import_of_a_user_without_folders_is_kept_among_the_temporary_files(
    own: Path, boardgames: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    monkeypatch.setattr(files, "_private_folder", files._private_folder.__wrapped__)  # (it is found once a process)
    (own / "user").write_text("a file and no folder", encoding="utf-8")
    words = "train", "tic_tac_toe", "menace", "--trainer", "gentle", "--contests", 2, "--test-every", 0
    imports = "--import", own / "opportunist.py", "--import", own / "gentle.py"
    with pytest.warns(RuntimeWarning, match="you have no folder of your own"):
        boardgames(*words, "--run", own / "run", *imports)
    (private,) = own.glob("boardgames-env*")
    assert len([*(private / "data" / "imports").glob("*.json")]) == 2


def test_another_machine_gets_the_files(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(own / "cache"))
    lost = own / "elsewhere" / "gentle.py"
    program.import_all(program.Modules(("gentle",), {str(lost): TRAINER.encode()}))
    assert "gentle" in trainers.registered_trainers()
    assert program.own_imports() == (str(lost),)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("mine.py", None, "there is no file {}; --import takes a Python file, or the name of a module"),
        ("mine.py", "x = 1\ny = (", "{}, line 2: '(' was never closed"),
        ("mine.py", "\nimport nowhere", "{}, line 2: ModuleNotFoundError: No module named 'nowhere'"),
        ("mine.py", "x = 1 / 0", "{}, line 1: ZeroDivisionError: division by zero"),
        ("mine.py", "raise ValueError('\\n\\nfirst\\nsecond')", "{}, line 1: ValueError: first"),
        ("mine.py", f"{BESIDE}raise Textless", "{}, line 23: Textless"),
        ("mine.py", TRAINER.replace("gentle", "lessons"), "{}, line 5: a trainer 'lessons' is registered already"),
        ("json.py", "", "{} cannot be imported as the module 'json': that is "),
        ("a.b.py", "", "{} cannot be imported as the module 'a.b'; give the file another name"),
        ("nowhere", None, "there is no module 'nowhere'; --import takes a Python file, or the name of a module"),
    ],
)
def test_what_cannot_be_imported_is_told(name: str, text: str | None, why: str, own: Path, refused: Run) -> None:
    file = own / name
    if text is not None:
        file.write_text(text, encoding="utf-8")
    assert why.format(file) in refused("games", "--import", file if name.endswith(".py") else name)


@pytest.mark.slow
@pytest.mark.parametrize("workers", WORKERS, ids=["joblib", "ray"])
def test_worker_processes_know_own_files(workers: tuple[str, ...], own: Path) -> None:
    if "ray" in workers:
        pytest.importorskip("ray", reason="the extra ray is not installed")
    files = [f"--import={own / name}.py" for name in ("four_corners", "opportunist", "gentle")]
    told = run("train", "four_corners", "menace", "--trainer", "gentle", "--seeds", "0-1", "--contests", "20",
               "--run", str(own / "runs"), *workers, *files, path=own / "nowhere")  # fmt: skip
    assert told.returncode == 0, told.stderr
    for seed in ("seed-0", "seed-1"):
        assert str(own / "gentle.py") in (own / "runs" / seed / "config.json").read_text(encoding="utf-8")
