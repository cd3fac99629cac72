"""What the commands that carry out sweeps have in common: who does the work, and with which seeds."""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boardgames_agents.experiments.runner import Workers

Backend = Annotated[str, typer.Option(help="joblib, for processes of this machine, or ray, for a Ray cluster.")]
Address = Annotated[str, typer.Option(help="The Ray cluster's: host:port; auto if this machine is part of it; local.")]


def workers_of(jobs: int, backend: str, address: str) -> "Workers":
    """Who does the work."""
    from boardgames_agents.experiments.runner import Workers

    return Workers(jobs, backend, address)


def seeds_in(text: str) -> tuple[int, ...]:
    """The numbers that ``0-2,7`` names: 0, 1, 2 and 7, each once.

    Raises:
        BadInputError: If it names none, or is something else.
    """
    from boardgames_env.errors import BadInputError

    seeds: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        last = last if dash else first
        if not first.isdecimal() or not last.isdecimal() or int(last) < int(first):
            raise BadInputError(f"{text!r} names no seeds; write such as 0-9, or 0,3,5-7")
        seeds.update(dict.fromkeys(range(int(first), int(last) + 1)))
    return tuple(seeds)
