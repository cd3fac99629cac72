"""Trainers: the players of each contest of a training. Each module of this package registers some."""

import pkgutil
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import ClassVar, TypeVar

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.policy import ContestInfo, Episodes, Learner, Policy, Snapshot
from boardgames_agents.record import Record
from boardgames_agents.registry import agent_named, make_player, registered_agents
from boardgames_env.errors import BadInputError, unknown
from boardgames_env.game import Game
from boardgames_env.spec import Entry, Spec


@dataclass(frozen=True)
class Meeting:
    """The players of one contest of a training, of seats 0 and 1.

    Attributes:
        seats: The learner's seats: one, both in self-training, none if it watches.
        experts: The seats that experts play, which the learner gets by `Learner.prepare`.
        practice: Whether the contest is practice between lessons, likewise.
        opening: Actions that are played before the first choice.
    """

    players: tuple[Policy, Policy]
    seats: tuple[int, ...]
    experts: tuple[int, ...] = ()
    practice: bool = False
    opening: tuple[int, ...] = ()

    def play(self, game: Game, learner: Learner, seed: Sequence[int]) -> Record:
        """Play the contest; the learner learns from it."""
        learner.prepare(ContestInfo(self.experts, self.practice))
        return play_contest(game, self.players, seed, () if self.seats else (learner,), self.opening)


class Trainer(ABC):
    """The choice of opponents for a learner.

    Attributes:
        spec: The text from which `make_trainer` makes it again.
        plays: Whether the learner ever plays. Only then can it meet a behavioral standard.
        alone: Whether every contest is self-play, so that `Learner.self_play` may play it.
        opponent: The spec of the only opponent, if there is one and the seats alternate, so that
            `Learner.play_episodes_against` may play the contests.
    """

    REGISTERED_AS: ClassVar[str] = "trainer"

    spec: str = ""
    plays: bool = True
    alone: bool = False
    opponent: str = ""

    @abstractmethod
    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the players of a contest, counted from 0."""

    def snapshot(self) -> Snapshot:
        """Return the trainer's state between contests; most trainers have none."""
        return Snapshot()

    def restore(self, snapshot: Snapshot, make: Callable[[], Learner]) -> None:  # noqa: B027
        """Restore what a snapshot with data holds; ``make`` returns a learner like the one in training, as it began."""

    def play_in_a_row(self, learner: Learner, seed: Sequence[int], contests: range) -> Episodes | None:
        """Let the learner play contests in its own faster way, if there is a single opponent and it has such a way.

        Contest k is seeded with ``[*seed, k]``.

        Returns:
            The results of the first of these contests, as many as can be played in a row; ``None``, without having done
            anything, if there is no faster way.
        """
        if self.alone:
            return learner.self_play(seed, contests)
        return learner.play_episodes_against(self.opponent, seed, contests) if self.opponent else None


class TrainerEntry(Entry[Trainer]):
    """A registered trainer."""

    given = 1
    REGISTERED_AS = "trainer"


Factory = TypeVar("Factory", bound=Callable[..., Trainer])
_trainers: dict[str, TrainerEntry] = {}


def trainer(name: str) -> Callable[[Factory], Factory]:
    """Register a class or function that makes a trainer: it is called with the game and the options."""

    def register(factory: Factory) -> Factory:
        if name in _trainers:
            raise BadInputError(f"a trainer {name!r} is registered already; choose another name")
        _trainers[name] = TrainerEntry(name, factory)
        return factory

    return register


def registered_trainers() -> dict[str, TrainerEntry]:
    """Return the registered trainers by name; any agent is a trainer, too, as a fixed opponent."""
    _import_all_trainers()
    return dict(sorted(_trainers.items()))


@cache
def _import_all_trainers() -> None:
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


def make_trainer(spec: str | Spec, game: Game) -> Trainer:
    """Make a trainer.

    Args:
        spec: The spec of a registered trainer; ``2&7``, the notation of Epstein 1994 for lessons and practice; or the
            spec of an agent, which is then the opponent in every contest.
        game: The game.

    Raises:
        BadInputError: For an unknown trainer, agent or option.
    """
    spec = trainer_spec(spec)
    name, trainers = spec.name, registered_trainers()
    if name in trainers:
        made = trainers[name].make(spec.options, game)
    elif agent_named(name):
        made = FixedOpponent(game, spec)
    else:
        raise unknown("trainer", name, [*trainers, *registered_agents(), "2&7"])
    made.spec = str(Spec(name, spec.options))
    return made


def trainer_spec(text: str | Spec) -> Spec:
    """Read the spec of a trainer; raise `BadInputError` for other text."""
    if isinstance(text, str) and (paper := re.fullmatch(r"\s*(\d{1,9})\s*&\s*(\d{1,9})\s*", text)):
        return Spec("lessons", {"lessons": int(paper[1]), "practice": int(paper[2])}, text)
    return Spec.parse(text)


class FixedOpponent(Trainer):
    """A trainer with the same opponent in every contest; the seats alternate."""

    def __init__(self, game: Game, opponent: Spec) -> None:
        self.opponent = opponent.text
        self._opponent = make_opponent(opponent, game)

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the learner in seat 0 in contests 0, 2, …, in seat 1 in the others."""
        return against(self._opponent, contest % 2, learner)


def make_opponent(spec: str | Spec, game: Game) -> Policy:
    """Make an agent that does not learn, because its learning would be lost when a training is resumed.

    Raises:
        BadInputError: As for `make_player`, and for a person.
    """
    policy = make_player(spec, game)
    if policy.interactive:
        raise BadInputError(f"{spec} is no trainer: a person cannot play the same contests again when a run is resumed")
    return policy


def against(opponent: Policy, seat: int, learner: Learner, opening: tuple[int, ...] = ()) -> Meeting:
    """Return a contest of the learner, in the given seat, against an expert."""
    players = (learner, opponent) if seat == 0 else (opponent, learner)
    return Meeting(players, (seat,), (1 - seat,), opening=opening)
