"""Searches that look ahead from a position, for any game's kernels: alpha-beta and Monte Carlo."""

from agents.search import alpha_beta as alpha_beta
from agents.search import mcts as mcts
