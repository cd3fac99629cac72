"""`boardgames cache`: what is kept in the cache folder, and how to make it smaller."""

from typing import Annotated

import typer

from boardgames_cli.printing import console, print_json, print_table
from boardgames_cli.shared_options import AsJson


def cache(
    prune: Annotated[bool, typer.Option("--prune", help="Remove unused kernels.")] = False,
    days: Annotated[float, typer.Option(help="With --prune, the days for which unused kernels are kept.", min=0)] = 30,
    as_json: AsJson = False,
) -> None:
    """Show the folder of compiled kernels and solved tables, their number and size."""
    from boardgames_env.files import cache_root
    from boardgames_env.kernels import disk_cache

    freed = disk_cache.prune(days) if prune else 0
    if prune and not as_json:
        console.print(f"{_megabytes(freed)} MB freed")
    kernels = disk_cache.entries()
    solved = [path for path in cache_root().glob("tables/**/*.*") if path.is_file()]
    found = [
        (what, len(files), sum(path.stat().st_size for path in files))
        for what, files in (("compiled kernels", kernels), ("solved tables", solved))
    ]
    if as_json:
        rest = [("freed", None, freed)] if prune else []
        print_json(
            {"folder": str(cache_root()), "what": what, "files": files, "bytes": size}
            for what, files, size in (*found, *rest)
        )
        return
    rows = [(what, f"{files:,}", _megabytes(size)) for what, files, size in found]
    console.print(f"{cache_root()}", soft_wrap=True)
    print_table("Cache", ("what", "files", "MB"), rows, figures=("files", "MB"))


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f}"
