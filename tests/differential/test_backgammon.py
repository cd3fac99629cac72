"""Backgammon against GNU Backgammon (its moves, its pubeval, its bear-off table) and against OpenSpiel's game."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from boardgames_agents.backgammon.gnubg import side, slots, whole_roll
from boardgames_agents.backgammon.gnubg_engine import played
from boardgames_agents.backgammon.pubeval import find_race, score_kernel
from boardgames_agents.registry import make_agent
from boardgames_env import Game, Position, make_game
from boardgames_env.games.backgammon.notation.position_id import parse_position, position_id
from boardgames_env.games.backgammon.rules.backgammon_board import BARS, HOME, OPENING, POINTS, STAGE
from boardgames_env.games.backgammon.rules.turns import ROLLS
from boardgames_env.moves import moves_of
from boardgames_env.solve.bearoff import bearoff, home_number
from tests.positions import Dice

GAME = "backgammon"
MEN = slice(1, BARS + 2)
"""The slots of a state that hold the men on the points and bars."""

sizes = pytest.mark.parametrize("positions", [2_000, pytest.param(20_000, marks=pytest.mark.slow)])


def random_contests(seed: int) -> Iterator[Position]:
    """Positions in which a roll is to be played, of contests in which all moves are equally likely."""
    game = make_game(GAME)
    rng, dice = np.random.default_rng(seed), Dice(game, seed)
    while True:
        position = dice.settled(game.initial)
        while not position.is_over:
            yield position
            afterstates, _ = moves_of(game, position.state)
            position = dice.settled(Position.unchecked(game, afterstates[rng.integers(len(afterstates))].copy()))


def gnubg_board(position: Position) -> tuple[Any, Any]:
    """The men of the other seat, and of the seat to move."""
    return side(position.state, 1 - position.seat), side(position.state, position.seat)


def men_seen_by_gnubg(position: Position, own: Any, other: Any) -> bytes:
    """What a state would hold, in the slots of the men, where the seat to move has ``own``."""
    return slots(*((own, other) if position.seat == 0 else (other, own))).tobytes()


@sizes
def test_moves_are_those_of_gnubg(positions: int, game: Game) -> None:
    gnubg = pytest.importorskip("gnubg_nn")
    compared = 0
    for position, _ in zip(random_contests(1), range(positions), strict=False):
        dice = whole_roll(position.state)
        assert dice is not None
        ours = {row[MEN].tobytes() for row in moves_of(game, position.state)[0]}
        keys = gnubg.moves(gnubg_board(position), *dice)
        theirs = {men_seen_by_gnubg(position, *gnubg.board_from_position_key(key)[::-1]) for key in keys}
        assert ours == (theirs or {position.state[MEN].tobytes()}), position.text
        compared += bool(keys)
    assert compared > positions * 0.8


@sizes
def test_ids_are_those_of_gnubg(positions: int, game: Game) -> None:
    gnubg = pytest.importorskip("gnubg_nn")
    for position, _ in zip(random_contests(5), range(positions), strict=False):
        text = gnubg.position_id(list(gnubg_board(position)))
        assert position_id(position) == text
        read = parse_position(game, text)
        assert [list(side) for side in gnubg.board_from_position_id(text)] == list(gnubg_board(read))
        assert position.seat == 1 or read.state[MEN].tolist() == position.state[MEN].tolist()


@sizes
def test_pubeval_is_that_of_gnubg(positions: int, game: Game) -> None:
    """The scores of positions, and of what its best move leads to: of equal ones it may choose another."""
    gnubg = pytest.importorskip("gnubg_nn")
    player, score = make_agent("pubeval", game), score_kernel().run
    races = 0
    for position, _ in zip(random_contests(2), range(positions // 4), strict=False):
        other, own = gnubg_board(position)
        seat, race = position.seat, bool(find_race.run(position.state))
        races += race
        theirs = gnubg.pub_eval_score([own, other])
        assert score(position.state, seat, race) == pytest.approx(theirs, rel=1e-5, abs=1e-5)
        chosen = position
        while chosen.seat == seat and not chosen.is_over and not chosen.awaits_chance:
            chosen = chosen.play(player.choose(chosen))
        steps = np.array(gnubg.pub_best_move([other, own], *whole_roll(position.state))).reshape(-1, 2) + 1
        if len(steps):
            text = " ".join(f"{start}/{max(end, 0)}" for start, end in steps)
            wanted = men_seen_by_gnubg(position, *played(text, own, other))
            scores = {row[MEN].tobytes(): score(row, seat, race) for row in moves_of(game, position.state)[0]}
            assert score(chosen.state, seat, race) == pytest.approx(scores[wanted], rel=1e-5)
    assert races > positions / 100


def test_bearing_off_is_that_of_gnubg(game: Game) -> None:
    """How likely it takes how many rolls, from 1 on; GNU Backgammon keeps that, and plays by that, in 16 bits."""
    gnubg = pytest.importorskip("gnubg_nn")
    tables, rng = bearoff(), np.random.default_rng(4)
    apart = []
    for _ in range(1500):
        men = np.bincount(rng.integers(0, HOME, rng.integers(1, 16)), minlength=HOME)
        state = np.zeros(game.state_size, dtype=np.int8)
        state[1 : 1 + HOME] = men
        theirs = np.array(gnubg.bearoff_probabilities(tuple(men.tolist())))
        ours = tables.rolls[home_number(state, 0, 15)][1:]
        mean = ours.astype(np.float64) @ np.arange(1, len(ours) + 1)
        assert ours[: len(theirs)] == pytest.approx(theirs, abs=5e-4)
        apart.append(abs(mean - theirs @ np.arange(1, len(theirs) + 1)))
    assert np.quantile(apart, 0.99) < 1e-4
    assert max(apart) < 2e-4


def seen_by_openspiel(states: np.ndarray) -> list[bytes]:
    """The men of states as in OpenSpiel's observation: by seat, by point; 1, 2, 3 and more than 3 men; bars, trays."""
    points = states[:, POINTS:0:-1]
    parts = []
    for men in (np.maximum(points, 0), np.maximum(-points, 0)):
        parts.append(np.stack([men == 1, men == 2, men == 3, np.maximum(men - 3, 0)], axis=2).reshape(len(states), -1))
    bars_and_trays = np.abs(states[:, [BARS, BARS + 2, BARS + 1, BARS + 3]])
    return [row.tobytes() for row in np.hstack([*parts, bars_and_trays]).astype(np.float32)]


def men_of_openspiel(theirs: Any) -> bytes:
    seen = np.array(theirs.observation_tensor(0), dtype=np.float32)
    return np.delete(seen, [194, *range(197, len(seen))]).tobytes()


def whole_moves_of_openspiel(theirs: Any) -> dict[bytes, Any]:
    """The states after whole moves, by their men; a double is two actions there."""
    player = theirs.current_player()
    after: dict[bytes, Any] = {}
    halves: dict[bytes, Any] = {}
    for action in theirs.legal_actions():
        child = theirs.child(action)
        (halves if child.current_player() == player else after)[men_of_openspiel(child)] = child
    for half in halves.values():
        for action in half.legal_actions():
            child = half.child(action)
            after[men_of_openspiel(child)] = child
    return after


def roll_in_openspiel(theirs: Any, opening: bool, event: int) -> None:
    """Make an event of ours happen."""
    high, low = ROLLS[event % 15 if opening else event]
    wanted = f"{'XO'[event // 15]} starts, (roll: {high}{low})" if opening else f"(roll: {high}{low})"
    turned = wanted.replace(f"{high}{low}", f"{low}{high}")
    for outcome in theirs.legal_actions():
        if any(theirs.action_to_string(outcome).endswith(f" {text}") for text in (wanted, turned)):
            theirs.apply_action(outcome)
            return
    raise AssertionError(wanted)


@pytest.mark.parametrize("positions", [600, pytest.param(10_000, marks=pytest.mark.slow)])
def test_contests_are_those_of_openspiel(positions: int, game: Game) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rules = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    rng = np.random.default_rng(3)
    compared = ended = 0
    while compared < positions:
        position, theirs = game.initial, rules.new_initial_state()
        while not position.is_over:
            compared += 1
            event = int(rng.choice([each.number for each in position.events()]))
            opening = bool(position.state[STAGE] == OPENING)
            position = position.happen(event)
            roll_in_openspiel(theirs, opening, event)
            assert position.seat == theirs.current_player()
            afterstates, _ = moves_of(game, position.state)
            after = whole_moves_of_openspiel(theirs)
            ours = seen_by_openspiel(afterstates)
            assert set(ours) == set(after), position.text
            row = rng.integers(len(ours))
            position, theirs = Position.unchecked(game, afterstates[row].copy()), after[ours[row]]
            assert position.is_over == theirs.is_terminal()
        assert [position.points_for(seat) for seat in (0, 1)] == theirs.returns(), position.text
        ended += 1
    assert ended >= 4
