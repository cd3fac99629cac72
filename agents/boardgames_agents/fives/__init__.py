"""The student of Hasson, Markovitch and Sella, its teacher and its tester, for five in a row on a grid.

The student learns the coefficients of an evaluation function by predicting the moves of a teacher, an instance of
itself that searches deeper. Implementation details, numbered:

1. *Source of moves*: the seats that the trainer declares experts. At each of their moves the student predicts what it
   would play itself, and learns at once if the prediction was wrong. Without an expert, as in self-training, it learns
   nothing, unless ``asks`` makes it ask its own teacher.
2. *The teacher* is the student's own (``Learner.teacher``; the trainer `teacher` gives lessons with it). The paper has
   one knowledge base "used by all the instances", so the teacher plays by the student's current coefficients, even in
   the contest in which they change; with ``shared=False`` it keeps the initial ones.
3. *The update* is that of section 2.3 (`learner`). Contents are counted from the teacher's side. (The paper defines
   them as x's less o's, and the teacher plays o. But its rationale, that P outweighs N "from the teacher's point of
   view", holds only with "the negative sign" that the evaluation has for the opponent. ``viewer='student'`` counts as
   it is written.)
4. *Right predictions* are not experiences and are counted separately. A proposal that values a feature as highly as a
   five is discarded: without filters coefficients grow without bound.
5. *The experience filter* compares the student's evaluations of the two boards and admits differences of at least
   ``threshold``; the paper does not say when one is significant. 100 is the initial coefficient of the least feature.
   It was chosen among 0, 50, 100, 150, 200, 300 and 400 on 300 sets of their own (seeds 10,000 to 10,299 of `making`):
   it saves a fifth of the exams and costs 0.4 of the 3.9 points that five sessions gain in the self-test; 150 saves
   three fifths and costs 1.7 points.
6. *The domain rules* are orders between coefficients (`learner.ORDER`); the paper gives one of them.
7. *The self-test* is an exam against the paper's initial coefficients, from starting positions of its own. Coefficients
   are accepted only if they score higher than those accepted last.
8. *Ties* go to the lowest cell, so that results are repeatable to the last coefficient.
"""

from importlib.resources import files

from boardgames_agents.fives.learner import FivesLearner, FivesOptions
from boardgames_agents.fives.player import FivesPlayer, fives_student, fives_teacher, fives_tester
from boardgames_agents.training.starting_positions import register_sets

register_sets(files("boardgames_agents.fives") / "data")

__all__ = ["FivesLearner", "FivesOptions", "FivesPlayer", "fives_student", "fives_teacher", "fives_tester"]
