"""Our players of backgammon beside GNU Backgammon: points, error rates, and the cube."""
