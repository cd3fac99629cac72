"""Experiments: jobs, where they run, where their results are stored, and the tables made from them."""
