"""The alpha-beta player, for any game without chances."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from boardgames_agents.policy import Rng
from boardgames_agents.registry import agent
from boardgames_agents.search.deepening import deepen
from boardgames_agents.search.lookahead import LookAhead
from boardgames_agents.search.negamax import EVALUATED, PLAYED, WON
from boardgames_agents.search.transpositions import clear, empty_table, multipliers
from boardgames_env.chance import refuse_chance
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game, Heuristics
from boardgames_env.kernels import Actions, State, announce_compilation, evaluate, forcing, gain
from boardgames_env.position import Position
from boardgames_env.solve import known_so_far


@evaluate
def _even(state: State) -> int:
    """For games that do not tell."""
    return 0


@gain
def _no_gain(state: State, action: int) -> int:
    """For games that do not tell; never asked."""
    return 0


@forcing
def _nothing_forced(state: State, actions: Actions) -> int:
    """For games in which a search may stop anywhere."""
    return 0


@agent("alpha_beta")
class AlphaBeta(LookAhead):
    """Looks ahead by alpha-beta, and plays what is best by the game's own evaluation of the positions it foresees.

    In games that have none, all positions look even to it in which the contest goes on.

    It looks one ply further and again one further until it has played to ``nodes`` positions, has looked ``depth``
    plies ahead or has seen how the contest ends; it follows forcing actions beyond. It glances at what each of its
    actions leads to even if that are more than ``nodes``. With a ``width``, it looks at no more actions in a position
    that it foresees than so many, those that gain most. Equally good actions are equally likely.

    With ``tables``, a folder in which some classes of the game's positions have been solved, it plays what they know
    to be best once they know all that its actions can lead to, and looks ahead only to choose among draws.

    Attributes:
        plies_ahead: How many plies it looked ahead for its last search.
        worth: What it thinks its last choice worth. Beyond ±10,000, the contest is won or lost by force: 20,000 less
            the plies until its end, the one to be played now included.

    Raises:
        BadInputError: If the game is one of chance, or an option is not allowed.
    """

    def __init__(self, game: Game, nodes: int = 20_000, depth: int = 64, width: int = 0, tables: str = "") -> None:
        super().__init__(game)
        refuse_chance(game, "alpha_beta looks ahead over actions alone")
        self._heuristics = game.heuristics or Heuristics(_even)
        require(1, 2**40, nodes=nodes)
        require(1, 64, depth=depth)
        require(0, 2**31, width=width)
        if width > 0 and self._heuristics.gain is None:
            raise BadInputError(f"width={width} is not for {game.spec}, which does not say what actions gain; use 0")
        self.plies_ahead = self.worth = 0
        self._nodes, self._depth, self._width = nodes, depth, width
        self._multiplier = multipliers(game.state_size)
        self._table = empty_table(nodes)
        self._history = np.zeros((2, game.num_actions), dtype=np.int64)
        self._counters = np.zeros(3, dtype=np.int64)
        self._solved = known_so_far(game, Path(tables)) if tables else None

    @property
    def played(self) -> int:
        """How many positions it has played to since it was made: the nodes of its searches."""
        return int(self._counters[PLAYED])

    @property
    def evaluated(self) -> int:
        """How many positions it has valued by their evaluation since it was made: the leaves of its searches."""
        return int(self._counters[EVALUATED])

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins: what was found out in another is forgotten."""
        super().begin(game, seats, rng)
        announce_compilation("alpha-beta", [deepen])
        clear(self._table)
        self._history[:] = 0

    def choose(self, position: Position) -> int:
        """One of the best actions found."""
        solved = self._solved_values(position)
        if solved and max(solved.values()) != 0:
            values = solved
        else:
            values = self.values(
                position, [action for action in position.legal_actions if not solved or solved[action] == 0]
            )
        self.worth = max(values.values())
        best = [action for action, value in values.items() if value == self.worth]
        return best[int(self.rng.integers(len(best)))] if len(best) > 1 else best[0]

    def _solved_values(self, position: Position) -> dict[int, int] | None:
        """What the tables say that the legal actions are worth, in the search's measure, if they know them all."""
        if self._solved is None:
            return None
        values = {}
        for action in position.legal_actions:
            reached = position.after(action)
            if not self._solved.knows(reached):
                return None
            plies = (self._solved.distance(reached) or 0) + int(reached.is_over or reached.seat != position.seat)
            values[action] = self._solved.value_for(reached, position.seat) * (WON - plies)  # sooner wins, later losses
        return values

    def values(self, position: Position, among: Sequence[int] = ()) -> dict[int, int]:
        """What actions are worth to the seat to move, as far as the search came.

        Only the highest is exact; the others are bounds from above. When the budget is spent before the last iteration
        has come to all actions, the rest keep what the one before said, or a glance at what they lead to, but less
        than the best of those it came to; unless that loses for sure.

        Args:
            position: The position.
            among: Which legal actions; if none is named, all.
        """
        heuristics, rules = self._heuristics, self.game.rules
        actions = np.array(among or position.legal_actions, dtype=np.int32)
        values = np.zeros(len(actions), dtype=np.int64)
        settings = [self._nodes, self._depth, self._width, heuristics.gain is not None, self.plies_before(position)]
        self.plies_ahead = deepen.run(
            *(rules.legal, rules.play, rules.outcome, heuristics.evaluate),
            *(heuristics.gain or _no_gain, heuristics.forcing or _nothing_forced),
            *(position.state, self.seen(), np.array(settings, dtype=np.int64), self.game.limits.as_array()),
            *(self.game.slot_symmetries, self._multiplier, self._table, self._history),
            *(actions, values, self._counters),
        )
        return dict(zip(actions.tolist(), values.tolist(), strict=True))
