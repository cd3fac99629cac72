"""Drawing positions, from the coordinates and lines of the board alone."""
