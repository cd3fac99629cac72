"""Analysis of backgammon positions and matches, decision by decision, with an evaluator.

All equities are points at a stake of 1, cubeless but for cube decisions, as in money play. At the score of a match they
are changes of the probability of winning it, in units of half of what the stake changes.
"""
