"""Views and choices against positions and their moves."""

import numpy as np
import pytest

from boardgames_agents.hoyle.game_frame import frame_of, locations_of, mask_of
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_env import Game, Position, make_game
from tests.boardgames_agents.hoyle.situation import view_after, views_of, walk
from tests.variants import WITHOUT_CHANCE, over, sampled

every_game = over(sampled(WITHOUT_CHANCE, one_in=4))


def least_image(position: Position) -> bytes:
    """The same for positions that are the same but for symmetry, the slow way."""
    return min((position.state[slots] for slots in frame_of(position.game).slots), key=lambda s: s.tolist()).tobytes()


def men(position: Position, seat: int) -> int:
    signs = position.state[1 : 1 + position.game.board.size] * (1 - 2 * seat)
    return mask_of(np.flatnonzero(signs > 0).tolist())


def mobility_of_other(position: Position) -> int:
    """The number of legal actions if it were the other seat's turn."""
    state = position.state.copy()
    state[0] = 1 - state[0]
    return len(Position.unchecked(position.game, state).legal_actions)


@every_game
def test_a_view_is_its_movers_and_its_choices_are_the_moves_but_for_symmetry(game: Game) -> None:
    views = views_of(game)
    for position in walk(game, 2, 9):
        view, seat = views.view_of(position), position.seat
        assert view.position == position
        assert (view.seat, view.state, view.key) == (seat, position.key, least_image(position))
        assert (view.own, view.enemy) == (men(position, seat), men(position, 1 - seat))
        assert view.own | view.enemy | view.empty == mask_of(range(game.board.size))
        assert view.empty & (view.own | view.enemy) == 0
        assert view.mobility(mine=True) == len(position.legal_actions)
        assert view.mobility(mine=False) == mobility_of_other(position)
        assert (view.lines, view.enemy_lines) == frame_of(game).goals[:: 1 - 2 * seat]
        reached = {move.actions: move.afterstate for move in position.moves()}
        assert view.places is any(men(after, seat).bit_count() > view.own.bit_count() for after in reached.values())
        classes: dict[bytes, list[tuple[int, ...]]] = {}
        for actions, after in reached.items():
            classes.setdefault(least_image(after), []).append(actions)
        assert {choice.key: sorted(choice.alike) for choice in view.choices} == classes
        assert len(view.choices) == len(classes)
        for choice in view.choices:
            after = reached[choice.actions]
            assert choice.actions == choice.alike[0]
            assert (choice.state, choice.points) == (after.key, after.points_for(seat))
            assert (choice.own, choice.enemy) == (men(after, seat), men(after, 1 - seat))
            if after.is_over:
                assert choice.replies == ()
                assert choice.mobility(mine=True) == choice.mobility(mine=False) == 0
            else:
                assert choice.then.seat == after.seat == 1 - seat
                assert choice.replies == choice.then.choices
                assert choice.mobility(mine=False) == len(after.legal_actions)
                assert choice.mobility(mine=True) == mobility_of_other(after)


def test_how_many_choices_there_are_at_the_start() -> None:
    counts = {"tic_tac_toe": 3, "qubic": 4 * 3, "fives": 15, "five_mens_morris": 4, "pong_hau_ki": 1}
    assert {name: len(view_after(make_game(name), ()).choices) for name in counts} == counts


def test_a_turn_of_several_actions_is_one_choice() -> None:
    game = make_game("five_mens_morris")
    several = 0
    for position in walk(game, 6, 40):
        view = views_of(game).view_of(position)
        for choice in view.choices:
            *_, last = actions = [game.actions[action] for action in choice.actions]
            if len(actions) > 1:
                several += 1
                assert last.kind == "capture"
                assert view.enemy & ~choice.enemy == mask_of(last.locations)
    assert several > 5


def test_choice_of_finds_a_move_by_its_actions() -> None:
    view = view_after(make_game("tic_tac_toe"), ())
    assert view.choice_of((8,)) is view.choice_of((0,))
    assert {locations_of(choice.own)[0] for choice in view.choices} == {0, 1, 4}
    with pytest.raises(StopIteration):
        view.choice_of((9,))


def test_a_lookout_remembers_its_views() -> None:
    views = ViewCache(frame_of(make_game("tic_tac_toe")))
    start = views.view_of(views.frame.game.initial)
    assert views.view_of(start.position) is start
    assert views.view_of(start.position.play(0)) is next(iter(start.choices)).then


def test_what_a_lookout_remembers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgames_agents.hoyle.position_view._MOST_CHOICES", 100)
    game = make_game("qubic")
    bounded, widest, seen = ViewCache(frame_of(game)), 0, 0
    for position in walk(game, 1, 40):
        choices = bounded.view_of(position).choices
        widest, seen = max(widest, len(choices)), seen + len(choices)
        held = [view for view in bounded._views.values() if "choices" in vars(view)]
        assert sum(len(view.choices) for view in held) < 100 + widest
    assert seen > 500
