"""Contests for tests: those in which learners are taught, and tournaments with all that happened."""

from collections.abc import Iterable

import numpy as np

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.tournament import Tournament, tournament
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy import Learner, Policy
from boardgames_agents.record import Record
from boardgames_agents.registry import make_player
from boardgames_agents.training.trainers import Trainer, make_trainer
from boardgames_env import Game, Position, make_game
from tests.positions import Dice, random_contest


def recorded(
    game: Game | str = "tic_tac_toe", a: str = "random", b: str = "random", contests: int = 5, seed: int = 0
) -> Tournament:
    """A tournament with the records of its contests."""
    return tournament(game, a, b, contests, seed, records=True)


def session_of(spec: str, *actions: str) -> PlaySession:
    """A session of two people after some actions."""
    made = PlaySession(make_game(spec), (None, None), (1,))
    for action in actions:
        made.play([made.game.parse_action(action)])
    return made


def after_a_play(*answers: str) -> PlaySession:
    """A session of two people at backgammon with a cube, after the first play and some actions with the cube."""
    made = PlaySession(make_game("backgammon(cube=True)"), (None, None), (2,))
    for action in (*made.position.moves()[0].actions, *map(made.game.parse_action, answers)):
        made.play([action])
    return made


def played_out(spec: str, one: str, other: str, seed: int) -> PlaySession:
    """The session of a contest between two agents, which is over."""
    game = make_game(spec)
    record = play_contest(game, (make_player(one, game), make_player(other, game)), [seed])
    return PlaySession.of_record(record, game, (None, None))


def train(
    learner: Learner, game: Game, trainer: Trainer | str, contests: Iterable[int], seeds: tuple[int, ...] = (3,)
) -> list[Record]:
    """The contests in which a trainer teaches a learner."""
    regime = make_trainer(trainer, game) if isinstance(trainer, str) else trainer
    return [regime.meeting(contest, learner).play(game, learner, (*seeds, contest)) for contest in contests]


def choices(policy: Policy, game: Game) -> list[int]:
    """What a policy would choose all through a contest at random."""
    policy.begin(game, (0,), np.random.default_rng(1))
    return [policy.choose(position) for position in random_contest(game, np.random.default_rng(2), Dice(game, 2))]


class Witness(Policy):
    """Plays the first legal action, and keeps what it is asked and told."""

    def __init__(self) -> None:
        self.seats: list[tuple[int, ...]] = []
        self.asked: list[Position] = []
        self.told: list[tuple[Position, int]] = []

    def begin(self, game: Game, seats: tuple[int, ...], rng: np.random.Generator) -> None:
        self.seats.append(seats)

    def choose(self, position: Position) -> int:
        self.asked.append(position)
        return position.legal_actions[0]

    def saw(self, position: Position, action: int) -> None:
        self.told.append((position, action))
