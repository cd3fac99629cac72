"""One contest between two policies."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from agents.policy import Policy
from boardgames_env.errors import one_of
from boardgames_env.game import Game
from boardgames_env.history import CUT, History
from boardgames_env.kernels import ONGOING
from boardgames_env.position import IllegalActionError


@dataclass(frozen=True)
class Record:
    """What happened in a contest.

    Attributes:
        game: The game's spec.
        players: The specs of the two seats' policies.
        actions: Every action, in order.
        outcome: The points of seat 0; 0 also for a contest that was cut short.
        cut: Whether a limit cut the contest short without making it a draw by rule.
        plies: How many plies were played.
        decisions: How many actions the two seats chose.
        seconds: What the two seats' decisions took, in seconds; left out of comparisons of records.
    """

    game: str
    players: tuple[str, str]
    actions: tuple[int, ...]
    outcome: int
    cut: bool
    plies: int
    decisions: tuple[int, int] = (0, 0)
    seconds: tuple[float, float] = field(default=(0.0, 0.0), compare=False)

    def points_for(self, seat: int) -> int:
        """The outcome as a seat sees it."""
        return self.outcome if seat == 0 else -self.outcome


def play_contest(
    game: Game,
    players: tuple[Policy, Policy],
    seed: Sequence[int],
    watchers: Sequence[Policy] = (),
) -> Record:
    """Play one contest.

    Args:
        game: The game.
        players: The policies of seats 0 and 1; one and the same object plays itself.
        seed: Whole numbers that settle every chance of the contest.
        watchers: Policies that see the contest and do not play.

    Raises:
        IllegalActionError: If a policy chooses an illegal action.
    """
    audience = _introduce(game, players, seed, watchers)
    position = game.initial
    history = History(game)
    history.begin(position.state)
    actions = []
    decisions = [0, 0]
    seconds = [0.0, 0.0]
    result = ONGOING
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
        position = position.after(action)
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
    )
    for policy in audience:
        policy.end(record)
    return record


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
