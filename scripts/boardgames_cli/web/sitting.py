"""Contests at the page: what is stored of one, the session that this stands for, and those kept in memory."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from boardgames_agents.people.levels import Level, name_for_people
from boardgames_agents.people.pupil import Assignment
from boardgames_agents.people.session import PERSON, PlaySession
from boardgames_agents.policy import Policy
from boardgames_agents.record import Record
from boardgames_cli.web.kept import Kept
from boardgames_env import make_game
from boardgames_env.contest import replayed
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.match_score import MatchScore
from boardgames_env.position import Position

_COMPUTER = "computer, "

_MOST_KEPT = 64
"""The number of contests whose sessions are kept in memory; those of others are made again when they are needed."""


@dataclass(frozen=True)
class Sitting:
    """A contest at the page, as it is stored."""

    game: str  # the spec of the game
    players: tuple[str, str]  # the specs of both seats' players; a person is `PERSON`
    seed: int  # the random seed of the contest
    actions: tuple[int, ...] = ()  # every action so far
    events: tuple[int, ...] = ()  # every chance event so far
    points: int = 0  # seat 0's points; a contest that has points and goes on was resigned
    names: tuple[str, str] = ("", "")  # the names of both seats' players for people; empty where it is the spec
    lesson: Assignment | None = None  # how a person has been set the contest; ``None`` if nobody has
    is_replay: bool = False  # whether it was played elsewhere, so that it is not listed among people's contests
    start: tuple[int, ...] = ()  # the state that it began in; empty for the game's initial one
    earlier: tuple[str, ...] = ()  # the names of the earlier contests of the match
    browser: str = ""  # the name of the browser that began it; empty if none is known
    id: str = ""  # the name in addresses
    version: int = 0  # the number of changes, increased by every one
    changed: float = 0.0  # when it was changed last, in seconds since 1970

    @property
    def is_exam(self) -> bool:
        """Whether a person is examined by this contest, so that there is no help in it."""
        return self.lesson is not None and self.lesson.exam >= 0

    @property
    def score(self) -> MatchScore | None:
        """The score of the match before the contest; ``None`` if it is a single one."""
        game = make_game(self.game)
        return game.score(np.array(self.start, np.int8) if self.start else game.initial.state) if game.score else None

    @property
    def people(self) -> list[int]:
        """The seats that people play."""
        return [seat for seat in (0, 1) if self.players[seat] == PERSON]

    def name_of(self, seat: int) -> str:
        """Return the name of a seat's player for people."""
        if seat in self.people:
            return "you" if len(self.people) == 1 else "a person"
        return self.names[seat] or name_for_people(self.players[seat])

    def swapped(self) -> "Sitting":
        """Return the sitting with the players of both seats exchanged, and their points in a match with them.

        In a position that was set up, the points stay, which belong to it.
        """
        score = None if self.start else self.score
        game = make_game(self.game).at_score(score.turned).spec if score else self.game
        return replace(self, game=game, players=self.players[::-1], names=self.names[::-1])

    def helped(self) -> "Sitting":
        """Return the sitting after a hint, or a turn that was taken back: in a lesson, that is counted.

        Raises:
            BadInputError: If the contest is one of an examination.
        """
        if self.is_exam:
            raise BadInputError("there are no hints in an examination, and nothing can be taken back")
        lesson = self.lesson and replace(self.lesson, helped=self.lesson.helped + 1)
        return replace(self, lesson=lesson)

    def updated(self, session: PlaySession) -> "Sitting":
        """Return the sitting with what has been played in a session."""
        record = session.record()
        return replace(self, actions=record.actions, events=record.events, points=record.outcome)


def level_in_words(level: Level) -> str:
    """Return the name for people of a player at a level: ``computer, easy``, and how strong it is."""
    return f"{_COMPUTER}{level.name}: {level.strength}"


def name_and_strength(name: str) -> tuple[str, str]:
    """Return a player's name for people in two parts: of one at a level, the second is how strong it is."""
    if not name.startswith(_COMPUTER):
        return name, ""
    level, _, strength = name.partition(": ")
    return level, strength


class _Absent(Policy):
    """An agent in a session that nothing is to be chosen in: showing a contest needs no agents."""

    def __init__(self, spec: str) -> None:
        self.spec = spec

    def choose(self, position: Position) -> int:
        raise BadInputError("no agent is to move here")


def new_sitting(
    game: Game,
    players: tuple[str, str],
    names: tuple[str, str] = ("", ""),
    seed: int | None = None,
    start: Position | None = None,
) -> Sitting:
    """Return a sitting that has just begun, with a random seed unless one is given, at ``start`` if that is given.

    Raises:
        BadInputError: If the contest is over at its start.
    """
    if start is not None and start.is_over:
        raise BadInputError("the contest is over in this position; nothing can be played in it")
    state = () if start is None or start == game.initial else tuple(start.state.tolist())
    number = secrets.randbelow(2**31) if seed is None else seed
    sitting = Sitting(game.spec, players, number, names=names, start=state)
    return sitting.updated(PlaySession(game, _policies_of_seats(sitting, _Absent), [sitting.seed], start=start))


def continued(sitting: Sitting, actions: tuple[int, ...], events: tuple[int, ...]) -> Sitting:
    """Return a sitting that has just begun after some actions.

    Raises:
        BadInputError: If an action is not legal, or an event cannot happen.
    """
    game = make_game(sitting.game)
    *_, last = replayed(game.position(sitting.start) if sitting.start else game.initial, actions, events)
    return replace(sitting, actions=actions, events=events, points=last.outcome or 0)


def session_of(sitting: Sitting, agent: Callable[[str], Policy] = _Absent) -> PlaySession:
    """Return the session that a sitting stands for, with the agents made of their specs; by default, none can choose.

    Raises:
        BadInputError: If an action is not legal, or an event cannot happen.
    """
    played = (sitting.actions, sitting.points)
    record = Record(
        *(sitting.game, sitting.players, *played),
        cut=False,
        plies=0,
        events=sitting.events,
        seed=(sitting.seed,),
        start=sitting.start,
    )
    return PlaySession.of_record(record, make_game(sitting.game), _policies_of_seats(sitting, agent))


def _policies_of_seats(sitting: Sitting, agent: Callable[[str], Policy]) -> tuple[Policy | None, Policy | None]:
    one, other = (None if seat in sitting.people else agent(sitting.players[seat]) for seat in (0, 1))
    return one, other


class Sessions:
    """Keeps sessions without agents, each for the version of its sitting that it stands for.

    A session is lent to one thread at a time; whoever asks for the same in the meantime gets one that is made for it.
    """

    def __init__(self) -> None:
        self._kept = Kept[tuple[str, int], PlaySession](_MOST_KEPT)

    @contextmanager
    def of(self, sitting: Sitting) -> Iterator[PlaySession]:
        """Lend the session of a sitting, in which nothing may be changed."""
        session = self.taken(sitting)
        yield session
        self.keep(sitting, session)

    def taken(self, sitting: Sitting) -> PlaySession:
        """Return the session of a sitting (see `session_of`) to somebody who may change it."""
        return self._kept.pop((sitting.id, sitting.version)) or session_of(sitting)

    def keep(self, sitting: Sitting, session: PlaySession) -> None:
        """Keep the session of a sitting."""
        self._kept.put((sitting.id, sitting.version), session)
