"""The command line, run as its users run it."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy
import pytest

from boardgames_agents.alpha_zero.self_improvement import SelfImprovement, SelfPlayConfig
from boardgames_agents.experiments.store import ResultFile
from boardgames_agents.improve.engine import Iteration
from boardgames_agents.registry import registered_agents
from boardgames_agents.training.run import RunConfig, load_run
from boardgames_agents.training.trainers import registered_trainers
from boardgames_cli.doctor import EXTRAS
from boardgames_cli.improve import print_iterations
from boardgames_cli.shared_options import seeds_in
from boardgames_env import BadInputError, __version__, registered_games
from boardgames_env.kernels.disk_cache import entry_path, kernels_folder, write_entry
from tests.boardgames_agents.experiments.jobs import Doubled
from tests.conftest import Run
from tests.processes import python

MENACE = ("train", "tic_tac_toe", "menace", "--contests", 20, "--test-every", 0)


def test_games_agents_and_trainers_are_listed(boardgames: Run) -> None:
    assert {"lessons", "phases", "key_nodes"} <= set(registered_trainers())
    listed = {"games": registered_games(), "agents": registered_agents(), "trainers": registered_trainers()}
    for name, entries in listed.items():
        out = boardgames(name)
        assert all(entry in out for entry in entries)


def test_show_draws_the_board(boardgames: Run) -> None:
    out = boardgames("show", "achi")
    assert "0---1---2" in out
    assert "Version history" in out


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_match_prints_json_that_a_seed_repeats(boardgames: Run, jobs: int) -> None:
    words = ["match", "tic_tac_toe", "perfect", "fallible(e=0.5)", "--contests", 301, "--seed", 7, "--json"]
    first, second = (json.loads(boardgames(*words, *more)) for more in ((), ("--jobs", jobs)))
    assert (first["contests"], first["losses"]) == (301, 0)
    assert first["ends"] == {"line": first["wins"], "full_board": first["draws"]}
    for score in (first, second):
        score.pop("seconds_per_decision", None)
        score.pop("seconds", None)
    assert second == first


def test_matches_are_printed_stored_and_rated(boardgames: Run, tmp_path: Path) -> None:
    store = tmp_path / "matches.sqlite"
    for a, b in (("perfect", "random"), ("random", "worst"), ("perfect", "worst")):
        out = boardgames("match", "tic_tac_toe", a, b, "--contests", 60, "--store", store)
        assert "power %" in out
        assert "reliability %" in out
        assert "\nends: line " in out
    out = boardgames("ratings", store, "tic_tac_toe")
    assert out.index("perfect") < out.index("random") < out.index("worst")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "texts"),
    [
        ("lose_tic_tac_toe", "17.74 70.25 78.93 16 66 74 exact"),
        ("tic_tac_toe", "15.42 73.80 87.26 16.96 79.11 93.60 17 79 93 exact"),
        ("achi", "45 99.7 99.98 40"),
    ],
)
def test_optima_stand_beside_the_paper(boardgames: Run, game: str, texts: str) -> None:
    out = boardgames("optima", game, "--contests", 40)
    assert [text for text in texts.split() if text not in out] == []
    assert ("tournaments of 40 contests" in out) is ("exact" not in texts)


def test_solve_tells_value_distance_and_counts(boardgames: Run) -> None:
    out = boardgames("solve", "achi(adjacent=True)")
    text = " ".join(out.split())
    assert "the first player wins in 11 plies; 5,724 positions can be reached" in text
    assert "openings that win: 4 " in text


def test_solve_tells_the_classes_of_a_morris_game(boardgames: Run, tmp_path: Path) -> None:
    written = tmp_path / "classes.csv"
    words = ("solve", "five_mens_morris", "--classes", "3-3", "--dir", tmp_path / "tables")
    out = boardgames(*words, "--csv", written, "--jobs", 2)
    assert "160,160" in out
    assert "3-3,160160,70696,58952,30512,15," in written.read_text(encoding="utf-8")
    out = boardgames("solve", "nine_mens_morris", "--dir", tmp_path / "nine", "--forecast")
    assert "sliding" in out
    assert "9,193,626,407" in out


@pytest.mark.slow
def test_solve_tells_the_value_of_a_morris_game(boardgames: Run, tmp_path: Path) -> None:
    out = boardgames("solve", "five_mens_morris", "--dir", tmp_path / "five", "--jobs", 2)
    assert "five_mens_morris: a draw" in out
    assert "openings that draw: 0, 1, 2" in out
    assert "1,198,704" in out
    out = boardgames("solve", "nine_mens_morris", "--classes", "3-3", "--dir", tmp_path / "nine")
    assert "2,691,920" in out
    out = boardgames("solve", "nine_mens_morris", "--dir", tmp_path / "nine", "--forecast")
    assert "9,193,416,267" in out


BAD = [
    (["match", "tic_tac_toe", "perfect", "random", "--jobs", "0"], "jobs=0 is not allowed"),
    (["match", "tic_tac_toe", "perfect", "random", "--seed", "-1"], "-1"),
    (["solve", "nine_mens_morris", "--classes", "4x3"], "'4x3' is not a class of positions"),
    (["solve", "five_mens_morris", "--jobs", "0"], "jobs=0 is not allowed"),
    (["solve", "achi", "--jobs", "2"], "not for it"),
    (["solve", "nine_mens_morris", "--classes", ""], "is not a class of positions"),
    (["solve", "nine_mens_morris", "--forecast", "--classes", "3-3"], "no --classes, --jobs or --csv"),
    (["solve", "achi", "--classes", "3-3"], "is not a morris game"),
    (["solve", "fives"], "fives is too large to be solved"),
    (["match", "hypergammon", "alpha_beta", "random"], "looks ahead over actions alone"),
    (["optima", "achi", "--contests", "0"], "contests=0 is not allowed"),
    (["match", "tic_tac_toe", "perfect", "nonsense", "--store", "new/s.db"], "there is no agent 'nonsense'"),
    (["match", "tic_tac_toe", "foo[/bar]", "perfect"], "is not a spec"),
    (["train", "tic_tac_toe", "td(hidden=10000000000)", "--contests", "5"], "hidden=10000000000 is not allowed"),
    (["train", "tic_tac_toe", "menace", "--standard", "5", "--trainer", "watch"], "the learner never plays"),
    (["match", "backgammon", "random", "random", "--contests", "100000", "--save", "/"], "/: Is a directory"),
    (["match", "backgammon", "random", "random", "--contests", "100000", "--save", "."], ".: Is a directory"),
    (["match", "backgammon", "random", "random", "--contests", "100000", "--save", "a" * 300], "File name too long"),
    (["ratings", "nowhere.sqlite", "achi"], "nowhere.sqlite does not exist"),
    (["train", "tic_tac_toe", "menace", "--contests", "5", "--trainer", "human"], "human is no trainer"),
    (["train", "tic_tac_toe", "td", "--device", "cuda"], "has no option --device any more; td learns on the processor"),
    (["improve", "backgammon", "td_gammon", "--run", "x", "--join", "td"], "python -m networks improve has it"),
    (["improve", "tic-tac-toe", "alpha_zero", "--run", "x", "--self-play", "3"], "--self-play is for games with dice"),
    (["improve", "hypergammon", "td", "--run", "x", "--batch", "3"], "--batch is for games without dice"),
    (["improve", "tic-tac-toe", "random", "--run", "x"], "tic_tac_toe has no dice, so random cannot learn"),
    (["race-network", "races.safetensors"], "python -m networks race-network trains"),
    (["train", "tic_tac_toe", "menace", "--contests", "5", "--seeds", "0-1", "--seed", "4"], "give --seed or --seeds"),
    (["train", "tic_tac_toe", "menace", "--contests", "5", "--jobs", "2"], "jobs=2 is for several --seeds"),
    (["train", "tic_tac_toe", "perfect"], "perfect does not learn"),  # (the first thing that is wrong is named)
    (["train", "tic_tac_toe", "nobody"], "there is no agent 'nobody'"),
    (["train", "chess", "nobody"], "there is no game 'chess'"),
    (["train", "tic_tac_toe", "td", "--trainer", "nobody"], "there is no trainer 'nobody'"),
    (["train", "tic_tac_toe", "td"], "a training needs an end"),
    (["test", "nowhere"], "nowhere holds no run"),
    (["test", "tic-tac-toe"], "tic-tac-toe is a game; give an agent after it"),
    (["test", "nowhere", "perfect"], "there is no game 'nowhere'"),
    (["exploitability", "tic_tac_toe"], "tic_tac_toe is a game; give an agent after it"),
    (["web", "--agent", "chatt(model='m')"], "chatt"),
    (["dataset", "backgammon", "x.parquet"], "backgammon is not one"),
    (["grade", "random", "backgammon"], "known at games that can be solved only, and backgammon is not one"),
    (["grade", "chat(model='m', url='localhost')", "tic_tac_toe"], "url='localhost' is not allowed"),
    (["exploitability", "tic_tac_toe", "nobody"], "there is no agent 'nobody'"),
    (["exploitability", "tic_tac_toe", "mcts"], "mcts cannot be tested exactly"),
    (["cluster", "--workers", "160,1600"], "docs/run-on-a-cluster.md"),
    (["league", "tic_tac_toe", "--agents", "random,"], "'' is not a spec"),
    (["paper", "ideal_trainer", "--table", "table-1", "--runs", "0"], "runs=0 is not allowed"),
    (["paper", "ideal_trainer", "--table", "table-1", "--jobs", "0"], "jobs=0 is not allowed"),
]


@pytest.mark.parametrize(("words", "sentence"), BAD, ids=[" ".join(words) for words, _ in BAD])
def test_bad_input_is_one_sentence_and_exit_code_2(words: list[str], sentence: str, refused: Run, here: Path) -> None:
    assert sentence in refused(*words)
    assert list(here.iterdir()) == []


def test_a_run_gets_a_folder_however_long_its_specs_are(boardgames: Run, here: Path) -> None:
    for practice in (1, 2):
        phases = ", ".join(["(1, 'perfect')"] * 20 + [f"(1, '1&{practice}')"])
        words = ("train", "tic_tac_toe", "menace", "--trainer", f"phases(plan=({phases}))")
        boardgames(*words, "--contests", 2, "--test-every", 0)
    names = [path.name for path in (here / "runs").iterdir()]
    assert len(names) == 2  # they differ in what the name leaves out
    assert all(name.startswith("tic_tac_toe-menace-phases") for name in names)


def test_a_match_store_that_cannot_be_written_loses_nothing(refused: Run, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    store.write_text("this is not a database, and it is somebody's", encoding="utf-8")
    words = ("match", "tic_tac_toe", "perfect", "random", "--contests", 4, "--store", store)
    assert "store.sqlite" in refused(*words)
    assert store.read_text(encoding="utf-8") == "this is not a database, and it is somebody's"


def test_help_is_quick_enough_to_be_asked() -> None:
    """It imports nothing heavy (`test_imports` says what); here it is run as a whole."""
    told = python("-X", "importtime", "-m", "boardgames_cli.main", "--help", TERM="dumb")
    assert "train" in told.stdout
    assert "import numpy" not in told.stderr
    assert "| numpy" not in told.stderr


def test_papers_are_listed(boardgames: Run) -> None:
    out = boardgames("paper")
    assert all(each in out for each in ("ideal_trainer", "Toward an Ideal Trainer", "table-8.4"))
    out = boardgames("paper", "ideal_trainer", "--list")
    assert "figures-4-5" in out
    assert "table-8.4" not in out


@pytest.mark.slow
def test_an_experiment_is_carried_out_and_published(boardgames: Run, tmp_path: Path) -> None:
    words = ("paper", "ideal_trainer", "--table", "table-3", "--runs", 1)
    out = boardgames(*words, "--folder", tmp_path / "run", "--publish", tmp_path / "docs")
    assert "Table 3: tic-tac-toe" in out
    published = ("papers/tables/ideal_trainer-table-3.md", "data/papers/ideal_trainer-table-3.csv")
    first = {name: (tmp_path / "docs" / name).read_bytes() for name in published}
    results = (tmp_path / "run" / "results.jsonl").read_bytes()
    assert (tmp_path / "run" / "table-3.md").exists()
    assert list((tmp_path / "run" / "tensorboard" / "table-3").rglob("events.out.*"))
    assert "another version" not in out
    ResultFile(tmp_path / "run" / "results.jsonl", "another program").add_all([(Doubled(1), {"double": 2})])
    out = boardgames(*words, "--folder", tmp_path / "run", "--publish", tmp_path / "docs")
    assert "also holds results of another version of the program (1), which are not used" in out.replace("\n", " ")
    assert {name: (tmp_path / "docs" / name).read_bytes() for name in published} == first
    assert (tmp_path / "run" / "results.jsonl").read_bytes().startswith(results)


def test_the_cache_is_shown_and_pruned(boardgames: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    for name in ("used", "old"):
        write_entry(name, bytes(1_000_000))
    os.utime(entry_path("old"), (0, 0))
    (tmp_path / "tables" / "morris").mkdir(parents=True)
    (tmp_path / "tables" / "morris" / "3-3.safetensors").write_bytes(bytes(500_000))

    out = boardgames("cache")
    assert out.splitlines()[0] == str(tmp_path)
    assert ["compiled", "kernels", "2", "2.0"] in [line.split() for line in out.splitlines()]
    assert ["solved", "tables", "1", "0.5"] in [line.split() for line in out.splitlines()]

    assert boardgames("cache", "--prune", "--days", 7).splitlines()[0] == "1.0 MB freed"
    assert [path.name for path in kernels_folder().iterdir()] == ["used.kernel"]


@pytest.mark.slow
def test_the_doctor_says_what_is_installed(boardgames: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    rows = {row["what"]: row["found"] for row in json.loads(boardgames("doctor", "--json"))}
    assert {"boardgames-env": __version__, "cache": str(tmp_path), "kernels": "0 compiled"}.items() <= rows.items()
    assert rows["numpy"] == numpy.__version__
    out = boardgames("doctor")
    assert all(each in out for each in rows)


def test_the_doctor_knows_every_extra_for_users() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    extras = text.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    asked = re.findall(r"^([\w-]+) = \[", extras, re.MULTILINE)
    for_developers = {"dev", "web-test", "clients", "rllib", "oracles", "docs"}
    assert set(EXTRAS) == set(asked) - for_developers


def test_what_is_compiled_beforehand_is_not_compiled_again(tmp_path: Path) -> None:
    def kernels() -> set[str]:
        return {path.name for path in (tmp_path / "kernels").iterdir()}

    words = ("-m", "boardgames_cli", "cache", "--compile", "tapatan", "--compile", "td")
    prepared = python(*words, BOARDGAMES_CACHE=str(tmp_path))
    assert (prepared.returncode, prepared.stderr) == (0, "")
    before = kernels()
    assert len(before) > 20
    code = """
from boardgames_env.kernels import Kernel
Kernel.patience = 0.0  # whatever is called and not compiled would be
from boardgames_env.envs.vector import BoardGameVectorEnv
from boardgames_agents.arena.tournament import tournament
from boardgames_env import make_game
BoardGameVectorEnv("tapatan", 3).reset(seed=1)
tournament(make_game("tapatan"), "td", "random", contests=2, seed=1)
"""
    assert python(code=code, BOARDGAMES_CACHE=str(tmp_path)).returncode == 0
    assert kernels() == before


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        (["chess"], "there is no game 'chess'"),
        (["td(hidden=0)"], "hidden=0 is not allowed"),
        (["td_gammon", "achi"], "achi is not a game of backgammon"),
    ],
)
def test_what_is_to_be_compiled_is_checked_first(refused: Run, specs: list[str], message: str) -> None:
    assert message in refused("cache", *(word for each in specs for word in ("--compile", each)))


def test_seeds_are_listed_or_spanned() -> None:
    assert seeds_in("0-9999") == tuple(range(10_000))
    assert seeds_in("5, 0-2,1-3") == (5, 0, 1, 2, 3)


TOO_MANY = "names too many seeds; at most 10,000 are allowed"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, "names no seeds") for text in ("", "a", "3-1", "-1", "1-", "0,,1", "1-2-3", "9" * 5000)),
        *((text, TOO_MANY) for text in ("0-99999999999", "0-9999,20000", "0-5,6-99999999999999999999")),
    ],
)
def test_other_seeds_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadInputError, match=why):
        seeds_in(text)


def test_a_training_goes_on_with_what_it_was_begun_with(boardgames: Run, refused: Run, tmp_path: Path) -> None:
    run = ("--run", tmp_path / "run")
    boardgames(*MENACE, "--trainer", "2&7", "--seed", 5, *run)
    boardgames("train", *run, "--contests", 30)
    config = RunConfig("tic_tac_toe", "menace", "2&7", contests=30, seed=5)
    assert load_run(tmp_path / "run").config == config
    assert load_run(tmp_path / "run").contests == 30
    runs = ("--run", tmp_path / "runs", "--seeds", "0-1")
    boardgames(*MENACE, *runs)
    boardgames("train", *runs, "--contests", 28)
    assert [load_run(tmp_path / "runs" / f"seed-{seed}").contests for seed in (0, 1)] == [28, 28]
    assert "holds a run with seed=5, not 0" in refused("train", *run, "--seed", 0, "--contests", 40)
    assert "holds a run with contests=30, not 29" in refused("train", *run, "--contests", 29)
    assert "holds no run" in refused("train", "--run", tmp_path / "nowhere", "--contests", 40)
    assert "give a game and an agent" in refused("train", "--contests", 40)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_several_seeds_are_trained_as_each_would_be_alone(boardgames: Run, tmp_path: Path, jobs: int) -> None:
    out = boardgames(*MENACE, "--seeds", "1,3", "--jobs", jobs, "--run", tmp_path / "many")
    assert "seed-3" in out
    assert {path.name for path in (tmp_path / "many").iterdir()} == {"seed-1", "seed-3"}
    boardgames(*MENACE, "--seed", 3, "--run", tmp_path / "one")
    one, other = (load_run(tmp_path / name).learner.snapshot().digest for name in ("one", "many/seed-3"))
    assert one == other


@pytest.mark.parametrize("words", [MENACE, ("league", "tic_tac_toe", "--agents", "random,perfect")])
def test_without_ray_one_is_told_what_to_install(
    refused: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    folder = "--run" if words is MENACE else "--folder"
    line = refused(*words, "--backend", "ray", "--address", "auto", folder, tmp_path / "run")
    assert line == "Error: the backend ray needs Ray: pip install 'boardgames-env[ray]'"


TD = ("train", "backgammon", "td(hidden=1)", "--contests", 1, "--test-every", 0)


def test_the_recipe_for_a_game_is_named_without_an_end(refused: Run, here: Path) -> None:
    named = "; the defaults of td are for other games; for backgammon there is td(recipe='td_gammon_raw')"
    assert refused("train", "backgammon", "td").endswith(named)
    assert "there is td(" not in refused("train", "tic_tac_toe", "td")


def test_an_iteration_is_printed_as_soon_as_it_is_measured(
    here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    before = []

    def iterations(self: object, may_begin: Callable[[], bool]) -> Iterator[Iteration]:
        assert may_begin()
        for number in (1, 2):
            before.append(capfd.readouterr().out)
            measures = {"value kept alone": 0.91525, "exploitability alone": 0.5, "value kept with search": 1.0}
            yield Iteration(number, number, 2.5, 2.25, 0.125, here / "network", measures)

    monkeypatch.setattr(SelfImprovement, "iterations", iterations)
    improvement = SelfImprovement(here / "run", SelfPlayConfig("hexapawn", "alpha_zero"))
    print_iterations(improvement, as_json=False)
    after = capfd.readouterr().out
    assert "iteration 1" not in before[0]
    assert before[1].splitlines()[-3:] == [
        "iteration 1: 1 example, loss 2.50 before, 2.25 after (± 0.12), better",
        "  alone        value kept  91.53 %, exploitability 0.5000",
        "  with search  value kept 100.00 %",
    ]
    assert after.startswith("iteration 2: 2 examples, ")
    assert f"the last network: {here / 'network'}" in after


def test_the_recipe_for_a_game_is_named(boardgames: Run, refused: Run, here: Path) -> None:
    note = "Note: the defaults of td are for other games; for backgammon there is td(recipe='td_gammon_raw', hidden=1) "
    assert " ".join(boardgames(*TD, "--run", "one").split()).startswith(note)
    assert "Note" not in boardgames(*TD, "--run", "one"), "it goes on"
    assert boardgames(*TD, "--run", "many", "--seeds", "0-1").count("Note") == 1
    assert "Note" not in boardgames("train", "tic_tac_toe", *TD[2:], "--run", "small")
    assert json.loads(boardgames(*TD, "--run", "json", "--json"))[0]["learner"] == "td(hidden=1)"
    refused(*TD, "--trainer", "2:7", "--run", "none")


def test_options_are_read_from_a_file(boardgames: Run, refused: Run, here: Path) -> None:
    words = ("train", "tic_tac_toe", "td(hidden=3)", "--contests", 1, "--test-every", 0)
    text = json.dumps({"hidden": 2, "units": "sigmoid", "alpha": 0.125})
    (here / "mine.json").write_bytes(text.encode("utf-16"))
    (here / "wrong.json").write_text('{"hiden": 2}', encoding="utf-8")
    (here / "list.json").write_text("[2]", encoding="utf-8")
    (here / "kind.json").write_text('{"hidden": "2"}', encoding="utf-8")
    for _ in range(2):  # (the same command resumes)
        boardgames(*words, "--options", "mine.json", "--run", "one")
    assert load_run(Path("one")).config.learner == "td(hidden=3, units='sigmoid', alpha=0.125)"
    for name, why in {
        "wrong.json": "td has no option 'hiden' (did you mean hidden?)",
        "list.json": "list.json is not a file of options",
        "kind.json": "td: hidden='2' is not allowed",
        "none.json": "none.json cannot be read",
        "mine.txt": "mine.txt is not a file of options; it is one in TOML or JSON",
    }.items():
        assert why in refused(*words, "--options", name, "--run", "two")
    assert "give a game and the learner, too" in refused("train", "--run", "one", "--options", "mine.json")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="this Python reads no TOML")
def test_options_are_read_from_toml(boardgames: Run, here: Path) -> None:
    (here / "mine.toml").write_text("recipe = 'tesauro'\nhidden = 2\n", encoding="utf-8")
    boardgames("train", "hypergammon", "td", *TD[3:], "--options", "mine.toml", "--run", "one")
    assert load_run(Path("one")).config.learner == "td(recipe='tesauro', hidden=2)"
