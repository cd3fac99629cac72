"""The players of backgammon: trained networks, races, pubeval and GNU Backgammon."""
