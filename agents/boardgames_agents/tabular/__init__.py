"""Learners that keep a number for each position and action."""
