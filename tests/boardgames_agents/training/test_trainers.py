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
    Snapshot,
    uniform,
)
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent, make_learner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop, streak_after
from boardgames_agents.training.trainers import Meeting, make_trainer
from boardgames_agents.training.trainers.key_nodes import PATIENCE, ErrorForecast, PolicyPrediction
from boardgames_agents.training.trainers.lessons import LessonsAndPractice
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


LESSON, PRACTICE, WATCHED = [(0,), (1,)], [(0, 1)], [()]
INNER = "phases(plan=((1, 'self'), (1, 'watch')))"


@pytest.mark.parametrize(
    ("trainer", "seats"),
    [
        ("fallible(e=0.1)", LESSON * 2),
        ("self", PRACTICE * 4),
        ("watch(a='perfect', b='random')", WATCHED * 4),
        ("2&7", (LESSON + PRACTICE * 7) * 2),
        ("2 & 7", (LESSON + PRACTICE * 7) * 2),
        ("lessons", (LESSON + PRACTICE * 7) * 2),
        ("lessons(growth=0)", (LESSON + PRACTICE * 7) * 4),
        ("lessons(lessons=1, practice=1)", [(0,), (0, 1), (1,), (0, 1), (0,), (0, 1)]),
        (
            "lessons(lessons=2, practice=1, growth=2)",
            LESSON + PRACTICE + LESSON + PRACTICE * 3 + LESSON + PRACTICE * 5 + LESSON + PRACTICE * 2,
        ),
        # phases follow each other, and the last goes on; a plan may hold a plan
        ("phases(plan=((3, 'watch'), (2, 'self'), (1, '2&1')))", WATCHED * 3 + PRACTICE * 2 + (LESSON + PRACTICE) * 2),
        (f'phases(plan=((1, "watch"), (2, "{INNER}"), (1, "self")))', [(), (0, 1), (), (0, 1), (0, 1)]),
    ],
)
def test_the_learners_seats(trainer: str, seats: list[tuple[int, ...]]) -> None:
    planned = meetings(trainer, len(seats))
    assert [each.seats for each in planned] == seats
    for each in planned:
        assert tuple(seat for seat in (0, 1) if who(each)[seat] == "learner") == each.seats


def test_experts_are_those_of_the_phase() -> None:
    planned = meetings("phases(plan=((3, 'watch'), (2, 'self'), (1, '2&1')))", 6)
    assert [meeting.experts for meeting in planned] == [(0, 1)] * 3 + [()] * 2 + [(1,)]


def test_phases_of_watching_alone_never_play(game: Game) -> None:
    assert not make_trainer("phases(plan=((3, 'watch'),))", game).plays
    assert make_trainer("phases", game).plays


def test_variety_watches_each_opponent_and_then_plays_it() -> None:
    planned = meetings("variety(opponents=('perfect', 'random'))", 9)
    perfect, random, learner = "perfect", "random", "learner"
    assert [(*who(meeting), meeting.seats, meeting.experts) for meeting in planned] == [
        (perfect, perfect, (), (0, 1)),
        (perfect, perfect, (), (0, 1)),
        (learner, perfect, (0,), (1,)),
        (perfect, learner, (1,), (0,)),
        (perfect, random, (), (0,)),
        (random, perfect, (), (1,)),
        (learner, random, (0,), ()),
        (random, learner, (1,), ()),
        (perfect, perfect, (), (0, 1)),
    ]


def test_the_tutorial_is_forty_contests_of_variety_and_twenty_watched() -> None:
    planned = meetings("tutorial", 62)
    assert [meeting.seats for meeting in planned[:40]] == [(), (), (0,), (1,)] * 10
    assert {who(meeting) for meeting in planned[40:]} == {("perfect", "perfect")}
    met = [({*who(meeting)} - {"learner", "perfect"} or {"perfect"}).pop() for meeting in planned[:40:4]]
    strengths = ["perfect", "reasonable", "reasonable(x=0.25)", "reasonable(x=0.5)", "reasonable(x=1)"]
    assert met == [*strengths, *strengths]
    for meeting in planned:  # only the perfect player is an expert
        assert meeting.experts == tuple(seat for seat in (0, 1) if who(meeting)[seat] == "perfect")


@pytest.mark.parametrize(
    ("spec", "says", "game"),
    [
        ("0&0", "0&0 is not allowed", GAME),
        ("2&", "'2&' is not a spec", GAME),
        ("nobody", "there is no trainer 'nobody'", GAME),
        ("lessons(lessons=-1)", "-1&7 is not allowed", GAME),
        ("lessons(expert='nobody')", "there is no agent 'nobody'", GAME),
        ("phases(plan=())", r"plan=\(\) is not allowed; it has a number of contests", GAME),
        ("phases(plan=5)", "plan must be values in brackets", GAME),
        ("phases(plan=((0, 'watch'),))", "at least 1", GAME),
        ("phases(plan=('watch',))", "is not allowed", GAME),
        ("phases(plan=((3, 'nobody'),))", "there is no trainer 'nobody'", GAME),
        ("variety(opponents=())", "at least one agent", GAME),
        ("variety(contests=0)", "at least 1", GAME),
        ("lessons(growth=-1)", "growth=-1 is not allowed", GAME),
        ("key_nodes(budget=1)", "budget=1 is not allowed", GAME),
        ("key_nodes(lessons=0, practice=0)", "0&0 is not allowed", GAME),
        ("informed(depth=0)", "depth=0 is not allowed", GAME),
        ("key_nodes", "qubic", "qubic"),
        *((spec, "backgammon cannot be solved", "backgammon") for spec in ("key_nodes", "watch", "lessons", "perfect")),
    ],
    indirect=["game"],
)
def test_regimes_that_make_no_sense_are_refused(spec: str, says: str, game: Game) -> None:
    with pytest.raises(BadInputError, match=says):
        make_trainer(spec, game)


@over(["hypergammon"])
def test_key_nodes_are_for_games_without_dice(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    monkeypatch.setattr(LessonsAndPractice, "__init__", lambda *_: None)  # (as where hypergammon has been solved)
    with pytest.raises(BadInputError, match="hypergammon is a game of chance"):
        make_trainer("key_nodes", game)


@over(["hypergammon"])
@pytest.mark.parametrize("spec", ["self", "random", "watch(a='random', b='mcts')", "lessons(expert='mcts')"])
def test_trainers_that_do_not_go_by_perfect_play_know_dice(spec: str, game: Game) -> None:
    assert make_trainer(spec, game).spec


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
    players = [f"informed(depth={depth})" for depth in (1, 6)]
    reliability = [tournament(game, player, "perfect", 100, seed=2).score.reliability for player in players]
    assert reliability[0] < 95 < reliability[1]


FORK = {(0, 4, 8), (8, 4, 0), (2, 4, 6), (6, 4, 2)}
"""A corner, the middle and the corner opposite: the difficult situation of Epstein 1994, Figure 3."""

LEADING = "key_nodes(lessons=1, practice=0)"
"""A trainer that leads its learner to errors, in every contest."""


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

    def distribution(self, position: Position) -> Distribution:
        """The action that leads to the least that is not a loss."""
        table, seat = solve(position.game), position.seat
        worths = {action: table.value_for(position.after(action), seat) for action in position.legal_actions}
        safe = [action for action, worth in worths.items() if worth >= 0] or [position.legal_actions[0]]
        return (min(safe, key=worths.__getitem__),), (1.0,)


class Unteachable(Learner):
    """Plays as another policy does, and learns nothing."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.begin = policy.begin  # type: ignore[method-assign]

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
    return Flawed({after(GAME, *fork): uniform(tuple({0, 2, 6, 8} - {*fork})) for fork in FORK})


def error_forecast(policy: Policy, seat: int, budget: int = 1000) -> ErrorForecast:
    game, correct = make_game(GAME), PerfectPlayer(make_game(GAME))
    predict = PolicyPrediction(policy, game, seat)
    return ErrorForecast(solve(game), predict, seat, lambda position: correct.distribution(position)[0], budget)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_perfect_learner_is_expected_to_throw_nothing_away_and_another_within_the_budget(
    seat: int, game: Game
) -> None:
    expected = error_forecast(PerfectPlayer(game), seat)
    assert expected.of(game.initial) == 0
    assert expected.is_complete
    small, whole = (error_forecast(blind_to_the_fork(), 1, budget) for budget in (2, 1000))
    assert small.of(game.initial) == 0 < whole.of(game.initial)
    assert not small.is_complete


def test_an_error_counts_by_its_cost_its_likelihood_and_how_far_away_it_is() -> None:
    threatened = after(GAME, 0, 4, 1)  # 2 draws, all else loses
    flawed = Flawed({threatened: ((2, 8), (0.75, 0.25))})
    assert error_forecast(flawed, seat=1).of(threatened) == 0.25
    assert error_forecast(flawed, seat=1).of(after(GAME, 0, 4)) == 0.25 * PATIENCE
    won = after(GAME, 0, 3, 1, 4)  # 2 wins, 5 draws, all else loses
    assert error_forecast(Flawed({won: ((2, 5, 6), (0.5, 0.25, 0.25))}), seat=0).of(won) == 0.25 * 1 + 0.25 * 2
    assert error_forecast(Flawed({}), seat=1).of(won) == 0  # the learner is lost, and that is no error of its own


def test_the_trainer_makes_certain_of_what_the_perfect_player_leaves_to_chance(game: Game) -> None:
    """A learner that always answers a corner with the middle, and takes a corner at the fork."""
    pupil = Unteachable(blind_to_the_fork())

    def forks(trainer: str) -> int:
        records = train(pupil, game, trainer, range(1, 61, 2), (4,))
        return sum(record.actions[:3] in FORK for record in records)

    assert forks(LEADING) == 30
    assert forks("perfect") < 10


def test_key_nodes_teach_hoyle_the_fork_in_few_lessons(game: Game) -> None:
    table, forked = solve(game), after(GAME, 0, 4, 8)

    def lessons_until_it_copes(trainer: str, seed: int) -> int:
        made, learner = make_trainer(trainer, game), make_learner("hoyle(voting='tally')", game)
        for lesson in range(20):
            actions, _ = PolicyPrediction(learner.frozen(), game, 1)(forked)
            if all(table.value_for(forked.play(action), 1) == 0 for action in actions):
                return lesson
            train(learner, game, made, [2 * lesson + 1], (seed,))
        return 20

    steered, by_chance = (
        [lessons_until_it_copes(trainer, seed) for seed in range(4)] for trainer in (LEADING, "perfect")
    )
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
    trainer = make_trainer(LEADING, game)
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
    steering, perfect = make_trainer(LEADING, game), make_trainer("perfect", game)
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


@pytest.mark.parametrize(
    ("seats", "streaks", "cut"),
    [((0, 1), (0, 5, 0), 0), ((0,), (0, 5, 5), 0), ((1,), (5, 5, 0), 0), ((), (4, 4, 4), 4)],
)
def test_the_behavioral_standard_asks_for_draws_in_self_play_and_no_loss_elsewhere(
    seats: tuple[int, ...], streaks: tuple[int, ...], cut: int
) -> None:
    def streak(points: int, cut: bool = False) -> int:
        record = Record(GAME, ("a", "b"), (), points, cut, plies=0)
        return streak_after(4, Meeting((menace(), menace()), seats), record)

    assert tuple(map(streak, (-1, 0, 1))) == streaks
    assert streak(0, cut=True) == cut


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
    for contest, known in ((1, ContestInfo(experts=(0,))), (2, ContestInfo(practice=True))):
        train(learner, game, "2&1", [contest])
        assert learner.info == known


@pytest.mark.parametrize("contest", range(4))
def test_decisive_moves_begins_where_one_move_keeps_the_value(contest: int) -> None:
    game = make_game(GAME)
    meeting = make_trainer("decisive_moves", game).meeting(contest, menace())
    position, table = after(GAME, *meeting.opening), solve(game)
    values = sorted(table.value_for(position.play(action), position.seat) for action in position.legal_actions)
    assert meeting.seats == (contest % 2,) == (position.seat,)
    assert meeting.opening
    assert values[-1] > values[-2], "one move decides"
    again = make_trainer("decisive_moves", game).meeting(contest, menace())
    assert again.opening == meeting.opening


def test_decisive_moves_needs_a_game_without_dice_and_whole_numbers() -> None:
    for game, spec in (("hypergammon", "decisive_moves"), (GAME, "decisive_moves(nodes=0)")):
        with pytest.raises(BadInputError):
            make_trainer(spec, make_game(game))
