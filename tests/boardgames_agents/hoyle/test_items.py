"""What is learned of states, moves and openings, and counted: it agrees with the solution of the game."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.hoyle.items import Experience
from boardgames_agents.hoyle.items.remembered_moves import ExpertMoves, HoyleMoves, Tallies
from boardgames_agents.hoyle.items.states import States, analyse, value_after
from boardgames_agents.registry import make_agent
from boardgames_env import Game, make_game
from boardgames_env.solve import solve
from tests.boardgames_agents.hoyle.situation import contest_of, hoyle, view_after, views_of, walk
from tests.variants import EACH_SMALL_GAME, over, sampled

GAME = "tic_tac_toe"


ENOUGH = 1_000_000
"""A budget within which everything can be settled."""


def lost_contests(game: Game, contests: int) -> Iterator[Experience]:
    """Those of some random contests that somebody lost."""
    player = make_agent("random", game)
    for contest in range(contests):
        record = play_contest(game, (player, player), [contest])
        if record.outcome:
            yield contest_of(game, record.actions)


@pytest.mark.slow
def test_the_error_is_found_and_examples_are_the_moves_that_keep_the_value() -> None:
    views = views_of(make_game("lose_tic_tac_toe"))
    solution = solve(views.frame.game)
    behind_lost_positions = told_apart = 0
    for experience in lost_contests(views.frame.game, 40):
        States(views, ENOUGH).learn(experience)
        for view, correct in experience.examples:
            worths = {
                choice.key: -solution.value(choice.then.position) if choice.points is None else choice.points
                for choice in view.choices
            }
            assert correct == {key for key in worths if worths[key] == max(worths.values())}
            told_apart += len(correct) < len(worths)
        free = [turn for turn in experience.turns if turn.view.seat == experience.loser and not turn.view.is_forced]
        held = [turn for turn in free if solution.value(turn.view.position) >= 0]
        if held:
            assert held[-1].view.key in {view.key for view, _ in experience.examples}
            behind_lost_positions += held[-1] is not free[-1]
    assert told_apart
    assert behind_lost_positions


def test_what_is_left_of_a_turn_is_no_chance(game: Game) -> None:
    experience = next(lost_contests(game, 40))
    rest = replace(experience, turns=tuple(replace(turn, whole=False) for turn in experience.turns))
    states = States(views_of(game), ENOUGH)
    states.learn(rest)
    assert not states.space
    assert not rest.examples
    states.learn(experience)
    assert states.space


@over(sampled(EACH_SMALL_GAME, one_in=2))
def test_what_a_whole_search_finds_is_the_solution(game: Game) -> None:
    views, solution = views_of(game), solve(game)
    roots = [position for position in walk(game, 4, 25) if solution.value(position) or game.positions < 6_000]
    for position in roots[:: max(1, len(roots) // 2)][:2]:
        found, values = analyse(views.view_of(position), ENOUGH, {}.get)
        assert set(values) == set(found)
        for key, view in found.items():
            assert values[key] == (solution.value(view.position), solution.distance(view.position) or 0)


@pytest.mark.parametrize(("budget", "game"), sampled([1, 40, 300], EACH_SMALL_GAME), indirect=["game"])
def test_what_a_small_search_proves_is_right_and_the_budget_is_kept(budget: int, game: Game) -> None:
    views, solution = views_of(game), solve(game)
    settled = 0
    for position in list(walk(game, 3, 25))[:: max(1, budget // 30)]:
        found, values = analyse(views.view_of(position), budget, {}.get)
        assert 1 <= len(found) <= budget
        for key, (value, plies) in values.items():
            settled += 1
            assert value == solution.value(found[key].position)
            assert plies >= (solution.distance(found[key].position) or 0)
            assert value or set(values) == set(found)
    assert settled or budget < 40


def test_positions_recur_without_harm() -> None:
    """A game without an end in sight: nobody can force anything from the start, and all of it was looked at."""
    root = view_after(make_game("mu_torere"), ())
    _, values = analyse(root, ENOUGH, {}.get)
    assert values[root.key] == (0, 0)
    assert any(value for value, _ in values.values())


def test_the_search_stops_at_what_is_known(game: Game) -> None:
    start, solution = view_after(game, ()), solve(game)
    known = {choice.key: (solution.value(choice.then.position), 5) for choice in start.choices}
    found, values = analyse(start, ENOUGH, known.get)
    assert list(found) == [start.key]
    assert values[start.key] == (0, 0)
    lost = {**known, start.choices[1].key: (-1, 4)}
    assert analyse(start, ENOUGH, lost.get)[1][start.key] == (1, 5)


def test_a_move_is_worth_the_opposite_of_the_position_it_leads_to(game: Game) -> None:
    choice = view_after(game, ()).choices[0]
    assert value_after(choice, {}.get) is None
    assert value_after(choice, {choice.key: (-1, 4)}.get) == (1, 5)
    winning = view_after(game, (0, 3, 1, 4)).choice_of((2,))
    assert value_after(winning, {}.get) == (1, 1)


@pytest.fixture
def lost(game: Game) -> Experience:
    """A contest that somebody lost, every move of which was voted for."""
    experience = next(lost_contests(game, 40))
    return replace(experience, turns=tuple(replace(turn, voted=True) for turn in experience.turns))


@pytest.mark.parametrize("seat", [0, 1])
def test_of_experts_the_older_program_keeps_the_winners_moves(lost: Experience, game: Game, seat: int) -> None:
    kept = ExpertMoves(game.state_size, winners=True)
    kept.learn(replace(lost, experts=(seat,), examples=[]))
    won = [turn for turn in lost.turns if turn.view.seat == seat != lost.loser]
    assert kept.space == len(won)
    assert all(set(kept.made_in(turn.view.key)) == {turn.choice.key} for turn in won)


def test_of_its_own_the_older_program_keeps_the_losers_moves(lost: Experience, game: Game) -> None:
    kept = HoyleMoves(game.state_size, losses=True)
    kept.learn(replace(lost, seats=(0, 1)))
    assert kept.space == sum(turn.view.seat == lost.loser for turn in lost.turns)


def test_tallies_tell_who_goes_first_and_wins(lost: Experience) -> None:
    tallies = Tallies()
    tallies.learn(lost)
    first_won = lost.loser == 1
    assert (tallies.contests, tallies.first, tallies.second) == (1, int(first_won), int(not first_won))
    tallies.learn(replace(lost, outcome=-(lost.outcome or 0)))
    assert (tallies.first, tallies.second, tallies.going_first) == (1, 1, 0.0)


@pytest.mark.slow
def test_a_turn_with_a_capture_is_one_move() -> None:
    game = make_game("five_mens_morris")
    learner = hoyle(game, "hoyle(budget=1)")
    opponent = make_agent("random", game)
    records = [play_contest(game, (learner, opponent), (1, contest)) for contest in range(3)]
    plies = sum(record.plies for record in records)
    assert plies < sum(len(record.actions) for record in records)
    assert learner.useful_knowledge.tallies.moves == plies
