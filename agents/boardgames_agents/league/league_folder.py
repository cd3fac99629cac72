"""The folder of a league, as it is read by those who show it: results that were written, or contests so far."""

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.arena.ratings import PairResult, Rating, rate
from boardgames_agents.arena.score import Score
from boardgames_agents.record import Record
from boardgames_env.errors import BadInputError

CHART = "league.png"
"""The name of the rating chart."""

_PLAYERS, _PAIRS, _TIMES, _TABLES = "players.csv", "pairs.csv", "times.csv", "tables.md"
_STORES = "contests-*.sqlite"


@dataclass(frozen=True)
class LeaguePlace:
    """The place of an agent in a league's table.

    Attributes:
        name: The name of the agent.
        spec: Its spec in the match store.
        score: Its score against all others.
        rating: Its rating; ``None`` if too few pairs have played.
        seconds: Its median time of a decision; ``None`` if it is not known.
    """

    name: str
    spec: str
    score: Score
    rating: Rating | None
    seconds: float | None


@dataclass(frozen=True)
class LeagueGame:
    """The results of a league at a game.

    Attributes:
        places: The table, the best first.
        scores: The scores of pairs, for the first of them, by their names; every pair is there in both orders.
    """

    game: str
    places: tuple[LeaguePlace, ...]
    scores: Mapping[tuple[str, str], Score]

    def place_of(self, name: str) -> LeaguePlace:
        """Return the place of an agent; raise `BadInputError` if it is not in the league."""
        for each in self.places:
            if each.name == name:
                return each
        raise BadInputError(f"{name} does not play {self.game} in this league")


@dataclass(frozen=True)
class LeagueResults:
    """The results in a league's folder.

    Attributes:
        finished: Whether they were written at the end of the league; otherwise they are those of the contests so far.
        games: The results by game.
        notes: Notes on the league, in Markdown.
    """

    finished: bool
    games: tuple[LeagueGame, ...]
    notes: tuple[str, ...] = ()

    def game(self, spec: str) -> LeagueGame:
        """Return the results at a game; raise `BadInputError` if the league does not play it."""
        for each in self.games:
            if each.game == spec:
                return each
        raise BadInputError(f"this league does not play {spec}")


@dataclass(frozen=True)
class _Names:
    """The names of agents by spec, and their seconds by name."""

    specs: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)


def holds_league(folder: Path) -> bool:
    """Return whether there is a league in a folder, finished or not."""
    return (folder / _PAIRS).is_file() or match_store_in(folder) is not None


def match_store_in(folder: Path) -> Path | None:
    """Return the match store of a league's folder that was changed last, ``None`` without one."""
    found = [path for path in folder.glob(_STORES) if path.is_file() and not path.is_symlink()]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def read_league_folder(folder: Path) -> LeagueResults:
    """Return the results in a league's folder.

    Raises:
        BadInputError: If a file is damaged, or there is no league.
    """
    if (folder / _PAIRS).is_file():
        return _written(folder)
    path = match_store_in(folder)
    if path is None:
        raise BadInputError(f"{folder} holds no league")
    store = MatchStore(path)
    games = [_game(game, store.standings(game), _Names()) for game in store.games()]
    return LeagueResults(finished=False, games=tuple(games))


def league_contests(folder: Path, game: str, a: str, b: str) -> list[Record]:
    """Return the contests of a pair, by their specs, that are stored in a league's folder.

    Raises:
        BadInputError: If the store is damaged.
    """
    path = match_store_in(folder)
    return MatchStore(path).records_between(game, a, b) if path else []


def _written(folder: Path) -> LeagueResults:
    path = folder / _PAIRS
    try:
        pairs = _rows(path)
        results: dict[str, list[PairResult]] = defaultdict(list)
        for row in pairs:
            wins, draws, losses = int(row["wins"]), int(row["draws"]), int(row["losses"])
            if int(row["seat_of_a"]) == 0:
                results[row["game"]].append(PairResult(row["a"], row["b"], wins, draws, losses))
            else:
                results[row["game"]].append(PairResult(row["b"], row["a"], losses, draws, wins))
        path = folder / _PLAYERS
        specs = {(row["game"], row["agent"]): row["spec"] for row in _rows(path)}
        path = folder / _TIMES
        times = {(row["game"], row["agent"]): float(row["seconds_per_decision"]) for row in _rows(path)}
        path = folder / _TABLES
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
    except (OSError, KeyError, TypeError, ValueError, csv.Error) as error:
        raise BadInputError(f"{path} is damaged ({error!r}); run the league again") from error
    games = [
        _game(
            game,
            some,
            _Names(
                {name: spec for (where, name), spec in specs.items() if where == game},
                {name: seconds for (where, name), seconds in times.items() if where == game},
            ),
        )
        for game, some in results.items()
    ]
    notes = tuple(line.removeprefix("* ") for line in text.splitlines() if line.startswith("* "))
    return LeagueResults(True, tuple(games), notes)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _game(game: str, results: Sequence[PairResult], names: _Names) -> LeagueGame:
    scores: dict[tuple[str, str], Score] = defaultdict(Score)
    for each in results:
        score = Score(each.wins, each.draws, each.losses)
        scores[each.first, each.second] += score
        scores[each.second, each.first] += score.reversed()
    totals: dict[str, Score] = defaultdict(Score)
    for (name, _), score in scores.items():
        totals[name] += score
    try:
        ratings = {each.name: each for each in rate(results).players}
    except BadInputError:
        ratings = {}  # (too few pairs have played)
    ordered = list(ratings) or sorted(totals, key=lambda name: -totals[name].reliability - totals[name].power)
    places = [
        LeaguePlace(name, names.specs.get(name, name), totals[name], ratings.get(name), names.seconds.get(name))
        for name in ordered
    ]
    return LeagueGame(game, tuple(places), dict(scores))
