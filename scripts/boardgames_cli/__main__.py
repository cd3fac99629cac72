"""``python -m boardgames_cli`` runs the command line."""

from boardgames_cli.main import main

main()
