"""Agents that move in the contests of pages, in a few threads. Their budgets are in nodes, as their specs say."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock
from typing import TypeVar

from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy import Policy
from boardgames_agents.registry import make_player
from boardgames_cli.web.kept import Kept
from boardgames_cli.web.sitting import Sitting, session_of
from boardgames_cli.web.specs import Checker
from boardgames_cli.web.store import SittingStore, StaleError
from boardgames_cli.web.tutor import Tutor
from boardgames_env import make_game
from boardgames_env.errors import BadInputError

Found = TypeVar("Found")

_MOST_KEPT = 64
"""The number of contests whose agents are kept in memory; those of others are made again when they are needed."""

_MOST_WAITING = 64
"""The number of requests to agents that may wait for a thread."""


class BusyError(Exception):
    """Too many requests wait for a thread."""

    def __init__(self) -> None:
        super().__init__("too many agents are thinking; try again in some seconds")


@dataclass
class _Left:
    """A contest with its agents, as they left it."""

    players: tuple[str, str]
    session: PlaySession


class Thinkers:
    """Lets agents move and think, at most ``threads`` at once."""

    def __init__(self, store: SittingStore, checker: Checker, tutor: Tutor, threads: int) -> None:
        self._store = store
        self._tutor = tutor
        self._checker = checker
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="thinking")
        self._kept = Kept[str, _Left](_MOST_KEPT)
        self._turns: dict[str, Future[None]] = {}
        self._waiting = 0
        self._lock = Lock()

    async def run(self, work: Callable[[], Found]) -> Found:
        """Do something in one of the threads, and return the result.

        Raises:
            BusyError: If too many requests wait for a thread.
        """
        return await asyncio.wrap_future(self.submitted(work))

    async def play_turn(self, sitting: Sitting, seconds: float) -> bool:
        """Begin the turn of an agent, or go on with it; return whether it was over within some seconds.

        Raises:
            BadInputError: If the agent cannot be made, or cannot play the game.
            BusyError: If too many requests wait for a thread.
        """
        turn = self._turns.get(sitting.id)
        if turn is None:
            turn = self._turns[sitting.id] = self.submitted(lambda: self._play_turn(sitting))
            # (a turn that is over is forgotten at once, also if it failed, or nobody waits for it any more)
            turn.add_done_callback(lambda _: self._turns.pop(sitting.id, None))
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(turn)), seconds)
        return turn.done()

    def is_playing(self, sitting: Sitting) -> bool:
        """Return whether an agent's turn in a contest has begun and is not over."""
        return sitting.id in self._turns

    async def demand_able(self, sitting: Sitting) -> None:
        """Raise `BadInputError` unless the agents of a contest can be made."""
        await self.run(lambda: session_of(sitting, agent=self._agent_at(sitting)))

    def submitted(self, work: Callable[[], Found]) -> Future[Found]:
        """Have something done in one of the threads.

        Raises:
            BusyError: If too many requests wait for a thread.
        """
        with self._lock:
            if self._waiting >= _MOST_WAITING:
                raise BusyError
            self._waiting += 1
        future = self._pool.submit(work)
        future.add_done_callback(self._done)
        return future

    def _done(self, future: Future[Found]) -> None:
        with self._lock:
            self._waiting -= 1

    def _play_turn(self, sitting: Sitting) -> None:
        """Play the turn of the agent to move; store each action as soon as it is chosen."""
        session = self._session(sitting, self._kept.pop(sitting.id))
        seat = session.seat
        try:
            while not session.is_over and session.seat == seat:
                session.advance()
                sitting = self._store.save(sitting.updated(session))
        except StaleError:
            return  # (the person has taken back a move, say)
        self._kept.put(sitting.id, _Left(sitting.players, session))

    def _session(self, sitting: Sitting, kept: _Left | None) -> PlaySession:
        """Return a contest with its agents: as they left it, if it has gone on from there."""
        if kept is not None and kept.players == sitting.players:
            session, done = kept.session, len(kept.session.actions)
            if sitting.actions[:done] == session.actions:
                with suppress(BadInputError):
                    session.play(sitting.actions[done:])
                    if session.record().events == sitting.events:
                        return session
        return session_of(sitting, agent=self._agent_at(sitting))

    def _agent_at(self, sitting: Sitting) -> Callable[[str], Policy]:
        if sitting.lesson:
            return self._tutor.opponents(sitting)
        game = make_game(sitting.game)
        return lambda spec: make_player(self._checker.agent(spec), game)
