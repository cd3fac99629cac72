"""What the head of a sweep spends, and how long pieces of work take: measured on this machine."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.experiments.ray_cluster import JoinedCluster
from boardgames_agents.league.round_robin import BlockJob, LeaguePlayer
from boardgames_baselines.benchmarks.cluster import Head


@dataclass(frozen=True)
class Nothing:
    """A job that takes no time."""

    def description(self) -> dict[str, str]:
        """Return nothing."""
        return {}

    def run(self) -> int:
        """Nothing is done."""
        return 0


def measured_head(tasks: int = 1000) -> Head:
    """What this machine spends as a head, with a Ray cluster of its own and a league's store on this disk.

    Raises:
        BadInputError: If Ray is not installed.
    """
    cluster = JoinedCluster("local")
    cluster.answer(cluster.send([Nothing()]))  # (the first starts a worker)
    begun = perf_counter()
    out = {cluster.send([Nothing()]): () for _ in range(tasks)}
    sent = perf_counter()
    while len(cluster.ready(out)) < tasks:
        pass
    back = perf_counter()
    cluster.ready(out)
    watched = perf_counter()
    for task in out:
        cluster.answer(task)
    received = perf_counter()
    flush, write = _writing()
    return Head(
        send=(sent - begun) / tasks,
        receive=(received - watched) / tasks,
        write=write,
        flush=flush,
        watch=(watched - back) / tasks,
    )


def _writing(blocks: int = 100) -> tuple[float, float]:
    """Seconds to get blocks of 50 contests to the disk: whatever their number, and for each of them."""
    player = LeaguePlayer("random", "random", "random")
    played = [BlockJob("tic_tac_toe", player, player, (number,), 50).run() for number in range(2 * blocks)]
    with tempfile.TemporaryDirectory() as folder:
        store = MatchStore(Path(folder) / "contests.sqlite")
        begun = perf_counter()
        for each in played[:blocks]:
            store.add(each)
        alone = (perf_counter() - begun) / blocks
        begun = perf_counter()
        store.add_all(played[blocks:])
        together = perf_counter() - begun
    each_more = max(0.0, together - alone) / (blocks - 1)
    return alone - each_more, each_more
