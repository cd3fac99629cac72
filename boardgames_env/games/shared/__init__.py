"""Kernels and parts of rules that families of games share."""
