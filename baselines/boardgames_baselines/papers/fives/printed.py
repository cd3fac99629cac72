"""The paper's results in the text of sections 3 and 4. (Its figures are pictures that we do not have.)"""

from boardgames_agents.fives.coefficients import Coefficients

FIGURE_2 = {0: 50.0, 2: 66.25, 5: 55.0}
"""Scores without filters by the number of sessions before the exam. By the text, the second is the highest."""

FIGURE_4 = {0: 50.0, 5: 74.2}
"""Scores with all filters; by the text, those after sessions 3 and 4 equal that after session 2."""

BEST = Coefficients((560, 450, 300, 222.5, 122.5))
"""The coefficients "that were used to achieve the highest score"."""
