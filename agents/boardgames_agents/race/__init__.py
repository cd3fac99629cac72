"""Races in backgammon: a network that predicts how many rolls a seat takes to bear off, and how it is taught."""
