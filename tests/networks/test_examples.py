"""Examples as only the networks of the package needed them: other moves, forced and clear rolls, and races."""

from dataclasses import replace

import numpy as np
import pytest

from boardgames_agents.backgammon.race_evaluator import RaceEvaluator, with_tables
from boardgames_agents.backgammon.race_network import shipped_weights
from boardgames_agents.improve.examples import Examples
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_env import Game, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.games.backgammon.inputs.phases import RACE, find_phase
from boardgames_env.kernels import ONGOING
from boardgames_env.solve.bearoff import MEN
from networks.examples import WorkshopCollector, WorkshopExampleOptions
from tests.boardgames_agents.improve.improvements import ROLLS, untrained

GAME = "hypergammon"
OPTIONS = WorkshopExampleOptions(candidates=3, forced=False)


def collect(options: WorkshopExampleOptions, rolls: int = ROLLS, seed: int = 1) -> Examples:
    return WorkshopCollector(untrained(), options, None, None).collect(rolls, (seed,))


def test_other_moves_are_drawn_besides_the_best() -> None:
    with_others = collect(replace(OPTIONS, others=2))
    best, all_moves = (collect(replace(OPTIONS, candidates=most)) for most in (3, 500))
    skipped = 0
    for roll in range(ROLLS):
        found, first, every = (
            [state.tobytes() for state in each.states[each.rolls == roll]] for each in (with_others, best, all_moves)
        )
        assert found[: len(first)] == first
        assert len(found) == min(len(every), OPTIONS.candidates + 2)
        assert found == sorted(found, key=every.index)
        skipped += found != every[: len(found)]
    assert skipped > ROLLS / 4


def test_forced_rolls_come_besides_those_with_a_choice(game: Game) -> None:
    """As many of them as come up; they change neither the other examples nor the losses."""
    without, examples = (collect(replace(OPTIONS, forced=each)) for each in (False, True))
    assert len(np.bincount(without.rolls)) == ROLLS
    assert set(np.bincount(without.rolls).tolist()) == {2, OPTIONS.candidates}
    counts = np.bincount(examples.rolls)
    is_forced = counts[examples.rolls] == 1
    assert (counts > 1).sum() == ROLLS
    assert 3 < (counts == 1).sum() < ROLLS
    for part, other in zip((examples.states, examples.movers, examples.labels), without[:1] + without[2:], strict=True):
        np.testing.assert_array_equal(part[~is_forced], other)
    forced = [state.tobytes() for state in examples.states[is_forced]]
    player, chance = Expectimax(game, with_tables(untrained(), game)), ChanceStream(game, np.random.default_rng((1,)))
    state = None
    while forced:
        state = game.initial.state.copy() if state is None else state
        chance.settle(state)
        reached, points, *_ = player.replier.of_move(state)
        if len(reached) == 1 and points[0] == ONGOING:
            assert reached[0].tobytes() == forced.pop(0)
        moves = Examples(reached, np.zeros(0), np.full(len(reached), state[0], dtype=np.int8), np.zeros(0))
        best = int(np.argmax(moves.equities_of_movers(player.values(reached, points))))
        state = reached[best].copy() if points[best] == ONGOING else None
    guesses = np.roll(examples.labels, 1, axis=0)
    assert len(examples.losses(guesses)) == ROLLS


def test_most_clear_rolls_are_passed_over(game: Game) -> None:
    """Of those whose second-best move is worse by more than the margin, a quarter remains; all others do."""
    margin = 0.004
    every, sampled = (collect(replace(OPTIONS, margin=most), 400) for most in (6, margin))

    def share_of_clear(examples: Examples) -> float:
        seen = examples.equities_of_movers(with_tables(untrained(), game).outcome_probabilities(examples.states))
        starts = examples.starts()
        return float((seen[starts] - seen[starts + 1] > margin).mean())

    clear = share_of_clear(every)
    assert 0.1 < clear < 0.9
    assert share_of_clear(sampled) == pytest.approx(clear / 4 / (clear / 4 + 1 - clear), abs=0.06)
    assert every.states[0].tobytes() in {state.tobytes() for state in sampled.states[:20]}


@pytest.mark.slow
def test_races_are_left_to_their_network() -> None:
    """The network, untrained, does not stay out of races by itself."""
    game = make_game("backgammon")
    network, weights = Network(game, Design(inputs="raw", hidden=5, outputs=6), seed=3), shipped_weights()
    without, examples = (WorkshopCollector(network, OPTIONS, None, each).collect(400, (1,)) for each in (None, weights))
    assert RACE in [find_phase(state, MEN) for state in without.states]
    assert RACE not in [find_phase(state, MEN) for state in examples.states]
    teacher = Expectimax(game, RaceEvaluator(network, game, weights), OPTIONS.plies)
    np.testing.assert_allclose(teacher.outcome_probabilities(examples.states), examples.labels, atol=1e-6)
    alone = Expectimax(game, with_tables(network, game), OPTIONS.plies).outcome_probabilities(examples.states)
    assert not np.allclose(alone, examples.labels, atol=1e-3)
