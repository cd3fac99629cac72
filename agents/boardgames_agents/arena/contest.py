"""One contest between two policies."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from boardgames_agents.policy import Policy
from boardgames_env.chance import Chances
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.history import CUT, History
from boardgames_env.kernels import ONGOING
from boardgames_env.position import IllegalActionError, Position

_OF_CHANCE = 2**32 - 1
"""The number of the stream that dice come from; those of players and watchers are counted from 1."""


@dataclass(frozen=True)
class Record:
    """What happened in a contest.

    Attributes:
        game: The game's spec.
        players: The specs of the two seats' policies.
        actions: Every action, in order, those of an opening included.
        outcome: The points of seat 0; 0 also for a contest that was cut short.
        cut: Whether a limit cut the contest short without making it a draw by rule.
        plies: How many plies were played.
        decisions: How many actions the two seats chose.
        seconds: What the two seats' decisions took, in seconds; left out of comparisons of records.
        events: Every event that chance decided (rolls of dice), in order; none in games without chances.
    """

    game: str
    players: tuple[str, str]
    actions: tuple[int, ...]
    outcome: int
    cut: bool
    plies: int
    decisions: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = field(default=(0.0, 0.0), compare=False)
    events: tuple[int, ...] = ()

    def points_for(self, seat: int) -> int:
        """The outcome as a seat sees it."""
        return self.outcome if seat == 0 else -self.outcome

    def positions(self, game: Game) -> tuple[Position, ...]:
        """The positions of the contest, replayed: that in which each action was chosen, and the last one.

        Args:
            game: The game that was played.

        Raises:
            BadInputError: If the record is not of this game: an action is not legal, or events are missing.
        """
        events = iter(self.events)
        positions = [_happened(game.initial, events)]
        for action in self.actions:
            positions.append(_happened(positions[-1].play(action), events))
        return tuple(positions)


def _happened(position: Position, events: Iterator[int]) -> Position:
    """The position after chance has decided, as recorded, all that it must."""
    while position.awaits_chance:
        event = next(events, None)
        if event is None:
            raise BadInputError(f"the record ends where chance must decide; it is not one of {position.game.spec}")
        position = position.happen(event)
    return position


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
