"""Positions, contests and Hoyles to test with. Locations are numbered from 1, row by row, as the papers do."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import Any

import numpy as np

from boardgames_agents.hoyle import Hoyle
from boardgames_agents.hoyle.advisors import Advisor, registered_advisors
from boardgames_agents.hoyle.game_frame import frame_of, locations_of
from boardgames_agents.hoyle.items import ContestTurn, Experience
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.position_view import Choice, PositionView, ViewCache
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy import Policy, Snapshot
from boardgames_agents.registry import make_agent
from boardgames_env import Game, Position, make_game
from boardgames_env.contest import is_same_turn, turns
from tests.contests import train
from tests.positions import men_at, play, random_contest


@cache
def views_of(game: Game) -> ViewCache:
    return ViewCache(frame_of(game))


def knowledge_of(game: Game | str, **options: Any) -> Knowledge:
    """Knowledge of a game that has learned nothing."""
    return Knowledge(views_of(make_game(game) if isinstance(game, str) else game), HoyleOptions(**options))


@dataclass(frozen=True)
class Situation:
    """Where men are, seen by a Hoyle that has learned nothing.

    Attributes:
        spec: The game.
        own: The locations of the men of the seat to move.
        enemy: Those of the other seat's.
        rest: The game's own slots at the end of the state (men in hand, say).
        seat: The seat to move.
        net_lines: Whether the net change of open lines counts.
    """

    spec: str
    own: Iterable[int] = ()
    enemy: Iterable[int] = ()
    rest: Sequence[int] = ()
    seat: int = 0
    net_lines: bool = False

    @cached_property
    def knowledge(self) -> Knowledge:
        return knowledge_of(self.spec, net_lines=self.net_lines)

    @cached_property
    def view(self) -> PositionView:
        game = make_game(self.spec)
        men = [[number - 1 for number in each] for each in (self.own, self.enemy)]
        return views_of(game).view_of(men_at(game, *men[:: 1 - 2 * self.seat], self.seat, self.rest))

    def said(self, made: type[Advisor]) -> dict[str, int]:
        """What an Advisor says: strengths by move, written ``16``, ``14-15`` or ``16x3``."""
        opinion = made(self.knowledge).comment(self.view, self.view.choices)
        return {self._written(choice): strength for choice, strength in opinion.items()}

    def _written(self, choice: Choice) -> str:
        left, arrived = numbers(self.view.own & ~choice.own), numbers(choice.own & ~self.view.own)
        moved = "-".join(str(number) for number in (*left, *arrived))
        return "x".join([moved, *map(str, numbers(self.view.enemy & ~choice.enemy))])


def numbers(mask: int) -> list[int]:
    return [location + 1 for location in locations_of(mask)]


def watched(spec: str, contests: int, plies: int = 60) -> tuple[Knowledge, Iterator[PositionView]]:
    """The positions of random contests, always the same, and a knowledge of the game that has learned nothing."""
    views = views_of(make_game(spec))
    return Knowledge(views), (views.view_of(each) for each in walk(views.frame.game, contests, plies))


def walk(game: Game, contests: int, plies: int = 60) -> Iterator[Position]:
    """The positions of random contests, always the same."""
    for contest in range(contests):
        yield from islice(random_contest(game, np.random.default_rng(contest)), plies)


def actions_of(game: Game, text: str) -> list[int]:
    """Actions by their texts, such as ``4 0 x2``."""
    return [game.parse_action(each) for each in text.split()]


def view_after(game: Game, actions: Iterable[int] | str) -> PositionView:
    return views_of(game).view_of(play(game.initial, *(actions.split() if isinstance(actions, str) else actions)))


def advisor_of(knowledge: Knowledge, name: str) -> Advisor:
    return next(made(knowledge) for made in registered_advisors() if made.name == name)


def comments(advisor: Advisor, view: PositionView) -> dict[int, int]:
    """The strengths of an Advisor's comments by the first action of each move."""
    opinion = advisor.comment(view, view.choices)
    return {actions[0]: strength for option, strength in opinion.items() for actions in option.alike}


def contest_of(game: Game, actions: Sequence[int], outcome: int | None = None, cut: bool = False) -> Experience:
    """A contest to learn from. Its outcome is that of the position reached, unless one is given or it was cut short."""
    played = list(turns(game.initial, actions))
    views = [(views_of(game).view_of(turn.before), turn) for turn in played if not is_same_turn(turn.seat, turn.after)]
    made = tuple(ContestTurn(view, view.choice_of(turn.actions)) for view, turn in views)
    points = None if cut else played[-1].after.outcome if outcome is None else outcome
    return Experience(made, points, (0, 1), (), np.random.default_rng(0))


def digest(snapshot: Snapshot) -> str:
    """The same for snapshots that are the same, down to the order of what is in them."""
    hashed = hashlib.sha256(json.dumps(dict(snapshot.data)).encode())
    for name, array in snapshot.arrays.items():
        hashed.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    return hashed.hexdigest()


class Steered(Policy):
    """Plays some actions first, and then as another policy does, which sees and learns from everything."""

    def __init__(self, policy: Policy, actions: Sequence[int]) -> None:
        self._policy, self._actions = policy, list(actions)
        self.begin = policy.begin  # type: ignore[method-assign]
        self.saw, self.end = policy.saw, policy.end  # type: ignore[method-assign]

    def choose(self, position: Position) -> int:
        return self._actions.pop(0) if self._actions else self._policy.choose(position)


def hoyle(game: Game, spec: str = "hoyle", contests: int = 0, trainer: str = "2&7") -> Hoyle:
    """Hoyle after a number of contests of training."""
    learner = make_agent(spec, game)
    assert isinstance(learner, Hoyle)
    if contests:
        train(learner, game, trainer, range(contests), seeds=(5,))
    return learner
