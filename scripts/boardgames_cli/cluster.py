"""`boardgames cluster`: what a sweep would be like on a cluster that one does not have."""

from math import inf
from typing import Annotated

import typer

from boardgames_cli.printing import console, print_wide, progress, table


def cluster(
    workers: Annotated[str, typer.Option(help="Processors, with commas between.")] = "16,160,1600,16000",
    seconds: Annotated[str, typer.Option(help="Mean seconds of a piece of work, with commas between.")] = "1,10,60",
    pieces: Annotated[int, typer.Option(help="Pieces for each processor.", min=1)] = 20,
    spread: Annotated[float, typer.Option(help="Standard deviation of a piece's logarithm of seconds.", min=0)] = 0.3,
    hours: Annotated[
        float, typer.Option(help="Mean hours after which a processor is lost; 0 for never.", min=0)
    ] = 24.0,
    start: Annotated[float, typer.Option(help="Seconds until a new worker is ready.", min=0)] = 30.0,
    seed: Annotated[int, typer.Option(help="Settles every chance.", min=0)] = 0,
) -> None:
    """Simulate sweeps on Ray clusters, with what this machine spends as their head; needs the extra `ray`."""
    import numpy as np

    from boardgames_baselines.benchmarks.cluster import Cluster, simulate
    from boardgames_baselines.benchmarks.measuring import measured_head

    counts, means = _counts(workers), _numbers(seconds)
    head = measured_head()
    columns = ("processors", "seconds a piece", "pieces", "hours", "in use %", "repeated %", "lost", "head busy %")
    rows = table("Sweeps on a Ray cluster", *columns, "tasks", right=(*columns, "tasks"))
    with progress("simulating", len(counts) * len(means)) as bar:
        for count in counts:
            for mean in means:
                rng = np.random.default_rng((seed, count))
                each = mean * rng.lognormal(-(spread**2) / 2, spread, pieces * count)
                asked = Cluster(count, start=start, lost_every=3600 * hours or float("inf"))
                found = simulate(asked, head, each.tolist(), seed)
                rows.add_row(
                    f"{count:,}",
                    f"{mean:g}",
                    f"{pieces * count:,}",
                    f"{found.seconds / 3600:.2f}",
                    f"{100 * found.utilisation:.1f}",
                    f"{100 * found.repeated:.2f}",
                    f"{found.lost:,}",
                    f"{100 * found.head:.1f}",
                    f"{found.tasks:,}",
                )
                bar.step()
    print_wide(rows)
    told = (
        (head.send, "to send a task"),
        (head.receive, "to receive it"),
        (head.write, "to write down a result"),
        (head.flush, "to get what has come in to the disk"),
    )
    spent = ", ".join(f"{1e3 * figure:.2f} ms {what}" for figure, what in told)
    console.print(f"the head, measured here: {spent}, {1e6 * head.watch:.2f} µs to look after a task", highlight=False)


def _counts(text: str) -> list[int]:
    from boardgames_env.errors import BadInputError

    found = _numbers(text)
    if not all(count.is_integer() for count in found):
        raise BadInputError(f"{text!r} is not allowed; write whole numbers with commas between")
    return [int(count) for count in found]


def _numbers(text: str) -> list[float]:
    from boardgames_env.errors import BadInputError

    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or not all(0 < number < inf for number in found):
        raise BadInputError(f"{text!r} is not allowed; write numbers greater than 0 with commas between")
    return found


COMMANDS = (cluster,)
