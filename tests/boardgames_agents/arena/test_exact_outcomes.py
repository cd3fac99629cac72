"""Exact results and the worst opponent, beside plain recursion, tournaments and the solver."""

import json
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.arena.exact_outcomes import WithoutLimits, exact_outcomes, optimum, outcomes_on
from boardgames_agents.arena.exploitability import ExactTester, markov, values_on, weakness
from boardgames_agents.arena.position_graph import PolicyOnGraph, graph_of
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experts.perfect import can_be_perfect
from boardgames_agents.policy import Distribution, MarkovPolicy
from boardgames_agents.registry import make_agent, make_learner
from boardgames_agents.training.run import load_run
from boardgames_env import BadInputError, Game, Limits, Position, make_game
from boardgames_env.solve import solve
from tests.conftest import Run
from tests.contests import train
from tests.variants import EACH_SMALL_GAME, fast_for, over, sampled

GAME = "pong_hau_ki"
AGENTS = ("random", "worst", "perfect", "fallible(e=0.3)")
LEARNERS = ("menace", "q_learning", "mc_control", "td", "hoyle", "hoyle(program='1994')")


def agent(spec: str, game: Game) -> MarkovPolicy:
    return markov(make_agent(spec, game))


def win_or_loss(players: tuple[MarkovPolicy, MarkovPolicy], position: Position, actions: int) -> tuple[float, float]:
    """Seat 0's probabilities of a win and a loss within a number of actions, by plain recursion."""

    @cache
    def recurse(position: Position, actions: int) -> tuple[float, float]:
        if position.outcome is not None:
            return float(position.outcome > 0), float(position.outcome < 0)
        if not actions:
            return 0.0, 0.0
        win = loss = 0.0
        for action, probability in zip(*players[position.seat].distribution(position), strict=True):
            reached = recurse(position.play(action), actions - 1)
            win, loss = win + probability * reached[0], loss + probability * reached[1]
        return win, loss

    return recurse(position, actions)


@pytest.mark.parametrize(("player", "other"), sampled(AGENTS, AGENTS[::-1]))
def test_outcomes_within_a_number_of_actions_are_those_of_plain_recursion(player: str, other: str, game: Game) -> None:
    pair = agent(player, game), agent(other, game)
    for actions in (1, 9, 40):
        first, second = win_or_loss(pair, game.initial, actions), win_or_loss(pair[::-1], game.initial, actions)
        found = exact_outcomes(game, *pair, actions)
        assert found.win == pytest.approx((first[0] + second[1]) / 2)
        assert found.loss == pytest.approx((first[1] + second[0]) / 2)
        assert sum(found) == pytest.approx(1)


def test_contests_that_never_end_are_drawn(game: Game) -> None:
    found = exact_outcomes(game, agent("perfect", game), agent("perfect", game))
    assert found == (0, 1, 0)
    later = exact_outcomes(game, agent("perfect", game), agent("random", game), actions=2000)
    assert exact_outcomes(game, agent("perfect", game), agent("random", game)) == pytest.approx(later)
    assert later.win == pytest.approx(1)


@over(sampled(["pong_hau_ki", "tic_tac_toe", "tsoro_yematatu"], one_in=2))
def test_long_contests_are_solved_as_linear_equations(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two ways to compute the same; a single sweep is too few, so that the second one is taken."""
    pair = agent("fallible(e=0.3)", game), agent("fallible(e=0.6)", game)
    swept = exact_outcomes(game, *pair)
    monkeypatch.setattr("boardgames_agents.arena.exact_outcomes._SWEEPS_BEFORE_SOLVING", 1)
    assert exact_outcomes(game, *pair) == pytest.approx(swept, abs=1e-8)


@over(sampled(EACH_SMALL_GAME, one_in=3))
def test_only_a_poor_player_gives_anything_away(game: Game) -> None:
    graph = graph_of(game)
    values = values_on(graph)
    best = [weakness(PolicyOnGraph(graph, agent("perfect", game)), seat, values) for seat in (0, 1)]
    assert [(each.loss, each.errors) for each in best] == [(pytest.approx(0), 0)] * 2
    assert all(each.decisions for each in best)
    poor = [weakness(PolicyOnGraph(graph, agent("random", game)), seat, values) for seat in (0, 1)]
    assert sum(each.loss for each in poor) > 0.9
    assert all(each.errors for each in poor)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("player", ["random", "worst", "fallible(e=0.3)"])
def test_the_worst_opponent_is_that_of_plain_recursion(player: str, seat: int, game: Game) -> None:
    policy, sign = agent(player, game), 1 - 2 * seat

    @cache
    def expected(position: Position, actions: int) -> float:
        if position.outcome is not None:
            return float(sign * position.outcome)
        if not actions:
            return 0.0
        if position.seat != seat:
            return min(expected(position.play(action), actions - 1) for action in position.legal_actions)
        chosen = zip(*policy.distribution(position), strict=True)
        return sum(probability * expected(position.play(action), actions - 1) for action, probability in chosen)

    graph = graph_of(game)
    values = values_on(graph)
    for actions in (3, 30):
        found = weakness(PolicyOnGraph(graph, policy), seat, values, actions)
        assert found.loss == pytest.approx(max(0.0, sign * values[0] - expected(game.initial, actions)))


def test_an_opponent_that_can_go_on_for_ever_does_not_gamble_before_the_end() -> None:
    """At shisima, against a perfect player that in one position plays a losing action with probability 0.4.

    Whoever wants that must risk that it plays the winning one, 0.6; the other may shuffle for ever. An opponent that
    knows when the contest is drawn takes the risk at the last moment, at which the loss would come too late.
    """
    game = make_game("shisima")
    graph = graph_of(game)
    values, perfect = values_on(graph), agent("perfect(style='wise')", game)
    risky = graph.position(70)
    by_value = dict(zip(values[graph.children[graph.edges(70)]], risky.legal_actions, strict=True))

    class Flawed(MarkovPolicy):
        def distribution(self, position: Position) -> Distribution:
            if position == risky:
                return (by_value[1], by_value[-1]), (0.6, 0.4)
            return perfect.distribution(position)

    policy = PolicyOnGraph(graph, Flawed())
    assert weakness(policy, 0, values).loss == pytest.approx(0, abs=1e-9)
    assert {round(weakness(policy, 0, values, actions).loss, 6) for actions in (100, 101)} == {0, 0.2}


def test_perfect_play_is_that_within_the_number_of_actions() -> None:
    """Marelle is won for seat 0, but not within four actions, in which a random player gives nothing away."""
    game = make_game("marelle")
    graph = graph_of(game)
    values, random = values_on(graph), PolicyOnGraph(graph, agent("random", game))
    assert values[0] == 1
    assert weakness(random, 0, values, actions=4).loss == 0
    assert weakness(random, 0, values, actions=60).loss > 1.5


def test_wins_by_more_than_a_point_are_wins() -> None:
    """A game whose winner gets two points has the outcomes of the game with one."""
    game = make_game("pong_hau_ki")
    graph = graph_of(game)
    double = replace(graph, points=np.where(graph.ongoing, graph.points, 2 * graph.points).astype(np.int8))
    for one in (graph, double):
        pair = [PolicyOnGraph(one, agent(spec, game)) for spec in ("perfect", "random")]
        assert outcomes_on(*pair).win == pytest.approx(1)


def test_a_game_that_is_too_large_for_its_graph_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("lose_tic_tac_toe")
    assert optimum(game, "perfect", "fallible(e=1.0)", contests=40, seed=1).contests == 0
    monkeypatch.setattr("boardgames_agents.arena.position_graph.MOST_POSITIONS", 1000)
    graph_of.cache_clear()
    assert optimum(game, "perfect", "fallible(e=1.0)", contests=40, seed=1).contests == 40
    graph_of.cache_clear()


def test_errors_are_counted_where_the_player_may_come_to_choose() -> None:
    """A player that takes the first legal action, at tic-tac-toe: its positions and errors, counted by hand."""
    game = make_game("tic_tac_toe")

    class First(MarkovPolicy):
        def distribution(self, position: Position) -> Distribution:
            return position.legal_actions[:1], (1.0,)

    table, reached, errors = solve(game), set(), set()

    def visit(position: Position) -> None:
        if position.is_over:
            return
        if position.seat == 1:
            for action in position.legal_actions:
                visit(position.play(action))
            return
        reached.add(position)
        after = position.play(position.legal_actions[0])
        if table.value_for(after, 0) < table.value_for(position, 0):
            errors.add(position)
        visit(after)

    visit(game.initial)
    graph = graph_of(game)
    found = weakness(PolicyOnGraph(graph, First()), 0, values_on(graph))
    assert (found.decisions, found.errors) == (len(reached), len(errors))
    assert errors


FAST = {("pong_hau_ki", "td")}
"""(TD(λ) takes long to compile for a game that no other test trains it at.)"""


@pytest.mark.parametrize(("game", "name"), fast_for(FAST, product(EACH_SMALL_GAME, LEARNERS)), indirect=["game"])
def test_contests_agree_with_the_exact_outcomes(game: Game, name: str) -> None:
    """At games whose contests are drawn after 60 actions, which are plies there, and by nothing else."""
    limited = replace(game, limits=Limits(plies=60))
    learner = make_learner(name, game, 1)
    train(learner, game, "self", range(20 if "hoyle" in name else 100), (7,))
    player = markov(learner.frozen())
    exact = ExactTester(game, actions=60).test(player)
    contests = 300
    for tester, other in (("perfect", "perfect"), ("expert", "fallible(e=0.1)"), ("random", "random")):
        played = tournament(limited, WithoutLimits(player), WithoutLimits(agent(other, game)), contests, seed=3).score
        for share, count in zip(exact.outcomes[tester], (played.wins, played.draws, played.losses), strict=True):
            error = (share * (1 - share) / contests) ** 0.5
            assert abs(count / contests - share) <= 4.5 * error + 1e-9, (tester, share, count)


def test_games_and_players_that_cannot_be_tested_are_refused(game: Game) -> None:
    with pytest.raises(BadInputError, match=r"mcts.* cannot be tested exactly"):
        markov(make_agent("mcts(playouts=3)", game))
    with pytest.raises(BadInputError, match=r"has more than 100,000 positions, too many to visit them all"):
        graph_of(make_game("five_mens_morris"))
    with pytest.raises(BadInputError, match="chance"):
        graph_of(make_game("hypergammon"))
    assert can_be_perfect(game)


def test_the_command_prints_what_is_computed(tmp_path: Path, boardgames: Run, refused: Run) -> None:
    run = tmp_path / "run"
    boardgames("train", GAME, "menace", "--trainer", "2&7", "--contests", 30, "--run", run)
    game = make_game(GAME)
    player = load_run(run).learner.frozen()
    exact = ExactTester(game).test(markov(player))
    rows = json.loads(boardgames("exploitability", run, "--json"))
    assert [(row["win"], row["draw"], row["loss"]) for row in rows[:4]] == list(exact.outcomes.values())
    assert [row["gives_away"] for row in rows[4:]] == [each.loss for each in exact.weakness]
    text = boardgames("exploitability", run, "--actions", 30)
    assert "contests of 30 actions are drawn" in text
    assert "holds no run" in refused("exploitability", tmp_path / "none")
