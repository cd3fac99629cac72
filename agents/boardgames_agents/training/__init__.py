"""Trainers, the training loop, and runs, which save the training of a learner in a folder."""
