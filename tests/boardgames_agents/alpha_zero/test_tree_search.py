"""The tree search of alpha_zero, and its agent."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_agents.alpha_zero.conclusion import Found, conclude
from boardgames_agents.alpha_zero.network import PolicyDesign, PolicyNetwork
from boardgames_agents.alpha_zero.player import AlphaZero
from boardgames_agents.alpha_zero.search import Evaluate, SearchOptions, TreeSearch, considered_visits
from boardgames_agents.alpha_zero.simulations import begin_search, go_on, go_on_with_network
from boardgames_agents.alpha_zero.tree import NODES
from boardgames_agents.arena.contest import play_contest
from boardgames_agents.registry import make_agent, make_player
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import save_network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, Game, Limits, Position, make_game
from boardgames_env.kernels.signatures import Float32s, Int8s
from boardgames_env.solve import solve
from boardgames_env.spec import Spec
from tests.boardgames_agents.alpha_zero.networks import random_evaluation, uniform_evaluation
from tests.boardgames_agents.alpha_zero.self_plays import random_network
from tests.positions import play, random_positions
from tests.variants import WITH_CHANCE, WITHOUT_CHANCE, over, sampled

RULES = ("gumbel", "puct")


def positions_of(game: Game, number: int, seed: int = 5) -> list[Position]:
    return random_positions(game, number, seed)


def states_of(positions: list[Position]) -> Int8s:
    return np.array([position.state for position in positions])


def noise_for(game: Game, number: int) -> Any:
    return np.random.default_rng(2).gumbel(size=(number, game.num_actions))


def same(one: Found, other: Found) -> bool:
    return all(np.array_equal(*pair) for pair in zip(one, other, strict=True))


@pytest.mark.parametrize("rule", RULES)
@over(sampled(WITHOUT_CHANCE, one_in=4))
def test_legal_actions_share_the_simulations(game: Game, rule: Any) -> None:
    positions = positions_of(game, 8)
    options = SearchOptions(simulations=20, considered=4, rule=rule, solve=False)
    found = TreeSearch(game, random_evaluation(game, 1), options).search(
        states_of(positions), gumbels=noise_for(game, len(positions))
    )
    for row, position in enumerate(positions):
        legal = list(position.legal_actions)
        assert found.actions[row] in legal
        assert found.visits[row].sum() == found.visits[row, legal].sum() == 20
        assert found.policy[row].sum() == pytest.approx(found.policy[row, legal].sum()) == pytest.approx(1)
        assert abs(found.points[row]).max() <= game.most_points
        if rule == "gumbel":
            assert (found.visits[row] > 0).sum() == min(4, len(legal))


@pytest.mark.parametrize("name", ["connect_four", "nine_mens_morris", "tic_tac_toe"])
@pytest.mark.parametrize("rule", RULES)
def test_positions_do_not_depend_on_each_other(name: str, rule: Any) -> None:
    game = make_game(name)
    search = TreeSearch(game, random_evaluation(game, 1), SearchOptions(simulations=24, rule=rule))
    states, noise = states_of(positions_of(game, 6)), noise_for(game, 6)
    together = search.search(states, gumbels=noise)
    for row in range(6):
        alone = search.search(states[row : row + 1], gumbels=noise[row : row + 1])
        assert same(alone, Found(*(each[row : row + 1] for each in together)))
    assert same(search.search(states, gumbels=noise), together)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["connect_four", "pong_hau_ki", "six_mens_morris"])
def test_plain_python_finds_the_same(name: str, rule: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game(name)
    positions = positions_of(game, 3)
    seen = np.tile(game.initial.state, (3, 2, 1))

    def found() -> Found:
        search = TreeSearch(game, random_evaluation(game, 1), SearchOptions(simulations=12, rule=rule))
        return search.search(states_of(positions), seen, gumbels=noise_for(game, 3))

    compiled = found()
    for kernel in (begin_search, go_on, conclude):
        for way in ("run", "trusting"):
            monkeypatch.setitem(vars(kernel), way, kernel.as_python)
    assert same(found(), compiled)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["connect_four", "nine_mens_morris", "tic_tac_toe", "othello"])
def test_a_network_finds_the_same_within_the_kernel(name: str, rule: Any) -> None:
    """Also from a tree that is kept, for several positions at once, and with a memory."""
    game, options = make_game(name), SearchOptions(simulations=40, rule=rule)
    network, positions = random_network(game), positions_of(game, 5)
    seen, noise = np.tile(game.initial.state, (5, 2, 1)), noise_for(game, 5)
    outside = TreeSearch(game, network.evaluate, options)
    expected = outside.search(states_of(positions), seen, gumbels=noise)
    for remembers in (False, True):
        within = TreeSearch(game, network, options, remembers)
        assert same(within.search(states_of(positions), seen, gumbels=noise), expected)
    path = np.array([game.initial.state, game.initial.after(game.initial.legal_actions[0]).state])
    trees = []
    for search in (outside, within):
        search.search(path[:1])
        trees.append(search.search(path[1:], path[None, :1], kept=search.subtree(path)))
    assert same(*trees)


def test_a_network_of_another_game_reaches_no_kernel() -> None:
    with pytest.raises(BadInputError, match="the network is of achi, not of tic_tac_toe"):
        TreeSearch(make_game("tic_tac_toe"), random_network(make_game("achi")))


@pytest.mark.parametrize("name", ["connect_four", "pong_hau_ki"])
def test_a_network_finds_the_same_in_plain_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game(name)
    search = TreeSearch(game, random_network(game), SearchOptions(simulations=12))
    compiled = search.search(states_of(positions_of(game, 2)))
    monkeypatch.setitem(vars(go_on_with_network), "trusting", go_on_with_network.as_python)
    assert same(search.search(states_of(positions_of(game, 2))), compiled)


WINS = [
    # (game, actions before, actions that win)
    ("tic_tac_toe", (0, 3, 1, 4), {2}),
    ("tic_tac_toe", (0, 3, 1, 4, 8), {5}),
    ("connect_four", (0, 1, 0, 1, 0, 1), {0}),
    ("connect_four", (0, 1, 0, 1, 0, 1, 6), {1}),
]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("name", "before", "wins"), WINS)
def test_wins_at_once(name: str, before: tuple[int, ...], wins: set[int], rule: Any) -> None:
    game = make_game(name)
    position = play(game.initial, *before)
    found = TreeSearch(game, uniform_evaluation(game), SearchOptions(simulations=40, rule=rule)).search(
        position.state[None]
    )
    assert int(found.actions[0]) in wins
    assert found.values[0] == 1
    assert {*np.flatnonzero(found.policy[0])} == wins


@pytest.mark.parametrize("rule", RULES)
def test_wins_in_two(rule: Any) -> None:
    """A fork of tic-tac-toe: corners 0 and 8 against the centre and an edge leave two lines open."""
    game = make_game("tic_tac_toe")
    position, solution = play(game.initial, 0, 1), solve(game)
    found = TreeSearch(game, uniform_evaluation(game), SearchOptions(simulations=400, rule=rule)).search(
        position.state[None]
    )
    assert found.values[0] == 1 == solution.value_for(position, 0)
    assert solution.value_for(position.after(int(found.actions[0])), 0) == 1


@pytest.mark.parametrize("rule", RULES)
@over(sampled(WITHOUT_CHANCE, one_in=4))
def test_wins_at_once_and_replies_that_win_at_once_are_seen(game: Game, rule: Any) -> None:
    def has_won(position: Position, seat: int) -> bool:
        return position.is_over and position.points_for(seat) == game.most_points

    def wins_for_the_other(position: Position, action: int) -> bool:
        reached, other = position.after(action), 1 - position.seat
        replies = () if reached.is_over or reached.seat != other else reached.legal_actions
        return has_won(reached, other) or any(has_won(reached.after(reply), other) for reply in replies)

    for position in positions_of(game, 30):
        legal = position.legal_actions
        options = SearchOptions(simulations=len(legal), considered=len(legal), rule="gumbel")
        found = TreeSearch(game, random_evaluation(game, 1), options).search(position.state[None])
        winning = [action for action in legal if has_won(position.after(action), position.seat)]
        if winning:
            short = TreeSearch(game, random_evaluation(game, 1), SearchOptions(simulations=1, rule=rule))
            one = short.search(position.state[None])
            assert one.actions[0] in winning
            assert (found.actions[0] in winning, one.values[0]) == (True, game.most_points)
        elif not all(wins_for_the_other(position, action) for action in legal):
            assert not wins_for_the_other(position, int(found.actions[0]))


@pytest.mark.parametrize("rule", RULES)
def test_what_is_proven_is_true(rule: Any) -> None:
    """A misleading network: only contests that are over tell the truth."""
    game = make_game("tic_tac_toe")
    solution, positions = solve(game), positions_of(game, 60)
    found = TreeSearch(game, random_evaluation(game, 1), SearchOptions(simulations=300, rule=rule)).search(
        states_of(positions)
    )
    proven = 0
    for row, position in enumerate(positions):
        if found.values[row] in (-1, 0, 1):
            proven += 1
            value = solution.value_for(position, position.seat)
            assert found.values[row] == value
            assert solution.value_for(position.after(int(found.actions[row])), position.seat) == value
    assert proven > 15


def test_repetitions_of_the_contest_are_seen() -> None:
    """A position that has come up twice before is a draw, so that it is proven as soon as it is tried."""
    game = make_game("six_mens_morris(recurrences=2)")
    position = positions_of(game, 12)[-1]
    search = TreeSearch(game, random_evaluation(game, 1), SearchOptions(simulations=60, considered=100))
    reached = [position.after(action) for action in position.legal_actions]
    found = search.search(position.state[None], states_of(reached)[None])
    assert found.visits[0, list(position.legal_actions)].min() > 0
    assert (found.points == 0).all()
    assert found.values[0] == 0
    assert search.search(position.state[None]).values[0] != 0


def test_the_limit_of_plies_is_seen() -> None:
    game = replace(make_game("connect_four"), limits=Limits(plies=2))
    search, position = TreeSearch(game, random_evaluation(game, 1)), play(game.initial, 3)
    assert search.search(position.state[None], np.array([[game.initial.state]])).values[0] == 0
    assert search.search(position.state[None]).values[0] != 0


@pytest.mark.parametrize("name", WITH_CHANCE)
def test_refuses_games_of_chance(name: str) -> None:
    with pytest.raises(BadInputError, match="is a game of chance, and alpha_zero looks ahead over actions alone"):
        make_agent("alpha_zero", make_game(name))


@pytest.mark.parametrize("spec", ["connect_four(in_a_row=3)", "connect_four(columns=6)"])
def test_a_network_of_the_package_that_does_not_fit_is_none(spec: str) -> None:
    game, learned = make_game(spec), make_game("connect_four")
    with pytest.raises(BadInputError, match=r"^alpha_zero needs a network of"):
        make_agent("alpha_zero", game)
    with pytest.raises(BadInputError, match=r"has other (lines|actions)"):
        PolicyNetwork(learned, PolicyDesign(inputs="lines", width=8)).at(game)
    with pytest.raises(BadInputError, match=r"has other lines|does not show its positions"):
        Network(learned, Design(inputs="lines", hidden=8)).at(game)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "alpha_zero needs a network of tic_tac_toe: make one with `boardgames improve tic_tac_toe alpha_zero "),
        ("simulations=0", "simulations=0 is not allowed; it must be a whole number from 1 to 1,000,000"),
        ("considered=0", "considered=0 is not allowed; it must be a whole number from 1 to 10,000"),
        ("rule='best'", "alpha_zero: rule='best' is not allowed; rule must be one of 'gumbel', 'puct'"),
        ("noise=-1", "noise=-1 is not allowed; it must be from 0 to 1,000"),
        ("noise=1e308", "noise=1e[+]308 is not allowed; it must be from 0 to 1,000"),
        ("noise=1,afresh=True", "afresh=True is for play without noise, not for noise=1"),
        ("noise=1,rule='puct'", "noise=1 is for rule='gumbel'; the rule 'puct' has none"),
    ],
)
def test_refuses_options(options: str, message: str) -> None:
    with pytest.raises(BadInputError, match=f"^{message}"):
        make_agent(f"alpha_zero({options})", make_game("tic_tac_toe"))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"states": np.zeros((1, 9), dtype=np.int8)}, "states"),
        ({"states": np.array([[0, 1, 1, 1, -1, -1, 0, 0, 0, 0]], dtype=np.int8)}, "the contest is over in position 0"),
        ({"gumbels": np.zeros((2, 9))}, r"gumbels has shape \(2, 9\); it must be \(1, 9\)"),
        ({"seen": np.zeros((1, 2, 3), dtype=np.int8)}, r"seen has shape \(1, 2, 3\); it must be \(1, 2, 10\)"),
        ({"seen": np.zeros(3, dtype=np.int8)}, r"seen has shape \(3,\); it must be \(1, 0, 10\)"),
        ({"counts": np.ones(1, dtype=np.int32)}, "counts are from 1 to 1; seen has 0 rows for each contest"),
        ({"counts": np.zeros(3, dtype=np.int32)}, r"counts has shape \(3,\); it must be \(1,\)"),
        ({"states": [[0] * 10]}, "states are an array of int8, not list"),
        ({"seen": []}, r"seen has shape \(0,\)"),
        ({"seen": np.full((1, 2, 10), 300)}, "seen holds numbers that int8 cannot hold"),
        ({"seen": np.zeros((1, 2, 10))}, "seen is of dtype float64; it must be int8"),
        ({"counts": [0.7]}, "counts is of dtype float64; it must be int32"),
        ({"counts": [2**33]}, "counts holds numbers that int32 cannot hold"),
        ({"gumbels": np.full((1, 9), np.nan)}, "gumbels are not all numbers"),
        ({"gumbels": np.full((1, 9), -np.inf)}, "gumbels are not all numbers"),
        ({"gumbels": np.zeros((1, 9), dtype=complex)}, "gumbels is of dtype complex128; it must be float64"),
        ({"gumbels": [[None] * 9]}, "gumbels is of dtype object; it must be float64"),
    ],
)
def test_refuses_arrays(arrays: dict[str, Any], message: str) -> None:
    game = make_game("tic_tac_toe")
    search = TreeSearch(game, uniform_evaluation(game))
    with pytest.raises(BadInputError, match=message):
        search.search(**{"states": game.initial.state[None], **arrays})


@pytest.mark.parametrize(
    ("logit", "value"), [(np.nan, 0), (np.inf, 0), (-np.inf, 0), (0, np.nan), (0, np.inf), (0, -np.inf)]
)
@pytest.mark.parametrize("rule", RULES)
def test_refuses_evaluations_that_are_no_numbers(logit: float, value: float, rule: Any) -> None:
    """From the second evaluation on, so that the root has its edges."""
    game, asked = make_game("tic_tac_toe"), []

    def evaluate(states: Int8s) -> tuple[Float32s, Float32s]:
        asked.append(len(states))
        is_first = len(asked) == 1
        logits = np.full((len(states), 9), 0 if is_first else logit, dtype=np.float32)
        return logits, np.full(len(states), 0 if is_first else value, dtype=np.float32)

    with pytest.raises(BadInputError, match="are not all numbers: its weights are too large"):
        TreeSearch(game, evaluate, SearchOptions(rule=rule)).search(game.initial.state[None])
    assert len(asked) == 2


def test_refuses_evaluations_that_are_too_large_for_their_dtype() -> None:
    game = make_game("tic_tac_toe")
    search = TreeSearch(game, lambda states: (np.full((len(states), 9), 1e300), np.zeros(len(states))))
    with pytest.raises(BadInputError, match="logits holds numbers that float32 cannot hold"):
        search.search(game.initial.state[None])


@pytest.mark.parametrize("options", ["", "solve=False", "rule='puct'", "images=True", "afresh=True"])
def test_a_network_whose_outputs_are_no_numbers_plays_no_action(options: str, tmp_path: Path) -> None:
    game = make_game("tic_tac_toe")
    network = PolicyNetwork(game, PolicyDesign(width=16))
    network.load({name: np.full_like(layer, 3e38) for name, layer in network.arrays().items()})
    save_network(tmp_path / "huge.safetensors", network)
    arguments = ", ".join(filter(None, (f"network={str(tmp_path / 'huge.safetensors')!r}", options)))
    player = make_player(f"alpha_zero({arguments})", game)
    player.begin(game, (0,), np.random.default_rng(0))
    with pytest.raises(BadInputError, match="its weights are too large"):
        player.choose(game.initial)


def test_refuses_positions_without_a_legal_action() -> None:
    """Four men of no seat win nothing, on a board that is full."""
    game = make_game("connect_four")
    states = np.full((1, game.state_size), 127, dtype=np.int8)
    states[:, 0] = 0
    for network in (random_network(game), uniform_evaluation(game)):
        with pytest.raises(BadInputError, match="no action is legal"):
            TreeSearch(game, network).search(states)


def test_a_tree_is_kept_for_its_own_position_alone() -> None:
    game, other = make_game("tic_tac_toe"), make_game("connect_four")
    search, elsewhere = TreeSearch(game, uniform_evaluation(game)), TreeSearch(other, uniform_evaluation(other))
    path = np.array([game.initial.state, game.initial.play(4).state])
    search.search(path[:1])
    kept = search.subtree(path)
    assert kept is not None
    search.search(path[1:], kept=kept)
    for states in (path[:1], path, np.concatenate([path[1:], path[1:]])):
        with pytest.raises(BadInputError, match="the tree that is kept is of another position"):
            search.search(states, kept=kept)
    with pytest.raises(BadInputError, match="the tree that is kept is of another position"):
        elsewhere.search(other.initial.state[None], kept=kept)
    assert search.subtree(path[:0]) is None
    with pytest.raises(BadInputError, match="states of shape"):
        search.subtree(elsewhere.game.initial.state[None])


@pytest.mark.parametrize("options", [{"simulations": 1.5}, {"simulations": True}, {"considered": 2.5}])
def test_refuses_numbers_of_another_kind(options: dict[str, Any]) -> None:
    with pytest.raises(BadInputError, match="is not allowed"):
        SearchOptions(**options)


def test_refuses_what_evaluates_nothing() -> None:
    with pytest.raises(BadInputError, match="5 evaluates no positions; give a network or a function"):
        TreeSearch(make_game("tic_tac_toe"), 5)  # type: ignore[arg-type]


def test_searches_no_positions() -> None:
    game = make_game("tic_tac_toe")
    found = TreeSearch(game, uniform_evaluation(game)).search(np.zeros((0, 10), dtype=np.int8))
    assert found.visits.shape == found.policy.shape == (0, 9)


def test_sequential_halving() -> None:
    """With 16 simulations for 4 actions, all get 2, then the better two 4 more."""
    table = considered_visits(4, 16)
    assert table[4].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert table[1].tolist() == list(range(16))
    assert table.shape == (5, 16)


def player(game: Game, evaluate: Evaluate | None = None, noise: float = 0.0) -> AlphaZero:
    made = AlphaZero(game, evaluate or random_evaluation(game, 4), SearchOptions(simulations=30), noise)
    made.begin(game, (0, 1), np.random.default_rng(1))
    return made


@pytest.mark.parametrize("noise", [0.0, 1.0])
@over(sampled(WITHOUT_CHANCE, one_in=4))
def test_the_same_seed_gives_the_same_contests(game: Game, noise: float) -> None:
    game = replace(game, limits=Limits(plies=14, plies_draw=False))

    def contests() -> list[tuple[int, ...]]:
        players = player(game, noise=noise), make_agent("random", game)
        return [play_contest(game, players, [9, contest]).actions for contest in range(3)]

    assert contests() == contests()


def counting(evaluate: Evaluate, counts: list[int]) -> Evaluate:
    """Return a network that notes how many positions it evaluates."""

    def counted(states: Int8s) -> tuple[Float32s, Float32s]:
        counts.append(len(states))
        return evaluate(states)

    return counted


@pytest.mark.parametrize("name", ["connect_four", "nine_mens_morris"])
def test_keeps_the_tree_of_the_position_reached(name: str) -> None:
    """The tree holds the child's visits already, and a second choice in a position is the same."""
    game, evaluations = make_game(name), list[int]()
    policy = player(game, counting(random_evaluation(game, 4), evaluations))
    position = game.initial
    for _ in range(4):
        action = policy.choose(position)
        policy.saw(position, action)
        position = position.after(action)
    before = policy._tree_before(position)
    assert before is not None
    visits = int(before._trees.visits[0].sum())
    assert visits > 0
    first, explained = policy.choose(position), policy.explanation(position)
    evaluations.clear()
    assert policy.choose(position) == first
    assert 30 - 5 <= sum(evaluations) <= 30  # (the root has been evaluated)
    assert explained == policy.explanation(position)
    assert sum(int(row[2].replace(",", "")) for row in explained.rows) > 30
    assert explained.rows[0][1] == game.action_text(first)


def test_a_kept_tree_is_that_part_of_the_tree() -> None:
    """Node by node, with the same visits, points and probabilities."""
    game = make_game("nine_mens_morris")
    search = TreeSearch(game, random_evaluation(game, 4), SearchOptions(simulations=200))
    found = search.search(game.initial.state[None])
    action = int(found.visits[0].argmax())
    reached = game.initial.after(action)
    subtree = search.subtree(np.array([game.initial.state, reached.state]))
    assert subtree is not None
    kept = subtree._trees
    nodes = int(kept.columns[0, NODES])
    assert nodes == found.visits[0, action]
    assert (kept.states[0, 0] == reached.state).all()
    for node in range(1, nodes):
        parent, edge = kept.nodes[0, node, :2].tolist()
        assert kept.children[0, edge] == node
        after = Position.unchecked(game, kept.states[0, parent].copy()).after(int(kept.actions[0, edge]))
        assert (kept.states[0, node] == after.state).all()
    assert search.subtree(np.array([reached.state, game.initial.state])) is None
    again = search.search(reached.state[None], np.array([[game.initial.state]]), kept=subtree)
    assert again.visits[0].sum() == found.visits[0, action] - 1 + 200


def test_choices_elsewhere_change_nothing_that_is_played() -> None:
    game = make_game("nine_mens_morris")
    one, other = player(game), player(game)
    position = game.initial
    for number in range(6):
        if number:
            one.choose(game.initial)
            one.choose(position.after(position.legal_actions[0]))
        action = one.choose(position)
        one.choose(position.after(position.legal_actions[-1]))
        assert action == other.choose(position) == one.choose(position)
        for each in (one, other):
            each.saw(position, action)
        position = position.after(action)


def test_with_noise_it_explains_the_choice() -> None:
    policy, position = player(make_game("connect_four"), noise=5.0), make_game("connect_four").initial
    chosen = {policy.choose(position): policy.explanation(position).rows[0][1] for _ in range(8)}
    assert len(chosen) > 2
    assert chosen == {action: position.game.action_text(action) for action in chosen}


def test_a_folder_without_a_network_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=f"the folder {tmp_path} holds no network"):
        make_agent(str(Spec("alpha_zero", {"network": str(tmp_path)})), make_game("tic_tac_toe"))


def test_explains_without_changing_what_is_played() -> None:
    game = make_game("connect_four")
    one, other, position = player(game), player(game), play(game.initial, 3, 3)
    for _ in range(6):
        explanation = one.explanation(position)
        assert explanation.numbers == ("visits", "share", "value", "policy", "network")
        action = one.choose(position)
        assert action == other.choose(position)
        for each in (one, other):
            each.saw(position, action)
        position = position.after(action)
