"""Where agents meet: contests, tournaments, scores, tests and ratings."""
