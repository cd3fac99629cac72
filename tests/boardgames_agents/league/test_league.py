import csv
import io
import json
import re
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import combinations
from math import log10, sqrt
from pathlib import Path

import pytest

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.arena.ratings import ELO
from boardgames_agents.arena.score import Score
from boardgames_agents.experiments.runner import Workers
from boardgames_agents.league import round_robin
from boardgames_agents.league.entrants import Entrant, LeaguePlayer, Roster, entrants_by_game
from boardgames_agents.league.league_file import read_league
from boardgames_agents.league.league_folder import contests_between, read_results
from boardgames_agents.league.league_tables import pairs_data, players_data, write_league
from boardgames_agents.league.round_robin import League, ignored_stores, play, store_path
from boardgames_agents.league.standings import BLOCK, Pair, Standings, standings_of
from boardgames_agents.record import Record
from boardgames_agents.training.run import RunConfig, train
from boardgames_env import BadInputError
from tests.processes import started
from tests.variants import fast_for

AGENTS = ("random", "perfect", "fallible(e=0.5)")
GAMES = ("tic_tac_toe", "lose_tic_tac_toe")


def league(*agents: str, games: tuple[str, ...] = GAMES, contests: int = BLOCK + 4, seed: int = 3) -> League:
    return League(games, tuple(Entrant(agent) for agent in agents or AGENTS), contests, seed)


def tables(asked: League, folder: Path, jobs: int = 1) -> tuple[str, str]:
    """Play a league; return its tables of players and of pairs."""
    found = play(asked, folder, Workers(jobs))
    return players_data(found).csv(), pairs_data(found).csv()


def stored(folder: Path) -> int:
    return sum(len(each.records) for each in MatchStore(store_path(folder)).tournaments())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    return tables(league(), tmp_path_factory.mktemp("whole"))


def test_all_pairs_meet_at_all_games_and_the_tables_add_up(whole: tuple[str, str]) -> None:
    players, pairs = ([*csv.DictReader(io.StringIO(text))] for text in whole)
    assert {(row["game"], row["agent"]) for row in players} == {(game, agent) for game in GAMES for agent in AGENTS}
    assert {(row["game"], frozenset((row["a"], row["b"])), row["seat_of_a"]) for row in pairs} == {
        (game, frozenset(pair), seat) for game in GAMES for pair in combinations(AGENTS, 2) for seat in "01"
    }
    for row in pairs:
        assert sum(int(row[name]) for name in ("wins", "draws", "losses")) == (BLOCK + 4) / 2
    for row in players:
        own = [pair for pair in pairs if pair["game"] == row["game"] and row["agent"] in (pair["a"], pair["b"])]
        for won, lost in (("wins", "losses"), ("losses", "wins")):
            assert int(row[won]) == sum(int(pair[won if pair["a"] == row["agent"] else lost]) for pair in own)
        assert [row["rank"] for row in players if row["agent"] == "perfect"] == ["1", "1"]


@pytest.mark.slow
def test_two_processes_play_the_same_and_nothing_is_played_again(tmp_path: Path, whole: tuple[str, str]) -> None:
    assert tables(league(), tmp_path, jobs=2) == whole
    assert tables(league(*reversed(AGENTS)), tmp_path) == whole
    assert stored(tmp_path) == 2 * 3 * (BLOCK + 4)


@pytest.mark.slow
def test_a_league_grows_and_keeps_what_it_has_played(tmp_path: Path) -> None:
    small = tables(league("random", "perfect", contests=10, games=GAMES[:1]), tmp_path)
    large = tables(league(contests=2 * BLOCK), tmp_path)
    assert large == tables(league(contests=2 * BLOCK), tmp_path / "at once")
    # the shorter league is still the same, though its only block has been stored twice by now, ten contests long and 50
    assert tables(league("random", "perfect", contests=10, games=GAMES[:1]), tmp_path) == small


class StoppingBar:
    def __init__(self, left: int) -> None:
        self.left = left

    def step(self) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@pytest.mark.parametrize("contests", fast_for([BLOCK + 5], [1, BLOCK, BLOCK + 4, BLOCK + 5, 6 * (BLOCK + 4)]))
def test_a_league_that_was_stopped_goes_on(tmp_path: Path, whole: tuple[str, str], contests: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        play(league(), tmp_path, progress=lambda what, total: nullcontext(StoppingBar(contests)))
    assert 0 < stored(tmp_path) <= 6 * (BLOCK + 4)
    assert tables(league(), tmp_path) == whole


@pytest.mark.slow
def test_a_league_that_was_killed_goes_on(tmp_path: Path, whole: tuple[str, str]) -> None:
    code = """
import sys
from contextlib import nullcontext
from pathlib import Path
from boardgames_agents.league.round_robin import play
from tests.boardgames_agents.league.test_league import league

class Bar:
    def step(self):
        print("one more", flush=True)

play(league(), Path(sys.argv[1]), progress=lambda what, total: nullcontext(Bar()))
"""
    process = started(code, tmp_path)
    assert process.stdout is not None
    for _ in range(BLOCK + 10):
        assert process.stdout.readline() == "one more\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert tables(league(), tmp_path) == whole


TRAINED = Entrant.trained("menace", "MENACE", contests=20)


def test_learners_are_trained_once_and_play_frozen(tmp_path: Path) -> None:
    asked = League(GAMES, (Entrant("random"), TRAINED), contests=4)
    first = tables(asked, tmp_path / "one")
    runs = sorted((tmp_path / "one" / "runs").iterdir())
    assert len(runs) == len(GAMES)
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "one").rglob("checkpoint.json")}
    assert len(written) == len(GAMES)
    assert tables(asked, tmp_path / "one") == first
    assert {path: path.stat().st_mtime_ns for path in written} == written
    # elsewhere the same: results do not hang on where the folder is
    assert tables(asked, tmp_path / "two") == first
    assert play(asked, tmp_path / "one")[0].untrained == ()


def test_a_run_that_has_learned_otherwise_is_another_player(tmp_path: Path) -> None:
    run = tmp_path / "run"
    asked = league("random", f"trained(run={str(run)!r})", games=GAMES[:1], contests=10)
    results = []
    for seed in (0, 1):
        shutil.rmtree(run, ignore_errors=True)
        train(run, RunConfig(GAMES[0], "menace", "self", contests=20, seed=seed))
        results.append(tables(asked, tmp_path / "league"))
    assert results[0] != results[1]
    assert stored(tmp_path / "league") == 20
    assert results[1] == tables(asked, tmp_path / "afresh")


def test_a_learner_plays_the_same_wherever_it_was_trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    menace = Entrant.trained("menace", contests=20)
    asked = League(GAMES[:1], (menace, Entrant("random"), Entrant("worst")), contests=20)
    here = tables(asked, tmp_path / "here")[1]
    own = round_robin.program()
    monkeypatch.setattr(round_robin, "program", lambda: replace(own, sources={**own.sources, "another": "0"}))
    assert tables(asked, tmp_path / "there")[1] == here
    runs = [{path.name for path in (tmp_path / name / "runs").iterdir()} for name in ("here", "there")]
    assert ignored_stores(tmp_path / "there") == []
    assert len(ignored_stores(tmp_path / "here")) == 1
    assert not runs[0] & runs[1]  # but it is trained anew


def test_who_cannot_play_is_left_out_and_said_so() -> None:
    entrants = [Entrant(name) for name in ("random", "mcts", "fives_teacher", "menace")]
    fives, lose = entrants_by_game(("fives", "lose_tic_tac_toe"), entrants)
    assert fives.left_out == {}
    assert "is another kind of game" in lose.left_out["fives_teacher"]
    assert [each.name for each in lose.players] == ["random", "mcts", "menace"]
    assert lose.untrained == ("menace",)
    # in a league of this game alone, too: it is the game that keeps the teacher out, whatever its options
    alone = entrants_by_game(("lose_tic_tac_toe",), [*entrants[:2], Entrant("fives_teacher(level=3)")])
    assert list(alone[0].left_out) == ["fives_teacher(level=3)"]


@pytest.mark.parametrize(("library", "name"), [("stable_baselines3", "ppo"), ("sb3_contrib", "maskable_ppo")])
def test_an_agent_whose_library_is_missing_is_refused(monkeypatch: pytest.MonkeyPatch, library: str, name: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(BadInputError, match=r"pip install 'boardgames-env\[rl\]'"):
        entrants_by_game(GAMES, [Entrant(each) for each in ("random", "perfect", name)])


def test_an_agent_enters_only_where_it_is_told_to() -> None:
    entrants = [Entrant("random"), Entrant("perfect"), Entrant("worst", games=(GAMES[0],))]
    first, second = entrants_by_game(GAMES, entrants)
    assert (first.players, second.players, second.left_out) == (tuple(entrants), tuple(entrants[:2]), {})


@pytest.mark.parametrize(
    ("games", "entrants", "message"),
    [
        ([], ["random", "perfect"], "a league needs a game"),
        (GAMES, ["worst", Entrant.trained("random", contests=5)], "random does not learn"),
        (GAMES, ["worst", Entrant.trained("menace", trainer="nonesuch", contests=5)], "no trainer 'nonesuch'"),
        (GAMES, ["worst", Entrant("perfect", games=("achi",))], "not a game of the league"),
        (["tic_tac_toe"], ["random"], "a league needs at least two agents"),
        (["tic_tac_toe"], ["random", "nonesuch"], "there is no agent 'nonesuch'"),
        (["nonesuch"], ["random", "perfect"], "nonesuch"),
        (["tic_tac_toe"], ["random", "random"], "random is entered twice"),
        (["tic_tac_toe"], ["mcts", "mcts(playouts=1000)"], "are the same agent"),
        (["tic_tac_toe", "tic_tac_toe"], ["random", "perfect"], "a game is named twice"),
        (["tic_tac_toe"], ["random", "perfect", "fallible(e=7)"], "e=7"),
        (["tic_tac_toe"], ["random", "perfect", "mcts(nonsense=7)"], "nonsense"),
        (["tic_tac_toe"], ["random", "perfect", "trained(run='not there')"], "not there holds no run"),
        (["backgammon"], ["perfect", "alpha_beta"], "none of the agents can play backgammon"),
        (["backgammon"], ["perfect", "random"], "only random can play backgammon"),
        (["tic_tac_toe"], ["random", "human"], "a person cannot play a league"),
    ],
)
def test_impossible_leagues_are_refused(games: Sequence[str], entrants: list[str | Entrant], message: str) -> None:
    with pytest.raises(BadInputError, match=re.escape(message)):
        entrants_by_game(games, [each if isinstance(each, Entrant) else Entrant(each) for each in entrants])


def test_numbers_out_of_bounds_are_refused(tmp_path: Path) -> None:
    for name in ("contests", "seed"):
        with pytest.raises(BadInputError, match=f"{name}=-1 is not allowed"):
            League(GAMES, (), **{name: -1})
    with pytest.raises(BadInputError, match="jobs=0 is not allowed"):
        play(league(), tmp_path, Workers(jobs=0))
    with pytest.raises(BadInputError, match="a training needs an end"):
        Entrant.trained("menace")


def test_a_damaged_folder_is_refused(tmp_path: Path) -> None:
    asked = league("random", "perfect", games=GAMES[:1], contests=4)
    play(asked, tmp_path / "league")
    store = store_path(tmp_path / "league")
    store.write_bytes(store.read_bytes()[:6000])
    with pytest.raises(BadInputError, match=store.name):
        play(asked, tmp_path / "league")
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(BadInputError, match="is a file; give a folder"):
        play(asked, tmp_path / "file")


def results_of(wins: int, draws: int, losses: int) -> Standings:
    """The standings of a pair whose first player wins, draws and loses these numbers of contests in each seat."""
    a, b = LeaguePlayer("strong", "a", "a"), LeaguePlayer("weak", "b", "b")
    records = []
    for number, points in enumerate([1] * wins + [0] * draws + [-1] * losses):
        for players, action, outcome in ((("a", "b"), number, points), (("b", "a"), number % 2, -points)):
            records.append(Record("tic_tac_toe", players, (action,), outcome, False, 1, (1, 1), (1e-3, 2e-3)))
    return standings_of(Roster("tic_tac_toe", (a, b)), [Pair(a, b, tuple(records))])


def test_ratings_are_those_known_in_closed_form() -> None:
    """Mirrored results saturate the model: the odds are the counts', but for the weak prior."""
    found = results_of(60, 0, 20)
    lead, error = found.ratings.lead("strong", "weak")
    assert lead == pytest.approx(400 * log10(60 / 20), rel=0.01)
    assert error == pytest.approx(ELO * sqrt(1 / 120 + 1 / 40), rel=0.01)
    assert found.ratings.first_seat == pytest.approx(0, abs=1e-6)
    assert (found.winner, found.tied) == ("strong", ())
    assert [each.name for each in found.standings] == ["strong", "weak"]
    assert found.standings[0].score == Score(120, 0, 40, points=80, squares=160, plies=160, decisions=160)
    assert results_of(10, 50, 9).tied == ("weak",)


def test_times_are_taken_by_blocks_and_equal_contests_are_counted_once() -> None:
    assert [each.seconds for each in results_of(50, 20, 10).standings] == pytest.approx([1.5e-3] * 2)
    found = results_of(3, 2, 1)
    assert found.pairings[0].different == 6 + 2
    assert found.between("weak", "strong") == found.between("strong", "weak").reversed()
    assert max(found.growth()) == 12
    final = {each.name: each.rating.rating for each in found.standings}
    assert found.growth()[12] == pytest.approx(final)


def test_results_are_read_from_the_folder_as_they_were_played(tmp_path: Path) -> None:
    entrants = (*(Entrant(each) for each in ("random", "perfect", "pubeval")), replace(TRAINED, name="<MENACE>"))
    found = play(League(GAMES, entrants, BLOCK + 4), tmp_path)
    read = read_results(tmp_path)
    assert read.is_finished
    assert read.standings == found
    assert [each.growth() for each in read.standings] == [each.growth() for each in found]
    assert "pubeval" in read.standings[1].left_out
    # contests of another league in the same store do not count
    play(League(GAMES, entrants, BLOCK, seed=9), tmp_path)
    play(League(GAMES, entrants, BLOCK + 4), tmp_path)
    assert read_results(tmp_path).standings == found


def test_results_of_the_contests_so_far(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        play(league(), tmp_path, progress=lambda what, total: nullcontext(StoppingBar(2 * (BLOCK + 4) + 1)))
    read = read_results(tmp_path)
    assert not read.is_finished
    (found,) = read.standings
    assert sum(each.score.contests for each in found.pairings) == stored(tmp_path)
    with pytest.raises(BadInputError, match="holds no league"):
        read_results(tmp_path / "nothing")


def test_contests_of_a_pair_are_those_of_the_league(tmp_path: Path) -> None:
    asked = league("random", "perfect", games=GAMES[:1])
    (found,) = play(asked, tmp_path)
    play(replace(asked, seed=8), tmp_path)
    play(asked, tmp_path)
    records = contests_between(tmp_path, GAMES[0], "random", "perfect")
    assert len(records) == asked.contests
    scores = (Score.of(each, each.players.index("random")) for each in records)
    assert found.between("random", "perfect").points == sum(scores, Score()).points
    with pytest.raises(BadInputError, match="nobody does not play"):
        contests_between(tmp_path, GAMES[0], "nobody", "perfect")
    with pytest.raises(BadInputError, match="does not play achi"):
        contests_between(tmp_path, "achi", "random", "perfect")


@pytest.mark.slow
def test_everything_is_written(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    asked = league("random", "perfect", "pubeval", "worst", contests=4)
    found = play(asked, tmp_path)
    mine = tmp_path / "tensorboard" / "notes.txt"
    mine.parent.mkdir()
    mine.write_text("precious", encoding="utf-8")
    for _ in range(2):  # the second time over what is there
        write_league(asked, found, tmp_path)
    assert mine.read_text(encoding="utf-8") == "precious"
    assert (tmp_path / "players.csv").read_text(encoding="utf-8") == players_data(found).csv()
    assert (tmp_path / "tables.md").read_text(encoding="utf-8").startswith("**Winners**")
    events = EventAccumulator(str(tmp_path / "tensorboard" / "agents" / "perfect"))
    events.Reload()
    points = events.Scalars("rating/tic_tac_toe")
    assert [point.step for point in points] == [1, 2, 3, 4]
    assert points[-1].value == pytest.approx(found[0].ratings["perfect"].rating)
    assert events.Scalars("reliability/tic_tac_toe")[0].value == 100
    assert EventAccumulator(str(tmp_path / "tensorboard")).Reload().Tags()["tensors"]


@pytest.mark.slow
def test_agents_whose_names_are_much_alike_have_curves_each(tmp_path: Path) -> None:
    specs = {"a/b": "random", "a_b": "perfect", "league": "worst"}
    entrants = tuple(Entrant(spec, name) for name, spec in specs.items())
    asked = League(GAMES[:1], entrants, contests=4)
    write_league(asked, play(asked, tmp_path), tmp_path)
    curves = [path.name for path in (tmp_path / "tensorboard" / "agents").iterdir()]
    assert sorted(curves) == ["a_b", "a_b (2)", "league"]


TOML = """
games = ["tic_tac_toe"]
contests = 8
agents = ["random", { name = "M", agent = "menace", training = { trainer = "self", contests = 3 } }]
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="TOML takes Python 3.11")
def test_a_league_file_says_who_plays_and_how_they_learn(tmp_path: Path) -> None:
    import tomllib

    (tmp_path / "league.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "league.json").write_text(json.dumps(tomllib.loads(TOML)), encoding="utf-8")
    expected = League(("tic_tac_toe",), (Entrant("random"), Entrant.trained("menace", "M", contests=3)), 8)
    assert read_league(tmp_path / "league.toml") == read_league(tmp_path / "league.json") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not a league file"),
        ("[" * 100_000, "is not a league file"),
        ("[]", "a league file is a table of games"),
        ('{"game": []}', "a league file has no 'game'; it may have: games"),
        ('{"contests": "many"}', "contests='many' is not allowed; it is a whole number"),
        ('{"contests": true}', "contests=True is not allowed"),
        ('{"games": [1]}', "1 is not a game"),
        ('{"agents": [1]}', "an agent is a table of"),
        ('{"agents": [{"name": "x"}]}', "an agent has no spec"),
        ('{"agents": [{"agent": "td", "training": {"lessons": 2}}]}', "a training has no 'lessons'"),
        ('{"agents": [{"agent": "td", "training": {}}]}', "a training needs an end"),
    ],
)
def test_a_league_file_that_is_wrong_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "league.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError, match=re.escape(message)):
        read_league(path)
    with pytest.raises(BadInputError, match="cannot be read"):
        read_league(tmp_path / "none.json")
    with pytest.raises(BadInputError, match=r"ends in \.toml or \.json"):
        read_league(tmp_path / "league.yaml")
