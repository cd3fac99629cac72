"""The command line: `boardgames`. Argument parsing and printing only."""
