"""Policies that do not learn: the perfect player and those made from it, random, human."""
