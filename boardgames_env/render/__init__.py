"""Drawing positions, from the coordinates and lines of the board, or as the game itself draws them."""
