"""Solving games completely, and the tables that leaves: ``solve(game).value(position)``."""

from boardgames_env.solve.table import Table, load_table, save_table, solve, table_path

__all__ = ["Table", "load_table", "save_table", "solve", "table_path"]
