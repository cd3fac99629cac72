"""What can play a game: its levels, and the agents. Both are found out once; games are compiled and solved for that.

It takes one thread for each of the two, and none of those in which agents move: nobody's move waits for a form.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import MISSING, dataclass
from typing import Generic, TypeVar

from boardgames_agents.people.levels import Level, levels_of
from boardgames_agents.people.session import PERSON
from boardgames_agents.registry import AgentEntry, make_agent
from boardgames_cli.web.sitting import new_sitting
from boardgames_cli.web.specs import Checker
from boardgames_cli.web.thinking import BusyError
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.solve import solve

Found = TypeVar("Found")

_MOST_WAITING = 30
"""The number of games that may wait until it is found out what can play them."""

_MOST_KEPT = 100
"""The number of games, with their options, of which it is kept what can play them."""


@dataclass(frozen=True)
class Offer:
    """An agent that can play a game.

    Attributes:
        name: Its name.
        text: Its name, and what people should know of it.
    """

    name: str
    text: str


class _Answers(Generic[Found]):
    """What is found out about games, the newest ones."""

    def __init__(self, find: Callable[[Game], Found], name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._find = find
        self._futures: OrderedDict[str, Future[Found]] = OrderedDict()

    async def of(self, game: Game, seconds: float) -> Found | None:
        """Return what is found out about a game, or ``None`` if that takes longer than some seconds.

        Raises:
            BusyError: If too many games wait.
        """
        future = self._futures.get(game.spec)
        if future is None or (future.done() and future.exception()):
            if sum(not each.done() for each in self._futures.values()) >= _MOST_WAITING:
                raise BusyError
            future = self._futures[game.spec] = self._pool.submit(self._find, game)
            if len(self._futures) > _MOST_KEPT:
                self._futures.popitem(last=False)
        if future.done():
            return future.result()
        with suppress(asyncio.TimeoutError):
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(future)), seconds)
        return None

    def known(self, game: Game) -> Found | None:
        """Return what has been found out about a game, if anything has."""
        future = self._futures.get(game.spec)
        return future.result() if future is not None and future.done() and not future.exception() else None


class Offers:
    """Finds out what can play games."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._shares: dict[str, float] = {}
        self._levels = _Answers(self._find_levels, "levels")
        self._agents = _Answers(self._find_agents, "offers")

    async def levels(self, game: Game, seconds: float) -> Mapping[str, Level] | None:
        """Return the levels of a game by name, or ``None`` if it is not solved within some seconds."""
        return await self._levels.of(game, seconds)

    async def agents(self, game: Game, seconds: float) -> list[Offer] | None:
        """Return the agents that can play a game, or ``None`` if they do not answer within some seconds."""
        return await self._agents.of(game, seconds)

    def known_agents(self, game: Game) -> list[Offer] | None:
        """Return the agents that can play a game, if they have been asked before."""
        return self._agents.known(game)

    def progress(self, game: Game) -> str:
        """Return in words how far a game is solved; empty if that is not known."""
        share = self._shares.get(game.spec)
        return "" if share is None else f"{share:.0%} of the positions known so far"

    def _find_levels(self, game: Game) -> Mapping[str, Level]:
        def advance(done: int, total: int) -> None:
            self._shares[game.spec] = done / max(done, total)

        new_sitting(game, (PERSON, PERSON), 0)  # (compiles what a contest needs, so that it begins at once)
        with suppress(BadInputError):
            solve(game, on_progress=advance)
        self._shares.pop(game.spec, None)
        return levels_of(game)

    def _find_agents(self, game: Game) -> list[Offer]:
        return [
            Offer(name, f"{name}, which has learned nothing" if entry.learns else name)
            for name, entry in self._checker.offered().items()
            if self._plays(name, entry, game)
        ]

    def _plays(self, name: str, entry: AgentEntry, game: Game) -> bool:
        """Return whether an agent can be made for a game; one that needs an option may be."""
        if any(option.default is MISSING for option in entry.options.values()):
            return True
        try:
            make_agent(self._checker.agent(name), game)
        except BadInputError:
            return False
        return True
