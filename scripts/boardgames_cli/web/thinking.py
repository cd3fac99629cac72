"""What takes long, in threads of its own: agents that move, and what can play a game.

Budgets of agents are in nodes, as their specs say. Levels and agents of a game are found out once, in threads that no
agent moves in, so that nobody's move waits for a form: games are compiled and solved for that. Visitors share all
threads: each has a line of requests, the lines are served in turn, and one thread is left to the other visitors.
"""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import MISSING
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

from boardgames_agents.experts.perfect import demand_openings
from boardgames_agents.people.levels import Level, levels_of
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy import Policy
from boardgames_agents.registry import AgentEntry, make_agent, make_player
from boardgames_cli.web.kept import Kept
from boardgames_cli.web.security import VISITOR
from boardgames_cli.web.sitting import Sitting, session_of
from boardgames_cli.web.specs import Checker
from boardgames_cli.web.store import SittingStore, StaleError
from boardgames_cli.web.tutor import Tutor
from boardgames_env import make_game
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.solve import solve

Found = TypeVar("Found")

_log = logging.getLogger(__name__)

_MOST_KEPT = 64
"""The number of contests whose agents are kept in memory; those of others are made again when they are needed."""

_MOST_WORDS = 2_000
"""The most characters of what a player says."""

_MOST_WAITING_OF_ONE, _MOST_WAITING = 64, 1024
"""The number of one visitor's turns, or of other requests, that may wait for a thread; and of all that may."""

_MOST_GAMES_KEPT = 100
"""The number of games, with their options, of which it is kept what can play them."""


class BusyError(Exception):
    """Too many requests wait for a thread."""

    def __init__(self) -> None:
        super().__init__("too many agents are thinking; try again in some seconds")


class LineFullError(BusyError):
    """Too many requests of the same visitor wait for a thread."""


class _Waiting(NamedTuple):
    """What a visitor waits for."""

    is_turn: bool  # whether it is an agent's turn, for which no request waits
    work: Callable[[], Any]
    future: Future[Any]


class FairPool:
    """Threads that visitors share: whoever has the fewest of them gets the next, and whoever has waited longest.

    What a visitor asks for is done in the order in which it was asked for, but for turns, which come after the rest.
    """

    def __init__(self, threads: int, most_of_one: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._threads, self._most_of_one = threads, most_of_one
        self._lines: OrderedDict[str, list[_Waiting]] = OrderedDict()
        self._running = Counter[str]()
        self._lock = Lock()

    def submit(self, work: Callable[[], Found], is_turn: bool = False) -> Future[Found]:
        """Have something done for the visitor in one of the threads; raise `BusyError` if too much waits."""
        visitor, future = VISITOR.get(), Future[Found]()
        with self._lock:
            line = self._lines.get(visitor, [])
            if sum(each.is_turn == is_turn for each in line) >= _MOST_WAITING_OF_ONE:
                _log.warning("%s has %d requests that wait for agents; others are refused", visitor, len(line))
                raise LineFullError
            if sum(map(len, self._lines.values())) >= _MOST_WAITING:
                _log.warning("%d requests wait for agents; others are refused", _MOST_WAITING)
                raise BusyError
            self._lines.setdefault(visitor, []).append(_Waiting(is_turn, work, future))
            self._start()
        return future

    def _start(self) -> None:
        """Start what may start; the lock is held."""
        while self._lines and self._running.total() < self._threads:
            visitor = min(self._lines, key=lambda each: self._running[each])
            if self._running[visitor] >= self._most_of_one:
                return
            line = self._lines.pop(visitor)
            begun = line.pop(next((number for number, each in enumerate(line) if not each.is_turn), 0))
            if line:
                self._lines[visitor] = line  # (at the end)
            self._running[visitor] += 1
            self._pool.submit(self._run, visitor, begun)

    def _run(self, visitor: str, begun: _Waiting) -> None:
        if begun.future.set_running_or_notify_cancel():
            try:
                begun.future.set_result(begun.work())
            except BaseException as error:
                begun.future.set_exception(error)
        with self._lock:
            self._running[visitor] -= 1
            self._running += Counter()  # (drops those who have none)
            self._start()


class Thinkers:
    """Lets agents move and think, at most ``threads`` at once, and ``most_of_one`` for one visitor."""

    def __init__(self, store: SittingStore, checker: Checker, tutor: Tutor, threads: int, most_of_one: int) -> None:
        self._store, self._checker, self._tutor = store, checker, tutor
        self._pool = FairPool(threads, most_of_one, "thinking")
        self._left = Kept[str, tuple[Sitting, PlaySession]](_MOST_KEPT)
        self._said = Kept[tuple[str, int], str](2 * _MOST_KEPT)
        self._turns: dict[str, Future[None]] = {}

    async def run(self, work: Callable[[], Found]) -> Found:
        """Do something in one of the threads, and return the result.

        Raises:
            BusyError: If too many requests wait for a thread.
        """
        return await asyncio.wrap_future(self._pool.submit(work))

    def run_in_parts(self, work: Callable[[], bool], stopped: Callable[[], object]) -> None:
        """Have something long done in the background: ``work`` does a part of it, and returns whether more is left.

        Between two parts all other requests have their turn. ``stopped`` is called at the end, whatever it is.

        Raises:
            BusyError: If too many requests wait for a thread.
        """
        visitor = copy_context()

        def go_on() -> None:
            try:
                if work():
                    visitor.run(self._pool.submit, go_on, True)
                    return
            except BusyError:
                pass  # (whoever asks for it again lets it go on)
            except BaseException:
                stopped()
                raise
            stopped()

        self._pool.submit(go_on, is_turn=True)

    async def play_turn(self, sitting: Sitting, seconds: float) -> bool:
        """Begin the turn of an agent, or go on with it; return whether it was over within some seconds.

        Raises:
            BadInputError: If the agent cannot be made, or cannot play the game.
            BusyError: If too many requests wait for a thread.
        """
        turn = self._turns.get(sitting.id)
        if turn is None:
            turn = self._pool.submit(lambda: self._play_turn(sitting), is_turn=True)
            self._turns[sitting.id] = turn
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
        agent = self._agent_at(sitting)  # (the search of one may be compiled when it begins, which takes seconds)
        specs = [sitting.players[seat] for seat in (0, 1) if seat not in sitting.people]
        await self.run(lambda: [agent(spec) for spec in specs])

    def _play_turn(self, sitting: Sitting) -> None:
        """Play the turn of the agent to move; store each action as soon as it is chosen."""
        session = self._session(sitting)
        seat = session.seat
        try:
            while not session.is_over and session.seat == seat:
                session.advance()
                self._note_words(sitting.id, seat, session.players[seat])
                sitting = self._store.save(sitting.updated(session))
        except StaleError:
            return  # (the person has taken back a move, say)
        self._left.put(sitting.id, (sitting, session))

    def said(self, sitting: Sitting) -> tuple[str, str]:
        """Return what the players of both seats have said with their last moves, if they speak, as a language model."""
        return self._said.get((sitting.id, 0)) or "", self._said.get((sitting.id, 1)) or ""

    def _note_words(self, name: str, seat: int, player: Policy | None) -> None:
        words = getattr(player, "said", "")
        if isinstance(words, str) and words:
            self._said.put((name, seat), words[:_MOST_WORDS])

    def _session(self, sitting: Sitting) -> PlaySession:
        """Return a contest with its agents: as they left it, if it has gone on from there."""
        if left := self._left.pop(sitting.id):
            before, session = left
            done = len(session.actions)
            if before.players == sitting.players and sitting.actions[:done] == session.actions:
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


class _Answers(Generic[Found]):
    """What is found out about games, the newest ones."""

    def __init__(self, find: Callable[[Game], Found], name: str) -> None:
        self._pool = FairPool(2, 1, name)
        self._find = find
        self._futures: OrderedDict[str, Future[Found]] = OrderedDict()

    async def of(self, game: Game, seconds: float) -> Found | None:
        """Return what is found out about a game, or ``None`` if that takes longer than some seconds.

        Raises:
            BusyError: If too many games of the visitor wait.
        """
        future = self._futures.get(game.spec)
        if future is None or (future.done() and future.exception()):
            future = self._futures[game.spec] = self._pool.submit(lambda: self._find(game))
            if len(self._futures) > _MOST_GAMES_KEPT:
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

    async def agents(self, game: Game, seconds: float) -> Mapping[str, str] | None:
        """Return the names of agents that can play a game, with what people should know of each.

        ``None`` if they do not answer within some seconds.
        """
        return await self._agents.of(game, seconds)

    def known_agents(self, game: Game) -> Mapping[str, str] | None:
        """Return what `agents` returns, if they have been asked before."""
        return self._agents.known(game)

    def progress(self, game: Game) -> str:
        """Return in words how far a game is solved; empty if that is not known."""
        share = self._shares.get(game.spec)
        return "" if share is None else f"{share:.0%} of the positions known so far"

    def _find_levels(self, game: Game) -> Mapping[str, Level]:
        def advance(done: int, total: int) -> None:
            self._shares[game.spec] = done / max(done, total)

        with suppress(BadInputError):
            solve(game, on_progress=advance)
        self._shares.pop(game.spec, None)
        return levels_of(game)

    def _find_agents(self, game: Game) -> Mapping[str, str]:
        found, learners = dict[str, AgentEntry](), dict[str, AgentEntry]()
        for name, entry in self._checker.offered().items():
            with suppress(BadInputError):
                if not any(option.default is MISSING for option in entry.options.values()):
                    # (one that needs an option may be able)
                    demand_openings(make_agent(self._checker.agent(name), game), game)
                (learners if entry.learns else found)[name] = entry
        return {
            **{name: f"{entry.title}: {entry.does}" for name, entry in found.items()},
            **{name: f"{entry.title}, which has learned nothing" for name, entry in learners.items()},
        }
