"""Epstein, *Toward an Ideal Trainer*, Machine Learning 15 (1994), 251–277."""
