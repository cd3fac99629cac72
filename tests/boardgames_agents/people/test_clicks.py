"""Moves by clicks: every legal action, and nothing else."""

from boardgames_agents.people.clicks import ClickedMove, locations_of
from boardgames_agents.people.session import PlaySession
from boardgames_env import Game, make_game
from boardgames_env.render.layout import areas, location_at
from tests.variants import EACH_GAME, cut_short, over


@over(EACH_GAME, one_in=6)
def test_every_position_can_be_played_on_by_clicks(game: Game) -> None:
    """Of each pair of actions on the same locations the first is made, such as one die or the other for a bear-off."""
    session = PlaySession(cut_short(game), (None, None), (4,))
    while not session.is_over:
        position = session.position
        places = areas(game)
        assert len(places) == game.board.size
        seen = set()
        for action in position.legal_actions:
            move, made = ClickedMove(position), None
            for location in locations_of(position, action):
                assert location in move.next_locations()
                clicked = location_at(game, places[location].centre)
                assert clicked == location
                made = move.click(location)
            if made is None and move.clicked:
                made = move.click(move.clicked[-1])
            if made is None:
                assert move.answers[game.action_text(action)] == action
            else:
                assert locations_of(position, made) == locations_of(position, action)
                seen.add(locations_of(position, made))
        session.play([position.legal_actions[session.plies % len(position.legal_actions)]])


def test_a_click_elsewhere_begins_anew() -> None:
    game = make_game("shisima")
    move = ClickedMove(game.initial)
    first, *_ = move.next_locations()
    assert move.click(first) is None
    assert move.clicked == (first,)
    assert first not in move.next_locations()
    other = next(each for each in ClickedMove(game.initial).next_locations() if each != first)
    assert move.click(other) is None
    assert move.clicked == (other,)
    nowhere = next(each for each in range(9) if each not in (first, other, *move.next_locations()))
    assert move.click(nowhere) is None
    assert move.clicked in ((), (nowhere,))


def test_men_of_backgammon_are_clicked_where_they_stand_and_where_they_go() -> None:
    game = make_game("backgammon")
    position = next(e.position for e in game.initial.events() if "black to play 6-1" in e.position.text)
    action = next(each for each in position.legal_actions if game.action_text(each) == "13/7")
    labels = [game.board.labels[location] for location in locations_of(position, action)]
    assert labels == ["12", "18"], "seat 1 counts from the other end"
