"""`boardgames cache`: what is kept in the cache folder, and how to make it smaller."""

from typing import Annotated

import typer

from boardgames_cli.printing import console, print_table, table


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
        console.print(f"{_megabytes(disk_cache.prune(days))} MB freed")
    kernels = disk_cache.entries()
    solved = [path for path in cache_root().glob("tables/**/*.*") if path.is_file()]
    rows = [
        (what, f"{len(files):,}", _megabytes(sum(path.stat().st_size for path in files)))
        for what, files in (("compiled kernels", kernels), ("solved tables", solved))
    ]
    console.print(f"{cache_root()}", soft_wrap=True)
    print_table(table("Cache", ("what", "files", "MB"), rows, right=("files", "MB")))


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f}"
