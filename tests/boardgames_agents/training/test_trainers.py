"""Trainers: the order of their contests, where they lead a learner, and when a training ends."""

from functools import cache

import numpy as np
import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experts.informed import evaluation, lines_decide
from boardgames_agents.experts.perfect import PerfectPlayer
from boardgames_agents.policy import (
    ContestInfo,
    Distribution,
    Episodes,
    Learner,
    MarkovPolicy,
    Policy,
    Rng,
    Snapshot,
    uniform,
)
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent, make_learner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop, streak_after
from boardgames_agents.training.trainers import Meeting, make_trainer
from boardgames_agents.training.trainers.key_nodes import PATIENCE, ErrorForecast, PolicyPrediction
from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.solve import solve
from tests.contests import train
from tests.positions import after
from tests.variants import EACH_SMALL_GAME, fast_for, over, sampled

GAME = "tic_tac_toe"


@cache
def menace() -> Learner:
    return make_learner("menace", make_game(GAME))


def meetings(trainer: str, contests: int) -> list[Meeting]:
    made = make_trainer(trainer, make_game(GAME))
    return [made.meeting(contest, menace()) for contest in range(contests)]


def who(meeting: Meeting) -> tuple[str, str]:
    names = ["learner" if player is menace() else player.spec for player in meeting.players]
    return names[0], names[1]


# --- schedules ----------------------------------------------------------------------------------------------------


def test_phases_follow_each_other_and_the_last_goes_on() -> None:
    plan = "phases(plan=((3, 'watch'), (2, 'self'), (1, '2&1')))"
    assert seats(plan, 11) == [(), (), (), (0, 1), (0, 1), (0,), (1,), (0, 1), (0,), (1,), (0, 1)]
    assert [meeting.experts for meeting in meetings(plan, 6)] == [(0, 1)] * 3 + [()] * 2 + [(1,)]


def test_a_plan_may_hold_a_plan() -> None:
    inner = "phases(plan=((1, 'self'), (1, 'watch')))"
    assert seats(f'phases(plan=((1, "watch"), (2, "{inner}"), (1, "self")))', 5) == [(), (0, 1), (), (0, 1), (0, 1)]


def test_phases_of_watching_alone_never_play(game: Game) -> None:
    assert not make_trainer("phases(plan=((3, 'watch'),))", game).plays
    assert make_trainer("phases", game).plays


def test_variety_watches_each_opponent_and_then_plays_it() -> None:
    planned = meetings("variety(opponents=('perfect', 'random'))", 9)
    assert [who(meeting) for meeting in planned] == [
        ("perfect", "perfect"),
        ("perfect", "perfect"),
        ("learner", "perfect"),
        ("perfect", "learner"),
        ("perfect", "random"),
        ("random", "perfect"),
        ("learner", "random"),
        ("random", "learner"),
        ("perfect", "perfect"),
    ]
    assert [meeting.seats for meeting in planned] == [(), (), (0,), (1,), (), (), (0,), (1,), ()]
    experts = [(0, 1), (0, 1), (1,), (0,), (0,), (1,), (), (), (0, 1)]
    assert [meeting.experts for meeting in planned] == experts


def test_the_tutorial_is_forty_contests_of_variety_and_twenty_watched() -> None:
    planned = meetings("tutorial", 62)
    assert [meeting.seats for meeting in planned[:40]] == [(), (), (0,), (1,)] * 10
    assert {who(meeting) for meeting in planned[40:]} == {("perfect", "perfect")}
    met = [({*who(meeting)} - {"learner", "perfect"} or {"perfect"}).pop() for meeting in planned[:40:4]]
    strengths = ["perfect", "reasonable", "reasonable(x=0.25)", "reasonable(x=0.5)", "reasonable(x=1)"]
    assert met == [*strengths, *strengths]
    for meeting in planned:  # only the perfect player is an expert
        assert meeting.experts == tuple(seat for seat in (0, 1) if who(meeting)[seat] == "perfect")


def test_practice_grows_from_cycle_to_cycle() -> None:
    lesson, practice = [(0,), (1,)], [(0, 1)]
    cycles = lesson + practice + lesson + practice * 3 + lesson + practice * 5 + lesson + practice * 2
    assert seats("lessons(lessons=2, practice=1, growth=2)", 19) == cycles
    assert seats("lessons(growth=0)", 40) == seats("2&7", 40)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("0&0", "0&0 is not allowed"),
        ("2&", "'2&' is not a spec"),
        ("nobody", "there is no trainer 'nobody'"),
        ("lessons(lessons=-1)", "-1&7 is not allowed"),
        ("lessons(expert='nobody')", "there is no agent 'nobody'"),
        ("phases(plan=())", r"plan=\(\) is not allowed; it has a number of contests"),
        ("phases(plan=5)", "plan must be values in brackets"),
        ("phases(plan=((0, 'watch'),))", "at least 1"),
        ("phases(plan=('watch',))", "is not allowed"),
        ("phases(plan=((3, 'nobody'),))", "there is no trainer 'nobody'"),
        ("variety(opponents=())", "at least one agent"),
        ("variety(contests=0)", "at least 1"),
        ("lessons(growth=-1)", "growth=-1 is not allowed"),
        ("key_nodes(budget=1)", "budget=1 is not allowed"),
        ("key_nodes(lessons=0, practice=0)", "0&0 is not allowed"),
    ],
)
def test_regimes_that_make_no_sense_are_refused(spec: str, says: str, game: Game) -> None:
    with pytest.raises(BadInputError, match=says):
        make_trainer(spec, game)


def test_what_trainers_cannot_do_is_refused(game: Game) -> None:
    with pytest.raises(BadInputError, match="qubic"):
        make_trainer("key_nodes", make_game("qubic"))
    with pytest.raises(BadInputError, match="depth=0 is not allowed"):
        make_agent("informed(depth=0)", game)


# --- informed trainers --------------------------------------------------------------------------------------------


def chosen(spec: str, position: Position, times: int = 20) -> set[int]:
    player = make_agent(spec, position.game)
    found = set()
    for time in range(times):
        player.begin(position.game, (position.seat,), np.random.default_rng(time))
        found.add(player.choose(position))
    return found


def test_informed_wins_at_once_and_sees_a_loss_two_moves_ahead_at_depth_2_only() -> None:
    for depth in (1, 2, 3):
        assert chosen(f"informed(depth={depth})", after(GAME, 0, 3, 1, 4)) == {2}
    threatened = after(GAME, 0, 5, 2)  # 1 must be taken; the middle looks better
    assert chosen("informed(depth=1)", threatened) == {4}
    assert chosen("informed(depth=2)", threatened) == {1}
    assert chosen("informed(depth=1)", after(GAME, 4)) == {0, 2, 6, 8}  # equally good moves are drawn


def test_whether_lines_are_good_is_asked_of_the_rules(game: Game) -> None:
    assert lines_decide(game) == 1
    assert lines_decide(make_game("lose_tic_tac_toe")) == -1
    assert lines_decide(make_game("mu_torere")) == 0


def test_the_evaluation_counts_men_open_lines_and_room(game: Game) -> None:
    worth = evaluation(game.board, 1)
    assert worth(after(GAME, 4).state) == -(20 + 3 * 4)  # seat 1 is to move: a man in the middle of four open lines
    assert worth(after(GAME, 4, 0).state) == 3 * (3 - 2)  # one line is nobody's any more
    assert evaluation(game.board, -1)(after(GAME, 4, 0).state) == -3
    moved = make_game("pong_hau_ki")
    assert evaluation(moved.board, 0)(moved.initial.state) == 0


def test_informed_is_no_perfect_player_but_beats_a_random_one(game: Game) -> None:
    assert tournament(game, "informed", "random", 60, seed=1).score.power > 75
    reliability = [
        tournament(game, f"informed(depth={depth})", "perfect", 100, seed=2).score.reliability for depth in (1, 6)
    ]
    assert reliability[0] < 95 < reliability[1]


# --- key nodes ----------------------------------------------------------------------------------------------------

FORK = {(0, 4, 8), (8, 4, 0), (2, 4, 6), (6, 4, 2)}
"""A corner, the middle and the corner opposite: the difficult situation of Epstein 1994, Figure 3."""

CORNERS = (0, 2, 6, 8)


class Flawed(MarkovPolicy):
    """A perfect player, but in some positions."""

    def __init__(self, flaws: dict[Position, Distribution]) -> None:
        super().__init__()
        self._flaws = flaws
        self._perfect = PerfectPlayer(make_game(GAME))

    def distribution(self, position: Position) -> Distribution:
        return self._flaws.get(position) or self._perfect.distribution(position)


class Timid(MarkovPolicy):
    """Never loses if it need not, and never wins if it need not."""

    def __init__(self) -> None:
        super().__init__()
        self._table = solve(make_game(GAME))

    def distribution(self, position: Position) -> Distribution:
        """The action that leads to the least that is not a loss."""
        seat = position.seat
        worths = {action: self._table.value_for(position.after(action), seat) for action in position.legal_actions}
        safe = [action for action, worth in worths.items() if worth >= 0] or [position.legal_actions[0]]
        return (min(safe, key=worths.__getitem__),), (1.0,)


class Unteachable(Learner):
    """Plays as another policy does, and learns nothing."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        self._policy.begin(game, seats, rng)

    def choose(self, position: Position) -> int:
        return self._policy.choose(position)

    def frozen(self) -> Policy:
        return self._policy

    def knowledge(self) -> dict[str, float]:
        return {}

    def snapshot(self) -> Snapshot:
        return Snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        pass


def blind_to_the_fork() -> Flawed:
    return Flawed({after(GAME, *fork): uniform(tuple({*CORNERS} - {*fork})) for fork in FORK})


def error_forecast(policy: Policy, seat: int, budget: int = 1000) -> ErrorForecast:
    game = make_game(GAME)
    correct = PerfectPlayer(game)
    predict = PolicyPrediction(policy, game, seat)
    return ErrorForecast(solve(game), predict, seat, lambda position: correct.distribution(position)[0], budget)


def test_a_perfect_learner_is_expected_to_throw_nothing_away(game: Game) -> None:
    for seat in (0, 1):
        expected = error_forecast(PerfectPlayer(game), seat)
        assert expected.of(game.initial) == 0
        assert expected.is_complete


def test_an_error_counts_by_its_cost_its_likelihood_and_how_far_away_it_is() -> None:
    threatened = after(GAME, 0, 4, 1)  # 2 draws, all else loses
    flawed = Flawed({threatened: ((2, 8), (0.75, 0.25))})
    assert error_forecast(flawed, seat=1).of(threatened) == 0.25
    assert error_forecast(flawed, seat=1).of(after(GAME, 0, 4)) == 0.25 * PATIENCE
    won = after(GAME, 0, 3, 1, 4)  # 2 wins, 5 draws, all else loses
    assert error_forecast(Flawed({won: ((2, 5, 6), (0.5, 0.25, 0.25))}), seat=0).of(won) == 0.25 * 1 + 0.25 * 2
    assert error_forecast(Flawed({}), seat=1).of(won) == 0  # the learner is lost, and that is no error of its own


def test_what_is_beyond_the_budget_is_taken_to_be_free_of_errors(game: Game) -> None:
    small = error_forecast(blind_to_the_fork(), seat=1, budget=2)
    assert small.of(game.initial) == 0
    assert not small.is_complete
    assert error_forecast(blind_to_the_fork(), seat=1).of(game.initial) > 0


def test_the_trainer_makes_certain_of_what_the_perfect_player_leaves_to_chance(game: Game) -> None:
    """A learner that always answers a corner with the middle, and takes a corner at the fork."""
    pupil = Unteachable(blind_to_the_fork())

    def forks(trainer: str) -> int:
        records = train(pupil, game, trainer, range(1, 61, 2), (4,))
        return sum(record.actions[:3] in FORK for record in records)

    assert forks("key_nodes(lessons=1, practice=0)") == 30
    assert forks("perfect") < 10


def test_key_nodes_teach_hoyle_the_fork_in_few_lessons(game: Game) -> None:
    table = solve(game)

    def lessons_until_it_copes(trainer: str, seed: int) -> int:
        made, learner = make_trainer(trainer, game), make_learner("hoyle(voting='tally')", game)
        for lesson in range(20):
            actions, _ = PolicyPrediction(learner.frozen(), game, 1)(after(GAME, 0, 4, 8))
            if all(table.value_for(after(GAME, 0, 4, 8, action), 1) == 0 for action in actions):
                return lesson
            train(learner, game, made, [2 * lesson + 1], (seed,))
        return 20

    steered = [lessons_until_it_copes("key_nodes(lessons=1, practice=0)", seed) for seed in range(4)]
    by_chance = [lessons_until_it_copes("perfect", seed) for seed in range(4)]
    assert min(steered) > 0  # it fails before it has learned
    assert max(steered) <= 3
    assert sum(steered) < sum(by_chance)


@over(sampled(EACH_SMALL_GAME, one_in=4))
def test_without_errors_of_its_own_the_trainer_gives_nothing_away(game: Game) -> None:
    table, trainer = solve(game), make_trainer("key_nodes(lessons=1, practice=0, errors=False)", game)
    learner = make_learner("menace", game)
    for contest in range(4):
        meeting = trainer.meeting(contest, learner)
        assert meeting.experts == (1 - contest % 2,)
        for turn in meeting.play(game, learner, (5, contest)).turns(game):
            if turn.seat not in meeting.seats:
                assert table.value_for(turn.after, turn.seat) == table.value(turn.before)


def test_the_trainer_errs_when_correct_play_has_nothing_left_to_teach(game: Game) -> None:
    pupil, table = Unteachable(Timid()), solve(game)
    trainer = make_trainer("key_nodes(lessons=1, practice=0)", game)
    for contest in range(6):
        meeting = trainer.meeting(contest, pupil)
        assert meeting.experts == ()  # nobody should learn from errors as if an expert had made them
        record = meeting.play(game, pupil, (1, contest))
        seat = meeting.seats[0]
        worths = [table.value_for(turn.before, seat) for turn in record.turns(game)]
        assert max(worths) == 1  # the trainer gave a win away, and the learner did not see it
        assert record.points_for(seat) == 0


@pytest.mark.slow
def test_the_trainer_is_a_perfect_player_to_one_that_makes_no_errors_at_all(game: Game) -> None:
    pupil = Unteachable(PerfectPlayer(game))
    steering, perfect = make_trainer("key_nodes(lessons=1, practice=0)", game), make_trainer("perfect", game)
    contests = range(8)
    taught_so = [record.actions for record in train(pupil, game, steering, contests, (2,))]
    assert taught_so == [record.actions for record in train(pupil, game, perfect, contests, (2,))]
    assert [steering.meeting(contest, pupil).experts for contest in (0, 1)] == [(1,), (0,)]


@pytest.mark.parametrize("spec", fast_for(["menace"], ["menace", "hoyle(voting='tally')", "td(seed=1)"]))
def test_key_nodes_go_on_where_a_restored_learner_is(spec: str, game: Game) -> None:
    whole, first, second = (make_learner(spec, game) for _ in range(3))
    wanted = train(whole, game, "key_nodes", range(24), (3,))
    done = train(first, game, "key_nodes", range(11), (3,))
    second.restore(first.snapshot())
    assert done + train(second, game, "key_nodes", range(11, 24), (3,)) == wanted


def seats(trainer: str, contests: int) -> list[tuple[int, ...]]:
    planned = meetings(trainer, contests)
    for each in planned:
        assert tuple(seat for seat in (0, 1) if each.players[seat] is menace()) == each.seats
    return [each.seats for each in planned]


def test_the_learners_seats() -> None:
    assert seats("fallible(e=0.1)", 5) == [(0,), (1,), (0,), (1,), (0,)]
    assert set(seats("self", 4)) == {(0, 1)}
    assert seats("2&7", 20) == ([(0,), (1,)] + [(0, 1)] * 7) * 2 + [(0,), (1,)]
    assert seats("lessons(lessons=1, practice=1)", 6) == [(0,), (0, 1), (1,), (0, 1), (0,), (0, 1)]
    assert seats("2 & 7", 20) == seats("lessons", 20)
    assert set(seats("watch(a='perfect', b='random')", 4)) == {()}


def record(outcome: int, cut: bool = False) -> Record:
    return Record("tic_tac_toe", ("a", "b"), (), outcome, cut, plies=0)


def meeting(*learner_seats: int) -> Meeting:
    return Meeting((menace(), menace()), learner_seats)


def test_the_behavioral_standard_asks_for_draws_in_self_play_and_no_loss_elsewhere() -> None:
    for seats, streaks in (((0, 1), (0, 5, 0)), ((0,), (0, 5, 5)), ((1,), (5, 5, 0)), ((), (4, 4, 4))):
        assert tuple(streak_after(4, meeting(*seats), record(points)) for points in (-1, 0, 1)) == streaks
    assert streak_after(4, meeting(0), record(0, cut=True)) == 0
    assert streak_after(4, meeting(0, 1), record(0, cut=True)) == 0


def test_a_learner_that_trains_another_does_not_learn_itself(game: Game) -> None:
    other = make_trainer("menace", game).meeting(0, menace()).players[1]
    assert not isinstance(other, Learner)
    assert other.spec == "menace"


def test_a_training_ends_by_contests_or_by_standard() -> None:
    rule = StoppingRule(contests=100, standard=10)
    assert [rule.is_met(50, 9), rule.is_met(50, 10), rule.is_met(100, 0)] == [False, True, True]
    assert not StoppingRule(contests=100).is_met(99, 99)
    for contests, standard in ((0, 0), (-1, 5), (5, -1)):
        with pytest.raises(BadInputError):
            StoppingRule(contests, standard)


def test_the_loop_pauses_where_it_is_asked_to(game: Game) -> None:
    learner = make_learner("td(hidden=2)", game)
    trainer, rule = make_trainer("self", game), StoppingRule(10)
    loop = TrainingLoop(game, learner, trainer, rule, (1,), pause=lambda contests: contests - contests % 4 + 4)
    steps = list(loop.steps(contests=2))
    assert [(step.contests, step.done) for step in steps] == [(4, False), (8, False), (10, True)]
    assert all(isinstance(step.played, Episodes) for step in steps)
    one_by_one = TrainingLoop(game, learner, trainer, rule, (1,), in_a_row=False)
    assert [step.contests for step in one_by_one.steps(contests=7)] == [8, 9, 10]


def test_the_learner_knows_who_is_an_expert(game: Game) -> None:
    learner = make_learner("menace", game)
    make_trainer("2&1", game).meeting(1, learner).play(game, learner, (0,))
    assert learner.info == ContestInfo(experts=(0,))
    make_trainer("2&1", game).meeting(2, learner).play(game, learner, (0,))
    assert learner.info == ContestInfo(practice=True)


def test_trainers_that_go_by_perfect_play_say_that_they_know_no_dice() -> None:
    game = make_game("hypergammon")
    for trainer in ("key_nodes", "watch", "lessons", "perfect"):
        with pytest.raises(BadInputError, match="is a game of chance"):
            make_trainer(trainer, game)
    for trainer in ("self", "random", "watch(a='random', b='mcts')", "lessons(expert='mcts')"):
        assert make_trainer(trainer, game).spec
