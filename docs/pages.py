"""The pages that are generated from the code: a page per game, the agents, and the reference.

Every build writes them again; git ignores them.
"""

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING
from pathlib import Path
from types import ModuleType

import numpy as np

import boardgames_agents
import boardgames_env
from boardgames_agents.experiments.tensorboard_log import tag_of
from boardgames_agents.registry import AgentEntry, registered_agents
from boardgames_agents.training.curves import CURVES, STATE
from boardgames_env import Game, Position, make_game, registered_games
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest, with_last_moves
from boardgames_env.envs.observations import PLANES, Observations
from boardgames_env.envs.registration import gymnasium_id, pettingzoo_id
from boardgames_env.games import GameEntry
from boardgames_env.render.svg import draw_svg
from boardgames_env.spec import Option

_MOST_ACTIONS = 1000
_MOST_COUNTED = 10_000_000  # more than this are bounded, not counted
_OUTCOMES = {1: "a win of seat 0", 0: "a draw", -1: "a win of seat 1", None: "not known"}


def write_pages(folder: Path) -> None:
    """Write all pages below the documentation's folder."""
    games = folder / "games"
    games.mkdir(exist_ok=True)
    for entry in registered_games().values():
        (games / f"{entry.name}.md").write_text(game_page(entry), encoding="utf-8")
        for moment, picture in pictures(entry).items():
            (games / f"{entry.name}-{moment}.svg").write_text(picture, encoding="utf-8")
    (games / "index.md").write_text(games_index(), encoding="utf-8")
    (folder / "agents.md").write_text(agents_page(), encoding="utf-8")
    (folder / "reference.md").write_text(reference_page(), encoding="utf-8")


def games_index() -> str:
    """Return the list of all games."""
    rows = [
        f"| [{make_game(entry.name).title}]({entry.name}.md) | {entry.summary} | `{entry.name}` |"
        for entry in registered_games().values()
    ]
    contents = "\n".join(["```{toctree}", ":hidden:", *registered_games(), "```"])
    return "\n".join(["# Games", "", "| game | | name |", "|---|---|---|", *rows, "", contents, ""])


def game_page(entry: GameEntry) -> str:
    """Return a game's page: its docstring, pictures, facts, options and ids."""
    game = make_game(entry.name)
    summary, _, page = entry.page.partition("\n")
    shown = " ".join(f'![{moment} of a contest]({entry.name}-{moment}.svg){{width="32%"}}' for moment in _MOMENTS)
    facts = {
        "value under best play": _OUTCOMES.get(game.value, str(game.value)),
        "positions": "not counted"
        if game.positions is None
        else f"{'at most ' * (game.positions > _MOST_COUNTED)}{game.positions:,}",
        "search": _searchers(game),
        "locations": game.board.size,
        "symmetries": len(game.board.symmetries),
        "actions": game.num_actions,
        "features": game.num_features,
        "planes": " × ".join(map(str, Observations(game, PLANES).space.shape or ())),
        "make_game": f"`make_game({entry.name!r})`",
        "PettingZoo": f'`pettingzoo.make("aec", "{pettingzoo_id(entry)}")`',
        "Gymnasium": f'`gymnasium.make("{gymnasium_id(entry)}")`',
    }
    table = ["| | |", "|---|---|", *(f"| {name} | {fact} |" for name, fact in facts.items())]
    options = ["## Options", "", *options_table(entry.options), ""]
    return "\n".join([f"# {game.title}", "", summary, "", shown, "", *table, "", *options, page.strip(), ""])


def _searchers(game: Game) -> str:
    """Return the agents that search a game, with the knowledge that `alpha_beta` has of it."""
    if game.rules.has_chance:
        return "`mcts`"
    return f"`alpha_beta` ({'with' if game.heuristics else 'without'} heuristics), `mcts`"


def options_table(options: Mapping[str, Option]) -> list[str]:
    """Return the rows of a table of options."""
    if not options:
        return ["It has no options."]
    rows = [
        f"| `{name}` | {option.kind} | {'*(must be given)*' if option.default is MISSING else f'`{option.default!r}`'} "
        f"| {option.help.replace('|', chr(92) + '|')} |"
        for name, option in options.items()
    ]
    return ["| option | type | default | meaning |", "|---|---|---|---|", *rows]


def curves_table(curves: Mapping[str, str]) -> list[str]:
    """Return the rows of a table of TensorBoard's tags."""
    rows = [f"| `{tag}` | {formula.replace('|', chr(92) + '|')} |" for tag, formula in curves.items()]
    return ["| tag | formula |", "|---|---|", *rows]


_MOMENTS = ("start", "middle", "end")


def pictures(entry: GameEntry) -> dict[str, str]:
    """Return three positions of a contest between random players, as SVG."""
    shown = list(with_last_moves(random_contest(make_game(entry.name).initial)))
    chosen = zip(_MOMENTS, (shown[0], shown[len(shown) // 2], shown[-1]), strict=True)
    return {moment: draw_svg(position, before=before) for moment, (position, before) in chosen}


def random_contest(position: Position) -> list[Position]:
    """Return the positions of a contest between random players, the same at every build."""
    rng = np.random.default_rng(1994)
    contest = Contest(position.game, ChanceStream(position.game, np.random.default_rng(1995)), position)
    positions = [contest.position]
    while not contest.is_over and len(positions) <= _MOST_ACTIONS:
        contest.play(int(rng.choice(contest.position.legal_actions)))
        positions.append(contest.position)
    return positions


def agents_page() -> str:
    """Return the page of all agents, with their options, and the notes of their modules below."""
    lines = ["# Agents", "", "`make_agent(spec, game)` makes them; a spec is a name, or `name(option=value, ...)`.", ""]
    lines += ["| agent | |", "|---|---|"]
    lines += [f"| [`{entry.name}`](#{entry.name}) | {entry.summary} |" for entry in registered_agents().values()]
    for entry in registered_agents().values():
        lines += ["", f"## {entry.name}", "", *options_table(entry.options), "", *_autodoc_agent(entry)]
        if entry.curves:
            tags = {f"{STATE}/{tag_of(name)}": formula for name, formula in entry.curves.items()}
            lines += ["", "In [TensorBoard](tensorboard.md), at each test:", "", *curves_table(tags)]
    lines += ["", "## Curves of every training", "", *curves_table(CURVES)]
    modules = dict.fromkeys(entry.factory.__module__ for entry in registered_agents().values())
    for name in modules:
        _, _, notes = (inspect.getdoc(sys.modules[name]) or "").partition("\n")
        if notes.strip():
            lines += ["", f"## Notes: `{name}`", "", *_in_rst("automodule", name, "no-members", "no-index")]
    return "\n".join([*lines, ""])


def _autodoc_agent(entry: AgentEntry) -> list[str]:
    kind = "autoclass" if inspect.isclass(entry.factory) else "autofunction"
    return _in_rst(kind, f"{entry.factory.__module__}.{entry.factory.__qualname__}", "no-index")


def reference_page() -> str:
    """Return the page of all public modules."""
    lines = ["# Reference", ""]
    for module in public_modules():
        lines += [
            f"## `{module.__name__}`",
            "",
            *_in_rst("automodule", module.__name__, "members", "show-inheritance", "ignore-module-all"),
            "",
        ]
    return "\n".join(lines)


def public_modules() -> Iterator[ModuleType]:
    """Yield all modules of the two libraries but those of games, which have pages of their own."""
    for package in (boardgames_env, boardgames_agents):
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            is_game = found.name.startswith(f"{boardgames_env.__name__}.games.")
            if not is_game and not found.name.endswith(".__main__"):
                yield importlib.import_module(found.name)


def _in_rst(directive: str, argument: str, *flags: str) -> list[str]:
    """Return the lines of an autodoc directive; docstrings are reStructuredText."""
    return ["```{eval-rst}", f".. {directive}:: {argument}", *(f"   :{flag}:" for flag in flags), "```"]
