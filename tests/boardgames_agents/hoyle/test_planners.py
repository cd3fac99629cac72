from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from boardgames_agents.hoyle.advisors import Advisor, registered_advisors
from boardgames_agents.hoyle.forr import Forr
from boardgames_agents.hoyle.game_frame import frame_of
from boardgames_agents.hoyle.planners import Forcing
from boardgames_agents.hoyle.position_view import Choice, PositionView, ViewCache
from boardgames_agents.hoyle.voting import PARADIGMS
from boardgames_env import Game, Position, make_game
from tests.boardgames_agents.hoyle.situation import knowledge_of, view_after, views_of
from tests.positions import play, reachable

GAME = "tic_tac_toe"
WON_IN_2 = (0, 1)
WON_IN_5 = (51, 2, 13, 12, 26, 10, 52, 55, 25)
WON_BY_SLIDING = (9, 0, 11, 5, 15, 3, 4, 7, 13, 6, 40, 16, 44, 18)


def planned(view: PositionView, budget: int = 5000, depth: int = 8) -> Sequence[bytes]:
    return Forcing(budget, depth).plan(view, view.choices)


@cache
def shortest(position: Position) -> int:
    """The number of moves of the shortest plan, from its definition; 99 if there is none."""
    mover, best = position.seat, 99
    for move in position.moves():
        reached = move.afterstate
        if reached.is_over:
            best = min(best, 1 if (reached.points_for(mover) or 0) > 0 else 99)
            continue
        replies = {reply.afterstate.canonical: reply.afterstate for reply in reached.moves()}
        good = [
            reply
            for reply in replies.values()
            if (reply.points_for(mover) or 0) <= 0
            and not any((answer.afterstate.points_for(mover) or 0) > 0 for answer in reply.moves())
        ]
        if not good:
            best = min(best, 1)
        elif len(good) == 1 and not good[0].is_over:
            best = min(best, 1 + shortest(good[0]))
    return best


@pytest.mark.slow
def test_it_finds_the_shortest_plan_wherever_there_is_one(game: Game) -> None:
    lengths: Counter[int] = Counter()
    unfinished = [position for position, _ in reachable("tic_tac_toe").values() if not position.is_over]
    for position in {each.canonical: each for each in unfinished}.values():
        steps = planned(views_of(game).view_of(position))
        assert len(steps) == shortest(position) % 99
        lengths[len(steps)] += 1
    assert lengths[0] > 100
    assert lengths[2] > 10


def holds(view: PositionView, steps: Sequence[bytes]) -> bool:
    """Whether a plan wins against every reply; replies out of it must lose at once."""
    choice = next(choice for choice in view.choices if choice.key == steps[0])
    if choice.points is not None:
        return choice.points > 0
    for reply in choice.replies:
        answers = {answer.key: answer for answer in reply.replies}
        if (reply.points or 0) < 0 or any((answer.points or 0) > 0 for answer in answers.values()):
            continue
        if reply.points is not None or len(steps) == 1 or not holds(reply.then, steps[1:]):
            return False
    return True


@pytest.mark.parametrize(
    ("game", "actions", "length"),
    [
        ("tic_tac_toe", WON_IN_2, 2),
        pytest.param("qubic", WON_IN_5, 5, marks=pytest.mark.slow),
        ("five_mens_morris", WON_BY_SLIDING, 2),
    ],
    indirect=["game"],
)
def test_a_plan_is_a_proof(game: Game, actions: Sequence[int], length: int) -> None:
    view = view_after(game, actions)
    steps = planned(view)
    assert len(steps) == length
    assert holds(view, steps)
    assert not planned(view, depth=length - 1)


def test_no_more_positions_are_expanded_than_allowed(game: Game) -> None:
    """Each search starts with a new `ViewCache`, which tells how many views were made: one of each, and the root's."""
    needed = next(budget for budget in range(1, 5000) if planned(view_after(game, WON_IN_2), budget))
    assert planned(view_after(game, WON_IN_2), needed - 1) == ()
    assert len(planned(view_after(game, WON_IN_2), needed)) == 2
    qubic = make_game("qubic")
    for budget in (1, 10, 100):
        views = ViewCache(frame_of(qubic))
        view = views.view_of(play(qubic.initial, *WON_IN_5))
        assert Forcing(budget).plan(view, view.choices) == ()
        assert len(views._views) == 1 + budget


def first_tier() -> list[Advisor]:
    knowledge = knowledge_of(GAME)
    return [made(knowledge) for made in registered_advisors() if made.tier == 1]


def forr(planner: Forcing, first: Sequence[Advisor] = ()) -> Forr[PositionView, Choice]:
    return Forr(first, [planner], [], PARADIGMS["tally"])


class Asked(Forcing):
    """Counts how often it is asked for a plan."""

    count = 0

    def plan(self, case: PositionView, options: Sequence[Choice]) -> Sequence[bytes]:
        self.count += 1
        return super().plan(case, options)


def test_it_sees_what_two_plies_do_not_show(game: Game) -> None:
    view = view_after(game, WON_IN_2)
    tier_1 = Forr(first_tier(), [], [], PARADIGMS["tally"]).decide(view, view.choices)
    assert tier_1.best == view.choices  # nothing is decided, nothing is ruled out
    planning = forr(Forcing(), first_tier())
    decision = planning.decide(view, view.choices)
    assert (decision.tier, decision.by) == (2, "Forcing")
    assert planning.plan is not None
    assert len(planning.plan[1]) == 1


def survivors(choice: Choice) -> list[Choice]:
    """The replies that do not lose at once."""
    return [each for each in choice.replies if not any((answer.points or 0) > 0 for answer in each.replies)]


@pytest.mark.slow
def test_a_plan_is_followed_across_decisions() -> None:
    planner = Asked(budget=5000)
    decide = forr(planner, first_tier()).decide
    view = view_after(make_game("qubic"), WON_IN_5)
    tiers = []
    while True:
        decision = decide(view, view.choices)
        tiers.append(decision.tier)
        (choice,) = decision.best
        if choice.points is not None:
            break
        view = (survivors(choice) or choice.replies)[0].then
    assert choice.points == 1
    assert tiers == [2, 2, 2, 1, 2, 1]  # Panic makes one move of the plan itself, and Victory the last
    assert planner.count == 1


@pytest.mark.parametrize(("with_tier_1", "decided_by"), [(False, "Asked"), (True, "Victory")])
def test_a_new_plan_is_made_when_the_reply_is_another_or_tier_1_interrupts(
    with_tier_1: bool, decided_by: str, game: Game
) -> None:
    planner = Asked()
    decide = forr(planner, first_tier() if with_tier_1 else ()).decide
    view = view_after(game, WON_IN_2)
    (choice,) = decide(view, view.choices).best
    (good,) = survivors(choice)
    other = next(reply for reply in choice.replies if reply is not good)
    decision = decide(other.then, other.then.choices)
    assert (decision.by, decision.best[0].points) == (decided_by, 1)
    again = decide(view, view.choices)  # as if nothing had been: the plan is made anew
    assert again.tier == 2
    assert planner.count == (2 if with_tier_1 else 3)


def test_a_plan_keeps_to_the_options_that_are_left(game: Game) -> None:
    view = view_after(game, WON_IN_2)
    first = planned(view)[0]
    others = [choice for choice in view.choices if choice.key != first]
    for options in (others, others[:1]):
        steps = Forcing().plan(view, options)
        assert not steps or steps[0] in {choice.key for choice in options}
    losing = next(choice for choice in view.choices if not Forcing().plan(view, [choice]))
    assert forr(Forcing()).decide(view, [losing, losing]).tier != 2
