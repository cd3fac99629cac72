"""One contest between two policies."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from boardgames_agents.policy import Forfeit, Policy, demand_legal
from boardgames_agents.record import Record
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game

_CHANCE = 2**32 - 1
"""The number of the stream of chance events; those of players and watchers are numbered from 1."""


def play_contest(
    game: Game,
    players: tuple[Policy, Policy],
    seed: Sequence[int],
    watchers: Sequence[Policy] = (),
    opening: Sequence[int] = (),
) -> Record:
    """Play one contest. A policy that raises `Forfeit` loses it by a point.

    Args:
        game: The game.
        players: The policies of seats 0 and 1; one and the same object plays both.
        seed: The random seed of the contest.
        watchers: Policies that see the contest and do not play.
        opening: Actions that are played first. Policies get them by `Policy.given` in the place of `Policy.saw`; they
            count among the plies.

    Raises:
        IllegalActionError: If a policy chooses an illegal action, or the opening has one.
        BadInputError: If the contest is over after the opening.
    """
    audience = begin_all(game, players, seed, watchers)
    contest = _opened(game, seed, audience, opening)
    decisions, seconds = [0, 0], [0.0, 0.0]
    loser: int | None = None
    while not contest.is_over:
        position, seat = contest.position, contest.seat
        before = perf_counter()
        decisions[seat] += 1
        try:
            action = players[seat].choose(position)
        except Forfeit:
            loser = seat
            break
        finally:
            seconds[seat] += perf_counter() - before
        demand_legal(players[seat], position, action)
        for policy in audience:
            policy.saw(position, action)
        contest.advance(action)
    record = Record(
        game=game.spec,
        players=(players[0].spec, players[1].spec),
        actions=tuple(contest.actions),
        outcome=contest.points if loser is None else 2 * loser - 1,
        cut=contest.is_cut,
        plies=contest.plies,
        decisions=(decisions[0], decisions[1]),
        seconds=(seconds[0], seconds[1]),
        events=tuple(contest.events),
        seed=tuple(seed),
        end=contest.end if loser is None else "illegal",
    )
    for policy in audience:
        policy.end(record)
    return record


def _opened(game: Game, seed: Sequence[int], audience: Sequence[Policy], opening: Sequence[int]) -> Contest:
    """Return a contest after its opening, which all policies are given."""
    contest = Contest(game, chance_of(game, seed) if game.rules.has_chance else None)
    for action in opening:
        position = contest.position
        position.check(action)
        for policy in audience:
            policy.given(position, action)
        contest.advance(action)
    if contest.is_over:
        raise BadInputError(f"the contest of {game.spec} is over after its opening; give a shorter one")
    return contest


def begin_all(
    game: Game, players: tuple[Policy | None, Policy | None], seed: Sequence[int], watchers: Sequence[Policy] = ()
) -> list[Policy]:
    """Begin a contest for all policies, each with a generator of its own, and return them.

    Where a person plays, who needs no generator, the seat holds ``None``; the others' generators stay the same.
    """
    one, other = players
    casts: list[tuple[Policy | None, tuple[int, ...]]]
    casts = [(one, (0, 1))] if one is other and one else [(one, (0,)), (other, (1,))]
    casts += [(watcher, ()) for watcher in watchers]
    # from 1, because NumPy passes over zeros at the end: seeds of different lengths must give different chances
    for stream, (policy, seats) in enumerate(casts, start=1):
        if policy is not None:
            policy.begin(game, seats, np.random.default_rng([*seed, stream]))
    return [policy for policy, _ in casts if policy is not None]


def chance_of(game: Game, seed: Sequence[int]) -> ChanceStream:
    """Return the chance events of the contest with a seed."""
    return ChanceStream(game, np.random.default_rng([*seed, _CHANCE]))
