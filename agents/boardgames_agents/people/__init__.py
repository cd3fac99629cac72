"""Contests with people: sessions, levels of strength, hints, endings in words, and moves by clicks.

Nothing here prints or reads: the terminal, a window and a page in a browser use the same sessions.
"""
