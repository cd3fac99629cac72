"""The loser's error is found, and what is learned of correct moves agrees with the solution of the game."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.hoyle.items import Experience
from boardgames_agents.hoyle.items.states import States
from boardgames_agents.hoyle.position_view import Choice
from boardgames_agents.registry import make_agent
from boardgames_env import Game, make_game
from boardgames_env.solve import Solution, solve
from tests.boardgames_agents.hoyle.situation import contest_of, views_of

ENOUGH = 10_000
"""A budget within which everything can be settled."""


def lost_contests(game: Game, contests: int) -> Iterator[Experience]:
    """Those of some random contests that somebody lost."""
    player = make_agent("random", game)
    for contest in range(contests):
        record = play_contest(game, (player, player), [contest])
        if record.outcome:
            yield contest_of(game, record.actions)


def worth(choice: Choice, solution: Solution) -> int:
    return -solution.value(choice.then.position) if choice.points is None else choice.points


@pytest.mark.slow
def test_the_error_is_found_and_examples_are_the_moves_that_keep_the_value() -> None:
    views = views_of(make_game("lose_tic_tac_toe"))
    solution = solve(views.frame.game)
    behind_lost_positions = told_apart = 0
    for experience in lost_contests(views.frame.game, 40):
        States(views, ENOUGH).learn(experience)
        for view, correct in experience.examples:
            worths = {choice.key: worth(choice, solution) for choice in view.choices}
            assert correct == {key for key in worths if worths[key] == max(worths.values())}
            told_apart += len(correct) < len(worths)
        free = [turn for turn in experience.turns if turn.view.seat == experience.loser and not turn.view.is_forced]
        held = [turn for turn in free if solution.value(turn.view.position) >= 0]
        if held:
            assert held[-1].view.key in {view.key for view, _ in experience.examples}
            behind_lost_positions += held[-1] is not free[-1]
    assert told_apart
    assert behind_lost_positions


def test_what_is_left_of_a_turn_is_no_chance() -> None:
    views = views_of(make_game("tic_tac_toe"))
    experience = next(lost_contests(views.frame.game, 40))
    rest = replace(experience, turns=tuple(replace(turn, whole=False) for turn in experience.turns))
    states = States(views, ENOUGH)
    states.learn(rest)
    assert not states.space
    assert not rest.examples
    states.learn(experience)
    assert states.space
