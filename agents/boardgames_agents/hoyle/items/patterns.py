"""Patterns: small shapes of men that go with an outcome (Epstein 2001, section 4.1; "Visual Cues", sections 3, 4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from boardgames_agents.hoyle.advisors.patsy import PatternAdvisor
from boardgames_agents.hoyle.game_frame import GameFrame, locations_of
from boardgames_agents.hoyle.item import Experience, Item, KnowledgeEntry
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.perception.bpl import templates_of
from boardgames_agents.hoyle.perception.generalize import generalizations
from boardgames_agents.hoyle.perception.pattern import Contents, Facts, Pattern
from boardgames_agents.policy import Snapshot
from boardgames_env.game import Game
from boardgames_env.position import Position

_PERSISTENT = 2
_SWEEP = 10
_MOST_REMEMBERED = 50_000


@dataclass
class _Record:
    """In how many contests a pattern was seen, and how strongly it goes with: second wins, draw, first wins."""

    seen: int = 0
    strengths: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])


class Patterns(Item):
    """Which patterns have come up at least twice, and nearly always with the same outcome.

    A pattern is a template (`hoyle.perception.bpl`) with what stands on it: nothing, or men of the first
    contestant, or men of the second, or a certain mixture of both; never men and blanks together. Two positions of a
    contest are looked at: those after each contestant's last move that was not forced. A pattern is *cached* once it
    has been seen in two contests, as long as one outcome (its *response*) is that of nearly all the contests it was
    seen in.

    How nearly is left open: "Visual Cues" keeps only flawless patterns, and discards one for good when its response
    changes (``consistency=1``); in Epstein 2001 it is enough that who creates a pattern "usually" wins.

    Every ten contests the cache is swept for patterns to generalize: two or more on the same template, with the same
    response, which differ in some locations. What they have in common (at least two locations; the others do not
    matter any more) becomes an Advisor of its own. The page of the paper that shows one is lost. So that there are
    few, as in its Table 8.6, a sweep takes the generalization of the most patterns first, and leaves alone patterns
    that an Advisor speaks of already. A generalization that a pattern on the same template contradicts is dropped.

    The older Patsy's database forgets: ``forget`` below 1 multiplies all strengths after each contest, and a ``cache``
    of limited size loses the pattern that has not been seen for longest. (It also looked at every position of a
    contest; this one does not.)

    Args:
        frame: The game's frame.
        options: Hoyle's options, of which ``field_of_view``, ``pattern_cache``, ``forget`` and ``consistency`` matter.
    """

    name = "patterns"

    def __init__(self, frame: GameFrame, options: HoyleOptions) -> None:
        self.contents = Contents(frame)
        templates = templates_of(frame, options.field_of_view)
        self._places = [place for template in templates for place in template.places]
        self._options = options
        self._records: dict[Facts, _Record] = {}
        self._generalized: list[Pattern] = []
        self._advisors: list[PatternAdvisor] = []
        self._contests = 0
        self._refresh()

    @property
    def cached(self) -> list[Pattern]:
        """The cached patterns, those that were seen last at the end."""
        return list(self._cached)

    @property
    def generalized(self) -> list[Pattern]:
        """The patterns of the learned Advisors, the oldest first."""
        return list(self._generalized)

    def matched(self, facts: Facts) -> list[Pattern]:
        """The cached patterns in a position, each as often as it is there; none that is part of another one."""
        found: list[Pattern] = []
        for image in self._images:  # the largest first
            part = image.facts
            if facts & part == part and not any(larger.facts & part == part for larger in found):
                found.append(image)
        return found

    def balance(self, facts: Facts) -> tuple[int, int]:
        """Of the patterns in a position: those the first contestant wins with less those it loses with; those drawn."""
        known = self._balances.get(facts)
        if known is None:
            responses = [image.response for image in self.matched(facts)]
            if len(self._balances) >= _MOST_REMEMBERED:
                self._balances.clear()
            known = self._balances[facts] = sum(responses), responses.count(0)
        return known

    def learn(self, experience: Experience) -> None:
        """See which patterns went with the outcome; nothing, if the contest was cut short."""
        points = experience.points_for(self.contents.first)
        if points is None:
            return
        response = (points > 0) - (points < 0)
        for facts in self._seen(experience):
            record = self._records.pop(facts, _Record())
            self._records[facts] = record  # at the end: seen last
            record.seen += 1
            record.strengths[1 + response] += 1
        if self._options.forget < 1:
            for record in self._records.values():
                record.strengths = [strength * self._options.forget for strength in record.strengths]
        self._contests += 1
        self._refresh()
        if self._contests % _SWEEP == 0:
            self._sweep()

    def _seen(self, experience: Experience) -> dict[Facts, None]:
        """The patterns in the two positions that are looked at, each once."""
        found: dict[Facts, None] = {}
        for seat in (0, 1):
            moves = (turn for turn in reversed(experience.turns) if turn.whole and turn.view.seat == seat)
            last = next((turn for turn in moves if not turn.view.is_forced), None)
            if last is not None:
                found.update(dict.fromkeys(self._on_templates(self.contents.after(last.view, last.choice))))
        return found

    def _on_templates(self, facts: Facts) -> Iterator[Facts]:
        """What stands on each template that is not partly blank."""
        for place in self._places:
            if facts & place in (0, place):  # the lowest bits of facts say where nothing stands
                yield self.contents.images(self.contents.standing_on(facts, place))[0]

    def _response(self, record: _Record) -> int | None:
        """What a pattern goes with, or ``None`` if it is not in the cache."""
        strongest, total = max(record.strengths), sum(record.strengths)
        if record.seen < _PERSISTENT or strongest < self._options.consistency * total or 2 * strongest <= total:
            return None
        return record.strengths.index(strongest) - 1

    def _refresh(self) -> None:
        """Find what is cached by now, and make it ready to be matched."""
        responses = {facts: self._response(record) for facts, record in self._records.items()}
        self._cached = [Pattern(facts, response) for facts, response in responses.items() if response is not None]
        if self._options.pattern_cache:
            for pattern in self._cached[: -self._options.pattern_cache]:
                del self._records[pattern.facts]
            self._cached = self._cached[-self._options.pattern_cache :]
        images = [Pattern(image, each.response) for each in self._cached for image in self.contents.images(each.facts)]
        self._images = sorted(images, key=lambda image: -image.facts.bit_count())
        self._balances: dict[Facts, tuple[int, int]] = {}

    def _sweep(self) -> None:
        """Generalize what is in the cache; what the Advisors speak of already is left alone."""
        self._generalized += generalizations(self._cached, self._generalized, self.contents)
        self._spawn()

    def _spawn(self) -> None:
        self._advisors = [
            PatternAdvisor(number, pattern, self.contents) for number, pattern in enumerate(self._generalized, start=1)
        ]

    def advisors(self) -> Sequence[PatternAdvisor]:
        """One for each generalization."""
        return self._advisors

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """The cached patterns, and those of the learned Advisors, with who wins where they are seen."""
        for pattern in self._cached:
            seen = self._records[pattern.facts].seen
            yield self._exhibit(game, "patterns", pattern, f"{self._winner(game, pattern)}, seen in {seen} contests")
        for advisor in self._advisors:
            title = f"{advisor.name}: {self._winner(game, advisor.pattern)}"
            yield self._exhibit(game, "learned pattern Advisors", advisor.pattern, title)

    def _winner(self, game: Game, pattern: Pattern) -> str:
        if not pattern.response:
            return "a draw"
        return f"{game.men[self.contents.first if pattern.response > 0 else 1 - self.contents.first].name} wins"

    def _exhibit(self, game: Game, kind: str, pattern: Pattern, title: str) -> KnowledgeEntry:
        """A pattern on an otherwise empty board."""
        blank, *sides = map(list, map(locations_of, self.contents.parts(pattern.facts)))
        state = np.zeros(game.state_size, dtype=np.int8)
        board = state[1 : 1 + game.board.size]
        board[sides[self.contents.first]], board[sides[1 - self.contents.first]] = 1, -1
        return KnowledgeEntry(kind, title, Position(game, state), frozenset(blank + sides[0] + sides[1]))

    @property
    def space(self) -> int:
        """How many patterns are cached."""
        return len(self._cached)

    def snapshot(self) -> Snapshot:
        """The patterns that were seen, with their strengths, and the generalizations, with their responses."""
        records = self._records.values()
        return Snapshot(
            {
                "seen patterns": self.contents.as_rows(self._records),
                "strengths": np.array([record.strengths for record in records], dtype=np.float64).reshape(-1, 3),
                "times seen": np.array([record.seen for record in records], dtype=np.int64),
                "generalized": self.contents.as_rows(pattern.facts for pattern in self._generalized),
                "responses": np.array([pattern.response for pattern in self._generalized], dtype=np.int64),
            },
            {"contests": self._contests},
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Know the patterns of a snapshot."""
        arrays = snapshot.arrays
        seen = self.contents.from_rows(arrays["seen patterns"])
        records = map(_Record, arrays["times seen"].tolist(), arrays["strengths"].tolist())
        self._records = dict(zip(seen, records, strict=True))
        general = zip(self.contents.from_rows(arrays["generalized"]), arrays["responses"].tolist(), strict=True)
        self._generalized = [Pattern(facts, response) for facts, response in general]
        self._contests = int(snapshot.data["contests"])
        self._refresh()
        self._spawn()
