"""Games in disguise: the same trees, with other names, numbers and rule texts."""

import re

import numpy as np
import pytest

from boardgames_agents.experts.perfect import PerfectPlayer
from boardgames_agents.people.language.prompt import PromptForm, prompt
from boardgames_env import BadInputError, Game, Position, make_game, solve
from boardgames_env.games.disguised import Disguise
from boardgames_env.solve.position_table import PositionTable
from tests.variants import EACH_SMALL_GAME, WITHOUT_CHANCE, over

SOLVED = [name for name in EACH_SMALL_GAME if name != "disguised"]
OTHERS = [name for name in WITHOUT_CHANCE if name != "disguised"]
WORDS = "tic tac toe noughts crosses grid cell cells row rows column diagonal line lines mark marks man men pawn pawns "
WORDS += "black white red mill mills morris point points centre corner board square squares ring octagon triangle"


def in_disguise(game: Game, seed: int) -> tuple[Game, Disguise]:
    made = make_game("disguised", game=game.spec, seed=seed)
    assert isinstance(made.family, Disguise)
    return made, made.family


def behind(disguise: Disguise, position: Position) -> Position:
    return disguise.original.position(disguise.uncovered(position.state))


def assert_isomorphic(game: Game, seed: int) -> None:
    """Assert that solving the disguise by its own kernels gives the values and best moves of the original."""
    made, disguise = in_disguise(game, seed)
    table, own = solve(game), solve(made)
    assert isinstance(table, PositionTable)
    assert isinstance(own, PositionTable)
    assert len(own) == len(table)
    states = disguise.original.initial.state[np.newaxis].repeat(len(own), 0)
    states[:, disguise.slots] = own.states
    rows = {state.tobytes(): row for row, state in enumerate(table.states)}
    there = [rows.pop(state.tobytes()) for state in states]
    assert not rows
    assert (table.values[there] == own.values).all()
    assert (table.distances[there] == own.distances).all()
    perfect, other = PerfectPlayer(game), PerfectPlayer(made)
    for state in own.states[:: max(1, len(own) // 100)]:
        position = Position.unchecked(made, state.copy())
        if position.legal_actions:
            chosen, _ = other.distribution(position)
            best, _ = perfect.distribution(behind(disguise, position))
            assert {int(disguise.numbers[action]) for action in chosen} == {*best}


def test_tic_tac_toe_is_hidden() -> None:
    assert_isomorphic(make_game("tic_tac_toe"), 3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@over(SOLVED)
def test_every_solved_game_has_the_same_tree(game: Game, seed: int) -> None:
    assert_isomorphic(game, seed)


@over(OTHERS)
def test_contests_are_those_of_the_game_behind(game: Game) -> None:
    made, disguise = in_disguise(game, 2)
    assert len(made.board.symmetries) == len(game.board.symmetries)
    rng, position = np.random.default_rng(5), made.initial
    assert behind(disguise, position) == game.initial
    for _ in range(12):
        other = behind(disguise, position)
        assert position.outcome == other.outcome
        assert sorted(disguise.numbers[[*position.legal_actions]]) == [*other.legal_actions]
        assert sorted(position.features()) == sorted(other.features())
        if position.is_over:
            break
        action = int(rng.choice(position.legal_actions))
        position = position.play(action)
        assert behind(disguise, position) == other.play(int(disguise.numbers[action]))


def test_values_of_a_large_game_are_those_of_the_game_behind() -> None:
    game = make_game("disguised", game="five_mens_morris", seed=4)
    from boardgames_env.solve import demand_solvable

    demand_solvable(game)


@over(OTHERS)
def test_a_prompt_holds_no_word_of_the_game_behind(game: Game) -> None:
    for seed in range(3):
        made, _ = in_disguise(game, seed)
        hidden = {*WORDS.split(), *re.findall(r"[a-z]+", f"{game.title} {game.name}".lower())} - {"s", "a", "i"}
        hidden |= {each.name.lower() for each in game.men}
        position = made.initial
        position = position.play(position.legal_actions[0])
        text = prompt(position, form=PromptForm())
        assert not hidden & set(re.findall(r"[a-z]+", text.lower()))
        assert "{" not in text


def test_seeds_differ() -> None:
    games = [make_game("disguised", seed=seed) for seed in range(5)]
    assert len({game.board.labels for game in games}) == 5
    assert make_game("disguised", seed=3) is make_game("disguised", seed=3)


@pytest.mark.parametrize("options", [{"game": "backgammon"}, {"game": "disguised"}, {"seed": -1}, {"game": "chess"}])
def test_other_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadInputError):
        make_game("disguised", **options)
