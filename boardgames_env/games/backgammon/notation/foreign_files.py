"""Files of other programs: matches of eXtreme Gammon and BGBlitz become match text; other files are named.

The library ``gammonview`` (its module ``gvformat``) reads ``.xg`` and ``.bgf`` files into documents, whose fields are
those of its *OGXM* format: the turns of a game are *plies*, of which action 0 to 20 is a roll and its steps, 21 a
double, 22 a take, 23 a drop, 31 a position that no play leads to, and any other an end of the game. Points are numbered
as the player called black counts them.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boardgames_env.errors import BadInputError, MissingLibraryError
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, OFF

_PROGRAMS = {"xg": "eXtreme Gammon", "bgf": "BGBlitz"}
_DOUBLE, _TAKE, _DROP, _SET_POSITION = 21, 22, 23, 31
_RIGHT_COLUMN = " " * 28

_AS_TEXT = "export the match there as text (.mat, also called Jellyfish)"
_OTHER_KINDS = {
    r"\s*\(\s*;[^\[]*(?:FF|GM|CA)\[": (
        "an SGF file, as GNU Backgammon saves matches; export it there: `export match mat NAME.mat`"
    ),
    r"\s*(?:<!doctype html|<html|<head)": f"an HTML page; in the program or server that it is from, {_AS_TEXT}",
    r"\s*<(?:\?xml|svg)": f"an XML file; in the program that it is from, {_AS_TEXT}",
    r"\s*[{\[]\s*[\"{\]}]": "a JSON file; records of contests are for `boardgames explain`",
    r"PK\x03\x04|\x1f\x8b|Rar!|7z\xbc": "an archive; unpack it, and give the match file that is in it",
    r"%PDF": f"a PDF file; in the program that it is from, {_AS_TEXT}",
    r"\x89PNG|\xff\xd8\xff|GIF8|BM": "a picture; give the match as text, or a position as an XGID",
    r"\s*XGID=": 'a position; give the XGID itself: analyse "XGID=..."',
    r"\s*Score is \d+-\d+ in a": (
        "a list of moves of FIBS (oldmoves); GNU Backgammon makes a match file of it: `import oldmoves NAME`, "
        "`export match mat NAME.mat`"
    ),
}


def demand_match_text(path: str | Path, text: str) -> None:
    """Raise `BadInputError` for the text of another kind of file, which it names, with what to do."""
    for pattern, kind in _OTHER_KINDS.items():
        if re.match(pattern, text, re.IGNORECASE):
            raise BadInputError(f"{str(path)!r} is not a match file, but {kind}")


def converted(path: str | Path, content: bytes) -> str | None:
    """Return the content of an ``.xg`` or ``.bgf`` file as match text; ``None`` for a file of another kind.

    Raises:
        BadInputError: If it cannot be read, or the library is missing that reads it.
    """
    if content.startswith(b"RGMH"):
        kind = "xg"
    elif re.match(rb'\s*\{[^\n]*"BGF"', content[:1000]):
        kind = "bgf"
    else:
        return None
    try:
        import gvformat
    except ImportError:
        raise MissingLibraryError(
            f"{str(path)!r} is a file of {_PROGRAMS[kind]}; {_AS_TEXT}, or install what reads it", "match-files"
        ) from None
    try:
        document = (gvformat.convert_xg if kind == "xg" else gvformat.convert_bgf)(content)
        return text_of(document)
    except Exception as error:  # (damage can cause any of them)
        raise BadInputError(
            f"{str(path)!r} is damaged, or not a match of {_PROGRAMS[kind]} ({error!r}); {_AS_TEXT}"
        ) from None


def text_of(document: dict[str, Any]) -> str:
    """Return an OGXM document as match text: white in the left column, a turn a row."""
    length = document["match_length"]
    lines = [f'; [{name} "On"]' for name in ("Jacoby", "Beaver") if document.get(name.lower()) and not length]
    if length and document.get("crawford") is False and document.get("source") in (2, 4):
        lines.append('; [Crawford "Off"]')
    if limit := document.get("cube_limit"):
        lines.append(f'; [CubeLimit "{limit}"]')
    names = [" ".join(document[name].replace(":", " ").split()) or "?" for name in ("player_white", "player_black")]
    lines += ["", f" {length} point match", ""]
    points = [0, 0]
    for number, game in enumerate(document["games"], start=1):
        if game["plies"]:
            points = [int(field) for field in game["plies"][0]["ogid_before"].split(":")[6:8]]
        lines += [f" Game {number}", f" {names[0]} : {points[0]}{_RIGHT_COLUMN}{names[1]} : {points[1]}"]
        for row, (seat, text) in enumerate(_turns(game["plies"]), start=1):
            lines.append(f"{row:3}) {_RIGHT_COLUMN * seat} {text}")
        if game["points_won"]:
            indent = _RIGHT_COLUMN * game["winner"]
            lines.append(f"      {indent}Wins {game['points_won']} points")
        lines.append("")
    return "\n".join(lines)


def _turns(plies: list[dict[str, Any]]) -> Iterator[tuple[int, str]]:
    """Yield the seat and the text of each turn of a game."""
    turned = 0
    for ply in plies:
        seat, action = 1 - ply["color"], ply["action_id"]
        if action < _DOUBLE:
            yield seat, f"{ply['d1']}{ply['d2']}: {' '.join(_step(seat, **step) for step in ply['moves'])}"
        elif action == _DOUBLE:
            yield seat, f"Doubles => {2 ** (turned + 1)}"
        elif action in (_TAKE, _DROP):
            turned += action == _TAKE
            yield seat, "Takes" if action == _TAKE else "Drops"
        elif action == _SET_POSITION:
            yield seat, f"{ply.get('d1', 1)}{ply.get('d2', 1)}: illegal play"


def _step(seat: int, pips: int, **rest: int) -> str:
    """Return a step of a man as its seat counts the points."""
    source = rest["from"] if seat == 1 else BAR - rest["from"]
    return f"{source}/{max(source - pips, OFF)}"
