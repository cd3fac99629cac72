"""Exposure: the seat's blots, and the rolls that hit them.

A shot is another thing when it is the other seat's turn, which then hits, than when the seat may still cover. So each
count makes two inputs, one for now and one for later, of which one is 0.
"""

from boardgames_env.games.backgammon.features.shots import Shots
from boardgames_env.games.backgammon.features.side import Side, size
from boardgames_env.kernels import State, helper

_ROLLS = 36
_BLOTS = 5
_PIPS = 12


@helper
def blots(state: State, side: Side) -> float:
    """Return the number of the seat's blots that a man of the other seat has still to pass, of 5."""
    return size(side.lone & -(1 << side.their_rear)) / _BLOTS


@helper
def hit_now(shots: Shots) -> float:
    """Return the rolls with which the other seat, which is to roll, hits at least one man, of 36."""
    return shots.hits / _ROLLS if shots.now else 0.0


@helper
def hit_later(shots: Shots) -> float:
    """Return the rolls with which the other seat would hit at least one man if it were to roll, of 36."""
    return 0.0 if shots.now else shots.hits / _ROLLS


@helper
def hit_twice_now(shots: Shots) -> float:
    """Return the rolls with which the other seat, which is to roll, hits two men, of 36."""
    return shots.doubled / _ROLLS if shots.now else 0.0


@helper
def hit_twice_later(shots: Shots) -> float:
    """Return the rolls with which the other seat would hit two men if it were to roll, of 36."""
    return 0.0 if shots.now else shots.doubled / _ROLLS


@helper
def pips_at_risk_now(shots: Shots) -> float:
    """Return the mean pips lost by the most advanced man that the other seat, which is to roll, hits; of 12."""
    return shots.pips / (_ROLLS * _PIPS) if shots.now else 0.0


@helper
def pips_at_risk_later(shots: Shots) -> float:
    """Return the mean pips that the seat would lose if the other seat were to roll; of 12."""
    return 0.0 if shots.now else shots.pips / (_ROLLS * _PIPS)
