from collections import Counter
from dataclasses import replace

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import Tournament, tournament
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent
from boardgames_agents.tabular.menace import Menace
from boardgames_env import BadInputError, Game, IllegalActionError, Limits, Position, make_game
from tests.contests import Witness
from tests.test_every_agent import PLAYS, own_agents
from tests.variants import EACH_GAME, EACH_SMALL_GAME, WITH_CHANCE, over, sampled

every_game = over(EACH_SMALL_GAME)
AGENTS = [name for name in own_agents() if "tic_tac_toe" in PLAYS.get(name, EACH_GAME)]
GAME = "tic_tac_toe"
A, B = "fallible(e=0.3)", "random"


@pytest.mark.slow
@over([*EACH_SMALL_GAME, "hypergammon"])
def test_the_same_seed_gives_the_same_contests_however_many_processes(game: Game) -> None:
    a = "td(seed=1)" if game.name == "hypergammon" else A
    alone = tournament(game, a, B, 23, 7, records=True)
    for jobs in (1, 3):
        told: list[Record] = []
        assert tournament(game, a, B, 23, 7, jobs, on_contest=told.append, records=True) == alone
        assert tuple(told) == alone.records
    made = make_agent(a, game), make_agent(B, game)
    assert tournament(game, *made, 23, 7, records=True) == alone
    assert tournament(game, *made, 23, 7, jobs=3, records=True) == alone
    assert tournament(game, a, B, 23, 8, records=True).records != alone.records


@pytest.mark.parametrize("name", sampled(AGENTS, one_in=6))
def test_every_agent_plays_the_same_contests_in_many_processes(name: str, game: Game) -> None:
    alone = tournament(game, name, "random", 9, 1, records=True)
    assert tournament(game, name, "random", 9, 1, jobs=2, records=True) == alone


@every_game
def test_contests_depend_on_their_own_number_alone(game: Game) -> None:
    a, b = make_agent(A, game), make_agent(B, game)
    nine = tournament(game, a, b, 9, (3, 4), records=True).records
    assert tournament(game, a, b, 5, (3, 4), records=True).records == nine[:5]
    assert play_contest(game, (b, a), (3, 4, 7)) == nine[7]
    assert play_contest(game, (a, b), (3, 4, 8)) == nine[8]


def test_seats_alternate_and_an_odd_number_leaves_nothing_behind(game: Game) -> None:
    a, b = make_agent(A, game), make_agent(B, game)
    first = tournament(game, a, b, 5, 0, records=True)
    assert [record.players for record in first.records] == [(A, B), (B, A), (A, B), (B, A), (A, B)]
    assert tournament(game, a, b, 5, 0, records=True) == first == tournament(GAME, A, B, 5, 0, records=True)


@every_game
def test_the_score_is_the_first_policys(game: Game) -> None:
    played = tournament(game, A, B, 40, 2, records=True)
    points = [record.outcome if record.players[0] == A else -record.outcome for record in played.records]
    score = played.score
    assert (score.wins, score.draws, score.losses) == tuple(points.count(sign) for sign in (1, 0, -1))
    assert score.wins > score.losses
    assert score.seconds > 0
    assert score == sum((Score.of(record, k % 2) for k, record in enumerate(played.records)), Score())
    assert all(sum(record.decisions) == len(record.actions) for record in played.records)
    assert not tournament(game, A, B, 40, 2).records
    assert played.ends == tournament(game, A, B, 40, 2).ends == Counter(record.end for record in played.records)
    assert list(played.ends.values()) == sorted(played.ends.values(), reverse=True)


def test_one_object_plays_itself(game: Game) -> None:
    policy = Witness()
    score = tournament(game, policy, policy, 4, 0).score
    assert policy.seats == [(0, 1)] * 4
    assert (score.wins, score.losses) == (2, 2)  # the first legal actions win for seat 0
    assert tournament(game, policy, policy, 4, 0, jobs=2).score == score


class Pupil(Menace):
    """Can neither play nor learn."""

    def choose(self, position: Position) -> int:
        raise AssertionError("a learner was not frozen")

    def saw(self, position: Position, action: int) -> None:
        raise AssertionError("a learner was not frozen")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_learner_plays_frozen(jobs: int, game: Game) -> None:
    score = tournament(game, Pupil(game), "random", 20, 0, jobs=jobs).score
    assert score == tournament(game, "menace", "random", 20, 0).score


class Cheat(Witness):
    def choose(self, position: Position) -> int:
        return 4


def test_an_illegal_action_is_an_error(game: Game) -> None:
    with pytest.raises(IllegalActionError, match="Cheat chose action 4, which is not legal here"):
        tournament(game, Cheat(), "random", 10, 0)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"contests": 0}, "contests=0 is not allowed; it must be at least 1"),
        ({"contests": -3}, "contests=-3 is not allowed"),
        ({"jobs": 0}, "jobs=0 is not allowed; it must be at least 1"),
        ({"seed": -1}, "seed -1 is not allowed"),
        ({"seed": ()}, r"seed \(\) is not allowed"),
        ({"b": "nobody"}, "there is no agent 'nobody'"),
        ({"a": "nobody", "jobs": 2}, "there is no agent 'nobody'"),
        ({"a": "human", "jobs": 2}, "jobs=2 is not allowed where a person plays"),
    ],
)
def test_bad_input_is_named(arguments: dict[str, object], complaint: str, game: Game) -> None:
    usual: dict[str, object] = {"game": game, "a": "random", "b": "random", "contests": 5, "seed": 0}
    with pytest.raises(BadInputError, match=complaint):
        tournament(**{**usual, **arguments})  # type: ignore[arg-type]


def test_a_progress_bar_is_shown(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # (a terminal, to rich)
    told: list[Record] = []
    shown = tournament("tic_tac_toe", "random", "random", 4, 1, on_contest=told.append, progress_bar=True)
    assert "random v. random" in capfd.readouterr().err
    assert len(told) == 4
    assert shown == tournament("tic_tac_toe", "random", "random", 4, 1)


def test_a_notebook_shows_the_scores_of_both() -> None:
    html = Tournament("achi", ("a<b", "random"), (1,), Score(wins=3, losses=1, points=3, squares=5))._repr_html_()
    assert html.count("<tr>") == 3
    assert "<td>a&lt;b</td><td>3</td><td>0</td><td>1</td><td>75.00 % " in html
    assert "<th>points per contest</th>" in html


def played(game: Game, seed: int = 0, watchers: int = 0) -> Record:
    others = [make_agent("random", game) for _ in range(watchers)]
    return play_contest(game, (make_agent("random", game), make_agent("random", game)), [seed], others)


@over([*EACH_SMALL_GAME, *WITH_CHANCE])
def test_records_are_replayed_with_their_dice(game: Game) -> None:
    seen: list[Position] = []
    player, witness = make_agent("random", game), make_agent("random", game)
    witness.saw = lambda position, action: seen.append(position)  # type: ignore[method-assign]
    record = play_contest(game, (player, player), [3], [witness])
    *chosen, last = record.positions(game)
    assert chosen == seen
    assert last.outcome == (record.outcome if last.is_over else None)
    assert record.plies <= len(record.actions)
    assert len(record.events) >= (record.plies - 1 if game.rules.has_chance else 0)


@over(WITH_CHANCE)
def test_dice_have_a_stream_of_their_own(game: Game) -> None:
    record = played(game)
    assert played(game) == record == played(game, watchers=3)
    assert played(game, seed=1).events != record.events
    # whoever plays: the rolls of other contests with the seed are the same, for as long as they go on
    other = play_contest(game, (make_agent("random", game),) * 2, [0])
    assert other.actions != record.actions
    length = min(len(other.events), len(record.events))
    assert length > 5
    assert other.events[:length] == record.events[:length]


@over(["hypergammon"])
def test_a_record_of_another_game_is_refused(game: Game) -> None:
    record = played(game)
    with pytest.raises(BadInputError):
        record.positions(make_game("tic_tac_toe"))
    with pytest.raises(BadInputError, match="ends where chance must decide"):
        replace(record, events=record.events[:3]).positions(game)


@over(["hypergammon"])
def test_a_contest_is_cut_after_so_many_plies(game: Game) -> None:
    record = played(replace(game, limits=Limits(plies=4, plies_draw=False)))
    assert (record.cut, record.plies, record.outcome) == (True, 4, 0)
