"""`boardgames cache`: what is kept in the cache folder, and how to make it smaller."""

from typing import Annotated

import typer

from boardgames_cli.printing import console, table


def cache(
    prune: Annotated[
        bool,
        typer.Option("--prune", help="Remove unused kernels and everything that versions before 0.2 left."),
    ] = False,
    days: Annotated[float, typer.Option(help="With --prune, the days for which unused kernels are kept.", min=0)] = 30,
) -> None:
    """Show the folder of compiled kernels and solved tables, their number and size."""
    from boardgames_env.files import cache_root
    from boardgames_env.kernels import disk_cache

    if prune:
        freed = disk_cache.prune(days)
        console.print(f"{_megabytes(freed)} MB freed", highlight=False)
    kernels = disk_cache.entries()
    rows = table("Cache", "what", "files", "MB", right=("files", "MB"))
    for what, paths in (("compiled kernels", kernels), ("solved tables", [*cache_root().glob("tables/**/*.*")])):
        files = [path for path in paths if path.is_file()]
        rows.add_row(what, f"{len(files):,}", _megabytes(sum(path.stat().st_size for path in files)))
    console.print(f"{cache_root()}", soft_wrap=True, highlight=False)
    console.print(rows)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f}"


COMMANDS = (cache,)
