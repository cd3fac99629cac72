"""The rules of backgammon and its relatives."""
