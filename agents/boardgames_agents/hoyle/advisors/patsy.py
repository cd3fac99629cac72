"""Advisors on patterns of men ("Visual Cues", sections 3 and 4; Epstein 2001, section 4.1)."""

from collections.abc import Sequence

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.forr import INDIFFERENT
from boardgames_agents.hoyle.perception.pattern import Contents, Pattern
from boardgames_agents.hoyle.position_view import Choice, PositionView

_WIN, _DRAW = 2, 1
_WINS, _DRAWS, _LOSES = 8, 6, 2


@advisor
class Patsy(Advisor):
    """Move to a position whose patterns have positive associations for Hoyle, negative for the opposition."""

    opposes = True

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support or oppose moves by the value of the patterns they create, less that of those they destroy.

        The value of a pattern is 2 if the mover won wherever it was seen, 1 if all contests were drawn, -2 if the mover
        lost. The move with the largest change gets the strongest comment, the others are in proportion. (The older
        Patsy divided the value by the number of known patterns, which does not change the order of the moves.)
        """
        patterns = self.knowledge.patterns
        if patterns is None or not patterns.space:
            return {}
        contents = patterns.contents
        side = _WIN if case.seat == contents.first else -_WIN
        balance, drawn = patterns.balance(contents.before(case))
        effects = {}
        for option in options:
            balance_then, drawn_then = patterns.balance(contents.after(case, option))
            effects[option] = side * (balance_then - balance) + _DRAW * (drawn_then - drawn)
        most = max(map(abs, effects.values()), default=0) or 1
        strengths = {option: INDIFFERENT + round(INDIFFERENT * effect / most) for option, effect in effects.items()}
        return {option: strength for option, strength in strengths.items() if strength != INDIFFERENT}


class PatternAdvisor(Advisor):
    """A learned Advisor: move to a position with a pattern generalization that has positive associations.

    Its number is that among the game's learned pattern Advisors, from 1.
    """

    opposes = True

    def __init__(self, number: int, pattern: Pattern, contents: Contents) -> None:
        self.name = f"Pattern {number}: {contents.text(pattern.facts)}"
        self.pattern = pattern
        self._contents = contents
        self._images = contents.images(pattern.facts)

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Support the moves that create the pattern if the mover won or drew with it, oppose them if it lost."""
        before = self._contents.before(case)
        missing = [image for image in self._images if before & image != image]
        response = self.pattern.response if case.seat == self._contents.first else -self.pattern.response
        strength = _WINS if response > 0 else _LOSES if response < 0 else _DRAWS
        after = {option: self._contents.after(case, option) for option in options}
        return {option: strength for option in options if any(after[option] & image == image for image in missing)}
