"""Hasson, Markovitch and Sella, *Using Filters to Improve the Efficiency of Game-playing Learning Procedures*.

There is a module for each section of the paper; the jobs of the experiments are in `jobs`.
"""
