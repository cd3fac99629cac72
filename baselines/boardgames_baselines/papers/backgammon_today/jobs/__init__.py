"""The jobs of the comparison with GNU Backgammon."""
