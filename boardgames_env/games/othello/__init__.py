"""Othello: its page and board, and its kernels."""
