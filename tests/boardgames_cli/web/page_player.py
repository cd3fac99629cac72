"""Whole contests on the page by clicks or keys, each position of which is compared with the rules.

The rules are walked by `Contest`, of which the page knows nothing but what it shows. Where `NUMBA_DISABLE_JIT=1` is set
in this process and not in that of the server, they are plain Python, too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from boardgames_env import Position, make_game
from boardgames_env.contest import Contest

By = Literal["clicks", "keys"]

SCRIPT = Path(__file__).with_name("every_game.js")

_ACTIONS_A_CALL = 40
"""The number of actions that are clicked by one call of the script."""

_MOST_TABS = 300


@dataclass(frozen=True)
class Played:
    """A contest that was played on the page.

    Attributes:
        actions: The number of its actions.
        end: What ended it: the board, or a limit.
        points: The points of seat 0.
    """

    actions: int
    end: Literal["board", "limit"]
    points: int


def play(page: Any, address: str, game: str, by: By, seed: Sequence[int]) -> Played:
    """Play a contest of two people by random legal actions, and compare what the page has shown with the rules.

    Raises:
        AssertionError: If the page has shown something else than the rules allow.
    """
    page.goto(_begun(page, address, game))
    page.evaluate(SCRIPT.read_text())
    seen = _BY[by](page, np.random.default_rng(seed))
    last = page.evaluate("everyGame.shown()")
    record = page.evaluate("fetch(`${location.pathname}/record.json`).then(answer => answer.json())")
    return checked(game, [*seen, last], _contest_of(record))


def checked(game: str, seen: Sequence[Mapping[str, Any]], record: Mapping[str, Any]) -> Played:
    """Compare what the page has shown before each action, and at last, with a walk through the rules."""
    contest = Contest(make_game(game))
    events = iter(record["events"])
    _settle(contest, events)
    assert record["actions"] == [shown["action"] for shown in seen[:-1]]
    for shown in seen[:-1]:
        assert not shown["isOver"]
        _compare(shown, contest.position)
        contest.play(shown["action"])
        _settle(contest, events)
    last = seen[-1]
    _compare_men(last, contest.position)
    assert contest.is_over
    assert last["isOver"]
    assert not last["choices"]
    assert next(events, None) is None
    winner = contest.game.men[0 if contest.points > 0 else 1].name
    expected = "cut short" if contest.is_cut else f"{winner} wins" if contest.points else "a draw"
    assert last["status"].lower().startswith(expected.lower())
    return Played(len(seen) - 1, "board" if contest.position.is_over else "limit", int(contest.points))


def _begun(page: Any, address: str, game: str) -> str:
    answer = page.request.post(
        f"{address}/contests",
        form={"game": game, "player0": "human", "player1": "human"},
        headers={"Origin": address},
        max_redirects=0,
    )
    assert answer.status == 303, answer.text()
    return f"{address}{answer.headers['location']}"


def _contest_of(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the only contest in a file of records."""
    (contest,) = record["contests"]
    return contest  # type: ignore[no-any-return]


def _play_by_clicks(page: Any, rng: np.random.Generator) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = []
    while not page.evaluate("everyGame.shown().isOver"):
        seen += page.evaluate("draws => everyGame.playByClicks(draws)", rng.random(_ACTIONS_A_CALL).tolist())
    return seen


def _play_by_keys(page: Any, rng: np.random.Generator) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = []
    position = page.evaluate("everyGame.shown()")
    while not position["isOver"]:
        choice = position["choices"][int(rng.random() * len(position["choices"]))]
        seen.append({**position, "action": choice[0]})
        swaps, clicked, after = page.evaluate("everyGame.swaps()"), 0, {"isMade": False}
        while not after["isMade"]:
            _focus(page, choice, clicked)
            page.keyboard.press("Enter")
            clicked += 1
            after = page.evaluate("given => everyGame.afterEnter(...given)", [choice, clicked, swaps])
        position = after["position"]
    return seen


_BY: Mapping[By, Callable[[Any, np.random.Generator], list[dict[str, Any]]]] = {
    "clicks": _play_by_clicks,
    "keys": _play_by_keys,
}


def _focus(page: Any, choice: Sequence[Any], clicked: int) -> None:
    """Press Tab, or Shift and Tab, until what is to be pressed next has the focus."""
    for _ in range(_MOST_TABS):
        tabs = page.evaluate("given => everyGame.tabs(...given)", [choice, clicked])
        if tabs == 0:
            return
        for _ in range(1 if tabs is None else abs(tabs)):
            page.keyboard.press("Tab" if tabs is None or tabs > 0 else "Shift+Tab")
    raise AssertionError(f"{choice[1]} cannot be reached by keys")


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
        named = list(game.actions[action].locations)
        if named or path:
            assert path == (named or _path_of(position, action)), text
    assert shown["next"] == sorted({path[0] for _, _, path in shown["choices"] if path})
    assert shown["status"].strip().lower() == f"{game.men[position.seat].name} to move".lower()


def _compare_men(shown: Mapping[str, Any], position: Position) -> None:
    """Compare the labels of the locations with the men of a position."""
    game = position.game
    expected = []
    for location, label in enumerate(game.board.labels):
        men = int(position.state[1 + location])
        name = game.men[men < 0].name
        expected.append(f"{label}, {'empty' if not men else name if abs(men) == 1 else f'{abs(men)} {name}'}")
    assert shown["spots"] == expected


def _path_of(position: Position, action: int) -> list[int]:
    """Return where a man of the seat to move is taken from, and where it is put, if it is on the board."""
    size, sign = position.game.board.size, 1 - 2 * position.seat
    before, after = (np.maximum(sign * each.state[1 : 1 + size], 0) for each in (position, position.play(action)))
    return [*np.flatnonzero(after < before).tolist(), *np.flatnonzero(after > before).tolist()]
