"""``python -m boardgames_env`` runs the command line, which is an entry point: this package imports none above it."""

from importlib.metadata import entry_points

(command,) = entry_points(group="console_scripts", name="boardgames")
command.load()()
