"""Draughts: the rules of English draughts, and what guides a search in it."""
