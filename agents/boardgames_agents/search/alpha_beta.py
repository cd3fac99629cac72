"""The alpha-beta player, for every game without chance."""

from collections.abc import Sequence
from copy import copy
from math import copysign, sqrt
from pathlib import Path

import numpy as np

from boardgames_agents.policy import Rng
from boardgames_agents.policy.explanation import (
    ConsideredMove,
    Explanation,
    alternatives,
    counted,
    explanation_of_moves,
    shares_of,
)
from boardgames_agents.registry import agent
from boardgames_agents.search import LookAhead
from boardgames_agents.search.deepening import Effort, Memory, Root, deepen
from boardgames_agents.search.negamax import EVALUATED, MOST_VALUE, PLAYED, WON, SearchKernels
from boardgames_agents.search.transpositions import best_known, clear, empty_table, multipliers
from boardgames_env.chance import refuse_chance
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game, Heuristics
from boardgames_env.kernels import Actions, State, announce_compilation, evaluate, forcing, gain
from boardgames_env.position import Position, demand_turn
from boardgames_env.solve import known_so_far

FEW_NODES = 100
"""The nodes of a search that waits for no machine code."""


@evaluate
def _even(state: State) -> int:
    """Return 0, for games without an evaluation."""
    return 0


@gain
def _no_gain(state: State, action: int) -> int:
    """Return 0, for games without gains; never called."""
    return 0


@forcing
def _nothing_forced(state: State, actions: Actions) -> int:
    """Return 0, for games in which a search may stop anywhere."""
    return 0


@agent("alpha_beta", for_people="Look-ahead: tries the moves and answers as far as it has time")
class AlphaBeta(LookAhead):
    """Minimax by alpha-beta search, with the game's own evaluation of positions.

    It plays every game without chance. In a game without an evaluation, all positions have the value 0 until the
    contest ends.

    The search goes one ply deeper until it has reached ``nodes`` positions, ``depth`` plies or the end of the contest;
    forcing actions are followed further. Every action is valued by the position it leads to, even if these are more
    than ``nodes``. Equally good actions are equally likely.

    Args:
        game: The game.
        nodes: Number of positions after which the search does not go deeper.
        depth: Greatest depth, in plies.
        width: Most actions of a later position that are searched, those of the greatest gain; 0 for all.
        tables: A folder in which some classes of the game's positions have been solved. Once the tables hold all
            positions that the actions lead to, the best action by the tables is played, and the search only chooses
            among draws.

    Attributes:
        plies_ahead: Depth of the last search, in plies.
        value: Value of the last choice. Beyond ±10,000, the contest is won or lost by force: 20,000 less the plies
            until its end, including the next one.

    Raises:
        BadInputError: If the game is one of chance, or an option is not allowed.
    """

    def __init__(self, game: Game, nodes: int = 20_000, depth: int = 64, width: int = 0, tables: str = "") -> None:
        super().__init__(game)
        refuse_chance(game, "alpha_beta looks ahead over actions alone")
        require(1, 2**40, nodes=nodes)
        require(1, 64, depth=depth)
        require(0, 2**31, width=width)
        heuristics = game.heuristics or Heuristics(_even)
        if width > 0 and heuristics.gain is None:
            raise BadInputError(f"width={width} is not for {game.spec}, whose actions have no gains; use 0")
        self.plies_ahead = self.value = 0
        self._effort = Effort(nodes, depth, width)
        self._heuristics = SearchKernels(
            heuristics.evaluate,
            heuristics.gain or _no_gain,
            heuristics.forcing or _nothing_forced,
            has_gain=heuristics.gain is not None,
        )
        self._memory = self._empty_memory()
        self._solved = known_so_far(game, Path(tables)) if tables else None

    def _empty_memory(self) -> Memory:
        return Memory(
            multipliers(self.game.state_size),
            empty_table(self._effort.nodes),
            history=np.zeros((2, self.game.num_actions), dtype=np.int64),
            counters=np.zeros(3, dtype=np.int64),
        )

    @property
    def played(self) -> int:
        """Number of positions reached since the player was made: the nodes of its searches."""
        return int(self._memory.counters[PLAYED])

    @property
    def evaluated(self) -> int:
        """Number of positions evaluated since the player was made: the leaves of its searches."""
        return int(self._memory.counters[EVALUATED])

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Begin a contest with an empty table."""
        super().begin(game, seats, rng)
        clear(self._memory.table)
        self._memory.history[:] = 0

    def choose(self, position: Position) -> int:
        """Return one of the best actions found."""
        values = self._solved_values(position)
        if not values or max(values.values()) == 0:
            among = [action for action, value in values.items() if value == 0] or list(position.legal_actions)
            values = self._searched(position, among, self._effort if len(among) > 1 else self._effort._replace(depth=1))
        self.value = max(values.values())
        best = [action for action, value in values.items() if value == self.value]
        return best[int(self.rng.integers(len(best)))] if len(best) > 1 else best[0]

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the values of all actions by a search, and the principal variation. An arrow marks the action played.

        Only the best value is exact; see `values`.
        """
        apart = copy(self)  # (explaining must not change what is played afterwards)
        apart._memory = self._empty_memory()
        return apart._explained(position, played)

    def _explained(self, position: Position, played: int | None) -> Explanation:
        values = self.values(position)
        best = max(values.values())
        ordered = sorted(values, key=lambda action: -values[action])
        text, weights = position.game.action_text, shares_of([_moderate(values[action]) for action in ordered])
        line = self.principal_variation(position, ordered[0])
        unit = "in units of the game's own evaluation" if self.game.heuristics else "0 where the contest is open"
        moves = [
            ConsideredMove(
                text(action),
                (("" if value == best else "≤ ") + value_text(value),),
                mark=short_value_text(value),
                weight=weight,
                is_chosen=value == best,
                alike=((action,),),
            )
            for action, value, weight in zip(ordered, map(values.__getitem__, ordered), weights, strict=True)
        ]
        return explanation_of_moves(
            f"decided by alpha-beta, {counted(self.plies_ahead, 'ply')} ahead",
            moves,
            numbers=("value",),
            played=played,
            facts=(
                f"principal variation: {' '.join(map(text, line))}",
                f"{counted(self.played, 'position')} {'was' if self.played == 1 else 'were'} searched",
            ),
            glossary=(f"value: for the seat to move, {unit}; those with ≤ are upper bounds",),
            legend="a larger number is a better board; #3 wins and -#3 loses in three turns of either side",
            verdict=self._verdict(position, [text(action) for action in ordered if values[action] == best], best),
        )

    def _verdict(self, position: Position, best: Sequence[str], value: int) -> str:
        """Return for people how far it has looked, what it prefers, and for whom that is better."""
        chosen = alternatives(best)
        favours = (
            f"prefers {chosen}" if len(best) < len(position.legal_actions) else "sees no difference between the moves"
        )
        if abs(value) > MOST_VALUE:
            turns = (WON - abs(value) + 1) // 2
            soon = f"in {counted(turns, 'move')}"
            return f"sees that {chosen} wins {soon}" if value > 0 else f"sees no way out: {chosen} loses {soon}"
        ahead = f"{counted(self.plies_ahead, 'move')} ahead"
        if not value:
            return f"looking {ahead}, {favours}: both sides stand alike"
        better = position.game.men[position.seat if value > 0 else 1 - position.seat].name
        much = next(words for most, words in _HOW_MUCH if abs(value) <= most)
        return f"looking {ahead}, {favours}: {much}better for {better}"

    def principal_variation(self, position: Position, action: int) -> tuple[int, ...]:
        """Return an action and the best actions after it, as far as the table of the last search knows them."""
        line = [action]
        reached, ply = position.after(action), self.plies_before(position)
        seat = position.seat
        while len(line) < self._effort.depth and not reached.is_over:
            ply += reached.seat != seat
            seat = reached.seat
            at = ply if self.game.limits.plies else 0
            following = best_known.run(self._memory.table, self._memory.multiplier, reached.state, at)
            if following not in reached.legal_actions:
                break
            line.append(following)
            reached = reached.after(following)
        return tuple(line)

    def _solved_values(self, position: Position) -> dict[int, int]:
        """Return the values of the legal actions by the tables, in the search's units, or none unless they hold all."""
        if self._solved is None:
            return {}
        values = {}
        for action in position.legal_actions:
            reached = position.after(action)
            if not self._solved.knows(reached):
                return {}
            plies = (self._solved.distance(reached) or 0) + int(reached.is_over or reached.seat != position.seat)
            values[action] = self._solved.value_for(reached, position.seat) * (WON - plies)  # sooner wins, later losses
        return values

    def values(self, position: Position, among: Sequence[int] = ()) -> dict[int, int]:
        """Return the values to the seat to move of legal actions, by default all, by a search.

        Only the highest is exact; the others are upper bounds. When the budget is spent before the last iteration has
        reached all actions, the rest keep the values of the iteration before, or of the positions they lead to, but
        less than the best value of the last iteration, unless that is a certain loss.
        """
        for action in among:
            position.check(action)
        return self._searched(position, among or position.legal_actions, self._effort)

    def _searched(self, position: Position, among: Sequence[int], effort: Effort) -> dict[int, int]:
        demand_turn(position, self.game)
        actions = np.array(among, dtype=np.int32)
        values = np.zeros(len(actions), dtype=np.int64)
        root = Root(position.state, self.seen(), self.plies_before(position))
        kernels, heuristics = self.game.kernels, self._heuristics
        is_short = effort.nodes <= FEW_NODES
        if not is_short:
            announce_compilation("alpha-beta", [deepen])
        self.plies_ahead = deepen.run_for(is_short)(kernels, heuristics, root, effort, self._memory, actions, values)
        return dict(zip(actions.tolist(), values.tolist(), strict=True))


_HOW_MUCH = ((20, "slightly "), (200, ""), (MOST_VALUE, "much "))
"""How much better an evaluation is in words, up to some values: by the sizes that games give to a man, 20 to 100."""


def value_text(value: int) -> str:
    """Return the value of a search in words, such as ``wins in 3 plies`` or ``+12``."""
    if abs(value) > MOST_VALUE:
        return f"{'wins' if value > 0 else 'loses'} in {counted(WON - abs(value), 'ply')}"
    return f"{value:+d}" if value else "0"


def short_value_text(value: int) -> str:
    """Return the value of a search in a few characters: ``#3`` for a win in 3 plies, ``-#2`` for a loss, ``+12``."""
    return f"{'' if value > 0 else '-'}#{WON - abs(value)}" if abs(value) > MOST_VALUE else value_text(value)


def _moderate(value: int) -> float:
    """Return a value without the large ones of contests that are decided, which would hide all other differences."""
    return copysign(sqrt(min(abs(value), MOST_VALUE)), value)
