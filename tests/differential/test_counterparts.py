"""OpenSpiel's own versions of our games, in which our agents play as bots: walked in both at once."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from boardgames_env import BadInputError, Contest, Game, Position, make_game
from tests.differential.test_backgammon import men_of_openspiel, seen_by_openspiel
from tests.variants import fast_for

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'boardgames-env[open_spiel]'")

IN_HAND = 25
"""The slot of nine men's morris with the men that seat 0 has not placed; seat 1's follow."""


def cut_short(position: Position, theirs: Any) -> bool:
    """Whether OpenSpiel's limit of 200 turns, the only draw it has at nine men's morris, has ended the contest."""
    return theirs.is_terminal() and theirs.returns() == [0, 0]


def down_to_three(position: Position, theirs: Any) -> bool:
    """Whether a seat has three men left, with those in hand: from there on OpenSpiel lets it fly."""
    on_board = position.state[1:IN_HAND]
    left = [(on_board == 1).sum() + position.state[IN_HAND], (on_board == -1).sum() + position.state[IN_HAND + 1]]
    return min(left) <= 3 or cut_short(position, theirs)


def play_both(
    game: Game,
    oracle: str,
    numbers: Sequence[int],
    contests: int,
    ends: Callable[[Position, Any], bool] = lambda position, theirs: False,
) -> int:
    """Play contests at random in both, asserting that legal actions and outcomes agree in every position.

    ``numbers`` are OpenSpiel's of our actions. A comparison ends before the contest does where ``ends`` is true of a
    position and OpenSpiel's state. Return the number of compared positions.
    """
    rules = pyspiel.load_game(oracle)
    compared = 0
    for contest in range(contests):
        rng = np.random.default_rng([20, contest])
        position, theirs = game.initial, rules.new_initial_state()
        while not ends(position, theirs):
            compared += 1
            assert position.is_over == theirs.is_terminal(), position.text
            if position.is_over:
                assert [position.points_for(seat) for seat in (0, 1)] == theirs.returns(), position.text
                break
            assert position.seat == theirs.current_player(), position.text
            ours = {numbers[action]: action for action in position.legal_actions}
            assert len(ours) == len(position.legal_actions)
            assert sorted(ours) == theirs.legal_actions(), position.text
            number = sorted(ours)[rng.integers(len(ours))]
            position = position.after(ours[number])
            theirs.apply_action(number)
    return compared


def test_random_contests() -> None:
    from boardgames_baselines.open_spiel.counterparts import COUNTERPARTS, BackgammonCounterpart, counterpart

    assert len(COUNTERPARTS) == 7
    for name, spec in COUNTERPARTS.items():
        found = counterpart(pyspiel.load_game(name))
        assert not isinstance(found, BackgammonCounterpart)
        assert found.game.spec == spec
        is_morris = name == "nine_mens_morris"
        ends = cut_short if is_morris else lambda position, theirs: False
        contests = 100 if name == "othello" else 1000  # (of sixty actions each)
        compared = play_both(found.game, name, found.numbers, contests=contests, ends=ends)
        assert compared > (50_000 if is_morris else 5000)


SHAPES = [(7, 6, 4), (4, 4, 4), (6, 5, 4), (5, 3, 3), (8, 7, 5)]
"""Boards of connect four: columns, rows and discs in a row."""


@pytest.mark.parametrize(("columns", "rows", "in_a_row"), SHAPES)
def test_random_contests_of_connect_four(columns: int, rows: int, in_a_row: int) -> None:
    from boardgames_baselines.open_spiel.counterparts import counterpart

    game = make_game("connect_four", columns=columns, rows=rows, in_a_row=in_a_row)
    oracle = f"connect_four(columns={columns},rows={rows},x_in_row={in_a_row},egocentric_obs_tensor=true)"
    found = counterpart(pyspiel.load_game(oracle))
    assert found.game is game
    assert play_both(game, oracle, found.numbers, contests=2000) > 15_000


@pytest.mark.parametrize("size", ["", "(columns=4,rows=4)", "(columns=5,rows=6)"])
def test_random_contests_of_breakthrough(size: str) -> None:
    from boardgames_baselines.open_spiel.counterparts import counterpart

    rules = pyspiel.load_game(f"breakthrough{size}")
    found = counterpart(rules)
    for contest in range(2000):
        rng = np.random.default_rng([21, contest])
        position, theirs = found.game.initial, rules.new_initial_state()
        while not theirs.is_terminal():
            numbers = {found.number(position, action): action for action in position.legal_actions}
            assert sorted(numbers) == theirs.legal_actions(), position.text
            assert position.seat == theirs.current_player()
            number = int(rng.choice(theirs.legal_actions()))
            assert found.actions(position, number) == (numbers[number],)
            written = theirs.action_to_string(number).rstrip("*")
            position = position.after(numbers[number])
            assert written[0] + written[2] == found.game.action_text(numbers[number])[::3]
            theirs.apply_action(number)
        assert [position.points_for(seat) for seat in (0, 1)] == theirs.returns()


@pytest.mark.parametrize("contests", fast_for([30], [30, 2000]))
def test_random_contests_of_checkers(contests: int) -> None:
    """To the end, by OpenSpiel's rules of draws."""
    from boardgames_baselines.open_spiel.counterparts import CHECKERS, counterpart

    found = counterpart(pyspiel.load_game("checkers"))
    assert found.game is make_game(CHECKERS)
    rules = pyspiel.load_game("checkers")
    ends = set()
    for contest in range(contests):
        rng = np.random.default_rng([22, contest])
        ours, theirs = Contest(found.game), rules.new_initial_state()
        while not ours.is_over:
            position = ours.position
            numbers = {found.number(position, action): action for action in position.legal_actions}
            assert sorted(numbers) == theirs.legal_actions(), position.text
            assert position.seat == theirs.current_player()
            assert board_of_checkers(position) == board_in_openspiel(theirs), position.text
            number = int(rng.choice(theirs.legal_actions()))
            ours.play(numbers[number])
            theirs.apply_action(number)
        assert theirs.is_terminal()
        assert theirs.returns() == [ours.points, -ours.points]
        ends.add(ours.end)
    assert {"no_move", "no_progress"} <= ends


def board_of_checkers(position: Position) -> str:
    """What stands on the squares, from white's last one to black's first: OpenSpiel's board is turned round."""
    return "".join("*+.o8"[2 + men] for men in position.state[32:0:-1].tolist())


def board_in_openspiel(theirs: Any) -> str:
    """What stands on the dark squares, row by row; rows are numbered at the left."""
    rows = [line[1:] for line in str(theirs).splitlines()[:8]]
    return "".join(row[(1 + number) % 2 :: 2] for number, row in enumerate(rows))


def test_checkers_of_another_size_is_refused() -> None:
    from boardgames_baselines.open_spiel.counterparts import counterpart

    with pytest.raises(BadInputError, match=r"checkers.* has the rules of no game of ours"):
        counterpart(pyspiel.load_game("checkers(rows=10,columns=10)"))


@pytest.mark.parametrize("contests", fast_for([50], [50, 2000]))
def test_random_contests_of_pettingzoos_connect_four(contests: int) -> None:
    """Legal columns, boards, who has won and when: as in PettingZoo's own environment."""
    connect_four_v3 = pytest.importorskip("pettingzoo.classic.connect_four_v3", reason="it is not installed")
    theirs, game, rng = connect_four_v3.env(), make_game("connect_four"), np.random.default_rng(5)
    for _ in range(contests):
        theirs.reset()
        position = game.initial
        while not position.is_over:
            seen = theirs.observe(theirs.agent_selection)
            assert tuple(np.flatnonzero(seen["action_mask"])) == position.legal_actions
            own, other = (seen["observation"][:, :, plane].ravel() for plane in (0, 1))
            assert position.features()[:84].tolist() == [*own, *other]
            action = int(rng.choice(position.legal_actions))
            position = position.after(action)
            theirs.step(action)
        assert all(theirs.terminations.values())
        assert list(theirs.rewards.values()) == [position.points_for(seat) for seat in (0, 1)]


@pytest.mark.parametrize("contests", fast_for([20], [20, 2000]))
def test_random_contests_of_othello(contests: int) -> None:
    """Discs and texts of actions, too, are OpenSpiel's."""
    rules, game = pyspiel.load_game("othello"), make_game("othello")
    for contest in range(contests):
        rng = np.random.default_rng([22, contest])
        position, theirs = game.initial, rules.new_initial_state()
        while not theirs.is_terminal():
            assert position.seat == theirs.current_player()
            assert position.legal_actions == tuple(theirs.legal_actions())
            _, own, other = np.array(theirs.observation_tensor(position.seat)).reshape(3, 64)
            assert position.features()[:128].tolist() == [*own, *other]
            action = int(rng.choice(position.legal_actions))
            assert game.action_text(action) == theirs.action_to_string(action)
            position = position.after(action)
            theirs.apply_action(action)
        assert [position.points_for(seat) for seat in (0, 1)] == theirs.returns()


@pytest.mark.slow
def test_random_contests_of_pgxs_othello() -> None:
    """2,000 contests at once. Where neither seat can enclose a disc, both pass in pgx before the contest ends."""
    jax, pgx = (pytest.importorskip(name, reason=f"{name} is not installed") for name in ("jax", "pgx"))
    contests, env, game, rng = 2000, pgx.make("othello"), make_game("othello"), np.random.default_rng(23)
    step = jax.jit(jax.vmap(env.step))
    theirs = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), contests))
    black = np.array(theirs.current_player)
    positions, unfinished = [game.initial] * contests, set(range(contests))
    while unfinished:
        masks, seen = np.array(theirs.legal_action_mask), np.array(theirs.observation)
        actions = np.full(contests, 64)
        for which in unfinished:
            position, legal = positions[which], tuple(np.flatnonzero(masks[which]))
            assert legal == ((64,) if position.is_over else position.legal_actions)
            if not position.is_over:
                assert position.features()[:128].tolist() == seen[which].reshape(64, 2).T.ravel().tolist()
                actions[which] = rng.choice(legal)
                positions[which] = position.after(int(actions[which]))
        theirs = step(theirs, actions)
        over, rewards = np.array(theirs.terminated), np.array(theirs.rewards)
        for which in [each for each in unfinished if over[each]]:
            assert rewards[which, black[which]] == positions[which].outcome
            unfinished.remove(which)


def test_random_contests_without_flying() -> None:
    from boardgames_baselines.open_spiel.counterparts import _number_of_action

    game = make_game("nine_mens_morris", fly_at=0)
    numbers = [_number_of_action(action, game) for action in game.actions]
    assert play_both(game, "nine_mens_morris", numbers, contests=1000, ends=down_to_three) > 50_000


NAMES = {
    "backgammon": "backgammon(scoring_type=full_scoring)",
    "hypergammon": "backgammon(scoring_type=full_scoring,hyper_backgammon=True)",
}


def bots_at_the_end(name: str, agents: tuple[str, str], seed: int) -> Any:
    """The bots, and OpenSpiel's state at the end; both bots have followed it there."""
    from boardgames_baselines.open_spiel import PolicyBot

    game, rng = pyspiel.load_game(NAMES[name]), np.random.default_rng(seed)
    bots = [PolicyBot(agent, game, player, (seed, player)) for player, agent in enumerate(agents)]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, likely = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=likely)))
            continue
        bot = bots[state.current_player()]
        action = bot.step(state)
        # (of a double that cannot be played out, OpenSpiel has the seat pass when here its turn is over)
        assert bot.position.awaits_chance or bot.position.seat == state.current_player()
        assert seen_by_openspiel(bot.position.state[np.newaxis])[0] == men_of_openspiel(state)
        state.apply_action(action)
    for bot in bots:
        bot.restart_at(state)
    return bots, state


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(8))
def test_a_contest_is_the_same_in_both(name: str, seed: int) -> None:
    bots, state = bots_at_the_end(name, ("random", "random"), seed)
    for bot in bots:
        assert bot.position.is_over
        assert bot.position.game == make_game(name)
        points = [bot.position.points_for(seat) for seat in (0, 1)]
        if name == "backgammon":
            assert points == state.returns()
        else:  # (whose returns are 0 in OpenSpiel 2.0.2, whoever wins)
            assert [f"{seat}: 3" in str(state) for seat in "XO"] == [each > 0 for each in points]


def test_a_trained_network_wins_there() -> None:
    points = [bots_at_the_end("backgammon", ("td_gammon", "random"), seed)[1].returns()[0] for seed in range(8)]
    points += [bots_at_the_end("backgammon", ("random", "td_gammon"), seed)[1].returns()[1] for seed in range(8)]
    assert sum(points) > 20


def test_an_agent_that_cannot_play_it_is_refused() -> None:
    from boardgames_baselines.open_spiel import PolicyBot

    with pytest.raises(BadInputError, match="backgammon cannot be solved"):
        PolicyBot("perfect", pyspiel.load_game("backgammon"), 0)
