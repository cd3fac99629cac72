"""Contests inside a kernel are those that `play_contest` plays, to the last action."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from boardgames_agents.arena import contest_block
from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.contest_block import BlockPlayer
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experts import RandomPlayer
from boardgames_agents.policy import Distribution, MarkovPolicy, Policy, uniform
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent, make_learner
from boardgames_env import Game, IllegalActionError, Limits, Position, make_game
from boardgames_env.kernels.compiling import compiled_when_called
from tests.contests import train
from tests.variants import EACH_SMALL_GAME, over, sampled

GAME = "tic_tac_toe"
EXPERTS = (
    *("random", "fallible(e=0.1)", "reasonable(x=0.3)", "perfect", "perfect(style='wise')"),
    *("perfect(style='values')", "worst", "informed"),
)
LEARNERS = ("menace", "q_learning", "mc_control", "td(hidden=4)")
PAIRS = list(combinations_with_replacement((*EXPERTS, *LEARNERS), 2))
LIMITED = ("achi(recurrences=2)", "achi(recurrence_key='symmetry')", "achi(recurrence_key='board')")
SEED = (7, 2**40 + 3)


@pytest.fixture(autouse=True)
def _with_kernels() -> Iterator[None]:
    with compiled_when_called():
        yield


def player_of(spec: str, game: Game) -> Policy:
    """An agent; a learner has learned a little, so that it prefers some actions to others."""
    if spec not in LEARNERS:
        return make_agent(spec, game)
    learner = make_learner(spec, game)
    train(learner, game, "random", range(12))
    return learner.frozen()


def one_by_one(game: Game, a: Policy, b: Policy, contests: range) -> list[Record]:
    return [play_contest(game, ((a, b), (b, a))[k % 2], (*SEED, k)) for k in contests]


def in_blocks(game: Game, a: Policy, b: Policy, contests: range) -> tuple[Score, list[Record]]:
    blocks, score, records = BlockPlayer(game, (a, b)), Score(), list[Record]()
    while contests:
        assert blocks.is_ready()
        block = blocks.play(SEED, contests)
        assert block
        score += block.score
        records += block.records(game, (a, b), SEED)
        contests = contests[len(block.numbers) :]
    return score, records


def assert_equal(records: list[Record], others: list[Record]) -> None:
    assert records == others
    assert [each.end for each in records] == [each.end for each in others]
    assert all(each.end for each in others)


@pytest.mark.parametrize(("game", "pair"), sampled([*EACH_SMALL_GAME, *LIMITED], PAIRS, one_in=4), indirect=["game"])
def test_contests_and_scores_are_the_same(game: Game, pair: tuple[str, str]) -> None:
    a, b = (player_of(spec, game) for spec in pair)
    if "informed" in pair and game.limits.recurrences:
        assert not BlockPlayer(game, (a, b)).can_play
        return
    score, records = in_blocks(game, a, b, range(3, 60))
    assert_equal(records, one_by_one(game, a, b, range(3, 60)))
    assert score == sum((Score.of(record, k % 2) for k, record in enumerate(records, start=3)), Score())
    assert score.seconds == pytest.approx(sum(each.seconds[k % 2] for k, each in enumerate(records, start=3)))


@over([GAME, "achi"])
@pytest.mark.parametrize("spec", ["random", "fallible(e=0.3)", "td(hidden=4)"])
def test_one_policy_plays_itself_with_one_generator(game: Game, spec: str) -> None:
    policy = player_of(spec, game)
    assert in_blocks(game, policy, policy, range(50))[1] == one_by_one(game, policy, policy, range(50))


@over([GAME, "achi", "five_mens_morris(plies=30)"])
@pytest.mark.filterwarnings("error")
def test_plain_python_plays_the_same(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    for kernel in (contest_block._seed, contest_block._play):
        monkeypatch.setattr(kernel, "run", kernel.as_python)
    a, b = make_agent("random", game), player_of("random" if game.limits.plies else "td(hidden=4)", game)
    assert in_blocks(game, a, b, range(6))[1] == one_by_one(game, a, b, range(6))


@over(["five_mens_morris(plies=30)"])
def test_contests_are_cut_short_by_plies(game: Game) -> None:
    a, b = make_agent("random", game), make_agent("random", game)
    _, records = in_blocks(game, a, b, range(40))
    assert_equal(records, one_by_one(game, a, b, range(40)))
    assert {(record.plies, record.end) for record in records} == {(30, "plies")}
    for recurrences in (0, 2, 3):
        limits = replace(game.limits, recurrences=recurrences, plies=40, plies_draw=True)
        drawn = replace(game, limits=limits)
        assert_equal(in_blocks(drawn, a, b, range(40))[1], one_by_one(drawn, a, b, range(40)))


def test_who_counts_plies_is_no_table(game: Game) -> None:
    perfect, other = make_agent("perfect", game), make_agent("random", game)
    assert BlockPlayer(game, (perfect, other)).can_play
    assert not BlockPlayer(replace(game, limits=Limits(plies=6)), (perfect, other)).can_play


def test_moves_of_several_actions_are_left_to_the_loop() -> None:
    game = make_game("five_mens_morris")
    a, b = player_of("td(hidden=4)", game), make_agent("random", game)
    assert list(tournament(game, a, b, 3, SEED, records=True).records) == one_by_one(game, a, b, range(3))


class Listening(RandomPlayer):
    def saw(self, position: Position, action: int) -> None:
        pass


class First(RandomPlayer):
    """Has a distribution of its own."""

    def distribution(self, position: Position) -> Distribution:
        return uniform(position.legal_actions[:2])


def silenced(game: Game) -> Policy:
    player = RandomPlayer(game)
    player.saw = lambda position, action: None  # type: ignore[method-assign]
    return player


@pytest.mark.parametrize("make", [Listening, silenced, lambda game: make_agent("informed(depth=3)", game)])
def test_who_must_be_called_is_no_table(game: Game, make: Callable[[Game], Policy]) -> None:
    assert BlockPlayer(game, (First(game), RandomPlayer(game))).can_play
    assert not BlockPlayer(game, (make(game), RandomPlayer(game))).can_play
    assert not BlockPlayer(make_game("hypergammon"), (RandomPlayer(game), RandomPlayer(game))).can_play


def test_a_distribution_of_a_subclass_is_its_own(game: Game) -> None:
    a, b = First(game), RandomPlayer(game)
    assert in_blocks(game, a, b, range(40))[1] == one_by_one(game, a, b, range(40))


class Centre(MarkovPolicy):
    """Has its rules wrong: it always plays at the centre."""

    def distribution(self, position: Position) -> Distribution:
        return (4,), (1.0,)


def test_an_illegal_choice_is_an_error_of_its_contest(game: Game) -> None:
    told: list[Record] = []
    a, b = Centre(), make_agent("perfect", game)
    with pytest.raises(IllegalActionError, match="Centre chose action 4, which is not legal here"):
        tournament(game, a, b, 10, 0, on_contest=told.append)


def test_tables_are_refilled_when_they_are_full(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgames_agents.policy.batch_players._MOST_POSITIONS", 100)
    a, b = make_agent("fallible(e=0.5)", game), make_agent("perfect", game)
    assert in_blocks(game, a, b, range(200))[1] == one_by_one(game, a, b, range(200))


def test_blocks_are_played_once_kernels_are_compiled(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[object] = set()
    compiled: set[object] = set()
    monkeypatch.setattr("boardgames_env.kernels.Kernel.patience", 0.0)
    monkeypatch.setattr("boardgames_env.kernels.Kernel.is_compiled", property(lambda kernel: kernel in compiled))
    monkeypatch.setattr("boardgames_env.kernels.Kernel.compile_behind", lambda kernel: asked.update([kernel]))
    blocks = BlockPlayer(game, (RandomPlayer(game), RandomPlayer(game)))
    assert not blocks.is_ready()
    assert {contest_block._play, contest_block._seed, game.rules.legal, game.rules.play} <= asked
    compiled |= asked
    assert [blocks.is_ready() for _ in range(64)] == [False] * 63 + [True]
