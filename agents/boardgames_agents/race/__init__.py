"""Races: a network that predicts how many rolls a seat takes to bear off, its training, and an evaluator."""
