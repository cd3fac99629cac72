"""Hasson, Markovitch and Sella, *Using Filters to Improve the Efficiency of Game-playing Learning Procedures*.

A module per section of the paper. What the experiments compute is in `work`, and kept by the sources of that package;
what they show of it is in the sections.
"""
