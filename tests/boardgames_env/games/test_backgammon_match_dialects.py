"""Matches in the words of programs, servers and people are read as the contests that they were written from."""

from itertools import islice

import pytest

from boardgames_env.games.backgammon.notation.match_file import parse_match
from tests.boardgames_env.games.backgammon_contests import assert_same_contests
from tests.boardgames_env.games.written_matches import SPECS, Writer, dialects, match_to_write
from tests.variants import fast_for

TEXTS, PARTS = 3_000, 60


@pytest.mark.parametrize("part", fast_for(range(6), range(PARTS)))
def test_texts_in_any_dialect_are_the_matches_they_were_written_from(part: int) -> None:
    """The first parts have every way to write something by itself, the others several ways at once."""
    size = TEXTS // PARTS
    for number, dialect in enumerate(islice(dialects(TEXTS), part * size, (part + 1) * size)):
        match = match_to_write(number % len(SPECS) + len(SPECS) * (part % 6))
        text = Writer(match, dialect).text()
        try:
            read = parse_match(text)
            assert (read.game, read.players, read.length) == (match.game, match.players, match.length)
            assert not read.warnings
            assert_same_contests(read, match)
        except (AssertionError, ValueError) as error:
            raise AssertionError(f"text {part * size + number}, {dialect}:\n{text}") from error
