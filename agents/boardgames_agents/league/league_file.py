"""League files: leagues in TOML or JSON.

A file has ``games`` and ``agents``, and optionally ``contests`` and ``seed``. An agent is a spec, or a table of
``agent`` (the spec) and optionally ``name``, ``games`` (where it enters; by default at all) and, for a learner,
``training``: a table of ``trainer``, ``contests``, ``standard``, ``seed`` and ``test_every``::

    games = ["tic_tac_toe", "achi"]
    contests = 100
    agents = [
      "random",
      "fallible(e=0.1)",
      { name = "MENACE", agent = "menace", training = { trainer = "perfect", contests = 5000 } },
    ]
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.round_robin import League
from boardgames_env.decoding import data_in
from boardgames_env.errors import BadInputError, one_of

_LEAGUE = {"games": list, "agents": list, "contests": int, "seed": int}
_AGENT = {"agent": str, "name": str, "games": list, "training": dict}
_TRAINING = {"trainer": str, "contests": int, "standard": int, "seed": int, "test_every": int}


def read_league(path: Path) -> League:
    """Return the league of a file.

    Raises:
        BadInputError: If it cannot be read, or has something else than a league file has.
    """
    data = _checked(path, "a league file", data_in(path, "a league file"), _LEAGUE)
    entrants = tuple(_entrant(path, each) for each in data.pop("agents", ()))
    return League(_texts(path, data.pop("games", [])), entrants, **data)


def _entrant(path: Path, data: object) -> Entrant:
    if isinstance(data, str):
        return Entrant(data)
    fields = _checked(path, "an agent", data, _AGENT)
    if "agent" not in fields:
        raise BadInputError(f"{path}: an agent has no spec; give it one, such as agent = 'td'")
    agent, name, games = fields["agent"], fields.get("name", ""), _texts(path, fields.get("games", []))
    if "training" not in fields:
        return Entrant(agent, name, games=games)
    return Entrant.trained(agent, name, games, **_checked(path, "a training", fields["training"], _TRAINING))


def _checked(path: Path, what: str, data: object, kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return a table after checking its names and the types of its values."""
    if not isinstance(data, dict):
        raise BadInputError(f"{path}: {what} is a table of {one_of(kinds)}, not {data!r}")
    for name, value in data.items():
        if name not in kinds:
            raise BadInputError(f"{path}: {what} has no {name!r}; it may have: {one_of(kinds)}")
        if type(value) is not kinds[name]:
            raise BadInputError(f"{path}: {name}={value!r} is not allowed; it is {_WORDS[kinds[name]]}")
    return dict(data)


_WORDS = {list: "a list", int: "a whole number", str: "text", dict: "a table"}


def _texts(path: Path, values: list[object]) -> tuple[str, ...]:
    for value in values:
        if not isinstance(value, str):
            raise BadInputError(f"{path}: {value!r} is not a game; it is text, such as 'achi'")
    return tuple(str(value) for value in values)
