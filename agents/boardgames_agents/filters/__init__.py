"""Filters against harmful knowledge: what a learner meets, learns, keeps and plays by may have to pass tests.

Knowledge is harmful if its owner plays worse with it than without (Markovitch and Scott 1989). The five places at which
information can be held back are in `boardgames_agents.filters.pipeline`, the filters of Hasson, Markovitch and Sella in
`filters.parts`; and here is a learner for the simplest use of both: any other learner, whose knowledge is put to
the test.

Sources: S. Markovitch and P. D. Scott, *Information filters and their implementation in the SYLLOG system*, Machine
Learning Workshop (1989); R. A. Hasson, S. Markovitch and Y. Sella, *Using Filters to Improve the Efficiency of
Game-playing Learning Procedures*, sections 1 and 4.
"""

from typing import Literal

from boardgames_agents.policy import Learner
from boardgames_agents.registry import agent
from boardgames_env.game import Game


@agent("self_tested")
def self_tested(
    game: Game,
    learner: str = "td",
    tester: str = "",
    every: int = 1000,
    contests: int = 100,
    place: Literal["acquisition", "utilization"] = "acquisition",
    seed: int = 0,
) -> Learner:
    """Another learner, whose knowledge must do better in an exam from time to time, or is undone or not played by.

    Args:
        game: The game.
        learner: The learner's spec, such as ``"td(seed=1)"``.
        tester: The agent it plays in exams; by default itself as it was before it learned anything.
        every: After how many contests it sits an exam.
        contests: How many contests an exam has, always with the same chances; its score is the mean of the points.
        place: What becomes of knowledge that fails: under ``acquisition`` it is undone, so that learning goes on from
            what passed last; under ``utilization`` learning goes on from it, but what passed last is played by.
        seed: Settles the chances of the exams.

    Raises:
        BadInputError: If the learner does not learn, the tester is a person, or a number is not allowed.
    """
    from boardgames_agents.filters.tested import SelfTested

    return SelfTested(game, learner, tester, every, contests, place, seed)
