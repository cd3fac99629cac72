"""Lookahead for men: after which moves the other seat wins a man by force, and how."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.search.men import Attack, captures_by_force
from boardgames_agents.search.transpositions import multipliers
from boardgames_env.game import Game
from boardgames_env.kernels import announce_compilation

NODES = 100_000
"""The number of positions that the search after one move may reach."""

_TABLE = 1 << 15
_MOST_KEPT = 100_000
_MOST_MEN = 4


class Loss(NamedTuple):
    """How a man is lost after a move.

    Attributes:
        plies: The number of plies within which it is lost, the first of which is the other seat's.
        line: The moves from then on, if both seats play well: the other seat's, the mover's, and so on.
    """

    plies: int
    line: tuple[Choice, ...]


class MenLookahead:
    """What can be captured by force within some plies after each move of a position.

    The verdicts depend on nothing but the position, so they are kept.

    Args:
        game: The game.
        plies: The number of plies, an odd number: the last is one of the other seat's. With 0 nothing is searched.
    """

    def __init__(self, game: Game, plies: int) -> None:
        self.plies = plies
        self._game = game
        self._multiplier = multipliers(game.state_size)
        self._table = np.zeros(_TABLE if plies else 0, dtype=np.int64)
        self._kept: dict[bytes, frozenset[bytes]] = {}
        if plies:
            announce_compilation("lookahead for men", [captures_by_force])

    def worse(self, case: PositionView) -> frozenset[bytes]:
        """Return the keys of the moves that lead to fewer men than others with best play by both seats.

        What counts are the men captured by the mover, less those captured by the other seat, in the move and in the
        plies after it.
        """
        if not self.plies:
            return frozenset()
        if case.state not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            best = self._best(case)
            self._kept[case.state] = frozenset(choice.key for choice in case.choices if choice not in best)
        return self._kept[case.state]

    def _best(self, case: PositionView) -> Sequence[Choice]:
        """Return the moves with the greatest gain of men; all of them if none is better."""
        best = self._with_gain(case, case.choices, 0)
        for loss in range(1, _MOST_MEN) if not best else ():
            if best := self._with_gain(case, case.choices, -loss):
                return best
        for gain in range(1, _MOST_MEN):
            if not (better := self._with_gain(case, best, gain)):
                break
            best = better
        return best or case.choices

    def _with_gain(self, case: PositionView, choices: Sequence[Choice], gain: int) -> list[Choice]:
        """Return the moves by which the mover gains at least so many men, whatever the other seat does."""
        seat, plies = case.seat, self.plies
        return [each for each in choices if not self._is_ahead(seat, each, plies, gain - _taken(case, each))]

    def loss_after(self, case: PositionView, choice: Choice) -> Loss | None:
        """Return how the other seat wins a man soonest after a move, or ``None`` if it cannot within the plies."""
        lead = -_taken(case, choice)
        for plies in range(1, self.plies + 1, 2):
            if self._is_ahead(case.seat, choice, plies, lead):
                return Loss(plies, tuple(self._line(case.seat, choice, plies, lead)))
        return None

    def _is_ahead(self, defender: int, choice: Choice, plies: int, lead: int) -> bool:
        """Return whether the other seat than ``defender`` is a man ahead within the plies that follow a move."""
        if choice.points is not None:
            return False
        self._table.fill(0)
        attack = Attack(1 - defender, plies, lead, self._game.board.size, NODES)
        state = np.frombuffer(choice.state, dtype=np.int8)
        return captures_by_force.run(self._game.kernels, attack, state, self._multiplier, self._table) > 0

    def _line(self, defender: int, choice: Choice, plies: int, lead: int) -> Sequence[Choice]:
        """Return the moves with which the attacker wins a man, against the defence that comes first."""
        line: list[Choice] = []
        view = choice.then
        while plies > 0:
            attacks = view.seat != defender
            for reply in view.choices:
                now = lead + (_taken(view, reply) if attacks else -_taken(view, reply))
                over = reply.points is not None
                if plies == 1 or over:
                    ahead = (reply.points or 0) > 0 if over else now > 0
                else:
                    ahead = self._is_ahead(defender, reply, plies - 1, now)
                if ahead:
                    break
            line.append(reply)
            if reply.points is not None:
                break
            lead, plies, view = now, plies - 1, reply.then
        return line


def _taken(view: PositionView, choice: Choice) -> int:
    """Return the number of men that a move captures."""
    return view.enemy.bit_count() - choice.enemy.bit_count()
