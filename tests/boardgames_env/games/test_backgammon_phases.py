"""The phases of backgammon, and the inputs that are repeated for each."""

import numpy as np
import pytest

from boardgames_env import Game
from boardgames_env.encoding import encoding_of
from boardgames_env.games.backgammon.inputs.phases import CONTACT, CRASHED, PHASES, RACE, find_phase
from boardgames_env.games.backgammon.notation.position_id import parse_position
from boardgames_env.kernels import State
from tests.boardgames_env.games.backgammon_contests import before_rolls, dense

GAME = "backgammon"


def by_definition(state: State) -> int:
    """The phase, from the men on each seat's own points."""
    own = [[max(0, int(state[p])) for p in range(1, 25)], [max(0, -int(state[25 - p])) for p in range(1, 25)]]
    bars = [abs(int(state[25 + seat])) for seat in range(2)]
    rear = [
        25 if bar else max((p for p in range(1, 25) if men[p - 1]), default=0)
        for men, bar in zip(own, bars, strict=True)
    ]
    if rear[0] + rear[1] < 25:
        return RACE
    for men, bar in zip(own, bars, strict=True):
        dead = men[0] if men[0] > 1 else 0
        dead += men[1] - 1 if men[1] > 1 else 0
        if sum(men) + bar - dead <= 6:
            return CRASHED
    return CONTACT


def test_phases_are_as_they_are_defined(game: Game) -> None:
    phases = []
    for state in before_rolls("backgammon", 2000):
        phases.append(find_phase.run(state, 15))
        assert phases[-1] == by_definition(state), state
    assert set(phases) == {CONTACT, CRASHED, RACE}


@pytest.mark.parametrize(
    ("xgid", "phase"),
    [
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:6", CONTACT),  # the initial position
        ("XGID=-BBBCCC-------------ccccc-:0:0:1:00:0:0:0:0:6", RACE),
        ("XGID=-EDBB---------------e---A-:0:0:1:00:0:0:0:0:6", CRASHED),
    ],
)
def test_phases_of_positions(game: Game, xgid: str, phase: int) -> None:
    state = parse_position(game, xgid).state
    assert find_phase.run(state, 15) == phase


@pytest.mark.parametrize("name", ["raw", "expert"])
def test_the_inputs_stand_at_the_place_of_their_phase(game: Game, name: str) -> None:
    size = encoding_of(game, name).size
    assert encoding_of(game, f"{name}_by_phase").size == PHASES * (size + 1)
    for state in before_rolls("backgammon", 300):
        phase = find_phase.run(state, 15)
        for viewer in range(2):
            parts = dense(game, f"{name}_by_phase", state, viewer).reshape(PHASES, size + 1)
            np.testing.assert_array_equal(parts[phase], [*dense(game, name, state, viewer), 1])
            assert not np.delete(parts, phase, axis=0).any()


def test_hypergammon_is_always_a_race_or_crashed() -> None:
    assert {find_phase.run(state, 3) for state in before_rolls("hypergammon", 200)} == {CRASHED, RACE}
