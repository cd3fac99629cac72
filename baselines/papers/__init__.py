"""The papers, a module each, whose tables are made again beside ours."""
