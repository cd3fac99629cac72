"""What all commands have in common: help, the version, completion, names and their options."""

import json
import re
import shlex
from pathlib import Path

import pytest

import boardgames_env
from boardgames_agents.policy.explanation import counted
from boardgames_agents.registry import registered_agents
from boardgames_agents.training.trainers import registered_trainers
from boardgames_cli.main import COMMANDS, GROUPS
from boardgames_cli.printing import duration_text
from boardgames_cli.shared_options import shell_quoted
from tests.conftest import Command, Run
from tests.processes import printed

MENACE = ("train", "tic_tac_toe", "menace", "--contests", 20, "--test-every", 0)
NAMES = [command.__name__.replace("_", "-") for command in COMMANDS]


def test_the_version_is_printed(boardgames: Run) -> None:
    assert boardgames("--version") == f"boardgames {boardgames_env.__version__}\n"


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_the_short_option_for_help(command: Command, name: str) -> None:
    code, out, err = command(name, "-h")
    assert (code, err) == (0, "")
    assert out == command(name, "--help")[1]


def test_help_and_the_version_are_words_as_well(boardgames: Run) -> None:
    assert boardgames("version") == boardgames("--version")
    assert boardgames("help") == boardgames("--help")
    assert boardgames("help", "match") == boardgames("match", "--help")


def test_help_lists_the_commands_in_groups(boardgames: Run) -> None:
    out = boardgames("-h")
    assert [heading for heading in GROUPS if heading not in out] == []
    assert out.index("Play and look") < out.index("│ play ") < out.index("Training") < out.index("│ train ")


@pytest.mark.parametrize("shell", ["bash", *(pytest.param(each, marks=pytest.mark.slow) for each in ("zsh", "fish"))])
def test_shells_complete_commands(shell: str) -> None:
    asked = {
        **{"_BOARDGAMES_COMPLETE": f"complete_{shell}", "COMP_WORDS": "boardgames mat", "COMP_CWORD": "1"},
        **{"_TYPER_COMPLETE_ARGS": "boardgames mat", "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
    }
    code = "import sys; sys.argv = ['boardgames']; from boardgames_cli.main import main; main()"
    told = printed(code, **asked)
    assert "match" in told
    assert "train" not in told


def test_agents_and_trainers_are_explained_with_every_option(boardgames: Run) -> None:
    out = boardgames("agent", "td")
    assert [name for name in registered_agents()["td"].options if name not in out] == []
    assert "Learning rate of the first contest. (a number)" in out
    assert "must be given" in boardgames("agent", "td_net")
    out = boardgames("agents")
    assert "file=..., plies=1" in out
    assert "inspect" not in out
    assert "It has no options." in boardgames("agent", "random")
    assert "c " in boardgames("agent", "mcts(c=2.0)")
    out = boardgames("trainer", "key-nodes")
    assert [name for name in registered_trainers()["key_nodes"].options if name not in out] == []


def test_every_option_is_explained() -> None:
    for entries in (registered_agents(), registered_trainers()):
        assert [
            (name, str(each)) for name, entry in entries.items() for each in entry.options.values() if not each.help
        ] == []


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("show tictactoe", "there is no game 'tictactoe' (did you mean tic_tac_toe?)"),
        ("match achi menase random", "there is no agent 'menase' (did you mean menace?)"),
        ("agent TD", "there is no agent 'TD' (did you mean td?)"),
        ("trainer leson", "there is no trainer 'leson' (did you mean lessons?)"),
        ("train achi td --trainer keynodes --contests 3", "there is no trainer 'keynodes' (did you mean key_nodes?)"),
        ("match achi td(hiden=3) random", "td has no option 'hiden' (did you mean hidden?); its options are: inputs"),
        ("league achi --agents random,perfekt", "there is no agent 'perfekt' (did you mean perfect?)"),
        ("paper idealtrainer", "there is no paper 'idealtrainer' (did you mean ideal_trainer?)"),
        ("paper ideal_trainer --table table3", "ideal_trainer has no 'table3' (did you mean table-3?)"),
    ],
)
def test_names_that_are_spelled_alike_are_suggested(refused: Run, words: str, hint: str) -> None:
    assert hint in refused(*words.split())


@pytest.mark.parametrize(
    ("words", "begins", "ends"),
    [
        ("plai", "no such command 'plai' (did you mean 'play'", "?); boardgames --help"),
        ("play", "missing argument 'GAME'; boardgames play --help", ""),
        ("match achi", "missing argument 'A'; boardgames match --help", ""),
        ("knowledge x --states -1", "invalid value for '--states': ", "; boardgames knowledge --help"),
        ("cache --days -1", "invalid value for '--days': ", "; boardgames cache --help"),
        ("play achi --sed 1", "no such option: --sed (did you mean ", "--seed?); boardgames play --help"),
        ("play achi --seat 2", "invalid value for '--seat': ", "; boardgames play --help"),
        ("play achi --seed one", "invalid value for '--seed': ", "; boardgames play --help"),
        ("play achi achi", "got unexpected extra argument", " (achi); boardgames play --help"),
        ("list", "no such command 'list' (did you mean games, agents, trainers, or paper", "?); boardgames --help"),
        ("match achi perfect random --episodes 5", "no such option: --episodes (did you mean --contests?)", ""),
        ("--verison", "no such option: --verison (did you mean --version?); boardgames --help", ""),
    ],
)
def test_words_that_no_command_takes_are_refused(refused: Run, words: str, begins: str, ends: str) -> None:
    sentence = refused(*words.split())
    assert sentence.startswith(f"Error: {begins}")
    assert sentence.endswith(f"{ends} explains what there is")


def test_without_a_command_help_is_printed(command: Command) -> None:
    code, out, err = command()
    assert (code, "Play and look" in out + err, "Error" in err) == (2, True, False)


def test_a_hyphen_in_a_name_is_an_underscore(boardgames: Run, tmp_path: Path) -> None:
    out = boardgames("match", "tic-tac-toe", "random", "fallible(e=1)", "--contests", 2)
    assert out.startswith("tic_tac_toe: ")
    run = ("--test-every", 0, "--contests", 5, "--run", tmp_path / "run")
    boardgames("train", "tic-tac-toe", "mc-control", *run)
    boardgames("train", "tic_tac_toe", "mc_control", *run)  # it is the same run


def test_help_of_train_states_the_defaults_of_a_new_run(boardgames: Run) -> None:
    out = " ".join(boardgames("train", "--help").replace("│", "").split())
    assert "(self)]" not in out
    assert "(0)]" not in out
    assert "without it, it must be given" in out


def test_a_run_of_a_game_that_nobody_plays_perfectly_is_tested(boardgames: Run, tmp_path: Path) -> None:
    """(At backgammon this was a KeyError: 'searcher'.)"""
    learner = "td(hidden=1)"
    run = tmp_path / "run"
    boardgames("train", "hypergammon", learner, "--contests", 1, "--test-every", 0, "--run", run)
    out = boardgames("test", run, "--contests", 1)
    assert "the searcher is mcts(playouts=50); hypergammon has no perfect player that errs" in out
    found = json.loads(boardgames("test", run, "--contests", 1, "--json"))
    assert {"run", "seed", "scores"} <= set(found)


def test_an_agent_of_any_kind_is_tested(boardgames: Run) -> None:
    out = boardgames("test", "hypergammon", "random", "--contests", 1)
    assert out.startswith("random at hypergammon\n")
    found = json.loads(boardgames("test", "hypergammon", "random", "--contests", 1, "--json"))
    assert (found["game"], found["agent"]) == ("hypergammon", "random")
    assert "run" not in found


def test_the_exploitability_of_an_agent_of_any_kind(boardgames: Run) -> None:
    out = boardgames("exploitability", "tic_tac_toe", "perfect")
    assert out.startswith("perfect at tic_tac_toe\n")
    rows = json.loads(boardgames("exploitability", "tic-tac-toe", "perfect", "--json"))
    assert [row["gives_away"] for row in rows if "seat" in row] == [0.0, 0.0]


@pytest.mark.slow
def test_perfect_players_of_both_styles_stand_beside_the_learner(boardgames: Run, tmp_path: Path) -> None:
    run = tmp_path / "run"
    boardgames(*MENACE, "--run", run)
    out = boardgames("test", run, "--contests", 2)
    assert "uniform perfect player  wise perfect player" in out
    assert ["15.42", "17.93"] in [line.split()[-2:] for line in out.splitlines()]
    assert "maximal " not in out.partition("Turing")[0]
    found = json.loads(boardgames("test", run, "--contests", 2, "--json", "--style", "wise"))
    assert found["perfect player's power"]["wise"] == found["maximal power"]
    assert found["perfect player's power"]["uniform"] != found["maximal power"]


def test_an_agent_that_meets_itself_has_two_names(boardgames: Run) -> None:
    out = boardgames("match", "tic_tac_toe", "random", "random", "--contests", 2)
    rows = [line.split()[:2] for line in out.splitlines() if line.startswith(" random")]
    assert rows == [["random", "(A)"], ["random", "(B)"]]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.188435, "188 ms"), (0.0000108, "10.8 µs"), (0.0001543, "154 µs"), (0.99999, "1.00 s"), (0.0009999, "1 ms")],
)
def test_times_have_the_unit_that_suits_them(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_the_agent_that_export_prints_can_be_read_and_run() -> None:
    spec = "td_net(file='/tmp/net.safetensors')"
    assert shell_quoted(spec) == f'"{spec}"'
    for each in (spec, "td", "td_net(file='$HOME/a b')", """x(a="it's")"""):
        assert shlex.split(shell_quoted(each)) == [each]


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(1, "ply", "1 ply"), (0, "contest", "0 contests"), (1000, "position", "1,000 positions"), (2, "box", "2 boxes")],
)
def test_counts_have_their_plural(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text


@pytest.mark.parametrize(
    ("game", "drawings"), [("achi", 1), ("tic_tac_toe", 1), ("achi(adjacent=True)", 2), ("hexapawn", 2)]
)
def test_an_empty_board_is_drawn_once(boardgames: Run, game: str, drawings: int) -> None:
    out = boardgames("show", game)
    assert ("\nVersion history" in out, out.rstrip().endswith("first version.")) == (True, drawings == 1)


def test_one_contest_is_no_contests(boardgames: Run, tmp_path: Path) -> None:
    run = ("--test-every", 0, "--contests", 1, "--run", tmp_path / "run")
    shown = boardgames("train", "tic_tac_toe", "menace", *run)
    shown += boardgames("match", "tic_tac_toe", "random", "random", "--contests", 1)
    shown += boardgames("explain", tmp_path / "run") + boardgames("runs", tmp_path)
    assert not re.search(r"(?<![\d,.])1 [a-z]+s\b", shown)


def test_a_position_with_dice_is_explained_in_its_contest(boardgames: Run, refused: Run, tmp_path: Path) -> None:
    run = tmp_path / "run"
    boardgames("train", "hypergammon", "td(hidden=2)", "--test-every", 0, "--contests", 1, "--run", run)
    assert "dice are rolled next there, which no POSITION tells; give a contest with --record" in refused(
        "explain", run
    )
