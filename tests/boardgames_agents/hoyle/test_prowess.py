"""How well Hoyle plays after a hundred contests with the perfect player (Epstein 2001, Table 8.4)."""

import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.registry import make_agent
from boardgames_env import make_game
from tests.boardgames_agents.hoyle.situation import hoyle
from tests.contests import train

CHALLENGERS = ("perfect", "fallible(e=0.1)", "fallible(e=0.5)", "random")
CONTESTS = 100


def reliabilities(spec: str, learner: str, seed: int) -> list[float]:
    """Reliability in per cent against each challenger, after a hundred contests of learning."""
    game = make_game(spec)
    pupil = hoyle(game, learner)
    train(pupil, game, "perfect(style='opening')", range(CONTESTS), seeds=(seed, 0))
    return [
        tournament(game, pupil, make_agent(name, game), CONTESTS, (seed, 1, number)).score.reliability
        for number, name in enumerate(CHALLENGERS)
    ]


@pytest.mark.slow
def test_tic_tac_toe_is_played_without_a_loss_in_nine_runs_of_ten() -> None:
    runs = [reliabilities("tic_tac_toe", "hoyle", seed) for seed in range(10)]
    assert sum(min(run) == 100 for run in runs) >= 9, runs


@pytest.mark.slow
def test_five_mens_morris_is_hardly_ever_lost() -> None:
    """The program of 2001 loses two contests in five with the perfect player (version 0.1: 59 % reliable)."""
    game = make_game("five_mens_morris")
    pupil = hoyle(game)
    train(pupil, game, "tutorial", range(60), seeds=(1, 0))
    assert tournament(game, pupil, make_agent("perfect", game), 40, (1, 1)).score.reliability >= 90


@pytest.mark.slow
def test_lose_tic_tac_toe_with_patterns_is_hardly_ever_lost() -> None:
    runs = [reliabilities("lose_tic_tac_toe", "hoyle(patterns=True)", seed) for seed in range(10)]
    means = [sum(run) / len(runs) for run in zip(*runs, strict=True)]
    assert min(means) >= 99, runs
