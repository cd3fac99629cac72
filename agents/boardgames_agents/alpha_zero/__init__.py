"""AlphaZero: a network's policy and values, improved by a search over a tree of positions."""
