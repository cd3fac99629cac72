"""Breakthrough and hexapawn: men that step forward, and seats that exchange sides under a turn of the board."""

import numpy as np
import pytest

from boardgames_env import Game, Position, make_game
from tests.positions import men_at, random_positions
from tests.variants import over

PAWNS = ["breakthrough", "breakthrough(columns=5,rows=6)", "hexapawn", "hexapawn(columns=4,rows=5)"]


def turned(position: Position) -> Position:
    """The position on the board turned round, with the seats exchanged."""
    return position.game.position([1 - position.seat, *(-position.state[:0:-1])])


@over(PAWNS)
def test_seats_exchange_sides_when_the_board_is_turned(game: Game) -> None:
    assert len(game.board.symmetries) == 2
    last = game.board.size - 1
    for position in random_positions(game, 200, 3):
        other = turned(position)
        assert other.outcome == (None if position.outcome is None else -position.outcome)
        steps = {tuple(last - at for at in game.actions[action].locations) for action in position.legal_actions}
        assert steps == {game.actions[action].locations for action in other.legal_actions}
        assert game.heuristics.evaluate(other.state) == game.heuristics.evaluate(position.state)


@over(PAWNS)
def test_what_guides_a_search(game: Game) -> None:
    found = np.empty(game.num_actions, dtype=np.int32)
    for position in random_positions(game, 200, 5):
        if position.is_over:
            continue
        before = game.heuristics.evaluate(position.state)
        assert abs(before) < 10_000
        urgent = []
        for action in position.legal_actions:
            after = position.after(action)
            assert game.heuristics.gain(position.state, action) == -game.heuristics.evaluate(after.state) - before
            target = game.actions[action].locations[1]
            if position.state[1 + target] or target in (*game.board.homes[0], *game.board.homes[1]):
                urgent.append(action)
        assert found[: game.heuristics.forcing(position.state, found)].tolist() == urgent


@pytest.mark.parametrize(
    ("spec", "white", "black", "texts"),
    [
        ("hexapawn", "b1", "b2", None),  # nothing to capture, nowhere to go
        ("hexapawn", "b1", "a2 b2", ["b1-a2"]),
        ("breakthrough", "b4", "b5", ["b4-a5", "b4-c5"]),
        ("breakthrough", "b4 c5", "b5 a5", ["b4-a5", "c5-b6", "c5-c6", "c5-d6"]),
    ],
)
def test_steps(spec: str, white: str, black: str, texts: list[str] | None) -> None:
    game = make_game(spec)
    men = ([game.board.labels.index(label) for label in labels.split()] for labels in (white, black))
    position = men_at(game, *men, 0)
    if texts is None:
        assert position.outcome == -1
    else:
        assert sorted(map(game.action_text, position.legal_actions)) == texts


def test_seats_see_which_way_they_go() -> None:
    position = make_game("hexapawn").initial
    assert [position.features(viewer)[-1] for viewer in (0, 1)] == [1, 0]
