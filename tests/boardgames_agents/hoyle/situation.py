"""Positions put to single Advisors. Locations are numbered from 1, row by row, as the papers do."""

from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np

from boardgames_agents.hoyle.advisors import Advisor
from boardgames_agents.hoyle.game_frame import frame_of, locations_of, mask_of
from boardgames_agents.hoyle.position_view import Choice, PositionView, ViewCache
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_env import make_game


class Situation:
    """Where men are, seen by a Hoyle that has learned nothing.

    Args:
        spec: The game.
        own: The locations of the men of the seat to move.
        enemy: Those of the other seat's.
        rest: The game's own slots at the end of the state (men in hand, say).
        seat: The seat to move.
    """

    def __init__(
        self, spec: str, own: Iterable[int] = (), enemy: Iterable[int] = (), rest: Iterable[int] = (), seat: int = 0
    ) -> None:
        self._spec, self._own, self._enemy, self._rest, self._seat = spec, list(own), list(enemy), list(rest), seat

    @cached_property
    def _views(self) -> ViewCache:
        return ViewCache(frame_of(make_game(self._spec)))

    @cached_property
    def knowledge(self) -> Knowledge:
        return Knowledge(self._views)

    @cached_property
    def view(self) -> PositionView:
        game = make_game(self._spec)
        state = game.initial.state.copy()
        state[0] = self._seat
        state[1 : 1 + game.board.size] = 0
        state[self._own] = 1 - 2 * self._seat
        state[self._enemy] = 2 * self._seat - 1
        state[len(state) - len(self._rest) :] = self._rest
        return self._views.view_of(game.position(state))

    def said(self, made: type[Advisor]) -> dict[str, int]:
        """What an Advisor says: strengths by move, written ``16``, ``14-15`` or ``16x3``."""
        opinion = made(self.knowledge).comment(self.view, self.view.choices)
        return {written(self.view, choice): strength for choice, strength in opinion.items()}


def written(view: PositionView, choice: Choice) -> str:
    left, arrived = numbers(view.own & ~choice.own), numbers(choice.own & ~view.own)
    moved = "-".join(str(number) for number in (*left, *arrived))
    return "x".join([moved, *map(str, numbers(view.enemy & ~choice.enemy))])


def numbers(mask: int) -> list[int]:
    return [location + 1 for location in locations_of(mask)]


def mask(*locations: int) -> int:
    return mask_of(location - 1 for location in locations)


def watched(spec: str, contests: int, plies: int = 60) -> tuple[Knowledge, Iterator[PositionView]]:
    """The positions of random contests, always the same."""
    views = ViewCache(frame_of(make_game(spec)))
    return Knowledge(views), _views(views, contests, plies)


def _views(views: ViewCache, contests: int, plies: int) -> Iterator[PositionView]:
    for contest in range(contests):
        rng = np.random.default_rng(contest)
        position = views.frame.game.initial
        for _ in range(plies):
            if position.is_over:
                break
            yield views.view_of(position)
            position = position.play(int(rng.choice(position.legal_actions)))
