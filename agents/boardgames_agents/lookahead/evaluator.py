"""The protocol of evaluators, which predict outcomes, and the evaluators of agents."""

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Bools

Probabilities = NDArray[np.float32]
"""Rows of six: the probabilities that a seat wins 1, 2, 3 points, and that it loses 1, 2, 3."""

POINTS = np.array([1.0, 2.0, 3.0, -1.0, -2.0, -3.0])
"""The points of these outcomes."""

OTHER_SEAT = np.array([3, 4, 5, 0, 1, 2])
"""``probabilities[:, OTHER_SEAT]`` are the other seat's probabilities."""


def seen_by(viewers: NDArray[np.int8], seats: NDArray[np.int8], probabilities: NDArray[Any]) -> NDArray[Any]:
    """Return outcome probabilities of seats as those of the viewers; shape ``(n, 6)``.

    Args:
        viewers: The seats that the result is for, shape ``(n,)``, or ``(1,)`` for one seat in all rows.
        seats: The seats that ``probabilities`` are for, shape ``(n,)``.
        probabilities: The probability of each outcome, or differences of these, shape ``(n, 6)``.
    """
    return np.where((seats == viewers)[:, np.newaxis], probabilities, probabilities[:, OTHER_SEAT])


class Preferences(NamedTuple):
    """What seats choose their replies by.

    Attributes:
        utility: The utility of each outcome for each seat, shape ``(2, 6)``; see `boardgames_agents.lookahead.utility`.
        decline: The action that leaves the stakes as they are, or -1.
        stake: The value of a point.
    """

    utility: NDArray[np.float64]
    decline: int
    stake: int


class BestReplies(NamedTuple):
    """The best replies to the chance events that may follow positions, and some of these replies.

    All probabilities are those of the seats to move in the positions.

    Attributes:
        means: The mean probabilities after the best replies to all events; shape ``(n, 6)``.
        states: The states after the best replies to the events drawn, those of a position one after the other; shape
            ``(n * number, state_size)``.
        probabilities: The probabilities there; shape ``(n * number, 6)``.
    """

    means: Probabilities
    states: NDArray[np.int8]
    probabilities: Probabilities


class Evaluator(Protocol):
    """Predicts the outcome of positions, thousands at once."""

    def outcome_probabilities(self, states: NDArray[np.int8]) -> Probabilities:
        """Return the probability of each outcome for the seat to move, if no stakes are raised.

        Args:
            states: Positions that are not over and await chance (or, in a game without chance, a move): shape
                ``(n, state_size)``. They must not be changed.

        Returns:
            Shape ``(n, 6)``; each row sums to 1.
        """


@runtime_checkable
class ReplyEvaluator(Evaluator, Protocol):
    """An evaluator that finds the best replies to positions faster than by evaluating them one by one."""

    def finds_replies(self, states: NDArray[np.int8]) -> Bools:
        """Return to which of the states it finds the best replies; shape ``(n,)``."""

    def best_replies(
        self, states: NDArray[np.int8], preferences: Preferences, draws: NDArray[np.float64], number: int
    ) -> BestReplies:
        """Return the mean probabilities after the best reply to each chance event, and the replies to some of these.

        Args:
            states: States to which it finds the best replies.
            preferences: What seats choose by.
            draws: For each state a random number from 0 to 1, which draws events; shape ``(n,)``.
            number: The number of events that are drawn for each state, in proportion to their probabilities.
        """


def equities(probabilities: NDArray[Any], utility: NDArray[np.float64] = POINTS) -> NDArray[np.float64]:
    """Return the expected points, or another expected utility, of rows of six probabilities, shape ``(..., 6)``."""
    expected: NDArray[np.float64] = (probabilities * utility).sum(axis=-1)
    return expected


@runtime_checkable
class HasEvaluator(Protocol):
    """A policy that plays by an evaluator."""

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator."""


def evaluator_of(spec: str, game: Game) -> Evaluator:
    """Return the evaluator that an agent plays by, at any depth of look-ahead.

    Raises:
        BadInputError: If there is no such agent at this game, or it has no evaluator.
    """
    from boardgames_agents.registry import make_player

    player = make_player(spec, game)
    if not isinstance(player, HasEvaluator):
        raise BadInputError(f"{spec} does not predict outcomes; take an agent that does, such as a network's")
    return player.evaluator
