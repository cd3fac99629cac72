"""`boardgames match` and `ratings`: tournaments of two agents, and ratings from stored ones."""

import json
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, duration_text, print_json, print_scores, print_table
from boardgames_cli.shared_options import AsJson, GameArgument, Jobs, Seed, replay_command

if TYPE_CHECKING:
    from boardgames_agents.arena.score import Score
    from boardgames_agents.arena.tournament import Tournament
    from boardgames_env import Game


@dataclass(frozen=True)
class MatchArguments:
    """The options of the command."""

    game: GameArgument
    a: Annotated[str, typer.Argument(help="An agent, such as perfect or 'fallible(e=0.1)'.", metavar="A")]
    b: Annotated[str, typer.Argument(help="The agent it plays.", metavar="B")]
    contests: Annotated[int, typer.Option(help="Number of contests; the seats alternate.")] = 1000
    match_length: Annotated[
        int, typer.Option(help="Points that win a match, at backgammon: each contest is a match.", min=0)
    ] = 0
    luck: Annotated[
        str,
        typer.Option(
            help="An agent that predicts outcomes, such as td_gammon: also print A's points with the luck of the dice "
            "subtracted, a much more precise estimate.",
            metavar="AGENT",
        ),
    ] = ""
    seed: Seed = 0
    jobs: Jobs = 1
    as_json: AsJson = False
    store: Annotated[Path | None, typer.Option(help="An SQLite match store to add the contests to.")] = None
    save: Annotated[
        Path | None,
        typer.Option(
            help="A record (.json) to write the contests to; or, at backgammon, a match file (.mat): of several "
            "matches, a file for each."
        ),
    ] = None


def match(options: MatchArguments) -> None:
    """Play a tournament between two agents and print A's power, reliability and points with 95 % intervals."""
    from boardgames_agents.arena.luck import demand_luck, luck_by_agent, points_less_luck
    from boardgames_agents.arena.match_store import MatchStore
    from boardgames_agents.arena.tournament import tournament
    from boardgames_agents.experiments.estimate import mean_of
    from boardgames_agents.lookahead.evaluator import evaluator_of
    from boardgames_agents.policy.explanation import counted
    from boardgames_agents.registry import labels_of, make_agent
    from boardgames_env import make_game
    from boardgames_env.files import demand_writable

    length = {"match_length": options.match_length} if options.match_length else {}
    game, a, b, contests, seed = make_game(options.game, **length), options.a, options.b, options.contests, options.seed
    if options.save and options.save.suffix != ".json":
        _demand_match_file(game)
    for spec in (a, b):
        make_agent(spec, game)  # before anything is written
    if options.luck:
        demand_luck(game)
        evaluator_of(options.luck, game)
    if options.save:
        demand_writable(options.save)  # before anything is played
    if options.store:
        MatchStore(options.store)  # (refuses what is no match store)
    with_records = bool(options.store or options.save or options.luck)
    played = tournament(game, a, b, contests, seed, jobs=options.jobs, records=with_records, progress_bar=True)
    kept = _kept(options, game, played)
    less_luck = None
    if options.luck:
        luck = luck_by_agent(options.luck, game, played.records, options.jobs)
        less_luck = mean_of(points_less_luck(played.records, luck))
    if options.as_json:
        figures = {"game": game.spec, "a": a, "b": b, "seed": seed, **played.score.as_dict(), "ends": played.ends}
        if less_luck:
            interval = [less_luck.low, less_luck.high] if contests > 1 else None  # (JSON knows no infinity)
            figures["less_luck"] = {"by": options.luck, "points_per_contest": less_luck.value, "interval": interval}
        print(json.dumps(figures, indent=2))
        return
    a, b = labels_of((a, b))
    title = f"{game.spec}: {a} v. {b}, {counted(contests, 'contest')}, seed {seed}"
    text = f"less luck, by {options.luck}: {less_luck.signed(3)}" if less_luck else ""
    names = (f"{a} (A)", f"{b} (B)") if a == b else (a, b)
    _print_score(title, names, played.score, game.can_draw, text)
    ends = (f"{end.replace('_', ' ')} {count:,}" for end, count in played.ends.items())
    console.print(f"ends: {', '.join(ends)}")
    for line in kept:
        console.print(f"{counted(contests, 'contest')} {'is' if contests == 1 else 'are'} {line}", soft_wrap=True)


def _print_score(title: str, names: tuple[str, str], score: "Score", can_draw: bool, less_luck: str) -> None:
    print_scores(title, "", [(names[0], score), (names[1], score.reversed())], can_draw)
    if score.has_multiple_points or less_luck:
        console.print(f"points per contest of {names[0]}: {score.points_text}")
    if less_luck:
        console.print(f"points per contest of {names[0]}, {less_luck}")
    seconds = duration_text(score.seconds_per_decision)
    console.print(f"{score.plies / score.contests:.1f} plies a contest; {names[0]} decides in {seconds}")


def _kept(options: MatchArguments, game: "Game", played: "Tournament") -> list[str]:
    """Add a tournament to the store and write it to the files that are asked for; return in words where it is."""
    from boardgames_agents.arena.match_store import MatchStore
    from boardgames_agents.record import write_records

    lines = []
    if options.store:
        MatchStore(options.store).add(played)
        words = shlex.join(["boardgames", "ratings", str(options.store), game.spec])
        lines.append(f"in {options.store}; rate the agents:\n  {words}")
    if options.save and options.save.suffix == ".json":
        write_records(options.save, played.records)
        lines.append(f"in {options.save}; look at one:\n  {replay_command(options.save)}")
    elif options.save:
        files = _save_match(options.save, game, played)
        where = " to ".join(dict.fromkeys([str(files[0]), str(files[-1])]))
        words = shlex.join(["boardgames", "analyse", str(files[0])])
        lines.append(f"in {where}; look at the errors:\n  {words}")
    return lines


def _demand_match_file(game: "Game") -> None:
    """Raise `BadInputError` for a game that match files are not for."""
    from boardgames_env import BadInputError
    from boardgames_env.games.backgammon.rules.legality import demand_backgammon

    try:
        demand_backgammon(game)
    except BadInputError as error:
        raise BadInputError(f"{error}, which match files are for; the name of a record ends in .json") from None


def _save_match(path: Path, game: "Game", played: "Tournament") -> list[Path]:
    """Write a tournament as a money session, or as a file for each match, with A in the left column throughout.

    Return the files.
    """
    from boardgames_agents.arena.tournament import seat_of_a
    from boardgames_env.games.backgammon.notation.match_file import write_match
    from boardgames_env.games.backgammon.notation.matches import Match, games_of, seats_exchanged

    if game.part is game:
        contests = [seats_exchanged(each) if seat_of_a(k) else each for k, each in enumerate(played.records)]
        write_match(path, Match(game, played.players, contests))
        return [path]
    digits, files = len(str(len(played.records))), []
    for k, record in enumerate(played.records):
        games = [seats_exchanged(each) if seat_of_a(k) else each for each in games_of(game, record)]
        name = f"{path.stem}-{k + 1:0{digits}}{path.suffix}" if len(played.records) > 1 else path.name
        files.append(path.with_name(name))
        write_match(files[-1], Match(game, played.players, games, length=game.options["match_length"]))
    return files


def ratings(
    store: Annotated[Path, typer.Argument(help="A match store written by `match --store`.", metavar="STORE")],
    game: GameArgument,
    as_json: AsJson = False,
) -> None:
    """Rate the agents in a match store."""
    from boardgames_agents.arena.match_store import MatchStore
    from boardgames_agents.arena.ratings import rate
    from boardgames_agents.policy.explanation import signed
    from boardgames_env import BadInputError, make_game

    played = make_game(game).spec
    if not store.exists():
        raise BadInputError(f"{store} does not exist; it must be a match store that `boardgames match --store` wrote")
    rated = rate(MatchStore(store).standings(played))
    if as_json:
        print_json(map(asdict, rated.players))
        return
    title = f"Ratings at {played} (Bradley–Terry with Davidson's draws)"
    rows = [(each.name, signed(each.rating, 0), f"{each.standard_error:.0f}") for each in rated.players]
    print_table(title, ("agent", "rating", "±"), rows, figures=("rating", "±"))
