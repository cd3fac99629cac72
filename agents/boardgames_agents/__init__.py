"""Everything that chooses moves, or learns to."""
