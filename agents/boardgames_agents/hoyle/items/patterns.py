"""Patterns: small shapes of men associated with an outcome (Epstein 2001, 4.1; "Visual Cues", 3 and 4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from boardgames_agents.hoyle.forr import ForrAdvisor, Opinion
from boardgames_agents.hoyle.game_frame import GameFrame, locations_of
from boardgames_agents.hoyle.items import Experience, Item
from boardgames_agents.hoyle.items.pattern_language import Contents, Facts, Pattern, generalizations, templates_of
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy import Snapshot
from boardgames_agents.policy.explanation import Region, counted
from boardgames_agents.policy.knowledge import KnowledgeEntry
from boardgames_env.game import Game
from boardgames_env.position import Position

_PERSISTENT = 2
_SWEEP = 10
_MOST_REMEMBERED = 50_000
_MOST_SHOWN = 8
_WINS, _DRAWS, _LOSES = 8, 6, 2


@dataclass
class _Record:
    """The number of contests with a pattern, and its strengths: second wins, draw, first wins."""

    seen: int = 0
    strengths: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])


class Patterns(Item):
    """Patterns that have occurred at least twice, and nearly always with the same outcome.

    A pattern is a template (`hoyle.items.pattern_language`) with its contents: nothing, or men of the first contestant,
    or men of the second, or a certain mixture of both; never men and blanks together. Two positions of a contest are
    examined: those after each contestant's last unforced move. A pattern is *cached* once it has been seen in two
    contests, as long as nearly all contests in which it was seen had the same outcome, its *response*.

    (The papers differ on "nearly": "Visual Cues" keeps only flawless patterns, and discards one for good when its
    response changes, which is ``consistency=1``; in Epstein 2001 it is enough that the creator of a pattern "usually"
    wins.)

    Every ten contests the cache is swept for patterns to generalize: two or more on the same template, with the same
    response, that differ in some locations. The locations on which they agree (at least two) become an Advisor of its
    own; the others are irrelevant. (The page of the paper that shows one is lost. To keep them few, as in its Table
    8.6, a sweep takes the generalization of the most patterns first, and skips patterns that an Advisor covers
    already.) A generalization that a pattern on the same template contradicts is dropped.

    The older Patsy's database forgets: ``forget`` below 1 multiplies all strengths after each contest, and a
    ``pattern_cache`` of limited size drops the pattern not seen for longest. (It also examined every position of a
    contest; this one does not.)

    Hoyle's options ``field_of_view``, ``pattern_cache``, ``forget`` and ``consistency`` matter.

    Attributes:
        contents: The facts of the game's positions.
        cached: The cached patterns, the most recently seen last.
        generalized: The patterns of the learned Advisors, oldest first.
    """

    name = "patterns"

    def __init__(self, frame: GameFrame, options: HoyleOptions) -> None:
        self.contents = Contents(frame)
        templates = templates_of(frame, options.field_of_view)
        self._places = [place for template in templates for place in template.places]
        self._options = options
        self._records: dict[Facts, _Record] = {}
        self.generalized: list[Pattern] = []
        self._advisors: list[PatternAdvisor] = []
        self._contests = 0
        self._refresh()

    def matched(self, facts: Facts) -> list[Pattern]:
        """Return the cached patterns in a position, with multiplicity, without those that are part of another one."""
        found: list[Pattern] = []
        for image in self._images:  # the largest first
            part = image.facts
            if facts & part == part and not any(larger.facts & part == part for larger in found):
                found.append(image)
        return found

    def balance(self, facts: Facts) -> tuple[int, int]:
        """Return, for the patterns in a position, the first contestant's wins less losses, and the draws."""
        known = self._balances.get(facts)
        if known is None:
            responses = [image.response for image in self.matched(facts)]
            if len(self._balances) >= _MOST_REMEMBERED:
                self._balances.clear()
            known = self._balances[facts] = sum(responses), responses.count(0)
        return known

    def learn(self, experience: Experience) -> None:
        """Associate the contest's patterns with its outcome, unless it was cut short."""
        points = experience.points_for(self.contents.first)
        if points is None:
            return
        response = (points > 0) - (points < 0)
        for facts in self._seen(experience):
            record = self._records.pop(facts, _Record())
            self._records[facts] = record  # at the end: most recently seen
            record.seen += 1
            record.strengths[1 + response] += 1
        if self._options.forget < 1:
            for record in self._records.values():
                record.strengths = [strength * self._options.forget for strength in record.strengths]
        self._contests += 1
        self._refresh()
        if self._contests % _SWEEP == 0:
            self.generalized += generalizations(self.cached, self.generalized, self.contents)
            self._spawn()

    def _seen(self, experience: Experience) -> dict[Facts, None]:
        """Return the patterns in the two positions that are examined, each once."""
        found: dict[Facts, None] = {}
        for seat in (0, 1):
            moves = (turn for turn in reversed(experience.turns) if turn.whole and turn.view.seat == seat)
            last = next((turn for turn in moves if not turn.view.is_forced), None)
            if last is not None:
                found.update(dict.fromkeys(self._on_templates(self.contents.of(last.choice, seat))))
        return found

    def _on_templates(self, facts: Facts) -> Iterator[Facts]:
        """Yield the facts on each template that is not partly blank."""
        for place in self._places:
            if facts & place in (0, place):  # the lowest bits of facts are the blank locations
                yield self.contents.images(self.contents.standing_on(facts, place))[0]

    def _response(self, record: _Record) -> int | None:
        """Return the response of a pattern, or ``None`` if it does not belong in the cache."""
        strongest, total = max(record.strengths), sum(record.strengths)
        if record.seen < _PERSISTENT or strongest < self._options.consistency * total or 2 * strongest <= total:
            return None
        return record.strengths.index(strongest) - 1

    def _refresh(self) -> None:
        """Determine the cached patterns and prepare them for matching."""
        responses = {facts: self._response(record) for facts, record in self._records.items()}
        self.cached = [Pattern(facts, response) for facts, response in responses.items() if response is not None]
        if self._options.pattern_cache:
            for pattern in self.cached[: -self._options.pattern_cache]:
                del self._records[pattern.facts]
            self.cached = self.cached[-self._options.pattern_cache :]
        images = [Pattern(image, each.response) for each in self.cached for image in self.contents.images(each.facts)]
        self._images = sorted(images, key=lambda image: -image.facts.bit_count())
        self._balances: dict[Facts, tuple[int, int]] = {}

    def _spawn(self) -> None:
        self._advisors = [
            PatternAdvisor(number, pattern, self.contents) for number, pattern in enumerate(self.generalized, start=1)
        ]

    def advisors(self) -> Sequence[ForrAdvisor[PositionView, Choice]]:
        """Return an Advisor for each generalization."""
        return self._advisors

    def regions(self, view: PositionView) -> Iterator[Region]:
        """Yield the cached patterns in a position, the largest first."""
        game = view.frame.game
        for pattern in list(dict.fromkeys(self.matched(self.contents.of(view, view.seat))))[:_MOST_SHOWN]:
            title = f"pattern, {self.contents.text(pattern.facts)}: {self._winner(game, pattern)}"
            yield Region(title, locations_of(self.contents.place(pattern.facts)))

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """Yield the cached patterns and those of the learned Advisors, with their responses."""
        for pattern in self.cached:
            seen = self._records[pattern.facts].seen
            yield self._entry(
                game, "patterns", pattern, f"{self._winner(game, pattern)}, seen in {counted(seen, 'contest')}"
            )
        for advisor in self._advisors:
            title = f"{advisor.name}: {self._winner(game, advisor.pattern)}"
            yield self._entry(game, "learned pattern Advisors", advisor.pattern, title)

    def _winner(self, game: Game, pattern: Pattern) -> str:
        if not pattern.response:
            return "a draw"
        return f"{game.men[self.contents.first if pattern.response > 0 else 1 - self.contents.first].name} wins"

    def _entry(self, game: Game, kind: str, pattern: Pattern, title: str) -> KnowledgeEntry:
        """Return a pattern on an otherwise empty board."""
        state = np.zeros(game.state_size, dtype=np.int8)
        parts = [locations_of(part) for part in self.contents.parts(pattern.facts)]
        for content, locations in enumerate(parts):
            for location in locations:
                state[1 + location] = self.contents.slot(content)
        return KnowledgeEntry(kind, title, Position.unchecked(game, state), frozenset(chain(*parts)))

    @property
    def space(self) -> int:
        """The number of cached patterns."""
        return len(self.cached)

    def snapshot(self) -> Snapshot:
        """Return the patterns seen with their strengths, and the generalizations with their responses."""
        records = self._records.values()
        return Snapshot(
            {
                "seen patterns": self.contents.as_rows(self._records),
                "strengths": np.array([record.strengths for record in records], dtype=np.float64).reshape(-1, 3),
                "times seen": np.array([record.seen for record in records], dtype=np.int64),
                "generalized": self.contents.as_rows(pattern.facts for pattern in self.generalized),
                "responses": np.array([pattern.response for pattern in self.generalized], dtype=np.int64),
            },
            {"contests": self._contests},
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the patterns of a snapshot."""
        arrays = snapshot.arrays
        seen = self.contents.from_rows(arrays["seen patterns"])
        records = map(_Record, arrays["times seen"].tolist(), arrays["strengths"].tolist())
        self._records = dict(zip(seen, records, strict=True))
        general = zip(self.contents.from_rows(arrays["generalized"]), arrays["responses"].tolist(), strict=True)
        self.generalized = [Pattern(facts, response) for facts, response in general]
        self._contests = int(snapshot.data["contests"])
        self._refresh()
        self._spawn()


class PatternAdvisor(ForrAdvisor[PositionView, Choice]):
    """Move to a position with a pattern generalization that has positive associations.

    Its number is that among the game's learned pattern Advisors, from 1.
    """

    opposes = True

    def __init__(self, number: int, pattern: Pattern, contents: Contents) -> None:
        self.name = f"Pattern {number}: {contents.text(pattern.facts)}"
        self.pattern = pattern
        self._contents = contents
        self._images = contents.images(pattern.facts)

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion[Choice]:
        """Support the moves that create the pattern if the mover won or drew with it, oppose them if it lost."""
        before = self._contents.of(case, case.seat)
        missing = [image for image in self._images if before & image != image]
        response = self.pattern.response if case.seat == self._contents.first else -self.pattern.response
        strength = _WINS if response > 0 else _LOSES if response < 0 else _DRAWS
        after = {option: self._contents.of(option, case.seat) for option in options}
        return {option: strength for option in options if any(after[option] & image == image for image in missing)}
