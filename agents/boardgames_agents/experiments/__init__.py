"""Experiments: jobs, their runner, the store of their results, tables and reports."""
