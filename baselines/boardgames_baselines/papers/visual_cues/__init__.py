"""Epstein, Gelfand, Lesniak and Abadie ("Visual Cues"): lines and patterns.

*The Integration of Visual Cues into a Multiple-Advisor Game-Learning Program.*
"""
