"""Backgammon and hypergammon: rules, notation, records of matches and inputs of networks."""
