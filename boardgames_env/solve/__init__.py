"""Solving games completely, and the tables that leaves."""
