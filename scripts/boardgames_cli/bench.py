"""`boardgames bench`: speed beside the peers."""

from typing import Annotated

import typer

from boardgames_cli.printing import console, print_json, print_table, progress
from boardgames_cli.shared_options import AsJson


def bench(
    rounds: Annotated[int, typer.Option(help="Rounds that are counted; the figures are their medians.", min=1)] = 5,
    only: Annotated[str, typer.Option(help="Only the benchmarks with this in their names.")] = "",
    as_json: AsJson = False,
) -> None:
    """Time the package beside its peers, which the extra `bench` installs."""
    from boardgames_baselines.benchmarks import BENCHMARKS, measure, versions
    from boardgames_env.errors import BadInputError, one_of

    chosen = [each for each in BENCHMARKS if only in each.name]
    if not chosen:
        names = one_of(each.name for each in BENCHMARKS)
        raise BadInputError(f"no benchmark has {only!r} in its name; they are: {names}")
    rows, raw = [], []
    with progress("benchmarks", len(chosen)) as bar:
        for each in measure(rounds, chosen):
            unit, peer = each.benchmark.unit, each.benchmark.peer.name if each.benchmark.peer else ""
            theirs = _figure_with_unit(each.theirs, unit) if each.theirs else "not installed" if peer else ""
            ratio = f"{each.ratio:.1f} ×" if each.ratio else ""
            what = each.benchmark.name + (f", {each.copies:,} copies" if each.copies else "")
            rows.append((what, _figure_with_unit(each.ours, unit), peer, theirs, ratio, each.benchmark.bar))
            figures = {"unit": unit, "ours": each.ours, "theirs": each.theirs, "ratio": each.ratio}
            raw.append({"what": what, "peer": peer, **figures, "goal": each.benchmark.bar})
            bar.step()
    if as_json:
        print_json(raw)
        return
    columns = ("what", "ours", "peer", "theirs", "ratio", "goal")
    print_table("Speed", columns, rows, figures=("ours", "theirs", "ratio"))
    console.print(", ".join(f"{name} {version}" for name, version in versions().items()))


def _figure_with_unit(value: float, unit: str) -> str:
    return f"{value:.2f} {unit}" if unit == "s" else f"{value:,.0f} {unit}"
