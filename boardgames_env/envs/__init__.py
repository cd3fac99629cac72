"""Environments: PettingZoo, Gymnasium, and Gymnasium in batches."""
