"""`boardgames cache`: what is kept in the cache folder, how to fill it beforehand, and how to make it smaller."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Annotated

import typer

from boardgames_cli.printing import console, print_json, print_table, progress
from boardgames_cli.shared_options import AsJson

_ALL, _STEPS = "all", 20


def cache(
    compile_: Annotated[
        list[str] | None,
        typer.Option(
            "--compile",
            help="Compile what a game or an agent needs, so that no later command waits for it; 'all' are all of both. "
            "An agent is compiled for the games named beside it, or else for the smallest that it plays. Repeatable.",
            metavar="SPEC",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="Processes that compile; by default as many as cores.", min=1)
    ] = None,
    prune: Annotated[bool, typer.Option("--prune", help="Remove unused kernels.")] = False,
    days: Annotated[float, typer.Option(help="With --prune, the days for which unused kernels are kept.", min=0)] = 30,
    as_json: AsJson = False,
) -> None:
    """Show the folder of compiled kernels and solved tables, their number and size."""
    from boardgames_env.files import cache_root
    from boardgames_env.kernels import disk_cache

    if compile_:
        _compile(compile_, jobs or os.cpu_count() or 1)
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


def _compile(specs: list[str], jobs: int) -> None:
    """Let processes play with what is named, which compiles the kernels that it needs."""
    from boardgames_agents.experiments.own_error import in_informed_processes
    from boardgames_agents.experiments.runner import no_progress

    uses = list(_uses(specs))
    shown = progress if sys.stderr.isatty() else no_progress  # (what is compiled here is announced nowhere)
    with shown("Compiling", len(uses)) as bar:
        for _ in in_informed_processes(_use, uses, jobs, in_order=False, batch_size=1):
            bar.step()


def _uses(specs: list[str]) -> Iterator[tuple[str, str | None]]:
    """Yield the games, each alone and with agents, that together need what is named."""
    from boardgames_agents.people.session import PERSON
    from boardgames_agents.registry import make_agent, registered_agents
    from boardgames_env import BadInputError, make_game, registered_games
    from boardgames_env.spec import Spec

    known = registered_agents()
    agents = [each for each in specs if Spec.parse(each).name in known]
    games = [make_game(each) for each in specs if each not in {*agents, _ALL}]
    smallest_first = sorted(map(make_game, registered_games()), key=lambda game: game.board.size)
    if is_all := _ALL in specs:
        agents += [name for name, entry in known.items() if name != PERSON and not entry.needs]
        games += smallest_first
    yield from ((game.spec, None) for game in games)
    for agent in agents:
        able, refused = list[str](), BadInputError()
        for game in smallest_first if is_all or not games else games:
            try:
                make_agent(agent, game)
                able.append(game.spec)
            except BadInputError as error:
                refused = error
        if not able and not is_all:
            raise refused
        yield from ((game, agent) for game in (able[:1] if is_all or not games else able))


def _use(game_spec: str, agent: str | None) -> None:
    """Play with a game's environments, or a contest of an agent with its like; a learner also learns from two more."""
    from boardgames_agents.arena.contest import play_contest
    from boardgames_agents.registry import demand_agent, make_agent
    from boardgames_agents.training.config import RunConfig
    from boardgames_agents.training.run import train
    from boardgames_env import BadInputError, make_game
    from boardgames_env.kernels.compiling import compiled_when_called
    from boardgames_env.spec import Spec

    game = make_game(game_spec)
    with compiled_when_called():
        if agent is None:
            _step_environments(game_spec)
            return
        play_contest(game, (make_agent(agent, game), make_agent(agent, game)), (0,))
        if demand_agent(Spec.parse(agent).name).learns:
            with tempfile.TemporaryDirectory() as folder, suppress(BadInputError):
                train(folder, RunConfig(game_spec, agent, contests=2, test_every=2, test_contests=2))


def _step_environments(game_spec: str) -> None:
    """Take some steps in each environment of a game."""
    from boardgames_env import BadInputError, make_game
    from boardgames_env.envs.aec import BoardGameAECEnv
    from boardgames_env.envs.single import BoardGameEnv
    from boardgames_env.envs.vector import BoardGameVectorEnv

    alternating = BoardGameAECEnv(make_game(game_spec))
    alternating.reset(seed=0)
    for _ in zip(range(_STEPS), alternating.agent_iter(), strict=False):
        *_, ended, cut_off, info = alternating.last()
        alternating.step(None if ended or cut_off else int(info["action_mask"].argmax()))
    with closing(BoardGameEnv(game_spec)) as env:
        _, info = env.reset(seed=0)
        ended = cut_off = False
        while not (ended or cut_off):
            _, _, ended, cut_off, info = env.step(int(info["action_mask"].argmax()))
    for threads in (1, 2):
        with suppress(BadInputError), closing(BoardGameVectorEnv(game_spec, 2, threads=threads)) as batch:
            _, infos = batch.reset(seed=0)
            for _ in range(_STEPS):
                *_, infos = batch.step(infos["action_mask"].argmax(axis=1))
