"""Morris games, solved by classes of positions with equal numbers of men."""
