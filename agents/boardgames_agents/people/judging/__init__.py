"""What a move is worth, by whichever source is best for a game, and what a move cost."""
