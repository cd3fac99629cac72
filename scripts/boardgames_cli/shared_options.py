"""Options that commands share, and what is read from them."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from boardgames_agents.policy import Policy
    from boardgames_agents.record import Record
    from boardgames_agents.training.run import Run
    from boardgames_env import Game, Position

Paper = Literal["a4", "letter"]
"""The sizes of sheets to print."""

GameArgument = Annotated[str, typer.Argument(help="A game, such as achi or 'achi(adjacent=True)'.", metavar="GAME")]
RunOrGame = Annotated[
    str, typer.Argument(help="The folder of a run, or the game of the agent that follows.", metavar="RUN|GAME")
]
AgentOfGame = Annotated[
    str | None, typer.Argument(help="An agent; without it, the learner of the run.", metavar="[AGENT]")
]
Seed = Annotated[int, typer.Option(help="Random seed; the same seed gives the same contests.")]
Jobs = Annotated[int, typer.Option(help="Number of processes; the result is the same with any number.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]

Imports = Annotated[
    list[str] | None,
    typer.Option(
        "--import",
        help="A Python file, or a module, that brings games, agents, trainers or Advisors of your own; repeatable.",
        metavar="FILE|MODULE",
    ),
]

_MOST_SEEDS = 10_000

BACKGAMMON = "backgammon(cube=True)"
"""The game whose positions are analysed by default."""

Dice = Annotated[str | None, typer.Option(help="The roll to play, such as 31.")]
With = Annotated[
    str, typer.Option("--with", help="The agent that evaluates; it must predict outcomes.", metavar="AGENT")
]
BackgammonGame = Annotated[
    str | None, typer.Option(help=f"The game; by default that of the match file or ID, or {BACKGAMMON}.")
]

RecordFile = Annotated[
    Path,
    typer.Argument(help="A record of contests (.json), which match, play, league and export write.", metavar="FILE"),
]
ContestNumber = Annotated[int, typer.Option(help="Number of the contest in the file, from 1.", min=1)]
After = Annotated[int | None, typer.Option(help="Number of actions before the position; by default all.", min=0)]
Save = Annotated[Path | None, typer.Option(help="A record (.json) to write the contests to.")]


@dataclass(frozen=True)
class RecordedContest:
    """A contest of a record: the position before each action, and the last one."""

    game: "Game"
    record: "Record"
    positions: "Sequence[Position]"
    contests: int  # in the file

    def place(self, after: int | None) -> int:
        """Return the index of the position after some actions, by default the last; raise `BadInputError` beyond it."""
        from boardgames_env.errors import require

        last = len(self.positions) - 1
        if after is not None:
            require(0, last, after=after)
        return last if after is None else after


def recorded_contest(file: Path, number: int) -> RecordedContest:
    """Read a contest of a record, and play it again; raise `BadInputError` if it cannot be."""
    from boardgames_agents.record import read_records
    from boardgames_env import BadInputError, make_game

    records = read_records(file)
    if number > len(records):
        raise BadInputError(f"{file} has no contest {number}; it has {len(records)}")
    record = records[number - 1]
    try:
        game = make_game(record.game)
        return RecordedContest(game, record, record.positions(game), len(records))
    except BadInputError as error:
        raise BadInputError(f"contest {number} of {file} cannot be played again: {error}") from None


@dataclass(frozen=True)
class TestedPlayer:
    """The player that a command tests: the learner of a run, or an agent of any kind."""

    game: "Game"
    player: "Policy"
    name: str  # for titles
    run: "Run | None"


def tested_player(place: str, agent: str | None) -> TestedPlayer:
    """Return the learner of the run in a folder, or an agent at the game ``place``.

    Raises:
        BadInputError: If there is no run, or one without a checkpoint; or the agent cannot play the game.
    """
    from boardgames_cli.printing import status

    with status("Starting"):  # (importing torch takes seconds)
        from boardgames_agents.policy.explanation import counted
        from boardgames_agents.registry import make_player
        from boardgames_agents.training.run import holds_run, load_run
        from boardgames_env import BadInputError, make_game
        from boardgames_env.games import registered_games
        from boardgames_env.spec import underscored

    if agent is not None:
        game = make_game(place)
        player = make_player(agent, game)
        return TestedPlayer(game, player, f"{player.spec} at {game.spec}", None)
    if underscored(place).partition("(")[0] in registered_games() and not holds_run(Path(place)):
        raise BadInputError(f"{place} is a game; give an agent after it, such as perfect, or the folder of a run")
    run = load_run(Path(place))
    player = make_player(run.learner, run.game)
    player.spec = run.config.learner
    return TestedPlayer(
        run.game, player, f"{run.config.label} at {run.game.spec} after {counted(run.contests, 'contest')}", run
    )


def demand_record_name(path: Path | None) -> None:
    """Raise an error if a file to write cannot be, or its name is not one of a record."""
    from boardgames_env.errors import BadInputError
    from boardgames_env.files import demand_writable

    if path and path.suffix != ".json":
        raise BadInputError(f"{path} is not allowed; the name of a record ends in .json")
    if path:
        demand_writable(path)


def replay_command(file: Path) -> str:
    """Return the command that plays the first contest of a record again."""
    return shlex.join(["boardgames", "replay", str(file), "--contest", "1"])


def import_named(imports: list[str] | None) -> None:
    """Import what the option --import names."""
    if imports:
        from boardgames_agents.experiments.program import import_own

        for each in imports:
            import_own(each)


def shell_quoted(text: str) -> str:
    """Return a spec as a word for the shell, in double quotes if it contains single ones and that is safe."""
    if "'" in text and not set(text) & set('"$`\\!'):
        return f'"{text}"'
    return shlex.quote(text)


def seeds_in(text: str) -> tuple[int, ...]:
    """Return the numbers in a text such as ``0-2,7``; raise `BadInputError` for any other text."""
    from boardgames_env.errors import BadInputError

    seeds: dict[int, None] = {}
    for part in text.split(","):
        found = re.fullmatch(r"(\d{1,20})(?:-(\d{1,20}))?", part.strip())
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if last < first:
            raise BadInputError(f"{text!r} names no seeds; write such as 0-9, or 0,3,5-7")
        if len(seeds) + last - first >= _MOST_SEEDS:
            raise BadInputError(f"{text!r} names too many seeds; at most {_MOST_SEEDS:,} are allowed")
        seeds.update(dict.fromkeys(range(first, last + 1)))
    return tuple(seeds)
