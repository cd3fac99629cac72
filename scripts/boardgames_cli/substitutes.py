"""Output in an encoding that lacks characters: others take their places, such as ``lambda`` that of ``λ``."""

import codecs
import io
import re
import unicodedata

SUBSTITUTE = "boardgames.substitute"
"""An error handler of codecs: what an encoding lacks is written by `substitute`."""

_SPELLED = {
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("‘’‚′", "'"),
    **dict.fromkeys("“”„″«»", '"'),
    **dict.fromkeys("•·†‡█", "*"),
    **{"←": "<-", "→": "->", "⇒": "=>", "⟨": "<", "⟩": ">", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "±": "+-"},
    **{"×": "x", "÷": "/", "⁄": "/", "√": "sqrt", "∑": "sum", "∇": "grad", "°": " deg", "µ": "u", "§": "section "},
    **{"✓": "yes", "✗": "no", "€": "EUR", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "ß": "ss", "ı": "i"},
    **{"Ø": "O", "ø": "o", "Ł": "L", "ł": "l", "Đ": "D", "đ": "d"},
}
_GREEK = re.compile("GREEK (CAPITAL|SMALL) LETTER ([A-Z]+)")
_RAISED = re.compile("[²³¹⁰-⁹⁺-ⁿ]+")
_ESCAPED = re.compile("[\udc80-\udcff]+")
"""Bytes of the names of files that are not in the system's encoding, as Python has them."""


def let_substitute(stream: object) -> None:
    """Let a text stream write substitutes for the characters that its encoding lacks, instead of raising an error."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=SUBSTITUTE)


def spelled(text: str, encoding: str) -> str:
    """Return a text with substitutes for the characters that an encoding lacks."""
    return text.encode(encoding, SUBSTITUTE).decode(encoding, "surrogateescape")


def substitute(text: str) -> str:
    """Return ASCII that reads like a text: ``lambda`` for ``λ``, ``10^4`` for ``10⁴``, and ``?`` where nothing does."""
    raised = _RAISED.sub(lambda found: f"^{unicodedata.normalize('NFKD', found[0])}", text)
    return "".join(_ascii(letter) for letter in raised)


def _ascii(letter: str) -> str:
    if letter.isascii() or letter in _SPELLED:
        return _SPELLED.get(letter, letter)
    name = unicodedata.name(letter, "")
    if name.startswith("BOX DRAWINGS"):
        return "|" if name.endswith("VERTICAL") else "-" if name.endswith("HORIZONTAL") else "+"
    if greek := _GREEK.match(name):
        word = greek[2].replace("LAMDA", "LAMBDA")
        return word.capitalize() if greek[1] == "CAPITAL" else word.lower()
    parts = unicodedata.normalize("NFKD", letter)  # (é is e with an accent, … are three points)
    letters = [_SPELLED.get(each, each) for each in parts if not unicodedata.combining(each)]
    return "".join(letters) if letters and all(map(str.isascii, letters)) else "?"


def _substituted(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = _ESCAPED.match(error.object, error.start, error.end)
    if found and not error.encoding.startswith("utf-"):
        return found[0].encode("ascii", "surrogateescape"), found.end()
    following = _ESCAPED.search(error.object, error.start + 1, error.end)
    end = following.start() if following else error.end
    return substitute(error.object[error.start : end]), end


codecs.register_error(SUBSTITUTE, _substituted)
