"""Everything that chooses moves, learns, trains and scores."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardgames_agents.arena.tournament import tournament
    from boardgames_agents.policy import Learner, Policy
    from boardgames_agents.registry import make_agent
    from boardgames_agents.training.run import train

__all__ = ["Learner", "Policy", "make_agent", "tournament", "train"]

_HOMES = {
    "Learner": "boardgames_agents.policy",
    "Policy": "boardgames_agents.policy",
    "make_agent": "boardgames_agents.registry",
    "tournament": "boardgames_agents.arena.tournament",
    "train": "boardgames_agents.training.run",
}


def __getattr__(name: str) -> Any:
    """Import a name of `__all__` when it is first used, so that importing the package stays fast."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
