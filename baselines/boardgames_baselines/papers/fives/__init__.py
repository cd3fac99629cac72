"""Hasson, Markovitch and Sella, *Using Filters to Improve the Efficiency of Game-playing Learning Procedures*.

The figures and tables are in `experiments`, what they share in `trials`, and the jobs in `courses`.
"""
