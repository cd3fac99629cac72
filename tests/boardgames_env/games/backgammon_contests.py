"""Contests and positions of backgammon for tests."""

from collections.abc import Mapping, Sequence
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray

from boardgames_env import Game, Position, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import turns
from boardgames_env.encoding import encoding_of
from boardgames_env.games.backgammon.notation.matches import Match, MatchContest, Played, games_of
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.kernels import State

Men = Mapping[int, int]
"""How many men are on each of a seat's own points, 25 for the bar, 0 for the tray; none where no point is named."""

START: Men = {24: 2, 13: 5, 8: 3, 6: 5}


def state_of(game: Game, own: Men, other: Men, seat: int = 0) -> State:
    """A state with the men of the seat to move and of the other."""
    state = np.zeros(game.state_size, dtype=np.int8)
    state[0], state[board.STAGE] = seat, board.ROLLING
    state[board.STATE_SIZE :] = game.initial.state[board.STATE_SIZE :]  # (the score of a match)
    for who, men in ((seat, own), (1 - seat, other)):
        for point, number in men.items():
            slot = {board.BAR: board.BARS + who, 0: board.TRAYS + who}.get(point, point if who == 0 else 25 - point)
            state[slot] += (1 - 2 * who) * number
    return state


def position_of(
    game: Game | str, own: Men, other: Men, dice: Sequence[int] = (), seat: int = 0, **slots: int
) -> Position:
    """A position in which a seat is to play some dice, or else to roll, unless ``stage`` says otherwise."""
    game = make_game(game) if isinstance(game, str) else game
    state = state_of(game, own, other, seat)
    for die in dice:
        state[board.DICE + die] += 1
    state[board.STAGE] = slots.get("stage", board.MOVING if dice else board.ROLLING)
    state[board.CUBE], state[board.OWNER] = slots.get("cube", 0), slots.get("owner", 0)
    return game.position(state)


def random_contest(spec: str, seed: int, drops: float = 0.1) -> tuple[MatchContest, list[Position]]:
    """A contest between random players, who seldom drop a double, and all its positions."""
    rng = np.random.default_rng(seed)
    position = make_game(spec).initial
    dice = ChanceStream(position.game, rng)
    positions, events, actions = [position], list[int](), list[int]()
    while not position.is_over:
        state = position.state.copy()
        if happened := dice.settle(state):
            events += happened
            position = Position.unchecked(position.game, state)
            positions.append(position)
        legal = position.legal_actions
        action = int(rng.choice(legal))
        if position.game.action_text(action) in ("drop", "double") and rng.random() > drops:
            action = legal[0]
        actions.append(action)
        position = position.play(action)
        positions.append(position)
    return MatchContest(tuple(events), tuple(actions), position.outcome or 0), positions


def before_rolls(spec: str, number: int) -> list[State]:
    """The states before each roll of contests between random players."""
    states = (each.state for seed in count() for each in random_contest(spec, seed)[1][1:] if each.awaits_chance)
    return list(islice(states, number))


def scattered(rng: np.random.Generator, men: int) -> tuple[dict[int, int], dict[int, int]]:
    """Some men of each side anywhere: few points, home boards that are blocked, men on the bar and men that are off."""
    own, other = dict[int, int](), dict[int, int]()
    everywhere = rng.random() < 0.5
    for side, opposite in ((own, other), (other, own)):
        left = men - int(rng.integers(men))
        side[0] = men - left
        reach = 24 if everywhere else 6
        while left:
            point = 25 if rng.random() < 0.12 else int(rng.integers(1, reach + 1))
            if point == 25 or not opposite.get(25 - point):
                number = min(left, int(rng.integers(1, 4)))
                side[point] = side.get(point, 0) + number
                left -= number
    return {point: n for point, n in own.items() if n}, {point: n for point, n in other.items() if n}


def dense(game: Game, name: str, state: State, viewer: int) -> NDArray[np.float32]:
    """All inputs of an encoding, those that are 0 too."""
    encoding = encoding_of(game, name)
    indices = np.full(encoding.size, -1, dtype=np.int32)
    values = np.full(encoding.size, np.nan, dtype=np.float32)
    n = encoding.kernel(state, viewer, indices, values)
    assert (np.diff(indices[:n]) > 0).all()
    assert (values[:n] != 0).all()
    inputs = np.zeros(encoding.size, dtype=np.float32)
    inputs[indices[:n]] = values[:n]
    return inputs


def played_match(spec: str, seed: int) -> Match:
    """A match between random players, or four contests for money."""
    game, players = make_game(spec), ("random, the first", "td_gammon(plies=2)")
    if "match_length" in spec:
        games = games_of(game, random_contest(spec, seed, drops=0.5)[0])
        return Match(game, players, games, game.options["match_length"])
    return Match(game, players, [random_contest(spec, seed + number, drops=0.3)[0] for number in range(4)])


def turns_of(game: Game, contest: Played, start: Position | None = None) -> list[Position]:
    """The positions between turns, which do not tell the order of a turn's steps."""
    start = start or game.initial
    return [start, *(turn.after for turn in turns(start, contest.actions, contest.events))]


def assert_same_contests(read: Match, match: Match) -> None:
    """Events, outcomes and turns are the same; the order of the steps within a turn need not be."""
    assert len(read.contests) == len(match.contests)
    for contest, again, start in zip(match.contests, read.contests, match.starts, strict=False):
        assert (again.events, again.outcome) == (contest.events, contest.outcome)
        assert len(again.actions) == len(contest.actions)
        assert turns_of(read.game, again, start) == turns_of(match.game, contest, start)
