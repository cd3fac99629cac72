"""Perception of a board: templates and patterns, zones and attitudes."""
