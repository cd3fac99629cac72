"""The pages of people who are taught: their games, what they have done, the contests that trainers set, and errors."""

from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.arena.score import Score
from boardgames_agents.experts.perfect import can_be_perfect
from boardgames_agents.people.course import Suggestion, can_train, suggestions, title_of
from boardgames_agents.people.examination import MOST_CONTESTS
from boardgames_agents.people.judging.cost import as_well
from boardgames_agents.people.judging.mistakes import Findings, Mistake, points_text
from boardgames_agents.people.judging.sources import best_moves
from boardgames_agents.people.judging.valued_moves import ValuedMove
from boardgames_agents.people.pupil import LEARNED, KeyNode, PupilContest, key_nodes_of
from boardgames_agents.people.pupil_file import Study
from boardgames_agents.policy.explanation import counted
from boardgames_agents.registry import AgentEntry, agent_named
from boardgames_agents.training.trainers import TrainerEntry, registered_trainers, trainer_spec
from boardgames_cli.web.chart import LineChart, line_chart
from boardgames_cli.web.overlay import BETTER, PLAYED, REPLY, BoardMarks, drawing_of_mistake, names_of
from boardgames_cli.web.pages.shared import (
    game_in,
    is_part,
    page,
    parts_of,
    person_of,
    remembered,
    seen_other,
    sentence_in,
    sitting_of,
    word_for,
)
from boardgames_cli.web.sitting import Sitting
from boardgames_cli.web.specs import fields_of, plain, posted, spec_of, text_of
from boardgames_env import make_game, registered_games
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.render.svg import draw_svg

_SMALL = 200
"""The size of the pictures of positions that are shown beside each other."""

_MEAN = 5
"""The number of contests over which the curves of progress are smoothed."""

_PATIENCE = 0.5
"""Seconds that an answer waits until a game is solved; after that the page asks again."""

_PATIENCE_OF_A_PAGE = 60.0
"""Seconds that a page of its own, which does not ask again, waits for the agents that can play a game."""

_OUTCOMES = {"wins": ", and wins", "draws": ", and nobody wins", "loses": ", and holds out longer"}
"""What a move leads to, for children, by the first of its words."""

_MOST_NODES = 8
"""The largest number of key nodes that are shown."""


def pupils(request: Request) -> Response:
    """Show who is taught; go on to the page of the person whom the browser remembers."""
    game = text_of(request.query_params, "game", "")
    names, name = parts_of(request).tutor.files.names(), person_of(request)
    if name in names and "others" not in request.query_params:
        return seen_other(request, address_of(name, game))
    return _asked_for_the_name(request, game)


def _asked_for_the_name(
    request: Request, game: str, status: int = 200, typed: str = "", sentence: str = ""
) -> Response:
    """Return the page that asks who wants to learn a game, or any if ``game`` is empty."""
    title = f"Learn {_title_of_taught_game(request, game)}" if game else "Learn"
    names = parts_of(request).tutor.files.names()
    return page(request, "pupils.html", status, names=names, game=game, title=title, typed=typed, sentence=sentence)


async def welcome(request: Request) -> Response:
    """Take a person's name, chosen or written, and go on to the person's page, or to a first lesson."""
    form = await posted(request)
    name, game = (text_of(form, "known", "") or text_of(form, "name")).strip(), text_of(form, "game", "")
    files = parts_of(request).tutor.files
    try:
        await run_in_threadpool(files.read, name)  # (refuses names that are not allowed)
    except BadInputError as error:
        return _asked_for_the_name(request, game, 400, name, sentence_in(error))
    place = (
        await _first_lesson(request, name, await game_in(request, form)) if "teach" in form else address_of(name, game)
    )
    return remembered(request, seen_other(request, place), name)


async def _first_lesson(request: Request, name: str, game: Game) -> str:
    """Begin a person's first lesson at a game, and return its address.

    If there is one already, or the game has to be solved first, the address of the person's page is returned.
    """
    tutor = parts_of(request).tutor
    study = await run_in_threadpool(tutor.files.study, name, game.spec)
    if _courses(study) or await parts_of(request).offers.levels(game, _PATIENCE) is None:
        return address_of(name, game.spec)
    begin = parts_of(request).thinkers.run
    return f"/contests/{(await begin(lambda: tutor.next_lesson(name, game, suggestions(game)[0].trainer))).id}"


def pupil(request: Request) -> Response:
    """Show a person's games."""
    name = request.path_params["pupil"]
    kept = parts_of(request).tutor.files.read(name)
    studies = [
        {
            "game": spec,
            "title": _title_of_taught_game(request, spec),
            "contests": counted(len(study.contests), "contest"),
            "exams": counted(len(study.exams), "examination") if study.exams else "",
        }
        for spec, study in kept.items()
        if study.contests or study.exams or study.open
    ]
    cards = sum(len(study.cards) for study in kept.values())
    words = counted(cards, "position") if cards else ""
    return page(request, "pupil.html", pupil=name, studies=studies, cards=words, games=_games_to_learn())


async def study(request: Request) -> Response:
    """Show what a person has done at a game."""
    game, name = await game_in(request, request.query_params), request.path_params["pupil"]
    values = await run_in_threadpool(_study_values, request, name, game)
    return page(request, "study.html", pupil=name, game=game, most=MOST_CONTESTS, learned=LEARNED, **values)


async def trainers(request: Request) -> Response:
    """Show the button that begins lessons, and the form that chooses a trainer.

    As long as the game is being solved, show how far that is, and ask again.
    """
    game, offers = await game_in(request, request.query_params), parts_of(request).offers
    name, files = request.path_params["pupil"], parts_of(request).tutor.files
    levels = await offers.levels(game, _PATIENCE)
    agents = await offers.agents(game, _PATIENCE if is_part(request) or levels is None else _PATIENCE_OF_A_PAGE)
    offered = parts_of(request).checker.offered()
    trainers = {name: f"{name}: {plain(entry.summary)}" for name, entry in registered_trainers().items()}
    found = await parts_of(request).thinkers.run(lambda: _to_choose(game, trainers)) if levels is not None else None
    return page(
        request,
        "trainers.html" if is_part(request) else "trainers_page.html",
        pupil=name,
        game=game,
        is_first=not _courses(await run_in_threadpool(files.study, name, game.spec)),
        progress=offers.progress(game) if levels is None else "",
        suggested=found[0] if found else None,
        trainers=found[1] if found else {},
        agents={name: entry.title for name, entry in offered.items() if name in (agents or ())},
        is_asking=agents is None,
    )


def _to_choose(game: Game, trainers: dict[str, str]) -> tuple[list[Suggestion], dict[str, str]]:
    """Return the trainers to begin with at a game, and those of all that can train there as they are."""
    return suggestions(game), {name: words for name, words in trainers.items() if can_train(name, game)}


def options(request: Request) -> Response:
    """Show the fields for the options of a trainer; none for one that is suggested with its options."""
    entry = _entry(text_of(request.query_params, "other"))
    fields = fields_of(entry.options, "trainer") if entry else []
    return page(request, "fields.html", fields=fields, summary=plain(entry.summary) if entry else "")


async def next_contest(request: Request) -> Response:
    """Begin the next contest of a course or an examination, or go on with the one that is not over."""
    form, name, tutor = await posted(request), request.path_params["pupil"], parts_of(request).tutor
    game = await game_in(request, form)
    if "exam" in form:
        sitting = await parts_of(request).thinkers.run(lambda: tutor.next_question(name, game))
    else:
        trainer = _chosen_trainer(form)
        sitting = await parts_of(request).thinkers.run(lambda: tutor.next_lesson(name, game, trainer))
    return seen_other(request, f"/contests/{sitting.id}")


async def forget(request: Request) -> Response:
    """Forget what a person has done at a game, or all of it."""
    form, name, files = await posted(request), request.path_params["pupil"], parts_of(request).tutor.files
    if "game" in form:
        await run_in_threadpool(files.forget, name, text_of(form, "game"))
        return seen_other(request, address_of(name))
    await run_in_threadpool(files.remove, name)
    return seen_other(request, "/taught")


def address_of(pupil: str, game: str = "") -> str:
    """Return the address of a person's page, or of what the person has done at a game."""
    place = f"/taught/{quote(pupil)}"
    return f"{place}/study?{urlencode({'game': game})}" if game else place


def _title_of_taught_game(request: Request, spec: str) -> str:
    """Return the title of a game; of one that the page does not know, its spec."""
    try:
        return parts_of(request).checker.game(spec).title
    except BadInputError:
        return spec


@cache
def _games_to_learn() -> list[tuple[str, str]]:
    return [(name, make_game(name).title) for name in registered_games()]


def _entry(trainer: str) -> AgentEntry | TrainerEntry | None:
    """Return what can be a trainer of a name: a trainer or an agent; ``None`` if there is neither."""
    return registered_trainers().get(trainer) or agent_named(trainer)


def _chosen_trainer(form: Any) -> str:
    """Return the spec of the trainer that a form has chosen, with the options that were filled in."""
    chosen = trainer_spec(text_of(form, "other", "") or text_of(form, "trainer"))
    entry = _entry(chosen.name)
    if chosen.options or entry is None:
        return str(chosen)
    return str(spec_of(form, chosen.name, entry.options, "trainer"))


def _study_values(request: Request, name: str, game: Game) -> dict[str, Any]:
    """Return what the template shows of a study."""
    course = parts_of(request).tutor.course(name, game)
    study = course.study
    nodes = key_nodes_of(game, study.contests)
    unread = sum(each.errors is None for each in study.contests)
    return {
        "courses": _courses(study),
        "contests": [_row_of_contest(number, each) for number, each in enumerate(study.contests, start=1)],
        "nodes": [_node(each, study) for each in nodes[:_MOST_NODES]],
        "more": max(0, len(nodes) - _MOST_NODES),
        "unread": f"{counted(unread, 'contest')} {'has' if unread == 1 else 'have'}" if unread else "",
        "charts": _charts(study.contests),
        "formula": "",
        "is_examined": course.is_examined(),
        "has_exams": bool(study.exams),
    }


def _courses(study: Study) -> list[dict[str, Any]]:
    """Return the courses, that of the last contest first."""
    played = [each for each in study.contests if each.assignment.exam < 0]
    names = [each.assignment.trainer for each in reversed(played)]
    shown = []
    for trainer in dict.fromkeys([*names, *filter(None, study.open)]):
        own = [each for each in played if each.assignment.trainer == trainer]
        scores = (Score.of(each.record, each.assignment.seats[0]) for each in own if each.points is not None)
        score, title = sum(scores, Score()), title_of(trainer)
        words = f"{score.wins} won, {score.draws} drawn, {score.losses} lost" if score.contests else ""
        named = {"trainer": trainer, "title": title, "spec": "" if title == trainer else trainer}
        shown.append({**named, "words": words, "next": len(own) + 1, "is_open": trainer in study.open})
    return shown


def _charts(contests: Sequence[PupilContest]) -> list[LineChart]:
    """Return the curves of points and errors, as far as there are at least two contests of each."""
    points = [float(each.points) for each in contests if each.points is not None]
    errors = [float(len(each.errors)) for each in contests if each.errors is not None and each.assignment.seats]
    charts = []
    for title, found in (("Points per contest against others", points), ("Errors per contest", errors)):
        if len(found) > 1:
            numbers = range(1, len(found) + 1)
            last = [found[max(0, end - _MEAN) : end] for end in numbers]
            means = [sum(each) / len(each) for each in last]
            curves = {"each contest": (numbers, found), f"mean of {_MEAN}": (numbers, means)}
            charts.append(line_chart(title, "contests", curves))
    return charts


def _row_of_contest(number: int, contest: PupilContest) -> dict[str, Any]:
    """Return a contest as a row of the table."""
    lesson, points = contest.assignment, contest.points
    return {
        "number": number,
        "kind": lesson.kind,
        "trainer": title_of(lesson.trainer) if lesson.trainer else "challenger",
        "seat": " and ".join("first" if seat == 0 else "second" for seat in lesson.seats) or "none",
        "result": "" if points is None else "won" if points > 0 else "lost" if points < 0 else "drawn",
        "errors": "?" if contest.errors is None else len(contest.errors),
        "helped": lesson.helped or "",
        "sitting": contest.sitting,
    }


def _node(node: KeyNode, study: Study) -> dict[str, Any]:
    """Return a key node as a card; what would have been better is known without a search where the game is solved."""
    best = best_moves(node.position).moves if can_be_perfect(node.position.game) else ()
    return {
        "best": [f"{each.text} {each.words}" for each in best if each.value == best[0].value],
        "svg": draw_svg(node.position, _SMALL, labels=True),
        "drawing": BoardMarks(names=names_of(node.position)),
        "wrong": node.wrong,
        "seen": node.seen,
        "played": node.played,
        "cost": points_text(node.cost),
        "is_learned": node.is_learned,
        "sitting": study.contests[node.contest].sitting,
        "number": node.number,
    }


async def review(request: Request) -> Response:
    """Show what went wrong in a contest that was set."""
    sitting = await run_in_threadpool(sitting_of, request)
    findings = await parts_of(request).thinkers.run(lambda: parts_of(request).tutor.findings(sitting))
    values = await run_in_threadpool(_review_values, sitting, findings)
    return page(request, "review_part.html" if is_part(request) else "review.html", sitting=sitting, **values)


def _review_values(sitting: Sitting, findings: Findings) -> dict[str, Any]:
    """Return what the template shows of what went wrong."""
    assert sitting.lesson is not None
    seats = sitting.lesson.seats
    return {
        "title": "What went wrong" if seats else "What the players did wrong",
        "word": word_for(make_game(sitting.game)),
        "summary": findings.summary,
        "source": findings.source,
        "mistakes": [
            _card_of_mistake(each, seats) for each in sorted(findings.shown, key=lambda each: -each.error.cost)
        ],
        "marks": (PLAYED, BETTER, REPLY),
    }


def answer_in_words(before: Position, reply: ValuedMove) -> str:
    """Return what the other seat can answer to a turn, as a sentence for children."""
    other = before.game.men[1 - before.seat].name
    return f"Then {other} can play {reply.text}{_OUTCOMES.get(reply.words.split()[0], '')}."


def _card_of_mistake(mistake: Mistake, seats: tuple[int, ...]) -> dict[str, Any]:
    """Return a mistake as a card."""
    position, reply = mistake.before, mistake.reply
    other = position.game.men[1 - position.seat].name
    return {
        "svg": draw_svg(position, _SMALL),
        "drawing": drawing_of_mistake(
            position, mistake.played.actions, mistake.best.actions, reply.actions if reply else ()
        ),
        "reply": reply and f"{other.capitalize()} answers {reply.text}",
        "answer": reply and answer_in_words(position, reply),
        "lesson": f"{mistake.best.text}{_OUTCOMES.get(mistake.best.words.split()[0], '')}{as_well(mistake.as_good)}",
        "reply_words": reply.clause if reply else "",
        "mover": "You" if len(seats) == 1 else position.game.men[position.seat].name.capitalize(),
        "played": mistake.played.text,
        "played_words": mistake.played.clause,
        "better": mistake.better,
        "reason": mistake.reason,
        "number": mistake.error.number,
    }


ROUTES = [
    Route("/taught", pupils),
    Route("/taught", welcome, methods=["POST"]),
    Route("/taught/{pupil}", pupil),
    Route("/taught/{pupil}/study", study),
    Route("/taught/{pupil}/trainers", trainers),
    Route("/taught/{pupil}/options", options),
    Route("/taught/{pupil}/next", next_contest, methods=["POST"]),
    Route("/taught/{pupil}/forget", forget, methods=["POST"]),
    Route("/contests/{id}/review", review),
]
