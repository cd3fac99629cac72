"""The luck of contests, and points from which it is subtracted.

The luck of a chance event is the value of the best reply to it, less the mean of this value over all events that were
possible. Its expectation is 0, whatever evaluator finds the values and whoever plays. So points less the luck of both
seats have the same expectation as the points, but a smaller variance: the better the evaluator, the fewer contests give
the same precision.

Source: M. Zinkevich, M. Bowling, N. Bard, M. Kan and D. Billings, *Optimal unbiased estimators for evaluating agent
performance*, AAAI (2006). GNU Backgammon and eXtreme Gammon print luck-adjusted results.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from boardgames_agents.arena.tournament import seat_of_a
from boardgames_agents.experiments.own_error import in_informed_processes
from boardgames_agents.lookahead.evaluator import Evaluator, equities, evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.record import Record
from boardgames_env.contest import turns
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import State
from boardgames_env.kernels.signatures import Float64s

_AT_ONCE = 256
_CONTESTS_AT_ONCE = 50


def demand_luck(game: Game) -> None:
    """Raise `BadInputError` if nothing in a game is left to chance, or its contests are matches."""
    if not game.rules.has_chance:
        raise BadInputError(f"nothing in {game.spec} is left to chance, so there is no luck in its results")
    if game.part is not game:
        raise BadInputError(f"luck is in points, and a contest of {game.spec} is a match; give a game of points")


def luck_of_contests(game: Game, evaluator: Evaluator, records: Sequence[Record]) -> Float64s:
    """Return the luck of seat 0 in contests, in points; shape ``(contests,)``.

    With a doubling cube, the luck of an event counts at the stake in force. Gammons count, by the Jacoby rule, too,
    because the cube may still be turned.

    Raises:
        BadInputError: If nothing in the game is left to chance, its contests are matches, or a record is not of it.
    """
    demand_luck(game)
    search = Expectimax(game, evaluator)
    rolls = [(state, draw, number) for number, each in enumerate(records) for state, draw in _chance_events(game, each)]
    luck = np.zeros(len(records))
    if not rolls:
        return luck
    states, draws, contests = map(np.array, zip(*rolls, strict=True))
    stakes = np.array([search.replier.stake(state) for state in states])
    for stake in np.unique(stakes):
        rows = np.flatnonzero(stakes == stake)
        for part in (rows[first : first + _AT_ONCE] for first in range(0, len(rows), _AT_ONCE)):
            means, _, probabilities = search.best_replies(states[part], draws[part], 1)
            own = stake * equities(probabilities.astype(np.float64) - means)
            np.add.at(luck, contests[part], np.where(states[part, 0] == 0, own, -own))
    return luck


def _chance_events(game: Game, record: Record) -> Iterator[tuple[State, float]]:
    """Yield the state before each chance event of a contest, and the number from 0 to 1 that draws the event.

    The number is in the middle of the event's share of the probability.
    """
    reached, actions, happened = game.initial, 0, 0
    for turn in turns(game.initial, record.actions, record.events):
        reached, actions = turn.after, turn.number + len(turn.actions)
        if turn.event is not None:
            happened += 1
            events = turn.before.events()
            less = sum(each.probability for each in events[: turn.event])
            yield turn.before.state, less + events[turn.event].probability / 2
    ends = {record.outcome} if record.outcome else {0, None}  # (limits and repetition do not show in a position)
    is_whole = (actions, happened) == (len(record.actions), len(record.events)) and not reached.awaits_chance
    if not is_whole or reached.outcome not in ends:
        raise BadInputError(f"a record does not end as a contest of {game.spec} with these actions and events does")


def luck_by_agent(spec: str, game: Game, records: Sequence[Record], jobs: int = 1) -> Float64s:
    """Return the luck of seat 0 in contests by the evaluator of an agent; see `luck_of_contests`.

    Args:
        spec: The agent's spec.
        game: The game.
        records: The contests.
        jobs: The number of processes; the result is the same with any number.

    Raises:
        BadInputError: As `luck_of_contests`, or if the agent has no evaluator.
    """
    demand_luck(game)
    evaluator_of(spec, game)
    parts = [records[first : first + _CONTESTS_AT_ONCE] for first in range(0, len(records), _CONTESTS_AT_ONCE)]
    tasks = [(spec, game, part) for part in parts]
    found = in_informed_processes(_luck_of_part, tasks, jobs) if jobs > 1 else (_luck_of_part(*each) for each in tasks)
    return np.concatenate([np.zeros(0), *found])


def _luck_of_part(spec: str, game: Game, records: Sequence[Record]) -> Float64s:
    return luck_of_contests(game, evaluator_of(spec, game), records)


def points_less_luck(records: Sequence[Record], luck: Float64s) -> list[float]:
    """Return the points of a tournament's first policy in each contest, less its luck.

    Args:
        records: The contests of the tournament, all of them, in order.
        luck: The luck of seat 0 in each.
    """
    signs = [1 - 2 * seat_of_a(contest) for contest in range(len(records))]
    return [sign * (each.outcome - own) for sign, each, own in zip(signs, records, luck.tolist(), strict=True)]
