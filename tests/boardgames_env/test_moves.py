"""The locations of an action."""

from boardgames_env import make_game
from boardgames_env.moves import locations_of


def test_men_of_backgammon_are_clicked_where_they_stand_and_where_they_go() -> None:
    game = make_game("backgammon")
    position = next(e.position for e in game.initial.events() if "black to play 6-1" in e.position.text)
    action = next(each for each in position.legal_actions if game.action_text(each) == "13/7")
    labels = [game.board.labels[location] for location in locations_of(position, action)]
    assert labels == ["12", "18"], "seat 1 counts from the other end"
