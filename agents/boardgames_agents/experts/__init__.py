"""Policies that do not learn: perfect, fallible and informed players, random, human, and programs for backgammon."""
