"""Positions put to single Advisors. Locations are numbered from 1, row by row, as the papers do."""

from collections.abc import Iterable, Iterator

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
        game = make_game(spec)
        state = game.initial.state.copy()
        state[0] = seat
        state[1 : 1 + game.board.size] = 0
        state[list(own)] = 1 - 2 * seat
        state[list(enemy)] = 2 * seat - 1
        slots = list(rest)
        state[len(state) - len(slots) :] = slots
        views = ViewCache(frame_of(game))
        self.knowledge = Knowledge(views)
        self.view = views.view_of(game.position(state))

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
