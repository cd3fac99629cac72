"""Lookahead for men: which moves lead to fewer men than others by force, and how."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from boardgames_agents.hoyle.game_frame import locations_of
from boardgames_agents.hoyle.items import as_rows
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy.explanation import Region
from boardgames_agents.search.men import Attack, captures_by_force
from boardgames_agents.search.transpositions import multipliers
from boardgames_env.game import Game
from boardgames_env.kernels import announce_compilation

NODES = 200_000
"""The number of positions that the searches for a decision may reach; they look as far ahead as that allows."""

_TABLE = 1 << 17
_MOST_VERDICTS = 100_000
_MOST_GAIN = 4
_NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six")


class _Verdict(NamedTuple):
    """The keys of the moves of a position that lead to fewer men than others, and the plies that were searched."""

    worse: frozenset[bytes]
    plies: int


class Loss(NamedTuple):
    """How the other seat wins a man after a move.

    Attributes:
        moves: The moves that follow, if both seats play well: the other seat's, the mover's, and so on.
        line: The line that the last of them completes, as a bit mask; 0 for none.
    """

    moves: tuple[Choice, ...]
    line: int


class _OutOfNodesError(Exception):
    """A search has reached as many positions as it may."""


class MenLookahead:
    """What each move of a position gains and loses in men within some plies.

    It depends on nothing but the position, so it is kept.

    Args:
        game: The game.
        plies: The number of plies after a move, an odd number: the last is one of the other seat's. With 0 nothing is
            searched.
    """

    def __init__(self, game: Game, plies: int) -> None:
        self._game = game
        self._plies = plies
        self._multiplier = multipliers(game.state_size)
        self._table = np.zeros(_TABLE if plies else 0, dtype=np.int64)
        self._reached = np.zeros(1, dtype=np.int64)
        self._kept: dict[bytes, _Verdict] = {}

    def __reduce__(self) -> "tuple[type[MenLookahead], tuple[Game, int]]":
        return MenLookahead, (self._game, self._plies)  # (a copy searches anew)

    def worse(self, case: PositionView) -> frozenset[bytes]:
        """Return the keys of the moves that lead to fewer men than others with best play by both seats.

        What counts are the men captured by the mover, less those captured by the other seat, in the move and in the
        plies after it. In a game without captures there are none. Where the searches of all moves would reach more than
        `NODES` positions, fewer plies are searched.
        """
        return self._verdict(case).worse if self._plies and case.frame.captures else frozenset()

    def _verdict(self, case: PositionView) -> _Verdict:
        if case.key not in self._kept:
            if not self._kept:
                announce_compilation("lookahead for men", [captures_by_force])
            if len(self._kept) >= _MOST_VERDICTS:
                self._kept.clear()
            self._begin()
            verdict, seen = _Verdict(frozenset(), 0), case.canonical
            with suppress(_OutOfNodesError):
                for plies in range(1, self._plies + 1, 2):
                    best = self._best(seen, plies)
                    verdict = _Verdict(frozenset(choice.key for choice in seen.choices if choice not in best), plies)
            self._kept[case.key] = verdict
        return self._kept[case.key]

    def _begin(self) -> None:
        """Forget the nodes and the verdicts of other searches."""
        self._reached.fill(0)
        self._table.fill(0)

    def loss_after(self, case: PositionView, choice: Choice) -> Loss | None:
        """Return how the other seat wins a man soonest after a move.

        It is ``None`` if the other seat cannot within the plies, or if the searches for one of the moves would reach
        more than `NODES` positions.
        """
        seat = 1 - case.seat
        with suppress(_OutOfNodesError):
            for plies in range(1, self._verdict(case).plies + 1, 2):
                self._begin()
                if self._are_ahead(case, [choice], seat, plies, 0)[0]:
                    moves = self._attack(case, choice, plies)
                    before = moves[-2].enemy if len(moves) > 1 else choice.enemy
                    after = moves[-1].own
                    closed = (line for line in case.frame.goals[seat] if not line & ~after and line & ~before)
                    return Loss(moves, next(closed, 0))
        return None

    def text(self, case: PositionView, choice: Choice) -> str:
        """Return what is lost by a move that is worse than others, and how, such as "d2 lets white close a1-a4-a7"."""
        loss, game = self.loss_after(case, choice), self._game
        if loss is None:
            return "another move leads to more men"
        name, number = game.men[1 - case.seat].name, (len(loss.moves) + 1) // 2
        if loss.moves[-1].points is not None:
            what = "win"
        else:
            line = "-".join(game.board.labels[location] for location in locations_of(loss.line))
            what = f"close {line}" if line else "win a man"
        when = "at once" if number == 1 else f"in {_NUMBER_WORDS[number]} moves"
        return f"{' '.join(map(game.action_text, choice.actions))} lets {name} {what} {when}"

    def regions(self, case: PositionView) -> Iterator[Region]:
        """Yield the lines that the other seat can close after moves that are worse than others."""
        name, shown = self._game.men[1 - case.seat].name, {0}
        for choice in case.choices:
            loss = self.loss_after(case, choice) if choice.key in self.worse(case) else None
            if loss and loss.line not in shown:
                shown.add(loss.line)
                yield Region(f"line that {name} can close by force", locations_of(loss.line))

    def _best(self, case: PositionView, plies: int) -> Sequence[Choice]:
        """Return the moves with the greatest gain of men; all of them if none is better than others."""
        for least in range(0, -_MOST_GAIN, -1):
            if best := self._with_gain(case, case.choices, least, plies):
                break
        for more in range(least + 1, _MOST_GAIN):
            if not (better := self._with_gain(case, best, more, plies)):
                break
            best = better
        return best or case.choices

    def _with_gain(self, case: PositionView, choices: Sequence[Choice], gain: int, plies: int) -> list[Choice]:
        """Return the moves by which the mover gains at least ``gain`` men, whatever the other seat does."""
        lost = self._are_ahead(case, choices, 1 - case.seat, plies, gain)
        return [choice for choice, is_lost in zip(choices, lost, strict=True) if not is_lost]

    def _are_ahead(
        self, view: PositionView, choices: Sequence[Choice], attacker: int, plies: int, lead: int
    ) -> list[bool]:
        """Return for each of some moves whether a seat that is ahead by ``lead`` men is ahead ``plies`` after it."""
        sign = 1 if view.seat == attacker else -1
        leads = [lead + sign * _men_taken(view, choice) for choice in choices]
        ahead = [
            more > 0 if choice.points is None else sign * choice.points > 0
            for choice, more in zip(choices, leads, strict=True)
        ]
        searched = [number for number, choice in enumerate(choices) if plies and choice.points is None]
        if searched:
            game, found = self._game, np.empty(len(searched), dtype=np.int64)
            attack = Attack(attacker, plies, game.board.size, NODES)
            states = as_rows([choices[number].state for number in searched], game.state_size)
            before = np.array(leads, dtype=np.int64)[searched]
            tables = self._multiplier, self._table, self._reached  # (their verdicts are of the same attacker)
            captures_by_force.run(game.kernels, attack, states, before, *tables, found)
            if found.min() < 0:
                raise _OutOfNodesError
            for number, verdict in zip(searched, found.tolist(), strict=True):
                ahead[number] = bool(verdict)
        return ahead

    def _attack(self, case: PositionView, choice: Choice, plies: int) -> tuple[Choice, ...]:
        """Return the moves with which the other seat ends ahead soonest, against the longest defence."""
        moves: list[Choice] = []
        attacker, view, lead = 1 - case.seat, case, 0
        while plies > 0 and choice.points is None:
            lead += _men_taken(view, choice) * (1 if view.seat == attacker else -1)
            view = choice.then
            self._begin()
            after = {each: self._fewest(view, each, attacker, plies - 1, lead) for each in view.choices}
            best = min if view.seat == attacker else max
            plies = best(found for found in after.values() if found is not None)
            choice = next(each for each, found in after.items() if found == plies)
            moves.append(choice)
        return tuple(moves)

    def _fewest(self, view: PositionView, choice: Choice, attacker: int, most: int, lead: int) -> int | None:
        """Return the fewest plies after a move, at most ``most``, in which `_are_ahead` holds; ``None`` if in none."""
        tried = range(most % 2, most + 1, 2)
        return next((plies for plies in tried if self._are_ahead(view, [choice], attacker, plies, lead)[0]), None)


def _men_taken(view: PositionView, choice: Choice) -> int:
    """Return the number of men that a move captures."""
    return view.enemy.bit_count() - choice.enemy.bit_count()
