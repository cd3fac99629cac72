"""Our players of backgammon beside GNU Backgammon: points, error rates, and the cube; see docs/backgammon.md."""

from collections import Counter
from collections.abc import Mapping, Sequence

from boardgames_agents.arena.score import Score
from boardgames_agents.experiments.estimate import Estimate, Z, mean_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.experiments.table import Row, Table
from boardgames_agents.people.judging.error_rates import ErrorRate, Judge, rates_of
from boardgames_baselines.papers.backgammon_today.jobs import CubeDecision, CubeDecisions, JudgedContest, Session
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.job import Key, repeated

_GAME, _WITH_CUBE = "backgammon", "backgammon(cube=True)"

_OPPONENTS = {"pubeval": ("pubeval", 0.2), "GNU Backgammon, 0-ply": ("gnubg", 1.0)}
"""The opponents' specs, and the number of contests with each as a fraction of those in `_AGENTS`."""


_AGENTS = {
    "td_gammon": ("td_gammon", 2000),
    "td_gammon, 2 plies": ("td_gammon(plies=2)", 150),
    "td_gammon_1995": ("td_gammon_1995", 200),
    "td_gammon_raw": ("td_gammon_raw", 200),
    "pubeval": ("pubeval", 200),
    "GNU Backgammon, 0-ply": ("gnubg", 200),
    "GNU Backgammon, 1-ply": ("gnubg(plies=1)", 50),
}
"""The agents' specs, and how many contests each of their ten sessions with GNU Backgammon's 0-ply player has."""

_JUDGES = {
    "GNU Backgammon's networks, 2 plies": (Judge("gnubg", 2), 465),
    "td_gammon, 3 plies": (Judge("td_gammon", 3), 100),
}
"""The judges, and the number of contests whose decisions each judges: some 44 decisions a contest."""

_SESSIONS = 10


@experiment("players")
def players(runner: Runner) -> Report:
    """Agents by their points and by what their decisions lose, as two judges see it."""
    specs = tuple(spec for spec, _ in _AGENTS.values())
    rates = {}
    for name, (judge, contests) in _JUDGES.items():
        jobs = {name: JudgedContest(_GAME, specs, judge)}
        found = repeated(runner, f"judged by {name}", jobs, max(2, round(contests * runner.options.scale)))[name]
        decisions = [each["decisions"] for each in found]
        rates[name] = {agent: rates_of(decisions, number) for number, agent in enumerate(_AGENTS)}
    rows: list[Row] = [(agent, *(_loss(rates[judge][agent]["all"]) for judge in _JUDGES)) for agent in _AGENTS]
    headings = ("agent", *(f"judged by {judge}" for judge in _JUDGES))
    tables = [Table("Mean loss per decision in thousandths of a point", headings, rows)]
    tables += [_by_phase(judge, found) for judge, found in rates.items()]
    note = (
        "The decisions are those of td_gammon's contests with itself; a judge favours agents that resemble it. The "
        "plies of td_gammon and of both judges are counted from 1, those of GNU Backgammon's players from 0. All "
        "intervals are of 95 %."
    )
    return Report((_contests(runner), *tables), (), (note, _LESS_LUCK))


_LESS_LUCK = (
    "Contests are without the cube where nothing else is said. Less luck: the luck of the dice, by td_gammon's "
    "evaluation, is subtracted from the points of each contest. Both columns estimate the same mean, the second one "
    "more precisely."
)


def _contests(runner: Runner) -> Table:
    """Return the points of each agent against each other opponent."""
    sessions = {
        (name, opponent): (_GAME, agent, spec, share * contests)
        for name, (agent, contests) in _AGENTS.items()
        for opponent, (spec, share) in _OPPONENTS.items()
        if agent != spec
    }
    rows: list[Row] = [(*key, *_points(results)) for key, results in _played(runner, sessions).items()]
    return Table("Points per contest", ("agent", "opponent", *_POINTS), rows, names=2)


def _played(runner: Runner, sessions: Mapping[Key, tuple[str, str, str, float]]) -> dict[Key, list[JsonResult]]:
    """Return the results of sessions, given as game, agent, opponent and the contests of each before scaling."""
    jobs = {
        key: Session(game, agent, opponent, max(2, round(contests * runner.options.scale)))
        for key, (game, agent, opponent, contests) in sessions.items()
    }
    return repeated(runner, "contests", jobs, _SESSIONS)


_POINTS = ("contests", "points", "points less luck")
"""The headings of `_points`."""


def _points(results: Sequence[JsonResult]) -> Row:
    """Return the number of contests, the points per contest, and these less luck; matches have neither."""
    score = _sum(results)
    less_luck = [points for each in results for points in each["less_luck"]]
    if not less_luck:
        return score.contests, "", ""
    return score.contests, score.points_text, mean_of(less_luck).signed(3)


def _by_phase(judge: str, found: Mapping[str, Mapping[str, ErrorRate]]) -> Table:
    decisions = {phase: rate.decisions for phase, rate in next(iter(found.values())).items() if rate.decisions}
    headings = ("agent", *(f"{phase} ({number:,})" for phase, number in decisions.items()))
    rows: list[Row] = [(agent, *(_loss(rates[phase]) for phase in decisions)) for agent, rates in found.items()]
    return Table(f"Mean loss per decision in thousandths of a point, judged by {judge}", headings, rows)


_DEPTHS = (
    ("td_gammon(plies=2)", "gnubg(plies=1)", "the same", 50),
    ("td_gammon(plies=2)", "gnubg(plies=2)", "one ply less", 10),
)
"""Two players that look ahead, how deep the first looks beside the second, and the contests of each session."""


@experiment("look-ahead")
def look_ahead(runner: Runner) -> Report:
    """td_gammon against GNU Backgammon, both with look-ahead."""
    sessions = {
        (agent, opponent, depth): (_GAME, agent, opponent, contests) for agent, opponent, depth, contests in _DEPTHS
    }
    rows: list[Row] = [(*key, *_points(results)) for key, results in _played(runner, sessions).items()]
    headings = ("player", "opponent", "its depth beside the opponent's", *_POINTS)
    table = Table("td_gammon against GNU Backgammon, both with look-ahead", headings, rows, names=3)
    note = (
        "GNU Backgammon counts plies from 0: gnubg(plies=1) looks as deep as td_gammon(plies=2). All intervals are of "
        "95 %."
    )
    return Report((table,), (), (note, _LESS_LUCK))


_MATCHES = {"money": (_WITH_CUBE, 400), "matches to 7 points": ("backgammon(cube=True, match_length=7)", 100)}
"""The kinds of play, and how many contests each of their sessions has."""


@experiment("cube")
def cube(runner: Runner) -> Report:
    """td_gammon with the cube against GNU Backgammon with the cube, for money and in matches."""
    sessions = {name: (game, "td_gammon", "gnubg_engine", contests) for name, (game, contests) in _MATCHES.items()}
    rows: list[Row] = []
    for name, results in _played(runner, sessions).items():
        score = _sum(results)
        contests, points, less_luck = _points(results)
        rows.append((name, contests, Estimate(score.power, *score.power_interval), points, less_luck))
    headings = ("play", "contests", "won in %", *_POINTS[1:])
    table = Table("td_gammon against GNU Backgammon, 0-ply, both with the cube", headings, rows)
    note = "Luck counts at the stake in force. All intervals are of 95 %."
    return Report((table,), (), (note, _LESS_LUCK))


_PLAYERS = {"td_gammon": "td_gammon", "GNU Backgammon": "gnubg_engine"}

_SCORES = {
    _WITH_CUBE: ("money", "money"),
    "backgammon(cube=True, match_length=7, score=(0, 0))": ("0–0 of 7", "0–0 of 7"),
    "backgammon(cube=True, match_length=7, score=(5, 3))": ("5–3 of 7", "3–5 of 7"),
}
"""The score as the seat to roll sees it, white and black, in each game."""

_KINDS = ("no double", "double, take", "double, drop", "too good")

_CONTESTS = 13


@experiment("cube-decisions")
def cube_decisions(runner: Runner) -> Report:
    """The doubling windows and take points of td_gammon beside those of GNU Backgammon."""
    one, other = _PLAYERS
    contests = max(2, round(_CONTESTS * runner.options.scale))
    jobs = {names: CubeDecisions(game, (_PLAYERS[one], _PLAYERS[other]), contests) for game, names in _SCORES.items()}
    found: dict[str, list[tuple[CubeDecision, ...]]] = {}
    for names, results in repeated(runner, "cube decisions", jobs, _SESSIONS).items():
        for seat, *decisions in (each for result in results for each in result["decisions"]):
            found.setdefault(names[seat], []).append(tuple(CubeDecision(*each) for each in decisions))
    rows: list[Row] = []
    for name, pairs in found.items():
        same = sum(_kind(pair[0]) == _kind(pair[1]) for pair in pairs)
        for number, player in enumerate(_PLAYERS):
            own = [pair[number] for pair in pairs]
            doubles = _point([(each.win, each.doubles or not each.takes) for each in own])
            drops = _point([(each.win, not each.takes) for each in own])
            counts = Counter(map(_kind, own))
            shares = (round(100 * (counts[kind] / len(own)), 1) for kind in _KINDS)
            rows.append((name, player, doubles, drops, *shares, round(100 * same / len(pairs), 1)))
    kinds = (f"{kind} in %" for kind in _KINDS)
    headings = ("score", "player", "doubles from", "drops from", *kinds, "the same decision in %")
    windows = Table("The cube in the same positions", headings, rows, names=2)
    confusions = []
    for name, pairs in found.items():
        both = Counter((_kind(pair[0]), _kind(pair[1])) for pair in pairs)
        title = f"Decisions at {name}: {one} in rows, {other} in columns"
        counted: list[Row] = [(kind, *(both[kind, each] for each in _KINDS)) for kind in _KINDS]
        confusions.append(Table(title, ("", *_KINDS), counted))
    note = (
        f"{min(map(len, found.values())):,} positions or more at each score, of td_gammon's contests with itself. "
        "Doubles and drops from: the probability of winning, by the player's own evaluation before the roll and in %, "
        "that divides its decisions with the fewest exceptions."
    )
    return Report((windows, *confusions), (), (note,))


def _kind(decision: CubeDecision) -> str:
    if decision.takes:
        return _KINDS[1] if decision.doubles else _KINDS[0]
    return _KINDS[2] if decision.doubles else _KINDS[3]


def _point(decisions: Sequence[tuple[float, bool]]) -> float:
    """Return the probability, in %, that divides decisions into ``False`` below and ``True`` above it best."""
    ordered = sorted(decisions)
    wrong = fewest = sum(1 for _, is_above in ordered if not is_above)
    best = [0]
    for place, (_, is_above) in enumerate(ordered, start=1):
        wrong += 1 if is_above else -1
        if wrong < fewest:
            fewest, best = wrong, []
        if wrong == fewest:
            best.append(place)
    place = best[len(best) // 2]
    around = [ordered[each][0] for each in (place - 1, place) if 0 <= each < len(ordered)]
    return round(100 * sum(around) / len(around), 1)


def _sum(results: Sequence[JsonResult]) -> Score:
    """Return the sum of stored scores."""
    return sum((Score(**each["score"]) for each in results), Score())


def _loss(rate: ErrorRate) -> Estimate:
    return Estimate.around(rate.rate, Z * rate.error)
