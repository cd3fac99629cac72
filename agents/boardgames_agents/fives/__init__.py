"""The student of Hasson, Markovitch and Sella, its teacher and its tester: they play by five in a row on a grid.

The student learns coefficients of an evaluation function by predicting the moves of a teacher, an instance of itself
that looks further. Implementation details, numbered:

1. *Whose moves teach*: those of the seats that the trainer says an expert plays. At each the student predicts what
   itself would play there, and learns at once if that was wrong. Where no expert plays (in self-training, say) nothing
   is learned, unless it is told to ask its own teacher (``asks``).
2. *The teacher* is the student's own (``Learner.teacher``; the trainer `teacher` holds lessons with it). The paper has
   one knowledge base "used by all the instances", so the teacher plays by what the student has learned, even in the
   contest in which it is learned; with ``shared=False`` it keeps the coefficients that both began with.
3. *The update* is that of section 2.3 (`learning`). Contents are counted from the teacher's side. The paper defines
   them as x's less o's, the teacher plays o, and its own rationale, that P outweighs N "from the teacher's point of
   view", holds only with "the negative sign" that the evaluation has for the opponent. ``viewer='student'`` counts as
   it is written.
4. *Right predictions* are no experience, and are counted apart. A proposal by which a feature would be worth as much as
   a five is not made: without filters coefficients grow without bound.
5. *The experience filter* compares what the student evaluates the two boards at, and admits differences of at least
   ``threshold``; the paper does not tell when one is significant. 100 is what the least feature is worth at first. It
   was chosen among 0, 50, 100, 150, 200, 300 and 400 on 300 sets of their own (seeds 10,000 to 10,299 of `making`): it
   saves a fifth of the exams, for 0.4 of the 3.9 points that five sessions gain in the self-test; 150 saves three
   fifths, for 1.7 points.
6. *The domain rules* are orders between coefficients (`learning.ORDER`); the paper gives one of them.
7. *The self-test* is an exam against the coefficients the paper begins with, from starting positions of its own.
   Coefficients are accepted only if the score is higher than that of the last that were.
8. *Ties* go to the lowest cell, so that all of it is repeatable to the last coefficient.

================== ======================================================================
file               holds
================== ======================================================================
`runs`             what a line holds: fives, open fours, open threes
`grid_lines`       which games are meant; the lines of their board, and a table of what they hold
`features`         the features of a board, counted anew or kept up to date
`coefficients`     what each feature is worth, and the file in which that is kept
`workspace`,       minimax over the best children
`minimax`
`contests`         whole contests inside a kernel
`player`           the agents that play
`learning`         the update of the coefficients, and the order that must hold between them
`making`           the starting positions in `data`: how they were made, and more of them
`exam`             contests against the tester, and their score
`learner`          the student as it learns
================== ======================================================================
"""

from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from boardgames_agents.fives.player import FivesPlayer, Given, Ties, fives_student, fives_teacher, fives_tester
from boardgames_agents.registry import agent
from boardgames_agents.training.starting_positions import register_sets
from boardgames_env.game import Game

if TYPE_CHECKING:
    from boardgames_agents.fives.learner import FivesLearner

register_sets(files("boardgames_agents.fives") / "data")

__all__ = ["FivesPlayer", "fives_student", "fives_teacher", "fives_tester"]


@agent("fives")
def fives(
    game: Game,
    level: int = 3,
    width: int = 3,
    teacher_level: int = 5,
    teacher_width: int = 10,
    coefficients: Given = "",
    broken: bool = False,
    experience: bool = True,
    threshold: float = 100,
    rules: bool = True,
    self_test: bool = True,
    practice_exam: str = "self_test-1",
    exam: str = "exam-1",
    shared: bool = True,
    viewer: Literal["teacher", "student"] = "teacher",
    asks: bool = False,
    ties: Ties = "lowest",
) -> "FivesLearner":
    """A student at five in a row: it learns what to value by predicting an expert's moves, and filters what it learns.

    Args:
        game: A game in which five in a row on a grid win.
        level: How many plies it looks ahead.
        width: How many moves it looks at in a position.
        teacher_level: How many plies its teacher looks ahead.
        teacher_width: How many moves its teacher looks at.
        coefficients: Those to begin with: a file, or five or seven numbers; by default the paper's.
        broken: Whether broken fours and threes count, too, if no coefficients are given.
        experience: Whether only predictions teach that were significantly wrong,
        threshold: which is to say, by such a difference between the evaluations of the two boards.
        rules: Whether it keeps the order that must hold between coefficients.
        self_test: Whether it holds an exam before it accepts new coefficients.
        practice_exam: The starting positions of that exam: a file, or a set that comes with the package.
        exam: The starting positions of the exam that is reported, and never learned from; nothing for none.
        shared: Whether its teacher plays by what it has learned.
        viewer: From whose side contents are counted.
        asks: Whether it asks its own teacher what that would play, where no expert plays.
        ties: Which of two moves that look alike comes first: ``lowest`` for the lower cell, ``random`` for either.

    Raises:
        BadInputError: If the game is of another kind, or a number or a file is not allowed.
    """
    from boardgames_agents.fives.coefficients import INITIAL_BROKEN
    from boardgames_agents.fives.learner import FivesLearner, Study
    from boardgames_agents.fives.player import coefficients_of

    study = Study(experience, threshold, rules, self_test, practice_exam, viewer, shared, asks, exam)
    first = INITIAL_BROKEN if broken and coefficients == "" else coefficients_of(coefficients)
    return FivesLearner(game, first, (level, width), (teacher_level, teacher_width), study, ties)
