"""One contest between two policies."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from boardgames_agents.policy import Policy
from boardgames_agents.record import Record
from boardgames_env.chance import Chances
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.history import CUT, History
from boardgames_env.kernels import ONGOING
from boardgames_env.position import IllegalActionError, Position

_OF_CHANCE = 2**32 - 1
"""The number of the stream that dice come from; those of players and watchers are counted from 1."""


def play_contest(
    game: Game,
    players: tuple[Policy, Policy],
    seed: Sequence[int],
    watchers: Sequence[Policy] = (),
    opening: Sequence[int] = (),
) -> Record:
    """Play one contest.

    Args:
        game: The game.
        players: The policies of seats 0 and 1; one and the same object plays itself.
        seed: Whole numbers that settle every chance of the contest.
        watchers: Policies that see the contest and do not play.
        opening: Actions that are played before anybody is asked; policies are told that they are `Policy.given`, not
            that they `saw` them. They count among the plies.

    Raises:
        IllegalActionError: If a policy chooses an illegal action, or the opening has one.
        BadInputError: If the contest is over after the opening.
    """
    audience = _introduce(game, players, seed, watchers)
    chances = Chances(game, np.random.default_rng([*seed, _OF_CHANCE]))
    events: list[int] = []
    position = _settled(game.initial, chances, events)
    history = History(game)
    history.begin(position.state)
    result = ONGOING
    for action in opening:
        after = position.play(action)
        for policy in audience:
            policy.given(position, action)
        position = _settled(after, chances, events)
        result = history.add(position.state)
    if result != ONGOING:
        raise BadInputError(f"the contest of {game.spec} is over after its opening; give a shorter one")
    actions = list(opening)
    decisions = [0, 0]
    seconds = [0.0, 0.0]
    while result == ONGOING:
        seat = position.seat
        before = perf_counter()
        action = players[seat].choose(position)
        seconds[seat] += perf_counter() - before
        decisions[seat] += 1
        if action not in position.legal_actions:
            raise IllegalActionError(
                f"{players[seat].spec or type(players[seat]).__name__} chose action {action}, which is not legal "
                f"here; legal: {one_of(position.legal_actions)}"
            )
        for policy in audience:
            policy.saw(position, action)
        actions.append(action)
        position = _settled(position.after(action), chances, events)
        result = history.add(position.state)
    record = Record(
        game=game.spec,
        players=(players[0].spec, players[1].spec),
        actions=tuple(actions),
        outcome=0 if result == CUT else result,
        cut=result == CUT,
        plies=history.plies,
        decisions=(decisions[0], decisions[1]),
        seconds=(seconds[0], seconds[1]),
        events=tuple(events),
    )
    for policy in audience:
        policy.end(record)
    return record


def _settled(position: Position, chances: Chances, events: list[int]) -> Position:
    """The position after chance has decided all that it must; the events are added to those so far."""
    if not position.awaits_chance:
        return position
    state = position.state.copy()
    events += chances.settle(state)
    return Position(position.game, state)


def _introduce(
    game: Game, players: tuple[Policy, Policy], seed: Sequence[int], watchers: Sequence[Policy]
) -> list[Policy]:
    """Tell everyone that a contest begins; each gets a stream of chances of its own."""
    if players[0] is players[1]:
        casts: list[tuple[Policy, tuple[int, ...]]] = [(players[0], (0, 1))]
    else:
        casts = [(players[0], (0,)), (players[1], (1,))]
    casts += [(watcher, ()) for watcher in watchers]
    # from 1, because NumPy passes over zeros at the end: seeds of different lengths must give different chances
    for stream, (policy, seats) in enumerate(casts, start=1):
        policy.begin(game, seats, np.random.default_rng([*seed, stream]))
    return [policy for policy, _ in casts]
