"""Analysis of backgammon positions and matches, decision by decision, with an evaluator.

All equities are points at a stake of 1, cubeless but for cube decisions, as in money play.
"""
