"""Parts of the page of a contest: what agents think of the position shown, and the graph of the contest."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.people.judging.cost import Judgement
from boardgames_agents.people.levels import levels_of
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy.explanation import Explanation
from boardgames_agents.registry import agent_named
from boardgames_cli.web.opinions import EXACT, SEARCH, TRAINED, UNTRAINED, Opinions, Thinker, to_judge
from boardgames_cli.web.overlay import BoardMarks, drawing_of, drawing_of_region
from boardgames_cli.web.pages.shared import named_run, page, parts_of, sitting_and_session_of, word_for
from boardgames_cli.web.sitting import Sitting, level_in_words, name_and_strength
from boardgames_cli.web.specs import number_of, text_of
from boardgames_env.errors import BadInputError, require
from boardgames_env.position import Position
from boardgames_env.spec import Spec

MOST_ASKED = 6
"""The most agents that are asked at once."""

_JUDGED_AT_ONCE = 4
"""The number of turns that are judged for one answer; the page asks for the rest at once."""

_NOTHING = "nothing"
"""The choice of drawing nothing on the board."""

WIDTH, HEIGHT = 400.0, 150.0
"""The size of the picture, in its own units."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 12.0, 12.0, 24.0, 20.0


@dataclass(frozen=True)
class Thought:
    """What one agent thinks, or why it says nothing."""

    spec: str  # the agent's spec
    name: str  # its name for people
    note: str  # what people should know of it
    explanation: Explanation | None = None  # what it thinks; ``None`` if it cannot say anything
    refusal: str = ""  # why not, in a sentence

    @property
    def title(self) -> str:
        """Its name at the beginning of a line; a spec stays as it is."""
        return self.name if self.name == self.spec else self.name[:1].upper() + self.name[1:]

    @property
    def said(self) -> str:
        """What it thinks, in one line."""
        return self.explanation.said if self.explanation else f"{self.refusal[:1].upper()}{self.refusal[1:]}"


async def choose(request: Request) -> Response:
    """Show which agents can be asked: those of the contest, trained ones, and all others that can be."""
    sitting, session = await _shown(request)
    opinions = parts_of(request).opinions
    found = await parts_of(request).thinkers.run(lambda: _groups_of_agents(opinions, sitting, session))
    groups, silent, chosen = found
    return page(request, "thinkers.html", sitting=sitting, groups=groups, silent=silent, chosen=chosen)


async def untrained(request: Request) -> Response:
    """Show the learners that can be asked, which have learned nothing."""
    _, session = await _shown(request)
    found = await parts_of(request).thinkers.run(lambda: parts_of(request).opinions.untrained(session.game))
    return page(request, "thinkers_listed.html", thinkers=found, chosen=[])


async def think(request: Request) -> Response:
    """Show what some agents think of the position shown, and draw it on the board."""
    sitting, session = await _shown(request)
    if sitting.lesson and not session.is_over:
        return page(request, "asked_later.html")
    number = _number_of_actions(request, session)
    asked = list(dict.fromkeys(each.strip() for each in request.query_params.getlist("who") if each.strip()))
    if len(asked) > MOST_ASKED:
        raise BadInputError(f"at most {MOST_ASKED} agents can be asked at once")
    position, turn = session.positions[number], next((turn for turn in session.turns if turn.number == number), None)
    if not position.legal_actions:
        asked = []  # (there is nothing to choose any more)
    thoughts = await asyncio.gather(*(_thought(request, sitting, session, number, spec) for spec in asked))
    drawings = _drawings(thoughts)
    drawn = text_of(request.query_params, "draw", "")
    if drawn not in {_NOTHING, *drawings}:
        drawn = next(iter(drawings), _NOTHING)
    return page(
        request,
        "thoughts.html",
        number=number,
        thoughts=thoughts,
        is_over=not position.legal_actions,
        word=word_for(session.game),
        drawn=drawn,
        nothing=_NOTHING,
        drawing=drawings[drawn](position) if drawn in drawings else BoardMarks(),
        is_hinted="hinted" in request.query_params,
        to_move=session.game.men[position.seat].name,
        played=f"{session.game.men[turn.seat].name} played {turn.text}" if turn else "",
    )


async def graph(request: Request) -> Response:
    """Show the value before every turn of a contest."""
    sitting, session = await _shown(request)
    if sitting.lesson and not session.is_over:
        return page(request, "asked_later.html")
    number = _number_of_actions(request, session)
    opinions = parts_of(request).opinions
    judged = await parts_of(request).thinkers.run(lambda: opinions.judged(session, _JUDGED_AT_ONCE))
    made = graph_of(session, judged)
    return page(
        request, "graph.html", sitting=sitting, game=session.game, graph=made, number=number, width=WIDTH, height=HEIGHT
    )


async def _shown(request: Request) -> tuple[Sitting, PlaySession]:
    """Return the contest that the address names; raise `BadInputError` if a person is examined by it."""
    sitting, session = await sitting_and_session_of(request)
    if sitting.is_exam:
        raise BadInputError("nobody is asked about the contests of an examination")
    return sitting, session


def _number_of_actions(request: Request, session: PlaySession) -> int:
    """Return the number of actions after which the contest is shown."""
    number = number_of(request.query_params, "after", len(session.actions))
    require(0, len(session.actions), after=number)
    return number


def _groups_of_agents(
    opinions: Opinions, sitting: Sitting, session: PlaySession
) -> tuple[list[tuple[str, list[Thinker]]], list[Thinker], list[str]]:
    """Return the agents that can be asked in groups, those that evaluate nothing, and the specs of those chosen.

    Unless somebody chooses, those of the contest are asked, and one of each other group that knows something else.
    """
    game, first = session.game, _agents_of_contest(opinions, sitting, session)
    own = []
    for spec, thinker in first.items():
        seats = [
            man.name for man, player in zip(game.men, sitting.players, strict=True) if opinions.named(player) == spec
        ]
        own.append(replace(thinker, label=f"{', '.join(seats)}: {thinker.label}" if seats else thinker.label))
    others = [each for each in (*opinions.trained(game), *opinions.thinkers(game)) if each.spec not in first]
    known = [(title, [each for each in others if each.knows == title]) for title in (EXACT, TRAINED, SEARCH)]
    groups = [
        (
            "The strongest level" if len(sitting.people) == len(sitting.players) else f"In this {word_for(game)}",
            [each for each in own if each.note != UNTRAINED],
        ),
        *known,
        (f"In this {word_for(game)}, with nothing learned yet", [each for each in own if each.note == UNTRAINED]),
    ]
    other = [thinkers[0] for title, thinkers in known if thinkers and title not in {each.knows for each in own}]
    silent = [each for each in others if not each.knows]
    chosen = [each.spec for each in (*own, *other)]
    return [(title, thinkers) for title, thinkers in groups if thinkers], silent, chosen


def _agents_of_contest(opinions: Opinions, sitting: Sitting, session: PlaySession) -> dict[str, Thinker]:
    """Return the agents of a contest by spec, with the names that they have beside the board.

    Between people, it is the one that plays at the strongest level.
    """
    found = {}
    for seat in (0, 1):
        spec = sitting.players[seat]
        # (in a lesson, it may be no agent, but somebody that a trainer has made)
        is_agent = not sitting.lesson or agent_named(Spec.parse(spec).name) is not None
        if seat not in sitting.people and is_agent:
            name, strength = name_and_strength(sitting.names[seat])
            usual = opinions.thinker(opinions.named(spec), session.game)
            found[usual.spec] = replace(usual, label=name or usual.label, note=strength or usual.note)
    if not found:
        *_, strongest = levels_of(session.game).values()
        name, strength = name_and_strength(level_in_words(strongest))
        found[strongest.agent] = replace(opinions.thinker(strongest.agent, session.game), label=name, note=strength)
    return found


async def _thought(request: Request, sitting: Sitting, session: PlaySession, number: int, spec: str) -> Thought:
    opinions, run = parts_of(request).opinions, named_run(request, spec)
    spec = opinions.named(spec)

    def found() -> Thought:
        positions, actions = session.positions[: number + 1], session.actions[:number]
        explanation = opinions.explanation(spec, positions, actions)
        usual = Thinker(spec, run) if run else opinions.thinker(spec, session.game)
        named = _agents_of_contest(opinions, sitting, session).get(spec, usual)
        return Thought(spec, named.label, named.note, explanation)

    try:
        return await parts_of(request).thinkers.run(found)
    except BadInputError as error:
        return Thought(spec, run or spec, "", refusal=parts_of(request).watched.folders.sentence(error))


def _drawings(thoughts: list[Thought]) -> dict[str, Callable[[Position], BoardMarks]]:
    """Return what draws each thing that can be drawn, by its name in the form; marks come before their regions."""
    found: dict[str, Callable[[Position], BoardMarks]] = {}
    for thought in thoughts:
        if thought.explanation is not None:
            found.setdefault(thought.spec, partial(drawing_of, marks=thought.explanation.marks))
            for number, region in enumerate(thought.explanation.regions):
                found.setdefault(f"{thought.spec}#{number}", partial(drawing_of_region, region=region))
    return found


@dataclass(frozen=True)
class GraphPoint:
    """The value before a turn."""

    number: int  # the number of the turn, from 1
    after: int  # the number of actions before it
    seat: int  # the seat whose turn it is
    text: str  # the turn; empty for the position reached
    words: str  # the value in words
    points: float  # the value to seat 0
    error: str  # what was given away and what would have been better, in words; empty if nothing was
    mark: str  # the usual mark of the error
    place: tuple[float, float]  # the place in the picture


@dataclass(frozen=True)
class ValueGraph:
    """The graph of a contest."""

    points: tuple[GraphPoint, ...]  # the values before the turns that have been judged
    total: int  # the number of turns to judge, and the position reached
    source: str  # where the values are from, and how they are drawn, in words
    most: float  # the points at the upper edge; those at the lower edge are less by as much
    end: tuple[float, float] | None  # the place of the outcome; ``None`` while the contest goes on
    line: str  # the line through all places, as SVG writes it
    middle: float  # the height of the value 0
    step: float  # the distance between two turns

    @property
    def is_complete(self) -> bool:
        """Whether all turns have been judged."""
        return len(self.points) == self.total

    @property
    def errors(self) -> list[GraphPoint]:
        """The turns that gave something away."""
        return [point for point in self.points if point.error]

    def place_of(self, after: int) -> float | None:
        """Return the horizontal place of the position after a number of actions, if it is at the start of a turn."""
        return next((point.place[0] for point in self.points if point.after == after), None)


def graph_of(session: PlaySession, judged: Sequence[Judgement]) -> ValueGraph:
    """Return the graph of a contest, as far as its turns have been judged."""
    turns = to_judge(session)
    outcome, source = None, judged[0].known.source if judged else ""
    if judged and judged[0].known.kind == "searched":
        source += "; the scale is logarithmic, and wins that the search has found are at the edges"
    if session.is_over and len(judged) == len(turns):
        stake = session.game.stake(session.position.state) if session.game.stake else 1
        outcome = session.points / stake
    values = [each.points for each in judged] + ([] if outcome is None else [outcome])
    most = max([1.0, *map(abs, values)])
    steps = max(1, len(turns) - (0 if session.is_over else 1))
    places = [
        (_LEFT + (WIDTH - _LEFT - _RIGHT) * k / steps, _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - value / most) / 2)
        for k, value in enumerate(values)
    ]
    points, done = [], 0
    for number, (judgement, (_, actions), place) in enumerate(zip(judged, turns, places, strict=False), start=1):
        played = judgement.played
        text = played.text if played else next((turn.text for turn in session.turns if turn.number == done), "")
        words = f"{session.game.men[judgement.seat].name} {judgement.best.words}"
        found = (words, judgement.points, judgement.lost, judgement.mark, place)
        points.append(GraphPoint(number, done, judgement.seat, text, *found))
        done += len(actions)
    return ValueGraph(
        points=tuple(points),
        total=len(turns),
        source=source,
        most=most,
        end=None if outcome is None else places[-1],
        line=" ".join(f"{x:.1f},{y:.1f}" for x, y in places),
        middle=(_TOP + HEIGHT - _BOTTOM) / 2,
        step=(WIDTH - _LEFT - _RIGHT) / steps,
    )


ROUTES = [
    Route("/contests/{id}/thinkers", choose),
    Route("/contests/{id}/untrained", untrained),
    Route("/contests/{id}/thoughts", think),
    Route("/contests/{id}/graph", graph),
]
