"""The network for races: what it predicts, and where it is asked; `tests/networks` has what it learns."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numba import types

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.backgammon.race_evaluator import RaceEvaluator, _keeps_contact
from boardgames_agents.backgammon.race_network import SHIPPED, is_race, load_weights, save_weights, shipped_weights
from boardgames_agents.backgammon.td_gammon import td_gammon
from boardgames_agents.lookahead.evaluator import OTHER_SEAT
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Position, make_game
from boardgames_env.contest import turns
from boardgames_env.games.backgammon.inputs.phases import RACE, find_phase
from boardgames_env.games.backgammon.rules.backgammon_board import BARS, OFF, ROLLING, STAGE
from boardgames_env.kernels import READ_ONLY_STATE, kernel
from boardgames_env.moves import moves_of
from boardgames_env.solve.bearoff import MEN, home_number
from tests.boardgames_env.games.backgammon_contests import position_of

GAME = "backgammon"
IS_RACE = kernel(types.boolean(READ_ONLY_STATE))(is_race.py_func)
KEEPS_CONTACT = kernel(types.boolean(READ_ONLY_STATE))(_keeps_contact.py_func)
NUMBER = kernel(types.int64(READ_ONLY_STATE, types.int64, types.int64))(home_number.py_func)


def rolls_of_contests(contests: int) -> Iterator[Position]:
    """Positions before each roll of contests between sensible players."""
    game, player = make_game(GAME), make_agent("pubeval", make_game(GAME))
    for seed in range(contests):
        record = play_contest(game, (player, player), (seed,))
        played = turns(game.initial, record.actions, record.events)
        yield from (turn.before for turn in played if turn.before.state[STAGE] == ROLLING)


def test_what_is_a_race() -> None:
    found = []
    for position in rolls_of_contests(20):
        state = position.state
        is_past = find_phase.run(state, MEN) == RACE
        assert IS_RACE.run(state) == (is_past and not state[BARS : BARS + 2].any())
        found.append(IS_RACE.run(state))
    assert 100 < sum(found) < len(found) / 2


def test_contact_that_is_kept_is_kept_after_every_roll() -> None:
    kept = ended = 0
    for position in rolls_of_contests(4):
        if IS_RACE.run(position.state):
            continue
        keeps = KEEPS_CONTACT.run(position.state)
        ends = any(
            IS_RACE.run(reached) or min(NUMBER.run(reached, each, MEN) for each in (0, 1)) >= 0
            for event in position.events()
            for reached in moves_of(position.game, event.position.state)[0]
        )
        assert not (keeps and ends), position.text
        kept, ended = kept + keeps, ended + ends
    assert kept > 50
    assert ended > 3


def test_probabilities_of_races() -> None:
    """They are the same for both seats, and a seat that is on roll is better off."""
    game = make_game(GAME)
    evaluator = td_gammon(game).evaluator
    assert isinstance(evaluator, RaceEvaluator)
    men = {8: 3, 7: 2, 6: 4, 5: 3, 4: 3}
    states = [position_of(game, men, men, (), seat).state for seat in (0, 1)]
    first, second = evaluator.outcome_probabilities(np.array(states))
    assert (first == second).all()
    assert first.sum() == pytest.approx(1, abs=1e-5)
    assert 0.55 < first[:3].sum() < 0.7
    assert first[[1, 2, 4, 5]].max() < 0.001
    ahead, behind = {6: 2, 5: 2, 4: 1, OFF: 10}, {18: 9, 17: 6}
    (sure,) = evaluator.outcome_probabilities(position_of(game, ahead, behind).state[None])
    assert sure[1] > 0.9, "a gammon is nearly sure"
    (lost,) = evaluator.outcome_probabilities(position_of(game, behind, ahead).state[None])
    assert lost[OTHER_SEAT][1] > 0.9


def test_a_backgammon_of_a_race() -> None:
    """A double wins it at once, and any roll if the other seat then rolls less than 5 pips.

    The network is wrong by 0.04 there.
    """
    game = make_game(GAME)
    (found,) = td_gammon(game).evaluator.outcome_probabilities(
        position_of(game, {1: 4, OFF: 11}, {23: 1, 6: 7, 5: 7}).state[None]
    )
    assert found[2] == pytest.approx(1 / 6 + 5 / 6 * 5 / 36, abs=0.05)
    assert found[:3].sum() == pytest.approx(1, abs=1e-4)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "race.safetensors"
    content = bytearray(SHIPPED.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(BadInputError, match="is damaged or was edited: its checksum is wrong"):
        load_weights(path)
    weights = shipped_weights()
    save_weights(path, weights._replace(output_bias=weights.output_bias[:-1]), {})
    with pytest.raises(BadInputError, match="other inputs or outputs"):
        load_weights(path)
