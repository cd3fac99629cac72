"""Parts of the tests, so that a run need not take them all."""

from argparse import ArgumentTypeError
from dataclasses import dataclass
from zlib import crc32


@dataclass(frozen=True)
class Part:
    """One of several parts of the tests; each test is in one of them, which depends on its name alone.

    Attributes:
        number: Which of them, from 1 on.
        of: The number of parts.
    """

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Part":
        """Return the part that a text such as ``2/3`` names."""
        number, slash, of = text.partition("/")
        if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise ArgumentTypeError(f"{text!r} is no part K/N of the tests, such as 2/3")
        return cls(int(number), int(of))

    def has(self, name: str) -> bool:
        """Return whether a test is in this part."""
        return crc32(name.encode()) % self.of == self.number - 1
