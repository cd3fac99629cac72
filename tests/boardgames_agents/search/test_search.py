"""Alpha-beta and Monte Carlo tree search."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.registry import make_agent
from boardgames_agents.search.negamax import WON
from boardgames_env import Game, Limits, Position, make_game
from boardgames_env.game import Heuristics
from boardgames_env.history import RecurrenceKey
from boardgames_env.kernels import State, evaluate
from boardgames_env.solve import solve, solve_classes
from boardgames_env.solve.morris.class_tables import ClassTables
from boardgames_env.solve.morris.classes import PositionClass
from tests.boardgames_env.games.backgammon_contests import position_of
from tests.golden_records import what_recurs
from tests.positions import men_at, play, random_positions
from tests.variants import EACH_GAME, SMALL_GAMES, WITH_HEURISTICS, fast_for, over, sampled


@evaluate
def seven(state: State) -> int:
    """All positions look alike."""
    return 7


@evaluate
def motley(state: State) -> int:
    """Positions look good or bad in no way that has to do with the game."""
    total = 0
    for slot in range(1, len(state)):
        total += state[slot] * ((slot * 37) % 23 - 11)
    return (1 - 2 * state[0]) * total


@pytest.fixture(scope="module")
def all_alike() -> Game:
    """Tic-tac-toe, all positions of which look alike."""
    return replace(make_game("tic_tac_toe"), heuristics=Heuristics(seven))


def searcher(game: Game, spec: str = "alpha_beta") -> Any:
    policy = make_agent(spec, game)
    policy.begin(game, (0, 1), np.random.default_rng(1))
    return policy


def plain_value(
    position: Position, depth: int, plies: int = 0, in_turn: bool = False, drawn: frozenset[bytes] = frozenset()
) -> int:
    """What full search to a depth says, by the definition alone; ``drawn`` are positions that draw."""
    game, seat = position.game, position.seat
    if position.is_over:
        points = position.points_for(seat) or 0
        return points * (WON - plies)
    if depth <= 0 and not in_turn:
        assert game.heuristics
        return int(game.heuristics.evaluate(position.state))
    values = []
    for action in position.legal_actions:
        reached = position.after(action)
        same = reached.seat == seat
        if not reached.is_over and what_recurs(reached, game.limits.key) in drawn:
            values.append(0)
            continue
        # (a turn that ends the contest is a ply, whoever is then to move)
        following = plies + (reached.is_over or not same)
        value = plain_value(reached, depth if same else depth - 1, following, same, drawn)
        values.append(value if same else -value)
    return max(values)


def test_sees_the_exact_value_and_distance_of_every_position_of_a_small_game(all_alike: Game) -> None:
    table, policy = solve(all_alike), searcher(all_alike)
    for state in table.states[::5]:
        position = all_alike.position(state)
        if not position.is_over:
            value = table.value(position)
            policy.choose(position)
            distance = table.distance(position) if value else WON
            assert policy.value == value * (WON - distance)


DEPTHS = [(1, 40), (2, 40), (3, 10)]
QUICK = [("five_mens_morris", 2, 6), ("nerenchi", 1, 8)]  # (at nerenchi a seat moves again, or passes)


@pytest.mark.parametrize(
    ("spec", "depth", "count"),
    fast_for(
        QUICK,
        [
            *(*QUICK, ("tic_tac_toe", 3, 5), ("mu_torere", 2, 15), ("nerenchi", 1, 40), ("nerenchi", 2, 15)),
            *((spec, *each) for spec in ("tic_tac_toe", "mu_torere", "five_mens_morris") for each in DEPTHS),
        ],
    ),
)
def test_agrees_with_plain_search(spec: str, depth: int, count: int) -> None:
    """Turns of several actions, transpositions, and narrow windows change nothing."""
    game = replace(make_game(spec), heuristics=Heuristics(motley), limits=Limits())
    policy = searcher(game, f"alpha_beta(nodes=10_000_000, depth={depth})")
    for position in random_positions(game, count, seed=depth):
        policy.begin(game, (0, 1), np.random.default_rng(1))
        policy.choose(position)
        # (it stops when it has seen the end, which may be sooner than what a plain search sees at this depth)
        assert policy.value == plain_value(position, policy.plies_ahead)


@pytest.mark.parametrize("depth", [1, 2])
def test_captures_two_men_in_a_turn(depth: int) -> None:
    """A man flies to where two mills meet. Of four men that leaves two: won in one ply, whichever are captured."""
    game = replace(make_game("nine_mens_morris(capture_each_mill=True, fly_at=5)"), heuristics=Heuristics(motley))
    policy, rng = searcher(game, f"alpha_beta(nodes=1_000_000, depth={depth})"), np.random.default_rng(9)
    for others in (4, 5, 6) * 2:
        corner = int(rng.integers(24))
        mills = {point for line in game.board.winning_lines if corner in line for point in line} - {corner}
        free = rng.permutation([point for point in range(24) if point != corner and point not in mills])
        position = men_at(game, [*mills, free[0]], free[1 : 1 + others])
        policy.begin(game, (0,), rng)
        policy.choose(position)
        assert policy.value == plain_value(position, policy.plies_ahead)
        assert (policy.value == WON - 1) == (others == 4)


@pytest.mark.parametrize(
    ("name", "key"), sampled(["pong_hau_ki", "shisima", "mu_torere"], ["position", "board", "symmetry"], one_in=2)
)
@pytest.mark.parametrize("contests", [40, pytest.param(100, marks=pytest.mark.slow)])
def test_agrees_with_plain_search_about_recurrences(name: str, key: RecurrenceKey, contests: int) -> None:
    """After every action of contests at random, each action that draws by recurrence is worth nothing."""
    game = replace(make_game(name), heuristics=Heuristics(motley), limits=Limits(recurrences=3, key=key))
    policy, rng = searcher(game, "alpha_beta(depth=2)"), np.random.default_rng(6)
    drawing = 0
    for _ in range(contests):
        contest = [game.initial]
        times = Counter([what_recurs(game.initial, key)])
        while not contest[-1].is_over and max(times.values()) < 3 and len(contest) < 60:
            *seen, position = contest
            policy.begin(game, (0, 1), rng)  # (the table knows no history)
            for earlier in seen:
                policy.saw(earlier, earlier.legal_actions[0])
            policy.choose(position)
            # (what has been there on the way draws at once)
            drawn = frozenset(each for each in times if times[each] == 2) | {what_recurs(position, key)}
            assert policy.value == plain_value(position, policy.plies_ahead, drawn=drawn)
            drawing += any(times[what_recurs(position.after(action), key)] == 2 for action in position.legal_actions)
            contest.append(position.after(int(rng.choice(position.legal_actions))))
            times[what_recurs(contest[-1], key)] += 1
    assert drawing > contests // 10


@over(sampled(["tic_tac_toe", "fives", "qubic"], one_in=3))  # (those that say what actions gain)
def test_gains_that_are_added_up_change_nothing(game: Game) -> None:
    assert game.heuristics
    plain = replace(game, heuristics=replace(game.heuristics, gain=None))
    for position in random_positions(game, 8, seed=2):
        searchers = (searcher(each, "alpha_beta(nodes=1_000_000, depth=2)") for each in (game, plain))
        one, other = (each.values(each.game.position(position.state)) for each in searchers)
        assert max(one.values()) == max(other.values())


@over(sampled(WITH_HEURISTICS, one_in=3))
def test_wins_when_it_can_win_at_once(game: Game) -> None:
    policy = searcher(game, "alpha_beta(nodes=5000)")
    rng = np.random.default_rng(3)
    chances = 0
    while chances < 8:
        position = game.initial
        while not position.is_over:
            before, position = position, position.after(int(rng.choice(position.legal_actions)))
        if position.points_for(before.seat) == 1:
            policy.begin(game, (0, 1), np.random.default_rng(1))
            assert before.after(policy.choose(before)).points_for(before.seat) == 1
            assert policy.value == WON - 1
            chances += 1


@pytest.mark.parametrize(
    ("spec", "actions", "plies", "best"),
    [
        ("fives", (44, 0, 45, 9, 46, 90, 47, 99), 1, {43, 48}),
        ("fives", (44, 0, 45, 9, 46, 90), 3, {43, 47}),
        ("qubic", (0, 4, 1, 5, 2, 6), 1, {3}),
        ("qubic", (0, 20, 1, 25, 6, 37, 10, 59), 3, {2}),
    ],
)
def test_sees_how_soon_it_wins(spec: str, actions: tuple[int, ...], plies: int, best: set[int]) -> None:
    game = make_game(spec)
    values = searcher(game).values(play(game.initial, *actions))
    assert max(values.values()) == WON - plies
    assert {action for action, value in values.items() if value == WON - plies} == best


@pytest.mark.parametrize(
    ("spec", "actions", "action", "plies"),
    [("fives", (44, 0, 45, 9, 46, 90), 43, 3), ("qubic", (0, 20, 1, 25, 6, 37, 10, 59), 2, 3)],
)
def test_a_single_action_is_searched_as_deep_as_others(
    spec: str, actions: tuple[int, ...], action: int, plies: int
) -> None:
    game = make_game(spec)
    assert searcher(game).values(play(game.initial, *actions), [action]) == {action: WON - plies}
    quiet = searcher(game)
    quiet.values(game.initial, [action])
    assert quiet.plies_ahead > 1


def test_a_forced_move_is_played_at_once() -> None:
    position = play(make_game("tic_tac_toe").initial, 0, 1, 2, 3, 4, 5, 7, 6)
    policy = searcher(position.game)
    assert policy.choose(position) == 8
    assert policy.played < 10


def test_stops_what_would_lose() -> None:
    game = make_game("fives")
    threatened = play(game.initial, 44, 0, 45, 9, 46, 90, 0 + 70)  # O must stop an open row of three
    policy = searcher(game)
    assert policy.choose(threatened) in {42, 43, 47, 48}
    assert policy.value > -10_000


def test_heeds_a_limit_of_plies(all_alike: Game) -> None:
    game = replace(all_alike, limits=Limits(plies=5))
    policy = searcher(game)
    position = game.initial
    for action in (0, 4, 8, 1):  # O threatens 7; X cannot win with its last mark, and O has none to come
        policy.saw(position, action)
        position = position.play(action)
    assert set(policy.values(position).values()) == {0}
    assert min(searcher(game).values(position).values()) < -10_000


@pytest.mark.parametrize("spec", ["alpha_beta", "mcts(playouts=1000)"])
def test_holds_its_own_against_a_perfect_player(spec: str, all_alike: Game) -> None:
    assert tournament(all_alike, spec, "perfect", 20, seed=4).score.losses == 0


def test_equally_good_actions_are_all_played(all_alike: Game) -> None:
    policy = searcher(all_alike)
    assert {policy.choose(all_alike.initial) for _ in range(100)} == set(range(9))


@pytest.mark.parametrize("nodes", [1, 100, 10_000])
@pytest.mark.parametrize("spec", ["fives", "qubic", "mu_torere", "five_mens_morris"])
def test_keeps_to_its_budget(spec: str, nodes: int) -> None:
    """But it glances at all that its actions lead to."""
    game = replace(make_game(spec), heuristics=make_game(spec).heuristics or Heuristics(motley))
    policy = searcher(game, f"alpha_beta(nodes={nodes})")
    policy.choose(game.initial)
    assert policy.played == max(nodes, len(game.initial.legal_actions))


@over(sampled(WITH_HEURISTICS, one_in=3))
def test_goes_by_a_glance_if_it_may_not_search(game: Game) -> None:
    policy = searcher(game, "alpha_beta(nodes=1)")
    for position in random_positions(game, 20, seed=8):
        reached = {action: position.after(action) for action in position.legal_actions}
        assert policy.values(position) == {
            action: plain_value(each, 0, 1) * (1 if each.seat == position.seat else -1)
            for action, each in reached.items()
        }


def test_a_budget_that_ends_inside_an_iteration_loses_nothing() -> None:
    """Of the actions that were not looked at, none is taken for worse than one that loses for sure."""
    game = make_game("qubic")
    # 39 alone stops four in a row
    position = play(game.initial, 58, 0, 26, 3, 38, 15, 62, 63, 43, 27, 53, 51)
    assert len(position.legal_actions) == 52
    for nodes in (80, 120, 160, 200, 240, 500, 1000, 3000, 20_000):
        policy = searcher(game, f"alpha_beta(nodes={nodes})")
        assert policy.choose(position) == 39
        assert policy.value > -10_000
    # as many as are glanced at, and enough to see of some that they lose: not of all
    values = searcher(game, "alpha_beta(nodes=100)").values(position)
    assert set(values) == set(position.legal_actions)
    assert 0 < sum(value < -10_000 for value in values.values()) < 51


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["qubic", "fives"])
def test_what_was_looked_at_deeper_goes_before_what_was_not(spec: str) -> None:
    """The choice is the best of those that the last iteration came to, if it does not lose."""
    game = make_game(spec)
    for position in random_positions(game, 6, seed=10):
        values: dict[int, int] = {}
        for nodes in (500, 700, 1000, 1400, 2000):
            policy = searcher(game, f"alpha_beta(nodes={nodes})")
            values = policy.values(position)
            best = max(values.values())
            deep = searcher(game, f"alpha_beta(nodes=1_000_000, depth={policy.plies_ahead})").values(position)
            for action, value in values.items():
                assert value < best or value <= deep[action] or best > 10_000


def test_a_narrow_search_looks_further() -> None:
    game = make_game("fives")
    wide, narrow = searcher(game), searcher(game, "alpha_beta(width=8)")
    position = play(game.initial, 44, 45, 54, 55)
    for policy in (wide, narrow):
        policy.choose(position)
    assert narrow.plies_ahead > wide.plies_ahead


@over(sampled(EACH_GAME, one_in=4))
def test_every_playout_begins_with_one_of_the_actions(game: Game) -> None:
    policy = searcher(game, "mcts(playouts=150)")
    for position in random_positions(game, 5, seed=4):
        assert sum(each.visits for each in policy.tried(position).values()) == 150


def test_playouts_find_a_win_and_heed_the_limits(all_alike: Game) -> None:
    limited = replace(all_alike, limits=Limits(plies=5))
    policy = searcher(limited, "mcts(playouts=400)")
    tried = policy.tried(play(limited.initial, 0, 4, 8, 1, 3))  # as if the contest began here: O wins
    assert max(tried, key=lambda action: tried[action].visits) == 7
    last = limited.initial
    for action in (0, 4, 8, 1):
        policy.saw(last, action)
        last = last.play(action)
    visits = [each.visits for each in policy.tried(last).values()]  # every action ends it as a draw
    assert max(visits) - min(visits) <= 1


@over(fast_for(["tic_tac_toe", "achi", "mu_torere", "lose_tic_tac_toe"], SMALL_GAMES))
def test_what_playouts_prove_is_true(game: Game) -> None:
    table, spec, proven = solve(game), "mcts(playouts=2000)", Counter[int]()
    for position in random_positions(game, 20, seed=6):
        tried = searcher(game, spec).tried(position)
        assert sum(each.visits for each in tried.values()) == 2000
        for action, each in tried.items():
            if each.value is not None:
                reached = position.after(action)
                points = reached.points_for(position.seat)
                assert each.value == (table.value_for(reached, position.seat) if points is None else points)
                proven[each.value] += 1
        won = [action for action, each in tried.items() if each.value == 1]
        lost = [action for action, each in tried.items() if each.value == -1]
        action = searcher(game, spec).choose(position)
        assert action in won or not won
        assert action not in lost or len(lost) == len(tried)
    assert proven


def test_a_draw_is_proven_and_the_playouts_left_are_shared(all_alike: Game) -> None:
    tried = searcher(all_alike, "mcts(playouts=998)").tried(play(all_alike.initial, 4, 0, 8, 2, 1, 7))
    assert {action: each.value for action, each in tried.items()} == dict.fromkeys((3, 5, 6), 0)
    visits = [each.visits for each in tried.values()]
    assert sum(visits) == 998
    assert min(visits) > 300


@pytest.mark.parametrize(
    ("spec", "visits"),
    [
        ("tic_tac_toe", [83, 47, 13, 47, 110]),
        ("hypergammon", [223, 20, 57]),
        ("five_mens_morris", [58, 64, 44, 64, 70]),
    ],
)
def test_without_proofs_it_is_plain_uct_as_before(spec: str, visits: list[int]) -> None:
    game = make_game(spec)
    position = random_positions(game, 1, seed=2)[0]
    tried = searcher(game, "mcts(playouts=300, solve=False)").tried(position)
    assert [each.visits for each in tried.values()] == visits


def test_without_an_evaluation_wins_and_losses_are_seen_and_nothing_else() -> None:
    achi = make_game("achi(adjacent=True)")  # the first player wins in 11 plies, although the game can cycle
    assert achi.heuristics is None
    near, far = searcher(achi, "alpha_beta(depth=3)"), searcher(achi, "alpha_beta(nodes=2000000, depth=13)")
    assert set(near.values(achi.initial).values()) == {0}
    values = far.values(achi.initial)
    assert values.pop(4) == WON - 11
    assert max(values.values()) < 10_000


@pytest.fixture(scope="module")
def four_against_four(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ClassTables]:
    """Return the folder and tables of six men's morris with four men a seat that slide."""
    folder = tmp_path_factory.mktemp("tables")
    return folder, solve_classes(make_game("six_mens_morris"), [PositionClass(4, 4)], folder)


def positions_of_value(tables: ClassTables, value: int, seed: int) -> Iterator[Position]:
    game, rng = make_game("six_mens_morris"), np.random.default_rng(seed)
    while True:
        points = rng.permutation(16)[:8]
        position = men_at(game, points[:4], points[4:])
        if not position.is_over and tables.value(position) == value:
            yield position


@pytest.mark.parametrize("contests", [1, pytest.param(5, marks=pytest.mark.slow)])
def test_tables_are_followed_where_they_know(four_against_four: tuple[Path, ClassTables], contests: int) -> None:
    """Whether the mover wins within a number of plies against any defence."""
    game, (folder, tables) = make_game("six_mens_morris"), four_against_four
    player, stubborn = searcher(game, f"alpha_beta(nodes=50, tables={str(folder)!r})"), make_agent("random", game)
    for seed, start in enumerate(islice(positions_of_value(tables, 1, seed=2), contests)):
        for policy, seat in ((player, 0), (stubborn, 1)):
            policy.begin(game, (seat,), np.random.default_rng(seed))
        position, plies = start, 0
        while not position.is_over:
            before, position = position, position.play((player, stubborn)[position.seat].choose(position))
            if before.seat == 0:
                assert player.value == WON - (tables.distance(before) or 0)
            plies += position.seat != before.seat
        assert position.points_for(0) == 1
        assert plies <= (tables.distance(start) or 0)


def test_among_draws_that_tables_know_the_search_chooses(four_against_four: tuple[Path, ClassTables]) -> None:
    """And looks at nothing else."""
    game, (folder, tables) = make_game("six_mens_morris"), four_against_four
    player = searcher(game, f"alpha_beta(nodes=2000, tables={str(folder)!r})")
    alone, found = searcher(game, "alpha_beta(nodes=2000)"), 0
    for position in positions_of_value(tables, 0, seed=5):
        sound = [action for action in position.legal_actions if tables.value(position.after(action)) == 0]
        if len(sound) in (1, len(position.legal_actions)):
            continue
        for policy in (player, alone):
            policy.begin(game, (0,), np.random.default_rng(found))
        values = alone.values(position, sound)
        assert set(values) == set(sound)
        assert values[player.choose(position)] == player.value == max(values.values())
        found += 1
        if found == 5:
            break


@pytest.mark.slow
def test_mcts_beats_chance_where_there_are_dice() -> None:
    score = tournament(make_game("hypergammon"), "mcts(playouts=100)", "random", 40, 2).score
    assert score.points_interval[0] > 0.3


@pytest.mark.slow
def test_mcts_weighs_what_may_be_rolled() -> None:
    """Men on 6 and 4, 5-2 to play: bearing one off leaves one on 4, for which 2-1 is not enough; 6/1 4/2 is sure.

    The other seat has three men on its first point, so there is one more roll, most of the time.
    """
    game = make_game("backgammon")
    position = position_of(game, {6: 1, 4: 1, 0: 13}, {1: 3, 0: 12}, (5, 2))
    assert {game.action_text(action) for action in position.legal_actions} == {"6/1", "4/2", "6/4"}
    assert game.action_text(searcher(game, "mcts(playouts=200000)").choose(position)) in {"6/1", "4/2"}
