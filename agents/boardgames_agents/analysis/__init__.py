"""What a position or a match was worth, decision by decision, as an evaluator sees it: for people who want to learn.

All equities are points at a stake of 1, cubeless but for decisions about the cube, as in money play.
"""
