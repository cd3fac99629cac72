"""The problem solvers of Hasson, Markovitch and Sella: student, teacher and tester differ in how far they search.

`fives.features` has the features of a board, `fives.minimax` the search. They play every game in which a turn marks one
cell of a rectangular grid and five in a row win.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, get_args

from boardgames_agents.fives.coefficients import INITIAL, Coefficients, load
from boardgames_agents.fives.features import CONTENTS, counts, places
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_agents.policy import Policy
from boardgames_agents.policy.explanation import (
    ConsideredMove,
    Explanation,
    Region,
    counted,
    explanation_of_moves,
    shares_of,
)
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.position import Position, demand_turn
from boardgames_env.spec import Quick

Ties = Literal["lowest", "random"]
"""The order of cells with equal evaluations: by number, or at random."""

Given = str | tuple[float, ...]
"""Coefficients in a spec: the name of a file, the numbers themselves, or empty for the paper's initial ones."""


class FivesPlayer(Policy):
    """A player by minimax over a few moves, with an evaluation function of five or seven coefficients.

    Raises:
        BadInputError: If the game is of another kind, or an option is out of range.
    """

    def __init__(
        self, game: Game, level: int = 3, width: int = 3, coefficients: Coefficients = INITIAL, ties: Ties = "lowest"
    ) -> None:
        if ties not in get_args(Ties):
            raise BadInputError(f"ties={ties!r} is not allowed; it is one of: {one_of(get_args(Ties))}")
        self._game, self._ties, self.coefficients = game, ties, coefficients
        self.search = FivesSearch(game, coefficients, level, width)

    def with_coefficients(self, coefficients: Coefficients) -> "FivesPlayer":
        """Return the same player with other coefficients."""
        return FivesPlayer(self._game, self.search.solver.level, self.search.solver.width, coefficients, self._ties)

    def choose(self, position: Position) -> int:
        """Return the best action by minimax."""
        demand_turn(position, self._game)
        search = self.search
        ranks = self.rng.permutation(search.by_number) if self._ties == "random" else None
        return search.choose(position.state, ranks)

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the moves searched with their values, and the features on the board with theirs and their places.

        All numbers are for the seat to move. An arrow marks the action played, or else the one that it would play.
        """
        demand_turn(position, self._game)
        text, level, width = position.game.action_text, self.search.solver.level, self.search.solver.width
        expected = self.search.choose(position.state)
        shown = expected if played is None else played
        ahead = f"value after {counted(level, 'ply')}"
        evaluations = self.search.children(position.state)
        values = {action: -self.search.score(position.after(action).state, level - 1) for action in evaluations}
        weights = shares_of(list(values.values()))
        moves = [
            ConsideredMove(
                text(action),
                (f"{evaluated:g}", f"{values[action]:g}"),
                mark=f"{values[action]:g}",
                weight=weight,
                is_chosen=action == expected,
                alike=((action,),),
            )
            for (action, evaluated), weight in zip(evaluations.items(), weights, strict=True)
        ]
        facts = () if shown == expected else (f"{text(expected)} was expected, {text(shown)} was played",)
        return explanation_of_moves(
            f"decided by minimax, level {level} and width {width}",
            moves,
            numbers=("evaluation", ahead),
            played=played,
            facts=(*facts, *self._features(position)),
            regions=self._regions(position),
        )

    def _features(self, position: Position) -> tuple[str, ...]:
        """Return a line for every feature on the board, with its coefficient."""
        own, other = counts(position)[:: 1 - 2 * position.seat].tolist()
        return tuple(
            f"{name}: {mine} own, {theirs} of the other seat, × {coefficient:g} = {(mine - theirs) * coefficient:g}"
            for (name, coefficient), mine, theirs in zip(self.coefficients.named.items(), own, other, strict=False)
            if mine or theirs
        ) or ("no feature is on the board",)

    def _regions(self, position: Position) -> tuple[Region, ...]:
        """Return the places of the features that have coefficients, the most valuable first."""
        values, labels = self.coefficients.values, position.game.board.labels
        valued = (each for each in places(position) if each.feature < len(values))
        found = sorted(valued, key=lambda each: (-values[each.feature], each.seat))
        return tuple(
            Region(
                f"{position.game.men[each.seat].name}: {CONTENTS[each.feature]}, "
                f"{labels[each.locations[0]]} to {labels[each.locations[-1]]}",
                each.locations,
            )
            for each in found
        )


def coefficients_of(given: Given) -> Coefficients:
    """Return the coefficients of an option."""
    if isinstance(given, tuple):
        return Coefficients(given)
    return load(Path(given)) if given else INITIAL


@dataclass(frozen=True)
class FivesPlayerOptions:
    """The options of `fives_student`.

    Attributes:
        level: The number of plies searched.
        width: The number of moves searched in a position, those with the highest evaluations.
        coefficients: A file of coefficients, or five or seven numbers; by default the paper's initial ones.
        ties: The order of moves with equal evaluations: ``lowest`` cell first, or ``random``.
    """

    level: Annotated[int, Quick(6)] = 3
    width: Annotated[int, Quick(15)] = 3
    coefficients: Given = ""
    ties: Ties = "lowest"


@dataclass(frozen=True)
class FivesTeacherOptions(FivesPlayerOptions):
    """The options of `fives_teacher`."""

    level: Annotated[int, Quick(6)] = 5
    width: Annotated[int, Quick(15)] = 10


@agent("fives_student", for_people="Student of five in a row: looks for rows that can grow", options=FivesPlayerOptions)
def fives_student(game: Game, options: FivesPlayerOptions) -> FivesPlayer:
    """A minimax player at five in a row, with coefficients that a student of fives has learned.

    Raises:
        BadInputError: If the game is of another kind, an option is out of range, or the file cannot be read.
    """
    return FivesPlayer(game, options.level, options.width, coefficients_of(options.coefficients), options.ties)


@agent(
    "fives_teacher",
    for_people="Teacher of five in a row: looks further ahead than its student",
    options=FivesTeacherOptions,
)
def fives_teacher(game: Game, options: FivesTeacherOptions) -> FivesPlayer:
    """The same player as a student of fives, with a deeper and wider search."""
    return fives_student(game, options)


@agent("fives_tester", for_people="Examiner at five in a row: plays as a student does on the first day")
def fives_tester(game: Game, ties: Ties = "lowest") -> FivesPlayer:
    """The opponent in exams of fives students: a student with the paper's initial coefficients.

    Args:
        game: A game in which five in a row on a grid win.
        ties: The order of moves with equal evaluations: ``lowest`` cell first, or ``random``.
    """
    return FivesPlayer(game, ties=ties)
