"""The agents of a contest at the terminal, their names, and how strong they are in words."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardgames_cli.printing import console

if TYPE_CHECKING:
    from boardgames_agents.policy import Policy
    from boardgames_env import Game


@dataclass(frozen=True)
class Opponent:
    """Who a person at the terminal plays against.

    Attributes:
        game: The game.
        policy: The agent; ``None`` for another person at the terminal.
        name: Its name, such as ``td, untrained``.
        strength: A sentence on how strong it is.
        watched: The agent that plays in the person's place, if one does.
        watched_name: Its name.
    """

    game: "Game"
    policy: "Policy | None"
    name: str
    strength: str
    watched: "Policy | None" = None
    watched_name: str = ""


@contextmanager
def status(what: str) -> Iterator[None]:
    """Show at a terminal what is being done while the block runs."""
    if console.is_terminal:
        with console.status(f"{what} ..."):
            yield
    else:
        yield


def set_up(game: str, against: str | None, level: str, watch: str | None, explain: bool) -> Opponent:
    """Make the game and the agents; raise `BadInputError` if one cannot be made, or cannot explain its moves."""
    with status("Getting ready"):
        from boardgames_agents.people.explainers import explainer_of
        from boardgames_agents.people.levels import level_of
        from boardgames_env import BadInputError, make_game

        made = make_game(game)
    found = None
    if against is None:
        show_solving(made)
        found = level_of(made, level)
        against = found.agent
    with status("Getting the agents ready"):
        policy, name, strength = _player(against, made)
        watched, watched_name, _ = _player(watch, made) if watch else (None, "", "")
    if watch and (policy is None or watched is None):
        raise BadInputError("people cannot be watched; play without --watch to play yourself")
    if explain and policy is not None:
        explainer_of(policy, made)  # (raises an error if it cannot)
    if found:
        name, strength = f"level {found.name}", f"played at the level {found.name}: {found.strength}"
    return Opponent(made, policy, name, strength, watched, watched_name)


def _player(spec: str, game: "Game") -> "tuple[Policy | None, str, str]":
    """Return an agent that plays, its name, and what it is in words; ``None`` for a person.

    A learner has learned nothing.
    """
    from boardgames_agents.policy import Learner
    from boardgames_agents.registry import make_agent, make_player, registered_agents
    from boardgames_env.spec import Spec

    policy = make_agent(spec, game)
    if policy.interactive:
        return None, policy.spec, "played by another person at this terminal"
    is_untrained = isinstance(policy, Learner)
    name = f"{policy.spec}, untrained" if is_untrained else policy.spec
    summary = registered_agents()[Spec.parse(spec).name].summary.rstrip(".")
    if is_untrained:
        summary = "a learner that has learned nothing yet; boardgames train teaches it"
    return make_player(policy, game), name, f"played by {name}: {summary}"


def show_solving(game: "Game") -> None:
    """Solve a game that can be, and show how far it is."""
    from boardgames_env import BadInputError
    from boardgames_env.solve import solve

    if not console.is_terminal:
        return
    with suppress(BadInputError), console.status(f"Getting {game.spec} ready ...") as shown:

        def advance(done: int, total: int) -> None:
            share = f": {done / total:.0%}" if done < total else ""  # (of some games the total is not known before)
            shown.update(f"Solving {game.spec}, once{share} ...")

        solve(game, on_progress=advance)
