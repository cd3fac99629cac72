"""Whole contests on the page by clicks, keys or drags, each position of which is compared with the rules.

The rules are walked by `Contest`, of which the page knows nothing but what it shows.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import numpy as np

from boardgames_env import Position, make_game
from boardgames_env.contest import Contest
from boardgames_env.render.layout import location_names

By = Literal["clicks", "keys", "drags"]

SCRIPT = Path(__file__).with_name("every_game.js")

SIZE = {"width": 390, "height": 500}
"""The size of the page: painting a large one takes longer than everything else."""


def play(page: Any, address: str, game: str, by: By, seed: Sequence[int]) -> int:
    """Play a contest of two people by random legal actions, and return their number.

    Raises:
        AssertionError: If the page has shown something else than the rules allow.
    """
    form = urlencode({"game": game, "player0": "human", "player1": "human"}).encode()
    with urlopen(Request(f"{address}/contests", form, {"Origin": address})) as answer:
        there = answer.url
    page.goto(there)
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    draws = np.random.default_rng(seed)
    press, seen = _PRESSES[by], list[dict[str, Any]]()
    step = page.evaluate(f"everyGame.next({draws.random()}, '{by}')")
    while "action" in step:
        seen.append({**step["position"], "actions": [step["action"], *step["rest"]]})
        draw, done = draws.random(), 0
        while "position" not in step or not done:  # (the page asks for the rest of the clicks, or for a new action)
            done += press(page, step)
            step = page.evaluate(f"everyGame.after({done}, {draw}, '{by}')")
    with urlopen(f"{there}/record.json") as answer:
        (record,) = json.load(answer)["contests"]
    check(game, [*seen, step["position"]], record)
    return len(seen)


def check(game: str, seen: Sequence[Mapping[str, Any]], record: Mapping[str, Any]) -> None:
    """Compare what the page has shown before each action, and at last, with a walk through the rules."""
    contest = Contest(make_game(game))
    events = iter(record["events"])
    _settle(contest, events)
    assert record["actions"] == [action for shown in seen[:-1] for action in shown["actions"]]
    goes_on = False
    for shown in seen[:-1]:
        assert not shown["isOver"]
        _compare(shown, contest.position)
        assert shown["goesOn"] == goes_on
        for action in shown["actions"]:  # (one, but for a turn that is forced)
            seat, happened = contest.seat, len(contest.events)
            contest.play(action)
            _settle(contest, events)
            goes_on = seat == contest.seat and happened == len(contest.events)
    last = seen[-1]
    _compare_men(last, contest.position)
    assert contest.is_over
    assert last["isOver"]
    assert not last["choices"]
    assert next(events, None) is None
    winner = contest.game.men[0 if contest.points > 0 else 1].name
    expected = "cut short" if contest.is_cut else f"{winner} wins" if contest.points else "a draw"
    assert last["status"].lower().startswith(expected.lower())


def _click(page: Any, step: Mapping[str, Any]) -> int:
    """Click on all points that an action needs, as far as they are there; return how many."""
    for x, y in step["points"]:
        page.mouse.click(x, y)
    return len(step["points"])


def _enter(page: Any, step: Mapping[str, Any]) -> int:
    """Press Tab, and on the board other keys, until what comes next has the focus, and then Enter; return 1."""
    tabs = step["tabs"]
    while tabs is None:  # (nothing has the focus yet)
        page.keyboard.press("Tab")
        tabs = page.evaluate("everyGame.tabs()")
    for _ in range(abs(tabs)):
        page.keyboard.press("Shift+Tab" if tabs < 0 else "Tab")
    for key in [*step["walk"], "Enter"]:
        page.keyboard.press(key)
    return 1


def _drag(page: Any, step: Mapping[str, Any]) -> int:
    """Drag a man with a finger from the first point of an action to the second, tap on the others; return how many.

    Buttons are clicked.
    """
    if not step["isOnBoard"]:
        return _click(page, step)
    points = [{"x": x, "y": y} for x, y in step["points"]]
    fingers = _fingers_of(page)

    def touch(kind: str, *at: Mapping[str, float]) -> None:
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": list(at)})

    if len(points) > 1:
        one, other = points[:2]
        touch("Start", one)
        touch("Move", other)
        touch("End")
        del points[:2]
    for point in points:
        touch("Start", point)
        touch("End")
    return len(step["points"])


@cache
def _fingers_of(page: Any) -> Any:
    """Return what touches a page."""
    return page.context.new_cdp_session(page)


_PRESSES: Mapping[By, Callable[[Any, Mapping[str, Any]], int]] = {"clicks": _click, "keys": _enter, "drags": _drag}


def _settle(contest: Contest, events: Any) -> None:
    """Let the events of the record happen as long as the rules ask for one."""
    while contest.position.awaits_chance:
        contest.happen(next(events))


def _compare(shown: Mapping[str, Any], position: Position) -> None:
    """Compare what the page shows of a position with the rules: the men, and the actions that can be made."""
    _compare_men(shown, position)
    game = position.game
    assert [action for action, _, _ in shown["choices"]] == list(position.legal_actions)
    for action, text, path in shown["choices"]:
        assert text.strip().lower() == game.action_text(action).lower()
        played = game.actions[action]
        named = [] if played.kind == "column" else list(played.locations)  # (of a column, the cell that is filled)
        if named or path:
            assert path == (named or _path_of(position, action)), text
    assert shown["next"] == sorted({path[0] for _, _, path in shown["choices"] if path})
    assert shown["status"].strip().lower() == f"{game.men[position.seat].name} to move".lower()


def _compare_men(shown: Mapping[str, Any], position: Position) -> None:
    """Compare the labels of the locations with the men of a position."""
    game = position.game
    expected = []
    for location, label in enumerate(location_names(game, position.seat)):
        men = int(position.state[1 + location])
        kind = abs(men) - 1 if game.kinds else 0
        name = [game.men, *game.kinds][kind][men < 0].name
        number = 1 if game.kinds else abs(men)
        expected.append(f"{label}, {'empty' if not men else name if number == 1 else f'{number} {name}'}")
    assert shown["spots"] == expected


def _path_of(position: Position, action: int) -> list[int]:
    """Return where a man of the seat to move is taken from, and where it is put, if it is on the board.

    A man that is taken over is clicked itself.
    """
    size, sign = position.game.board.size, 1 - 2 * position.seat
    if position.game.action_text(action) == "swap":
        return np.flatnonzero(position.state[1 : 1 + size]).tolist()
    before, after = (np.maximum(sign * each.state[1 : 1 + size], 0) for each in (position, position.play(action)))
    return [*np.flatnonzero(after < before).tolist(), *np.flatnonzero(after > before).tolist()]
