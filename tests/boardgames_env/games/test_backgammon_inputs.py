"""The raw inputs of backgammon, its phases, and the inputs that are repeated for each of these."""

import numpy as np
import pytest

from boardgames_env import BadInputError, Game, make_game
from boardgames_env.encoding import encoding_of
from boardgames_env.games.backgammon.inputs.phases import CONTACT, CRASHED, PHASES, RACE, find_phase
from boardgames_env.games.backgammon.inputs.raw_inputs import READINGS, SIZE
from boardgames_env.kernels import State
from tests.boardgames_env.games.backgammon_contests import before_rolls, dense, random_contest

GAME = "backgammon"


def by_definition(state: State, viewer: int, reading: str, total: int) -> list[float]:
    """The inputs as their description says, from the position."""
    men = {
        "raw": lambda n: [n == 1, n >= 2, n == 3],
        "raw_cumulative": lambda n: [n >= 1, n >= 2, n >= 3],
        "raw_one_hot": lambda n: [n == 1, n == 2, n == 3],
    }[reading]
    inputs: list[float] = []
    for seat in (viewer, 1 - viewer):
        sign = 1 if seat == 0 else -1
        for point in range(1, 25):
            n = max(0, sign * int(state[point if viewer == 0 else 25 - point]))
            inputs += [*men(n), (n - 3) / 2 if n > 3 else 0]
    inputs += [abs(int(state[25 + seat])) / 2 for seat in (viewer, 1 - viewer)]
    inputs += [abs(int(state[27 + seat])) / total for seat in (viewer, 1 - viewer)]
    return [*inputs, state[0] == viewer, state[0] != viewer]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(("spec", "men"), [("backgammon", 15), ("hypergammon", 3), ("backgammon(cube=True)", 15)])
def test_raw_inputs_are_what_they_are_said_to_be(spec: str, men: int, reading: str) -> None:
    game = make_game(spec)
    assert encoding_of(game, reading).size == SIZE == 198
    contest = random_contest(spec, 0)[1]
    for state in [contest[0].state, *before_rolls(spec, 150), contest[-1].state]:
        for viewer in range(2):
            expected = np.array(by_definition(state, viewer, reading, men), dtype=np.float32)
            np.testing.assert_array_equal(dense(game, reading, state, viewer), expected)


def test_an_encoding_that_there_is_not_is_said_to_be_missing() -> None:
    with pytest.raises(BadInputError, match=r"backgammon has no encoding 'rew'; it has: .*raw"):
        encoding_of(make_game("backgammon"), "rew")


def phase_by_definition(state: State) -> int:
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
        assert phases[-1] == phase_by_definition(state), state
    assert set(phases) == {CONTACT, CRASHED, RACE}


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
