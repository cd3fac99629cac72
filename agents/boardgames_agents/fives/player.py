"""The problem solvers of Hasson, Markovitch and Sella: student, teacher and tester differ in how far they look.

What they see in a board is defined in `fives.runs`, how they choose in `fives.minimax`. They play every
game in which one mark is placed at a turn on a rectangular grid of cells and five in a row win.
"""

from pathlib import Path
from typing import Literal, get_args

from boardgames_agents.explanation import Explanation
from boardgames_agents.fives.coefficients import INITIAL, Coefficients, load
from boardgames_agents.fives.features import CONTENTS, counts
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_agents.policy import Policy
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.position import Position

Ties = Literal["lowest", "random"]
"""Which of two cells that are evaluated alike comes first: that with the lower number, or either."""


class FivesPlayer(Policy):
    """Plays the best of a few moves, found by minimax with an evaluation function of five or seven coefficients.

    Attributes:
        coefficients: The coefficients.
        search: The minimax.

    Raises:
        BadInputError: If the game is of another kind, or an option is out of range.
    """

    def __init__(
        self,
        game: Game,
        level: int = 3,
        width: int = 3,
        coefficients: Coefficients = INITIAL,
        ties: Ties = "lowest",
    ) -> None:
        if ties not in get_args(Ties):
            raise BadInputError(f"ties={ties!r} is not allowed; it is one of: {one_of(get_args(Ties))}")
        self.coefficients = coefficients
        self.search = FivesSearch(game, coefficients, level, width)
        self._ties = ties

    def choose(self, position: Position) -> int:
        """The action that minimax thinks best."""
        search = self.search
        ranks = self.rng.permutation(search.by_number) if self._ties == "random" else None
        return search.choose(position.state, ranks)

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """The moves it looks at, what it thinks of them, and the features on the board with what they are worth.

        All numbers are from the view of the seat to move. Ties are told as if the lowest cell came first.

        Args:
            position: A position that is not over.
            played: The action that was then played, if any; it has an arrow, or else the one it would play.
        """
        text, level, width = position.game.action_text, self.search.solver.level, self.search.solver.width
        expected = self.search.choose(position.state)
        shown = expected if played is None else played
        ahead = f"worth after {level} {'ply' if level == 1 else 'plies'}"
        rows = tuple(
            ("→" if action == shown else "", text(action), f"{evaluated:g}", f"{worth:g}")
            for action, evaluated, worth in self._considered(position)
        )
        facts = () if shown == expected else (f"{text(expected)} was expected, {text(shown)} was played",)
        return Explanation(
            f"decided by minimax, level {level} and width {width}",
            ("", "move", "evaluated at", ahead),
            rows,
            numbers=("evaluated at", ahead),
            facts=(*facts, *self._features_told(position)),
        )

    def _considered(self, position: Position) -> list[tuple[int, float, float]]:
        """The moves it looks at, what their boards are evaluated at, and what minimax says."""
        ahead = self.search.solver.level - 1
        return [
            (action, evaluated, -self.search.score(position.after(action).state, ahead))
            for action, evaluated in self.search.children(position.state).items()
        ]

    def _features_told(self, position: Position) -> tuple[str, ...]:
        """Every feature on the board in a line, with its coefficient."""
        own, other = counts(position)[:: 1 - 2 * position.seat].tolist()
        return tuple(
            f"{name}: {mine} own, {theirs} of the other seat, × {coefficient:g} = {(mine - theirs) * coefficient:g}"
            for name, coefficient, mine, theirs in zip(
                CONTENTS, self.coefficients.values, own[: len(CONTENTS)], other[: len(CONTENTS)], strict=False
            )
            if mine or theirs
        ) or ("no feature is on the board",)


Given = str | tuple  # type: ignore[type-arg]
"""Coefficients in a spec: the name of a file, the numbers themselves, or nothing for those the paper begins with."""


def coefficients_of(given: Given) -> Coefficients:
    """The coefficients that an option tells of.

    Raises:
        BadInputError: As `load` and `Coefficients` do.
    """
    if isinstance(given, tuple):
        return Coefficients(given)
    return load(Path(given)) if given else INITIAL


@agent("fives_student")
def fives_student(
    game: Game, level: int = 3, width: int = 3, coefficients: Given = "", ties: Ties = "lowest"
) -> FivesPlayer:
    """A player by minimax at five in a row, with what a student of fives has learned to value.

    Args:
        game: A game in which five in a row on a grid win.
        level: How many plies it looks ahead.
        width: How many moves it looks at in a position, those that look best.
        coefficients: A file of coefficients, or five or seven numbers; by default those the paper begins with.
        ties: Which of two moves that look alike comes first: ``lowest`` for the lower cell, ``random`` for either.

    Raises:
        BadInputError: If the game is of another kind, an option is out of range, or the file cannot be read.
    """
    return FivesPlayer(game, level, width, coefficients_of(coefficients), ties)


@agent("fives_teacher")
def fives_teacher(
    game: Game, level: int = 5, width: int = 10, coefficients: Given = "", ties: Ties = "lowest"
) -> FivesPlayer:
    """The same player as a student of fives, given more time: it looks further, and at more moves.

    Args:
        game: As for ``fives_student``.
        level: How many plies it looks ahead.
        width: How many moves it looks at in a position.
        coefficients: As for ``fives_student``.
        ties: As for ``fives_student``.

    Raises:
        BadInputError: As for ``fives_student``.
    """
    return FivesPlayer(game, level, width, coefficients_of(coefficients), ties)


@agent("fives_tester")
def fives_tester(game: Game, ties: Ties = "lowest") -> FivesPlayer:
    """The player that students of fives are examined against: one that has learned nothing, and never does.

    Args:
        game: As for ``fives_student``.
        ties: As for ``fives_student``.

    Raises:
        BadInputError: If the game is of another kind, or the option is not allowed.
    """
    return FivesPlayer(game, ties=ties)
