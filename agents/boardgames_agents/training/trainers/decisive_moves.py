"""Lessons that begin where a single move decides, in games that are too large to be solved. This trainer is ours."""

from functools import lru_cache

import numpy as np

from boardgames_agents.policy import Learner
from boardgames_agents.search.alpha_beta import FEW_NODES, AlphaBeta
from boardgames_agents.search.negamax import MOST_VALUE
from boardgames_agents.training.trainers import Meeting, Trainer, against, make_opponent, trainer
from boardgames_agents.training.trainers.key_nodes import RemembersErrors
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.position import Position

_SEED = 1994
_CONTESTS, _TURNS = 4, 6
"""The contests in which a position is looked for, and the last turns of each that are searched."""

_RANDOM = 0.2
"""The probability of a random action in them, so that they differ and something goes wrong."""


@trainer("decisive_moves")
class DecisiveMoves(Trainer):
    """Lessons that begin where a search proves that one move decides the contest, or where the learner has erred.

    A move decides if the search finds that it wins by force and no other does, or that all others lose by force. The
    positions are looked for in contests of a weak search that sometimes plays at random; if there is none, the lesson
    begins at the initial position. A learner that remembers errors (`RemembersErrors`) begins at the costliest of them,
    until it is learned.

    Args:
        game: The game; it has no dice.
        nodes: Number of positions that the search looks at in each position.
        expert: The agent that gives the lessons; the seats alternate.

    Raises:
        BadInputError: If the game is one of chance, or an option is not allowed.
    """

    def __init__(self, game: Game, nodes: int = 20_000, expert: str = "alpha_beta(nodes=2000)") -> None:
        require(1, nodes=nodes)
        AlphaBeta(game)  # (refuses games of chance)
        self._game, self._nodes, self._expert = game, nodes, make_opponent(expert, game)

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return a lesson from an error of the learner, or from a position that was found."""
        seat = contest % 2
        errors = learner.openings_to_errors(seat) if isinstance(learner, RemembersErrors) else ()
        opening = errors[0] if errors else decisive_opening(self._game, seat, self._nodes, contest)
        return against(self._expert, seat, learner, opening)


@lru_cache(maxsize=256)
def decisive_opening(game: Game, seat: int, nodes: int, number: int) -> tuple[int, ...]:
    """Return the actions that lead to a position in which one move of a seat decides; none if none is found.

    Args:
        game: The game, without chance.
        seat: The seat to move.
        nodes: Number of positions that the search looks at in each position.
        number: The number of the position; the same one has the same actions.
    """
    rng = np.random.default_rng([_SEED, number])
    for _ in range(_CONTESTS):
        weak, strong = AlphaBeta(game, nodes=FEW_NODES), AlphaBeta(game, nodes=nodes)
        for search in (weak, strong):
            search.begin(game, (), rng)
        contest, begun = Contest(game, ChanceStream(game, rng)), list[tuple[Position, int]]()
        mover = 1 - seat
        while not contest.is_over:
            position = contest.position
            if position.seat == seat != mover:
                begun.append((position, len(contest.actions)))
            mover = position.seat
            is_random = rng.random() < _RANDOM
            contest.advance(int(rng.choice(position.legal_actions)) if is_random else weak.choose(position))
        for position, played in begun[: -_TURNS - 1 : -1]:
            if _decides(strong, position, nodes):
                return tuple(contest.actions[:played])
    return ()


def _decides(search: AlphaBeta, position: Position, nodes: int) -> bool:
    """Return whether a search proves that one action wins and finds no other that does, or that all others lose.

    What it proves of an action must also be found from that action alone, by which errors are judged later.
    """
    values = search.values(position)
    best = max(values, key=lambda action: values[action])
    others = [action for action in values if action != best]
    if not others or values[best] < -MOST_VALUE:
        return False
    if values[best] <= MOST_VALUE:
        lose = max(values[action] for action in others) < -MOST_VALUE
        return lose and all(_value_alone(position, action, nodes) < -MOST_VALUE for action in others)
    # (the search ends with the nearest win, so that it has not looked for others that are further away)
    is_only = max(search.values(position, others).values()) <= MOST_VALUE
    return is_only and _value_alone(position, best, nodes) > MOST_VALUE


def _value_alone(position: Position, action: int, nodes: int) -> int:
    """Return the value of an action by a search that knows nothing yet."""
    alone = AlphaBeta(position.game, nodes=nodes)
    alone.begin(position.game, (), np.random.default_rng(_SEED))
    return alone.values(position, [action])[action]
