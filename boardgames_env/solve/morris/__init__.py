"""Morris games, solved class by class of positions: so many men of either seat."""
