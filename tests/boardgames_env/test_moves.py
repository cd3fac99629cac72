"""The locations of an action, and turns that are forced."""

import numpy as np

from boardgames_env import Game, make_game
from boardgames_env.moves import locations_of
from tests.positions import Dice, random_contest
from tests.variants import EACH_GAME, fast_for, over


def test_a_disc_is_clicked_where_it_falls() -> None:
    game = make_game("connect_four")
    position = game.initial.play(3).play(3)
    assert game.board.labels[locations_of(position, 3)[0]] == "d3"
    assert [game.board.labels[at] for action in (0, 6) for at in locations_of(position, action)] == ["a1", "g1"]


def test_men_of_backgammon_are_clicked_where_they_stand_and_where_they_go() -> None:
    game = make_game("backgammon")
    position = next(e.position for e in game.initial.events() if "black to play 6-1" in e.position.text)
    action = next(each for each in position.legal_actions if game.action_text(each) == "13/7")
    labels = [game.board.labels[location] for location in locations_of(position, action)]
    assert labels == ["12", "18"], "seat 1 counts from the other end"


@over(fast_for({"hypergammon", "english_draughts", "five_mens_morris"}, EACH_GAME))
def test_a_turn_is_forced_if_all_its_moves_lead_to_one_position(game: Game) -> None:
    for position in list(random_contest(game, np.random.default_rng(3), Dice(game, 3)))[:40]:
        reached = {move.afterstate for move in position.moves()}
        forced = position.only_move()
        assert bool(forced) == (len(reached) == 1)
        last = position
        for action in forced:
            last = last.play(action)
        assert not forced or reached == {last}
