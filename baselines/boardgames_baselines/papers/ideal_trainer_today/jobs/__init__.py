"""The jobs of the study: a training each, with its tests."""
