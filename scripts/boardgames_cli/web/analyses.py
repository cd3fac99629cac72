"""Analyses of contests and matches: computed in the background, turn by turn, kept, and reported.

Backgammon is judged as `boardgames analyse` does, every other game by the best source of values that it has.
"""

import logging
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from threading import Lock
from time import perf_counter
from typing import Any

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import make_formula
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.people.cards import Card, with_mistakes
from boardgames_agents.people.judging.cost import judgement_of, mark
from boardgames_agents.people.judging.match_analysis import AnalysedDecision, Analyst
from boardgames_agents.people.judging.mistakes import had_a_choice
from boardgames_agents.people.levels import name_for_people, predictor_of
from boardgames_agents.policy.explanation import signed
from boardgames_agents.record import Record
from boardgames_cli.web.opinions import nodes_a_move
from boardgames_cli.web.positions import LONGEST, code_of, demand_checked, position_of, state_of
from boardgames_cli.web.sitting import Sitting, name_and_strength, session_of
from boardgames_cli.web.store import SittingStore
from boardgames_cli.web.thinking import BusyError, Thinkers
from boardgames_env import make_game
from boardgames_env.contest import turns
from boardgames_env.errors import BadInputError
from boardgames_env.files import checksum
from boardgames_env.game import Game
from boardgames_env.games.backgammon.notation import parse_play
from boardgames_env.games.backgammon.notation.matches import Match, MatchContest, Played, games_of, seats_exchanged
from boardgames_env.match_score import MatchScore
from boardgames_env.position import Position

PLIES, CANDIDATES, FORMULA = 3, 8, "janowski"
"""The defaults of `boardgames analyse`."""

_log = logging.getLogger(__name__)

_PART = 0.5
"""Seconds after which an analysis lets other requests come first."""

_MOST_CONTESTS = 100


@dataclass(frozen=True)
class JudgedTurn:
    """A turn, or a decision about the cube, beside the best one; texts are in the notation of the game."""

    position: str  # the code of the position before it
    seat: int  # the seat that played
    roll: str  # what chance decided for it; empty for the cube, and in games without dice
    played: str  # what was played
    best: str  # what would have been best
    worth: str  # what the best is worth to the seat, in words
    value: float  # that in points, to seat 0
    error: float  # what was given away, in points
    lost: str  # that in words; empty if nothing was
    mark: str  # the usual mark of the error
    counts: bool  # whether there was a choice
    luck: float = 0.0  # the luck of the roll, in points
    unit: float = 0.0  # the probability of winning the match that a point stands for; 0 without a match
    actions: tuple[int, ...] = ()  # what was played
    better: tuple[int, ...] = ()  # what would have been best
    as_good: tuple[str, ...] = ()  # what would have been exactly as good

    @property
    def is_error(self) -> bool:
        """Whether it is an error that is marked."""
        return bool(self.mark) and self.counts


@dataclass(frozen=True)
class Analysis:
    """An analysis, as far as it has been computed."""

    title: str  # what it is of: the name of the file, say
    game: str  # the spec of the game of the contests
    players: tuple[str, str]  # the names of both seats' players
    contests: tuple[MatchContest, ...]  # what was played
    starts: tuple[str, ...]  # the codes of the positions in which the contests began
    places: tuple[str, ...] = ()  # the names of the contests, where they were played at the page
    length: int = 0  # the points that win the match; 0 without one
    warnings: tuple[str, ...] = ()  # what a reader should know of the file
    judged: tuple[tuple[JudgedTurn, ...], ...] = ()  # the turns of the contests that are done
    source: str = ""  # where the values are from, in words
    matches: tuple[tuple[str, str], ...] = ()  # the names and players of the analyses of all matches in the file
    failure: str = ""  # why it cannot go on, as a sentence; empty if it can
    going: tuple[JudgedTurn, ...] = field(default=(), compare=False)  # those of the contest that is being judged

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to be judged."""
        return bool(self.failure) or len(self.judged) == len(self.contests)

    @property
    def share(self) -> float:
        """How much has been judged, from 0 to 1, by the chance events, or by the actions in games without them."""
        lengths = [len(each.events) or len(each.actions) for each in self.contests]
        going = sum(bool(turn.roll) or not self.has_dice for turn in self.going)
        return min(1.0, (sum(lengths[: len(self.judged)]) + going) / max(1, sum(lengths)))

    @property
    def has_dice(self) -> bool:
        """Whether there is chance in the game, so that turns are judged by equities and luck."""
        return make_game(self.game).rules.has_chance

    @property
    def has_cube(self) -> bool:
        """Whether there is a cube in the game; in a match to 1 point nobody ever turns one."""
        return Doubler(make_game(self.game), make_formula(FORMULA)).has_cube

    @property
    def shown(self) -> list[tuple[JudgedTurn, ...]]:
        """The turns judged so far, by contest."""
        return [*self.judged, *([self.going] if self.going else [])]

    @property
    def decisions(self) -> list[list[AnalysedDecision]]:
        """The turns judged so far as the decisions that `boardgames analyse` reports."""
        game = make_game(self.game)
        return [[_decision_of(game, turn) for turn in judged] for judged in self.shown]


def cards_of(found: Analysis, seat: int, today: date) -> list[Card]:
    """Return the errors of a seat as cards that are due at once, one a position; their sources are the contests."""
    game, cards = make_game(found.game), list[Card]()
    sources = found.places or [checksum([found.players, asdict(each)])[:16] for each in found.contests]
    for source, judged in zip(sources, found.shown, strict=False):
        for turn in judged:
            if turn.seat == seat and turn.is_error and turn.better:
                state = tuple(state_of(game, turn.position).tolist())
                turns = turn.actions, turn.better
                cards.append(Card(state, *turns, turn.error, today, sources=(source,), as_good=turn.as_good))
    return list(with_mistakes((), cards, game))


def _decision_of(game: Game, turn: JudgedTurn) -> AnalysedDecision:
    equity = turn.value * (1 - 2 * turn.seat)
    decided = (turn.played, turn.best, equity, turn.error, turn.counts, turn.luck, turn.unit)
    return AnalysedDecision(position_of(game, turn.position), turn.roll, *decided)


def analyses_of_matches(matches: Sequence[Match], title: str) -> list[Analysis]:
    """Return the analyses of the matches of a file, which have not begun; raise `BadInputError` for too many."""
    if len(matches) > _MOST_CONTESTS:
        raise BadInputError(f"{len(matches):,} matches are too many for a page, which takes {_MOST_CONTESTS}")
    return [_analysis_of_match(match, title) for match in matches]


def _analysis_of_match(match: Match, title: str) -> Analysis:
    game = match.game_of_contests
    contests = tuple(MatchContest(tuple(each.events), tuple(each.actions), each.outcome) for each in match.contests)
    starts = tuple(map(code_of, match.starts[: len(contests)]))
    # (the page links the others)
    warnings = tuple(each.partition("; --match")[0] for each in match.warnings)
    return Analysis(title, game.spec, match.players, contests, starts, (), match.length, warnings)


def analyses_of_records(
    records: Sequence[Record], game: Game, title: str, names: Sequence[str] = (), places: tuple[str, ...] = ()
) -> list[Analysis]:
    """Return the analysis of contests of one game, which has not begun.

    ``names`` are the players', if others than in the records, and ``places`` are those of the analysis.

    Where each of them is a whole match, it has an analysis of its own.

    Raises:
        BadInputError: If they are too many, of several games, or not contests of the game.
    """
    if len(records) > _MOST_CONTESTS:
        raise BadInputError(f"{len(records):,} contests are too many for a page, which takes {_MOST_CONTESTS}")
    if other := next((each.game for each in records if each.game != records[0].game), ""):
        raise BadInputError(f"the contests are of several games, such as {records[0].game} and {other}; send one game")
    _demand_short(records)
    # (a file has specs for names, of which a plain word can be read)
    one, other = names or (each if each.isalpha() else name_for_people(each) for each in records[0].players)
    for each in records:
        if each.start:
            demand_checked(game)
        each.turns(game)
    if game.part is not game and game.score:  # (each contest is a whole match)
        length, rules = game.score(game.initial.state).length, game.at_score(None)
        wholes = [Match(rules, (one, other), games_of(game, each), length) for each in records]
        return analyses_of_matches(wholes, title)
    contests = tuple(MatchContest(each.events, each.actions, each.outcome) for each in records)
    starts = tuple(code_of(each.first(game)) for each in records)
    return [Analysis(title, game.spec, (one, other), contests, starts, places)]


def analysis_of_sittings(sittings: Sequence[Sitting]) -> Analysis:
    """Return the analysis of a match that was played here, which has not begun; players sit as in its last game.

    Raises:
        BadInputError: If they are too long, or the seats were swapped in a position that was set up.
    """
    last, score = sittings[-1], sittings[-1].score
    if score is None:
        raise BadInputError("this contest belongs to no match")
    contests: list[MatchContest] = []
    starts: list[str] = []
    for each in sittings:
        record, game = session_of(each).record(), make_game(each.game)
        contest = MatchContest(record.events, record.actions, record.outcome)
        if each.players != last.players:
            if each.start or last.start or each.score is None:
                raise BadInputError("seats were swapped where a position was set up; analyse the games one by one")
            contest, game = seats_exchanged(contest), game.at_score(each.score.turned)
        contests.append(contest)
        starts.append(code_of(game.position(each.start) if each.start else game.initial))
    _demand_short(contests)
    game = make_game(last.game).at_score(MatchScore.begun(score.length))
    title = f"{game.title}, match to {score.length}"
    names = name_and_strength(last.name_of(0))[0], name_and_strength(last.name_of(1))[0]
    places = tuple(each.id for each in sittings)
    return Analysis(title, game.spec, names, tuple(contests), tuple(starts), places, score.length)


def _demand_short(contests: Sequence[Played]) -> None:
    if sum(len(each.actions) for each in contests) > LONGEST:
        raise BadInputError(f"the contests are too long for a page, which takes {LONGEST:,} actions in all")


class Analyses:
    """The analyses of a store, which go on in the threads of the thinkers."""

    def __init__(self, store: SittingStore, thinkers: Thinkers) -> None:
        self._store, self._thinkers = store, thinkers
        self._going: dict[str, Analysis] = {}
        self._lock = Lock()

    def begin(self, analyses: Sequence[Analysis]) -> str:
        """Keep the analyses of a file for the visitor by names that nobody can guess, and begin the first of them.

        The others begin when somebody looks at them. Returns the name of the first.

        Raises:
            BusyError: If too many of the visitor's requests wait for a thread.
        """
        names = [secrets.token_urlsafe(9) for _ in analyses]
        if len(analyses) > 1:
            players = [" against ".join(each.players) for each in analyses]
            matches = tuple(zip(names, players, strict=True))
            analyses = [replace(each, matches=matches) for each in analyses]
        for name, analysis in zip(names, analyses, strict=True):
            self._store.keep_analysis(name, _written(analysis))
        self._go_on(names[0], analyses[0])
        return names[0]

    def get(self, name: str) -> Analysis | None:
        """Return an analysis, if there is one; it goes on if it was interrupted, by the end of the server, say."""
        if found := self._going.get(name):
            return found
        entry = self._store.analysis(name)
        if entry is None:
            return None
        found = _analysis_of(entry)
        if not found.is_done:
            self._go_on(name, found)
        return found

    def _go_on(self, name: str, analysis: Analysis) -> None:
        with self._lock:
            if name in self._going:
                return
            self._going[name] = analysis
        left = _judged(analysis)

        def judge_some() -> bool:
            until = perf_counter() + _PART
            found = self._going[name]
            while perf_counter() < until:
                before, found = found, next(left)
                self._going[name] = found
                if len(found.judged) > len(before.judged) or found.is_done:
                    self._store.keep_analysis(name, _written(found))
                if found.is_done:
                    break
            return not found.is_done

        def stopped() -> None:
            self._going.pop(name, None)

        try:
            self._thinkers.run_in_parts(judge_some, stopped)
        except BusyError:
            stopped()
            raise


def _judged(analysis: Analysis) -> Iterator[Analysis]:
    """Yield an analysis after every turn that is judged, and with the failure if one cannot be."""
    try:
        game = make_game(analysis.game)
        judge = _judge_of(game)
        analysis = replace(analysis, source=judge.source)
        for number in range(len(analysis.judged), len(analysis.contests)):
            start = position_of(game, analysis.starts[number])
            for turn in judge.turns(start, analysis.contests[number]):
                analysis = replace(analysis, going=(*analysis.going, turn))
                yield analysis
            judged = (*analysis.judged, analysis.going)
            analysis = replace(analysis, judged=judged, going=(), source=judge.source)
            yield analysis
    except BadInputError as error:
        yield replace(analysis, failure=str(error))
    except Exception:  # (so that nobody waits for what fails each time)
        _log.exception("an analysis of %s failed", analysis.game)
        yield replace(analysis, failure="something went wrong, which the log of the server has")


def _judge_of(game: Game) -> "_ByEquity | _ByValue":
    if game.rules.has_chance and (predictor := predictor_of(game)):
        return _ByEquity(game, predictor)
    return _ByValue()


class _ByEquity:
    """Judges games with dice, as `boardgames analyse` does."""

    def __init__(self, game: Game, predictor: str) -> None:
        search = Expectimax(game, evaluator_of(predictor, game), PLIES, CANDIDATES)
        self._analyst = Analyst(search, make_formula(FORMULA))
        cube = f"; cube by {FORMULA.capitalize()}'s formula" if Doubler(game, make_formula(FORMULA)).has_cube else ""
        self.source = f"{predictor}, {PLIES} plies deep{cube}"

    def turns(self, start: Position, contest: MatchContest) -> Iterator[JudgedTurn]:
        for each in self._analyst.decisions(contest, start):
            actions = _actions_in(each.position, each.played)
            better = _actions_in(each.position, each.best) if each.error > 0 else ()
            yield JudgedTurn(
                position=code_of(each.position),
                seat=each.position.seat,
                roll=each.roll,
                played=each.played,
                best=each.best,
                worth=f"{signed(each.equity, 3)} points",
                value=each.equity * (1 - 2 * each.position.seat),
                error=each.error,
                lost=f"{each.error:.3f} points" if each.error > 0 else "",
                mark=mark(each.error),
                counts=each.counts,
                luck=each.luck,
                unit=each.unit,
                actions=actions,
                better=better,
            )


def _actions_in(position: Position, text: str) -> tuple[int, ...]:
    """Return the actions of a play, or of a decision about the cube, in the notation of the game."""
    cube = {position.game.action_text(action): action for action in position.legal_actions}
    return (cube[text],) if text in cube else parse_play(position, text)


class _ByValue:
    """Judges other games, by the best source of values that there is."""

    def __init__(self) -> None:
        self.source = ""

    def turns(self, start: Position, contest: MatchContest) -> Iterator[JudgedTurn]:
        played = [each for each in turns(start, contest.actions, contest.events) if each.event is None]
        nodes = nodes_a_move(len(played))
        for turn in played:
            judged = judgement_of(turn.before, turn.actions, nodes)
            self.source = judged.known.source
            yield JudgedTurn(
                position=code_of(turn.before),
                seat=turn.seat,
                roll=turn.chance,
                played=turn.text,
                best=judged.best.text,
                worth=judged.best.words,
                value=judged.points,
                error=judged.cost,
                lost=judged.lost,
                mark=judged.mark,
                counts=had_a_choice(turn),
                actions=turn.actions,
                better=judged.best.actions,
                as_good=judged.as_good,
            )


def _written(analysis: Analysis) -> dict[str, Any]:
    return {name: value for name, value in asdict(analysis).items() if name != "going"}


def _analysis_of(entry: dict[str, Any]) -> Analysis:
    entry = {"places": (), **entry}  # (analyses of earlier versions have none)
    lists = ("players", "starts", "places", "warnings")
    contests = tuple(
        MatchContest(tuple(each["events"]), tuple(each["actions"]), each["outcome"]) for each in entry["contests"]
    )
    judged = tuple(tuple(map(_turn_of, each)) for each in entry["judged"])
    made = {name: tuple(entry[name]) for name in lists} | {"contests": contests, "judged": judged}
    made["matches"] = tuple((name, players) for name, players in entry.get("matches", ()))
    return Analysis(**{**entry, **made})


def _turn_of(entry: dict[str, Any]) -> JudgedTurn:
    lists = ("actions", "better", "as_good")  # (analyses of earlier versions lack the last)
    return JudgedTurn(**{**entry, **{name: tuple(entry.get(name, ())) for name in lists}})
