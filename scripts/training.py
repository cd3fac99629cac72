"""`boardgames train` and `test`."""

COMMANDS = ()
