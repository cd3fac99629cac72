"""Training regimes, and the runs that keep what they teach."""
