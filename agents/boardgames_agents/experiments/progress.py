"""What a long piece of work tells of how far it has come."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol


class Bar(Protocol):
    """Something to be told that one more is done."""

    def step(self) -> object:
        """One more is done."""


Progress = Callable[[str, int], AbstractContextManager[Bar]]
"""Makes a progress bar from what is being done, and how many pieces of work there are."""


class _NoBar:
    def step(self) -> None:
        pass


def untold(what: str, total: int) -> AbstractContextManager[Bar]:
    """Progress that nobody is told of."""
    return nullcontext(_NoBar())
