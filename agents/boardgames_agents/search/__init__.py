"""Searches that look ahead from a position, for any game's kernels: alpha-beta and Monte Carlo."""

from boardgames_agents.search import alpha_beta as alpha_beta
from boardgames_agents.search import mcts as mcts
