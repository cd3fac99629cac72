"""Tournaments: contests between two policies in alternating seats, in one process or in several."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.score import Score, score_table
from boardgames_agents.experiments.program import Modules, import_all, modules
from boardgames_agents.policy import Policy
from boardgames_agents.record import Record
from boardgames_agents.registry import AgentLike, labels_of, make_player
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.processes import in_processes

_CHUNKS_PER_JOB, _LONGEST_CHUNK = 4, 1000


@dataclass(frozen=True)
class Tournament:
    """The result of a tournament: specs of the game and of the policies a and b, score of a, and records if kept."""

    game: str
    players: tuple[str, str]
    seed: tuple[int, ...]
    score: Score
    records: tuple[Record, ...] = ()

    def _repr_html_(self) -> str:
        a, b = self.players
        return score_table(f"{self.game}, {self.score.contests:,} contests", {a: self.score, b: self.score.reversed()})


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
        jobs: Number of processes. More than one make policies from specs, and get copies of policies.
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
    if progress_bar:
        from boardgames_agents.experiments import progress

        with progress.progress_bar(" v. ".join(labels_of([each.spec for each in cast])), contests, " contests") as bar:
            return tournament(game, a, b, contests, seed, jobs, bar.both(on_contest, bar.step), records)
    if jobs == 1:
        played = _play_contests(game, cast, seeds, range(contests))
    else:
        _demand_separable(game, cast, jobs)
        named = (cast[0] if isinstance(a, Policy) else a, cast[1] if isinstance(b, Policy) else b)
        played = _play_in_processes(game, named, seeds, contests, jobs)
    score, kept = Score(), []
    for contest, record in enumerate(played):
        score += Score.of(record, seat_of_a(contest))
        if records:
            kept.append(record)
        if on_contest:
            on_contest(record)
    return Tournament(game.spec, (cast[0].spec, cast[1].spec), seeds, score, tuple(kept))


def _demand_separable(game: Game, cast: tuple[Policy, Policy], jobs: int) -> None:
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


def _cast(game: Game, a: AgentLike, b: AgentLike) -> tuple[Policy, Policy]:
    """Return the policies that play: made from specs, and frozen if they learn."""
    first = make_player(a, game)
    return first, first if a is b and isinstance(a, Policy) else make_player(b, game)


def _play_contests(game: Game, cast: tuple[Policy, Policy], seed: tuple[int, ...], contests: range) -> Iterator[Record]:
    seatings = (cast, cast[::-1])
    for contest in contests:
        yield play_contest(game, seatings[seat_of_a(contest)], (*seed, contest))


def _play_in_processes(
    game: Game, named: tuple[AgentLike, AgentLike], seed: tuple[int, ...], contests: int, jobs: int
) -> Iterator[Record]:
    """Yield the records of the contests in order; each process plays a chunk of contests at a time."""
    length = min(_LONGEST_CHUNK, -(-contests // (_CHUNKS_PER_JOB * jobs)))
    chunks = [range(contests)[start : start + length] for start in range(0, contests, length)]
    known = modules()
    for played in in_processes(_play_chunk, [(game, named, seed, chunk, known) for chunk in chunks], jobs):
        yield from played


def _play_chunk(
    game: Game, named: tuple[AgentLike, AgentLike], seed: tuple[int, ...], contests: range, known: Modules
) -> list[Record]:
    import_all(known)
    return list(_play_contests(game, _cast(game, *named), seed, contests))
