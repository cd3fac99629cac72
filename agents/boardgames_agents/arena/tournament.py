"""Tournaments: contests between two policies in alternating seats, in one process or in several."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import count
from queue import SimpleQueue
from time import perf_counter
from typing import TYPE_CHECKING

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.contest_block import BlockPlayer
from boardgames_agents.arena.score import Score, score_table
from boardgames_agents.experiments.own_error import in_informed_processes
from boardgames_agents.experiments.table import Table
from boardgames_agents.policy import Policy
from boardgames_agents.policy.explanation import counted
from boardgames_agents.record import Record
from boardgames_agents.registry import AgentLike, labels_of, make_player
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.games import make_game

if TYPE_CHECKING:
    from boardgames_agents.experiments.progress import Bar

_CHUNKS_PER_JOB, _LONGEST_CHUNK, _LONGEST_OF_BLOCKS = 4, 1000, 50_000

_START = 1.0
"""The seconds that processes take to start."""

_Played = tuple[Score, Counter[str], list[Record]]
"""The score of the first policy in contests in a row, how they ended, and their records if they are kept."""

_Cast = tuple[Policy, Policy]


@dataclass(frozen=True)
class _Series:
    """What the contests of a tournament have in common, as other processes get it."""

    game: Game
    named: tuple[AgentLike, AgentLike]  # the policies, or their specs
    seed: tuple[int, ...]
    keeps: bool  # whether records are kept


@dataclass(frozen=True)
class Tournament:
    """The result of a tournament.

    Attributes:
        game: The game's spec.
        players: The specs of the policies a and b.
        seed: The base seed.
        score: The score of a.
        records: The records, if they are kept.
        ends: How many contests ended for each reason, the most frequent first; of a tournament that was read from a
            match store it is empty. Not compared, because it follows from the contests.
    """

    game: str
    players: tuple[str, str]
    seed: tuple[int, ...]
    score: Score
    records: tuple[Record, ...] = ()
    ends: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def table(self) -> Table:
        """The scores of both players, which ``print`` and notebooks show."""
        a, b = self.players
        return score_table(
            f"{self.game}, {counted(self.score.contests, 'contest')}", {a: self.score, b: self.score.reversed()}
        )

    def __str__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table.html()


def seat_of_a(contest: int) -> int:
    """Return the seat of the first policy in a contest of a tournament."""
    return contest % 2


def tournament(
    game: Game | str,
    a: AgentLike,
    b: AgentLike,
    contests: int,
    seed: int | Sequence[int],
    jobs: int = 1,
    on_contest: Callable[[Record], object] | None = None,
    records: bool = False,
    progress_bar: bool = False,
) -> Tournament:
    """Play a tournament. The same seed gives the same contests to the last move, in any number of processes.

    In contest k, a has seat ``k % 2``, and all random numbers are seeded with ``[*seed, k]``.

    Args:
        game: The game, or its spec.
        a: The policy that is scored, or its spec. A `Learner` plays as it is now and learns nothing.
        b: Its opponent, or the opponent's spec; the same object as ``a`` for a policy against itself.
        contests: Number of contests.
        seed: Base seed, one integer or several.
        jobs: Number of processes. More than one make policies from specs, and get copies of policies. Where a policy
            waits for another machine (`Policy.waits`), threads play in their place, with policies made from specs.
        on_contest: Called with the record of each contest, in order.
        records: Whether to keep the records.
        progress_bar: Whether to show a progress bar, on a terminal or in a notebook.

    Raises:
        BadInputError: If a number is not allowed, a spec names no policy for this game, or several processes are to
            play with a person, or at a game defined in the main file.
    """
    require(1, contests=contests, jobs=jobs)
    game = make_game(game) if isinstance(game, str) else game
    seeds = _seeds_of(seed)
    cast = _cast(game, a, b)
    named = (cast[0] if isinstance(a, Policy) else a, cast[1] if isinstance(b, Policy) else b)
    series = _Series(game, named, seeds, keeps=records or on_contest is not None)
    if jobs == 1:
        chunks = _play_contests(series, cast, BlockPlayer(game, cast), range(contests))
    else:
        _demand_separable(game, cast, jobs)
        play = _play_in_threads if any(policy.waits for policy in cast) else _play_in_processes
        chunks = play(series, cast, range(contests), jobs)
    score, ends, kept = Score(), Counter[str](), list[Record]()
    shown: AbstractContextManager[Bar | None] = nullcontext()
    if progress_bar:
        from boardgames_agents.experiments import progress

        shown = progress.progress_bar(" v. ".join(labels_of([each.spec for each in cast])), contests, " contests")
    with shown as bar:
        for part, how, played in chunks:
            score += part
            ends += how
            kept += played if records else []
            if on_contest:
                for record in played:
                    on_contest(record)
            if bar:
                bar.to(score.contests, contests)
    return Tournament(game.spec, (cast[0].spec, cast[1].spec), seeds, score, tuple(kept), dict(ends.most_common()))


def _demand_separable(game: Game, cast: _Cast, jobs: int) -> None:
    """Refuse a game or a player that other processes cannot have."""
    if any(policy.interactive for policy in cast):
        raise BadInputError(f"jobs={jobs} is not allowed where a person plays; use jobs=1")
    if getattr(game.factory, "__module__", "") == "__main__":
        raise BadInputError(
            f"jobs={jobs} is not for {game.spec}, which is defined in the program's main file; put it in a module"
        )


def _seeds_of(seed: int | Sequence[int]) -> tuple[int, ...]:
    seeds = (seed,) if isinstance(seed, int) else tuple(int(number) for number in seed)
    if not seeds or min(seeds) < 0:
        raise BadInputError(f"seed {seed} is not allowed; it is a whole number of at least 0, or several")
    return seeds


def _cast(game: Game, a: AgentLike, b: AgentLike) -> _Cast:
    """Return the policies that play: made from specs, and frozen if they learn."""
    first = make_player(a, game)
    return first, first if a is b and isinstance(a, Policy) else make_player(b, game)


def _play_one(series: _Series, cast: _Cast, contest: int) -> _Played:
    """Play one contest."""
    seat = seat_of_a(contest)
    record = play_contest(series.game, cast[::-1] if seat else cast, (*series.seed, contest))
    return Score.of(record, seat), Counter([record.end]), [record]


def _play_block(series: _Series, cast: _Cast, blocks: BlockPlayer, contests: range) -> tuple[_Played, range] | None:
    """Play the next contests inside a kernel. Return them, and those that are left; ``None`` if it cannot play them."""
    block = blocks.play(series.seed, contests)
    if block is None:
        return None
    records = block.records(series.game, cast, series.seed) if series.keeps else []
    return (block.score, block.ends(series.game), records), contests[len(block.numbers) :]


def _play_contests(series: _Series, cast: _Cast, blocks: BlockPlayer, contests: range) -> Iterator[_Played]:
    """Yield contests in order: block by block inside a kernel, or one by one while that cannot play them."""
    while contests:
        found = _play_block(series, cast, blocks, contests) if blocks.is_ready() else None
        played, contests = found or (_play_one(series, cast, contests[0]), contests[1:])
        yield played


def _play_in_threads(series: _Series, cast: _Cast, contests: range, jobs: int) -> Iterator[_Played]:
    """Yield contests in order; each thread plays one at a time, with policies of its own."""
    threads = min(jobs, len(contests))
    specs = [each.spec if isinstance(each, Policy) else each for each in series.named]
    free: SimpleQueue[_Cast] = SimpleQueue()
    for each in (cast, *(_cast(series.game, *specs) for _ in range(threads - 1))):
        free.put(each)  # (made here: Python parses in one thread only)

    def play(contest: int) -> _Played:
        players = free.get()
        try:
            return _play_one(series, players, contest)
        finally:
            free.put(players)  # (after an error, too: another thread may wait for them)

    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(play, contests)
    finally:
        pool.shutdown(cancel_futures=True)


def _play_in_processes(series: _Series, cast: _Cast, contests: range, jobs: int) -> Iterator[_Played]:
    """Yield contests in order; each process plays a chunk of them at a time.

    Blocks are played here first: most tournaments are over before other processes would have begun.
    """
    began, blocks = perf_counter(), BlockPlayer(series.game, cast)
    while contests and blocks.is_ready() and perf_counter() - began < _START:
        if found := _play_block(series, cast, blocks, contests):
            played, contests = found
            yield played
    longest = _LONGEST_OF_BLOCKS if blocks.can_play else _LONGEST_CHUNK
    length = max(1, min(longest, -(-len(contests) // (_CHUNKS_PER_JOB * jobs))))
    chunks = [contests[start : start + length] for start in range(0, len(contests), length)]
    if chunks:
        key = os.getpid(), next(_numbers)
        yield from in_informed_processes(_play_chunk, [(key, series, chunk) for chunk in chunks], jobs)


_numbers = count()
_latest: dict[tuple[int, int], tuple[_Cast, BlockPlayer]] = {}
"""The policies of the tournament that this process has played last, with their tables."""


def _play_chunk(key: tuple[int, int], series: _Series, contests: range) -> _Played:
    if key not in _latest:
        cast = _cast(series.game, *series.named)
        _latest.clear()
        _latest[key] = cast, BlockPlayer(series.game, cast)
    cast, blocks = _latest[key]
    score, ends, kept = Score(), Counter[str](), list[Record]()
    for part, how, played in _play_contests(series, cast, blocks, contests):
        score += part
        ends += how
        kept += played if series.keeps else []
    return score, ends, kept
