"""Filters against harmful knowledge: knowledge must pass tests before it is acquired or used.

Knowledge is harmful if an agent plays worse with it than without it (Markovitch and Scott 1989). `pipeline` has the
gates of a learner, `parts` the filters of Hasson, Markovitch and Sella, and `tested` a learner that applies one of them
to the knowledge of any other learner.

Sources: S. Markovitch and P. D. Scott, *Information filters and their implementation in the SYLLOG system*, Machine
Learning Workshop (1989); R. A. Hasson, S. Markovitch and Y. Sella, *Using Filters to Improve the Efficiency of
Game-playing Learning Procedures*, sections 1 and 4.
"""

from boardgames_agents.filters.tested import SelfTested

__all__ = ["SelfTested"]
