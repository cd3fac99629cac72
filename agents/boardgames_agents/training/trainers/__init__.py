"""Trainers: whom a learner meets, contest by contest; a module for each kind, which enter themselves in a registry."""

import pkgutil
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TypeVar

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.policy import Episodes, Learner, Lesson, Policy
from boardgames_agents.record import Record
from boardgames_agents.registry import make_player, registered_agents
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.spec import Entry, Spec


@dataclass(frozen=True)
class Meeting:
    """Who plays a contest of a training.

    Attributes:
        players: The policies of seats 0 and 1.
        seats: The learner's seats: one, both in self-training, none if it watches.
        experts: The seats whose player the learner is told to be an expert: those of a trainer are.
        practice: Whether it is practice between lessons, and the learner is told to vary its play.
        opening: Actions that are played before anybody is asked.
    """

    players: tuple[Policy, Policy]
    seats: tuple[int, ...]
    experts: tuple[int, ...] = ()
    practice: bool = False
    opening: tuple[int, ...] = ()

    def play(self, game: Game, learner: Learner, seed: Sequence[int]) -> Record:
        """Play the contest; the learner learns from it.

        Args:
            game: The game.
            learner: The learner, which watches if it has no seat.
            seed: Whole numbers that settle every chance of the contest.
        """
        learner.prepare(Lesson(self.experts, self.practice))
        return play_contest(game, self.players, seed, () if self.seats else (learner,), self.opening)


class Trainer(ABC):
    """Whom the learner meets.

    Attributes:
        spec: The text that makes it again.
        plays: Whether the learner ever plays: only then can it meet a behavioral standard.
        alone: Whether it meets nobody but itself, so that it may do so in a faster way of its own.
        opponent: The spec of the only opponent that it meets, with alternating seats, so that it may do that in a
            faster way, too; nothing if there are others.
    """

    spec: str = ""
    plays: bool = True
    alone: bool = False
    opponent: str = ""

    @abstractmethod
    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Who plays a contest, counted from 0."""

    def play_in_a_row(self, learner: Learner, seed: Sequence[int], contests: range) -> Episodes | None:
        """Let the learner play contests in its own faster way, if there is a single opponent and it has such a way.

        Args:
            learner: The learner.
            seed: Base seed.
            contests: Indices of the contests; contest k is seeded with ``[*seed, k]``.

        Returns:
            The results, or ``None``, without having done anything, if there is no faster way.
        """
        if self.alone:
            return learner.self_play(seed, contests)
        return learner.play_episodes_against(self.opponent, seed, contests) if self.opponent else None


class TrainerEntry(Entry[Trainer]):
    """A registered trainer."""

    given = 1


Factory = TypeVar("Factory", bound=Callable[..., Trainer])
_trainers: dict[str, TrainerEntry] = {}


def trainer(name: str, options: type | None = None) -> Callable[[Factory], Factory]:
    """Register a class or function that makes a trainer.

    Args:
        name: The name in specs.
        options: The frozen dataclass of its options, as for `boardgames_agents.registry.agent`.
    """

    def register(factory: Factory) -> Factory:
        if name in _trainers:
            raise BadInputError(f"a trainer {name!r} is registered already; choose another name")
        _trainers[name] = TrainerEntry(name, factory, options)
        return factory

    return register


def registered_trainers() -> dict[str, TrainerEntry]:
    """Return the registered trainers by name; any agent is a trainer, too, as a fixed opponent."""
    _import_all()
    return dict(sorted(_trainers.items()))


@cache
def _import_all() -> None:
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


def trainer_spec(text: str | Spec) -> Spec:
    """Read a trainer's spec; ``2&7`` is the notation of Epstein 1994 for lessons and practice."""
    if isinstance(text, str) and (paper := re.fullmatch(r"\s*(\d+)\s*&\s*(\d+)\s*", text)):
        return Spec("lessons", {"lessons": int(paper[1]), "practice": int(paper[2])}, text)
    return Spec.parse(text)


def make_trainer(spec: str | Spec, game: Game) -> Trainer:
    """Make a trainer.

    Args:
        spec: The spec of a registered trainer, ``2&7`` (the paper's notation for lessons and practice), or the spec
            of an agent, which is then the opponent in every contest.
        game: The game.

    Raises:
        BadInputError: For an unknown trainer, agent or option.
    """
    spec = trainer_spec(spec)
    name, trainers = spec.name, registered_trainers()
    if name in trainers:
        made = trainers[name].make(spec.options, game)
    elif name in registered_agents():
        made = FixedOpponent(game, spec)
    else:
        known = one_of([*trainers, *registered_agents()])
        raise BadInputError(f"there is no trainer {name!r}; a trainer is 2&7 or the like, or one of: {known}")
    made.spec = str(Spec(name, spec.options))
    return made


class FixedOpponent(Trainer):
    """The same opponent in every contest; the seats alternate."""

    def __init__(self, game: Game, opponent: Spec) -> None:
        self.opponent = opponent.text
        self._opponent = make_opponent(opponent, game)

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """The learner in seat 0 in contests 0, 2, …, in seat 1 in the others."""
        return against(self._opponent, contest % 2, learner)


def make_opponent(spec: str | Spec, game: Game) -> Policy:
    """An agent that learns nothing: what a trainer had learned would be lost when a training is taken up again."""
    policy = make_player(spec, game)
    if policy.interactive:
        raise BadInputError(f"{spec} is no trainer: a person cannot play the same contests again when a run is resumed")
    return policy


def against(opponent: Policy, seat: int, learner: Learner, opening: tuple[int, ...] = ()) -> Meeting:
    """The learner in a seat against an opponent, whom it is told to be an expert."""
    players = (learner, opponent) if seat == 0 else (opponent, learner)
    return Meeting(players, (seat,), (1 - seat,), opening=opening)
