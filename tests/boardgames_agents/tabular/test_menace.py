import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.tabular import face_of
from boardgames_agents.tabular.menace import Menace
from boardgames_env import Game
from tests.contests import train
from tests.positions import reachable

GAME = "tic_tac_toe"


def test_symmetric_positions_share_a_box_and_symmetric_actions_a_colour(game: Game) -> None:
    assert len({face_of(game.initial.play(corner)).box for corner in (0, 2, 6, 8)}) == 1
    assert len({face_of(game.initial.play(cell)).box for cell in range(9)}) == 3
    assert sorted(face_of(game.initial).colours.values()) == [(0, 2, 6, 8), (1, 3, 5, 7), (4,)]
    face = face_of(game.initial.play(0))  # symmetric about one diagonal
    assert sorted(face.colours.values()) == [(1, 3), (2, 6), (4,), (5, 7), (8,)]


def test_colours_mean_the_same_in_every_image(game: Game) -> None:
    position = game.initial.play(0).play(5)
    face = face_of(position)
    for image, carry in zip(position.images(), game.action_symmetries, strict=True):
        turned = face_of(image)
        assert turned.box == face.box
        for colour, actions in face.colours.items():
            assert sorted(carry[list(actions)].tolist()) == list(turned.colours[colour])


def test_positions_of_the_first_player_up_to_symmetry() -> None:
    """1, 12, 108 and 183 with 0, 2, 4 and 6 men are the 304 that Michie's machine might meet; he kept 287 of them."""
    unfinished = [position for position, _ in reachable("tic_tac_toe").values() if not position.is_over]
    boxes = {face_of(position).box for position in unfinished if position.seat == 0}
    men = [int(np.count_nonzero(np.frombuffer(box, np.int8)[1:])) for box in boxes]
    assert [men.count(each) for each in (0, 2, 4, 6)] == [1, 12, 108, 183]


def test_beads_by_turn_and_reinforcement(game: Game) -> None:
    menace = Menace(game, beads=4)
    record = play_contest(game, (menace, menace), [5])
    position, expected = game.initial, {}
    for turn, action in enumerate(record.actions):
        face = face_of(position)
        colour = next(colour for colour, actions in face.colours.items() if action in actions)
        count = max(1, 4 - turn // 2)
        points = record.points_for(position.seat)
        beads = dict.fromkeys(face.colours, count)
        beads[colour] = max(0, count + {1: 3, 0: 1, -1: -1}[points])
        if any(beads.values()):
            expected[face.box] = beads
        position = position.play(action)
    snapshot = menace.snapshot()
    found = {
        state.tobytes(): {c: n for c, n in enumerate(beads.tolist()) if n >= 0}
        for state, beads in zip(snapshot.arrays["states"], snapshot.arrays["beads"], strict=True)
    }
    assert found == expected


def test_a_box_that_runs_empty_is_filled_again(game: Game) -> None:
    menace = Menace(game, beads=1, win=-1, draw=-1, loss=-1)
    for contest in range(30):
        play_contest(game, (menace, menace), [contest])
    assert all((beads[beads >= 0] > 0).any() for beads in menace.snapshot().arrays["beads"])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_self_training_makes_it_much_more_reliable(seed: int, game: Game) -> None:
    """By 40 points and more against the perfect player at tic-tac-toe, in 2,000 contests against itself."""
    menace, reliability = Menace(game), []
    for contests in (0, 2000):
        train(menace, game, "self", range(contests), (seed,))
        reliability.append(tournament(game, menace, "perfect", 400, seed=90 + seed).score.reliability)
    assert reliability[1] >= reliability[0] + 40
