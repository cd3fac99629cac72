"""Pictures of positions, from the coordinates and lines of the board or from the game's own drawing."""
