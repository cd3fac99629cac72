"""A game whose kernels do not fit its sizes is refused when it is first used."""

import warnings
from dataclasses import fields, replace
from pathlib import Path

import pytest

from boardgames_env import BadInputError, Game, guarded_trial, make_game
from boardgames_env.envs.vector import BoardGameVectorEnv
from boardgames_env.kernels import Actions, Features, Kernel, State, encode, initial, legal, outcome, play
from tests.variants import EACH_GAME, over, sampled


@over(sampled(EACH_GAME, one_in=6))
def test_wrong_sizes_are_found_at_the_first_use(game: Game) -> None:
    guarded_trial._Trial(game).run()
    for why, sizes in {
        "needs room for them": {"state_size": game.board.size},
        "legal writes": {"actions": game.actions[:4]},
        "encode writes beyond": {"num_features": game.num_features - 1},
    }.items():
        with pytest.raises(BadInputError, match=f"^{game.name}.* cannot be played: .*({why})"):
            _ = replace(game, **sizes).ready


def test_a_state_that_is_too_short_for_what_is_not_on_the_board_is_found() -> None:
    for name in ("achi", "nine_mens_morris", "fives"):
        game = make_game(name)
        with pytest.raises(BadInputError, match=r"cannot be played: [a-z]+ (reads|writes) beyond"):
            _ = replace(game, state_size=game.state_size - 1).ready


@initial
def leaves_the_board(state: State) -> None:
    state[0] = 0


@legal
def none_at_all(state: State, actions: Actions) -> int:
    return 0


@legal
def descending(state: State, actions: Actions) -> int:
    actions[0], actions[1] = 5, 3
    return 2


@play
def forgets_whose_turn_it_is(state: State, action: int) -> None:
    state[1 + action] = 1
    state[0] += 1


@outcome
def many_points(state: State) -> int:
    return 3


@encode
def half(state: State, viewer: int, features: Features) -> None:
    for feature in range(9):
        features[feature] = state[1 + feature]


@pytest.mark.parametrize(
    ("rule", "kernel", "why"),
    [
        (
            "initial",
            leaves_the_board,
            "initial reads beyond its arrays, or does not write all of the 10 slots of a state",
        ),
        ("legal", none_at_all, r"legal writes \[\] where the contest goes on"),
        ("legal", descending, r"legal writes \[5, 3\] .* in ascending order, from 0 to 8"),
        ("play", forgets_whose_turn_it_is, "play sets slot 0, the seat to move, to 2"),
        ("outcome", many_points, "outcome returns 3, but most_points is 1"),
        ("encode", half, "does not write all of the 19 features"),
    ],
)
def test_kernels_that_break_the_contract_are_found(rule: str, kernel: Kernel, why: str) -> None:
    game = make_game("tic_tac_toe")
    broken = replace(game, rules=replace(game.rules, **{rule: kernel}))
    for use in (lambda: broken.initial, lambda: broken.position([0] * 10), lambda: BoardGameVectorEnv(broken, 2)):
        with pytest.raises(BadInputError, match=why):
            use()


def test_men_of_a_kind_that_a_game_does_not_have_are_found() -> None:
    @play
    def puts_three(state: State, action: int) -> None:
        state[1 + action] = 3 - 6 * state[0]
        state[0] = 1 - state[0]

    game = make_game("tic_tac_toe")
    broken = replace(game, kinds=(game.men,), rules=replace(game.rules, play=puts_three))
    with pytest.raises(BadInputError, match=r"after play, location . holds 3; it is from -2 to 2"):
        _ = broken.ready


def test_a_game_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Game] = []

    class Counted(guarded_trial._Trial):
        def run(self) -> None:
            tried.append(self.game)
            super().run()

    game = make_game("tic_tac_toe").ready
    monkeypatch.setattr(guarded_trial, "_Trial", Counted)
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    for _ in range(2):
        guarded_trial.try_out(game)
    assert len(tried) == 1
    guarded_trial.try_out(replace(game, most_points=2))
    assert len(tried) == 2
    # where nothing can be kept, it is tried in every process
    (tmp_path / "file").touch()
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path / "file"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # (given once in a process)
        for _ in range(2):
            guarded_trial.try_out(game)
    assert len(tried) == 4


def turned_freely(name: str) -> Game:
    """A game with its rules on a board that keeps none of its homes."""
    game = make_game(name)
    return replace(game, board=replace(game.board, homes=()))


@pytest.mark.parametrize("name", ["connect_four", "connect_four(columns=4,rows=4)", "hexapawn", "tant_fant"])
def test_symmetries_that_are_not_those_of_the_rules_are_refused(name: str) -> None:
    game = turned_freely(name)
    assert len(game.board.symmetries) > len(make_game(name).board.symmetries)
    with pytest.raises(BadInputError, match=r"symmetr.* not those of the rules: give the board homes, sets of loc"):
        _ = game.ready


@pytest.mark.parametrize(
    ("name", "other", "why"),
    [
        ("connect_four", "fives", "(gain|forcing|evaluate) (writes|returns|reads) "),
        ("tic_tac_toe", "qubic", "(gain|forcing|evaluate) (writes|returns|reads) "),
        ("hexapawn", "breakthrough", "(gain|forcing|evaluate) (writes|returns|reads) "),
    ],
)
@pytest.mark.parametrize("kernel", ["gain", "forcing"])
def test_kernels_for_searches_that_belong_to_another_game_are_refused(
    name: str, other: str, why: str, kernel: str
) -> None:
    game, theirs = make_game(name), getattr(make_game(other).heuristics, kernel)
    assert game.heuristics is not None
    with pytest.raises(BadInputError, match=why):
        _ = replace(game, heuristics=replace(game.heuristics, **{kernel: theirs})).ready
    _ = replace(game, title="its own", heuristics=replace(game.heuristics)).ready


def test_what_is_no_kernel_of_the_form_is_refused() -> None:
    game = make_game("backgammon")
    guides = make_game("hexapawn").heuristics
    assert guides
    for of in (game, game.rules, guides, game.encodings["raw"]):
        for name in (each.name for each in fields(of) if isinstance(getattr(of, each.name), Kernel)):
            for other in (lambda state: 0, game.rules.play, game.rules.legal, 3):
                if not isinstance(other, Kernel) or other.pointer_type != getattr(of, name).pointer_type:
                    with pytest.raises(BadInputError, match=f"^{name} of {type(of).__name__} is .*, which is not"):
                        replace(of, **{name: other})
