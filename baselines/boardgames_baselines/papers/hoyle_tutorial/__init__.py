"""Epstein, *Learning to Play Expertly: A Tutorial on Hoyle* (2001)."""
