"""Leagues: every agent against every other at every game."""
