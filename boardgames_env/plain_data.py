"""Games and positions as plain data that JSON can hold, and JSON schemas (draft 2020-12) of both.

Locations are named by their labels. Nothing in the data is needed twice: `Game.as_dict` describes what is the same in
all contests of a game, `Position.as_dict` what changes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from boardgames_env.board import Man
from boardgames_env.contest import Turn, turn_text
from boardgames_env.ending import ENDS, board_end
from boardgames_env.moves import actions_of, moves_of
from boardgames_env.position import Position

if TYPE_CHECKING:
    from boardgames_env.game import Game

Schema = Mapping[str, Any]

_TEXT, _WHOLE, _YES_NO = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
_SEAT = {"enum": [0, 1]}
_SEAT_OR_NONE = {"enum": [0, 1, None]}


def _list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(**properties: Schema) -> Schema:
    """Return the schema of an object that has these properties and no others."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _file(title: str, schema: Schema) -> Schema:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


_LABELS, _ACTIONS = _list_of(_TEXT), _list_of({"type": "integer", "minimum": 0})
_MAN = _object(name=_TEXT, letter=_TEXT)
_MEN = _object(seat=_SEAT, name=_TEXT, number={"type": "integer", "minimum": 1})

POSITION_SCHEMA = _file(
    "A position",
    _object(
        game=_TEXT,
        state=_list_of({"type": "integer", "minimum": -128, "maximum": 127}),
        board={"type": "object", "additionalProperties": _MEN},
        seat=_SEAT,
        to_move=_TEXT,
        phase={"enum": ["move", "chance", "over"]},
        note=_TEXT,
        chance=_TEXT,
        legal_actions=_list_of(_object(action={"type": "integer", "minimum": 0}, text=_TEXT)),
        legal_moves=_list_of(_object(actions=_ACTIONS, text=_TEXT)),
        history=_list_of(_object(seat=_SEAT, chance=_TEXT, actions=_ACTIONS, text=_TEXT)),
        result={
            "oneOf": [
                {"type": "null"},
                _object(
                    points={"type": "array", "prefixItems": [_WHOLE, _WHOLE], "items": False, "minItems": 2},
                    winner=_SEAT_OR_NONE,
                    end={"enum": list(ENDS[1:])},
                ),
            ]
        },
    ),
)
"""The schema of `Position.as_dict`."""

GAME_SCHEMA = _file(
    "A game",
    _object(
        game=_TEXT,
        name=_TEXT,
        version={"type": "integer", "minimum": 0},
        title=_TEXT,
        rules=_TEXT,
        men={"type": "array", "items": _list_of(_MAN), "minItems": 2, "maxItems": 2},
        board=_object(
            locations=_list_of(_object(label=_TEXT, x={"type": "number"}, y={"type": "number"})),
            lines=_list_of(_LABELS),
            winning_lines=_list_of(_LABELS),
            cells=_YES_NO,
        ),
        actions=_list_of(_object(kind=_TEXT, locations=_LABELS, text=_TEXT)),
        limits={"type": "object", "additionalProperties": {"type": ["integer", "boolean", "string"]}},
        has_chance=_YES_NO,
        can_draw=_YES_NO,
        most_points={"type": "integer", "minimum": 1},
        value={"enum": [-1, 0, 1, None]},
        positions={"type": ["integer", "null"]},
    ),
)
"""The schema of `Game.as_dict`."""


def position_as_dict(position: Position, turns: Iterable[Turn] = ()) -> dict[str, Any]:
    """Return a position, and the turns that have led to it, as plain data; see `Position.as_dict`."""
    game, size = position.game, position.game.board.size
    board = {}
    for label, slot in zip(game.board.labels, position.state[1 : 1 + size].tolist(), strict=True):
        if slot:
            man, number = game.men_at(slot)
            board[label] = {"seat": int(slot < 0), "name": man.name, "number": number}
    chance = game.notation.chance if game.notation else None
    is_chance_known = chance and position.legal_actions
    return {
        "game": game.spec,
        "state": position.state.tolist(),
        "board": board,
        "seat": position.seat,
        "to_move": game.men[position.seat].name,
        "phase": "over" if position.is_over else "chance" if position.awaits_chance else "move",
        "note": game.note(position.state) if game.note and not position.is_over else "",
        "chance": chance(position) if chance and is_chance_known else "",
        "legal_actions": [{"action": each, "text": game.action_text(each)} for each in position.legal_actions],
        "legal_moves": [{"actions": list(each), "text": turn_text(position, each)} for each in legal_moves(position)],
        "history": [
            {"seat": turn.seat, "chance": turn.chance, "actions": list(turn.actions), "text": turn.text}
            for turn in turns
        ],
        "result": _result(position),
    }


def legal_moves(position: Position) -> list[tuple[int, ...]]:
    """Return the actions of one whole move to each position that a turn can lead to; none if no seat is to move."""
    if not position.legal_actions:
        return []
    if position.game.rules.moves is not None:  # (a throw of doublets may have thousands of orders)
        return sorted(map(actions_of, moves_of(position.game, position.state)[1]))
    return sorted({move.afterstate.key: move.actions for move in reversed(position.moves())}.values())


def _result(position: Position) -> dict[str, Any] | None:
    points = position.outcome
    if points is None:
        return None
    winner = None if points == 0 else int(points < 0)
    return {"points": [points, -points], "winner": winner, "end": board_end(position.game, position.state)}


def game_as_dict(game: "Game") -> dict[str, Any]:
    """Return a game as plain data; see `Game.as_dict`."""
    board, labels = game.board, game.board.labels

    def named(lines: Iterable[Iterable[int]]) -> list[list[str]]:
        return [[labels[location] for location in line] for line in lines]

    return {
        "game": game.spec,
        "name": game.name,
        "version": game.version,
        "title": game.title,
        "rules": game.rules_text,
        "men": [[_man_as_dict(pair[seat]) for pair in (game.men, *game.kinds)] for seat in (0, 1)],
        "board": {
            "locations": [{"label": each, "x": x, "y": y} for each, (x, y) in zip(labels, board.points, strict=True)],
            "lines": named(board.lines),
            "winning_lines": named(board.winning_lines),
            "cells": board.cells,
        },
        "actions": [
            {"kind": each.kind, "locations": named([each.locations])[0], "text": game.action_text(number)}
            for number, each in enumerate(game.actions)
        ],
        "limits": asdict(game.limits),
        "has_chance": game.rules.has_chance,
        "can_draw": game.can_draw,
        "most_points": game.most_points,
        "value": game.value,
        "positions": game.positions,
    }


def _man_as_dict(man: Man) -> dict[str, str]:
    return {"name": man.name, "letter": man.letter}
