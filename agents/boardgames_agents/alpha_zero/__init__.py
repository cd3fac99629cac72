"""AlphaZero: a network learns what a tree search with itself finds."""
