"""The arena: contests, tournaments, scores, tests and ratings."""
