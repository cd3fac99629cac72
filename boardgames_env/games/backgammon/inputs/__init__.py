"""What networks see of a position of backgammon."""
