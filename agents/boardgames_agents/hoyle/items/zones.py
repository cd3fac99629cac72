"""Zones: the zone expressions that distinguish winners from losers (Epstein 2001, section 4.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.forr import AVERSION, ENTHUSIASM, INDIFFERENT, ForrAdvisor, Opinion, without_indifference
from boardgames_agents.hoyle.game_frame import GameFrame, locations_of
from boardgames_agents.hoyle.items import Experience, Item
from boardgames_agents.hoyle.items.zone_kernels import TYPES
from boardgames_agents.hoyle.items.zoning import (
    DRAWN,
    LOST,
    PLACING,
    SLIDING,
    STAGES,
    VALUES,
    WON,
    Men,
    Samples,
    Zoning,
    described,
    kind_of,
    stage_of,
)
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.hoyle.weights import are_correct
from boardgames_agents.policy import Snapshot
from boardgames_agents.policy.explanation import Region
from boardgames_agents.policy.knowledge import KnowledgeEntry
from boardgames_env.game import Game

PERSISTENCE = 20
"""The number of consecutive contests for which an active expression must have had the same attitude."""

IMPORTANCE = 0.85
"""The smallest weight, as an Advisor, of an important expression."""

STRENGTHS = np.array([AVERSION, 2, INDIFFERENT, 8, ENTHUSIASM], dtype=np.int8)
"""The strengths of a single expression for a move with −2, −1, 0, 1 or 2 changes in the right direction."""

_LEAST_OPINIONS = 10
_SPAWNING = 10
_TRIAL = 25


@dataclass(frozen=True)
class ZoneLesson:
    """The basis of a learned zone Advisor: an expression, by stage and value, and what was learned of it.

    Attributes:
        direction: 1 if higher is better, −1 if lower is.
        attitude: `WON` for a win attitude, `LOST` for a loss attitude.
    """

    stage: int
    value: int
    direction: int
    attitude: int


class Zones(Item):
    """Zone expressions, with their values for winners, for losers and in draws.

    An expression has a *win attitude* if its values for winners are significantly higher, or lower, than for all
    others, and a *loss attitude* if those for losers are. (Where contests are never drawn, or never won, there are no
    attitudes.) It is *active* while it has had the same attitude for at least 20 contests. (Where the paper says
    "either the same win attitude or the same draw attitude", it must mean "loss".) Active expressions instruct Zone
    Ranger.

    An active expression that as an Advisor of its own would have a weight of at least .85 is *important*: Zone Ranger
    no longer uses it, and after every tenth contest each important expression becomes an Advisor. Its opinions count
    from the contest in which it became active, and there must be ten, as many as weight learning discounts. (The paper
    requires no number of opinions; without one, a single lucky opinion would be enough.)

    From the 26th contest on, an expression is given up for good, whatever its attitude, once its three lists differ by
    less than n/1000 in their means and in their standard deviations, n being the number of contests so far. (This is
    how we read "after the first n>25 training contests … less than .01n/10": the longer the training, the larger the
    required difference. Values of abandoned expressions are still computed with the others, at no cost, but not
    compared.)

    On a board without predrawn lines there are no zones, and nothing is learned.

    Attributes:
        zoning: The zones of the board.
        contests: The number of contests learned from; those cut short do not count.
        directions: For each expression that Zone Ranger uses 1 if higher is better, −1 if lower is; otherwise 0; shape
            ``(2, 216)``, int8.
        lessons: The lessons of the important expressions, oldest first.
    """

    name = "zones"

    def __init__(self, frame: GameFrame) -> None:
        shape = (len(STAGES), len(VALUES))
        self.zoning = Zoning(frame)
        self.contests = 0
        self.lessons: list[ZoneLesson] = []
        self.directions = np.zeros(shape, dtype=np.int8)
        self._samples = Samples(*shape)
        self._given_up = np.zeros(shape, dtype=np.bool_)
        self._attitudes = np.zeros((2, *shape), dtype=np.int8)  # of winners, of losers
        self._streaks = np.zeros((2, *shape), dtype=np.int64)
        self._opinions = np.zeros(shape, dtype=np.int64)
        self._correct = np.zeros(shape, dtype=np.int64)
        self._advisors: tuple[ZoneAdvisor, ...] = ()

    def learn(self, experience: Experience) -> None:
        """Learn from the values of the contest's positions for each contestant."""
        if not self.zoning.possible or experience.outcome is None or not experience.turns:
            return
        self.contests += 1
        self._add_values(experience)
        if self.contests > _TRIAL:
            self._given_up |= self._samples.spreads() < 0.01 * self.contests / 10
        self._review()
        self._weigh(experience.examples)
        self._find_important()
        if self.contests % _SPAWNING == 0:
            self._spawn(len(self.lessons))

    def _add_values(self, experience: Experience) -> None:
        """Append the values of each contestant's zones in each position."""
        positions = _stages_and_men(experience)
        stages = np.array([stage for stage, _ in positions])
        for seat in (0, 1):
            values = self.zoning.values([(men[seat], men[1 - seat]) for _, men in positions])
            has_zones = ~np.isnan(values[:, 0])
            points = experience.points_for(seat) or 0
            outcome = WON if points > 0 else LOST if points < 0 else DRAWN
            for stage in (PLACING, SLIDING):
                self._samples.add(outcome, stage, values[has_zones & (stages == stage)])

    def _review(self) -> None:
        """Update the attitudes and the numbers of contests for which they have lasted."""
        attitudes = np.stack([self._samples.attitudes(WON), self._samples.attitudes(LOST)])
        attitudes[:, self._given_up] = 0
        lasts = attitudes == self._attitudes
        self._streaks = np.where(attitudes == 0, 0, np.where(lasts, self._streaks + 1, 1))
        self._attitudes = attitudes
        self._direct()

    def _direct(self) -> None:
        """Set the directions believed to be correct; win attitudes take precedence over loss attitudes."""
        win, loss = np.where(self._streaks >= PERSISTENCE, self._attitudes, 0)
        self.directions = np.where(win != 0, win, -loss).astype(np.int8)
        for lesson in self.lessons:
            self.directions[lesson.stage, lesson.value] = 0

    def _weigh(self, examples: Sequence[tuple[PositionView, frozenset[bytes]]]) -> None:
        """Count the opinions that active expressions would have had as Advisors, and the correct ones."""
        idle = self.directions == 0
        self._opinions[idle] = self._correct[idle] = 0
        active = np.flatnonzero(~idle)
        stages, values = np.divmod(active, len(VALUES))
        directions = self.directions.ravel()[active]
        for view, keys in examples if len(active) else ():
            if len(view.choices) < 2:
                continue
            comments = np.array([stage_of(view, choice) for choice in view.choices])[:, None] == stages
            evidence = self.zoning.changes(view, view.choices)[:, values] * directions * comments
            right = np.array([choice.key in keys for choice in view.choices])
            self._opinions.ravel()[active] += evidence.any(axis=0)
            self._correct.ravel()[active] += evidence.any(axis=0) & are_correct(STRENGTHS[evidence + 2], right)

    def _find_important(self) -> None:
        """Move the important expressions from Zone Ranger to the lessons."""
        known = self._opinions >= _LEAST_OPINIONS
        important = known & (self._correct >= IMPORTANCE * self._opinions)
        for stage, value in np.argwhere(important).tolist():
            by_winners = self._streaks[0, stage, value] >= PERSISTENCE
            direction = int(self.directions[stage, value])
            self.lessons.append(ZoneLesson(stage, value, direction, WON if by_winners else LOST))
        self._direct()

    def _spawn(self, count: int) -> None:
        """Make Advisors of the first ``count`` lessons."""
        self._advisors = tuple(ZoneAdvisor(self.zoning, lesson) for lesson in self.lessons[:count])

    def advisors(self) -> Sequence[ForrAdvisor[PositionView, Choice]]:
        """Return the learned zone Advisors."""
        return self._advisors

    def regions(self, view: PositionView) -> Iterator[Region]:
        """Yield both contestants' zones of the types that active or important expressions of the stage are about."""
        stage = PLACING if view.places else SLIDING
        values = {int(value) for value in np.flatnonzero(self.directions[stage])}
        values |= {lesson.value for lesson in self.lessons if lesson.stage == stage}
        for kind in sorted({kind_of(value) for value in values}):
            for seat, men in ((view.seat, (view.own, view.enemy)), (1 - view.seat, (view.enemy, view.own))):
                if zones := self.zoning.locations(men, kind):
                    title = f"{TYPES[kind]} zones of {view.frame.game.men[seat].name}"
                    yield Region(title, locations_of(zones))

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """Yield the active expressions and the important ones."""
        for stage, value in np.argwhere(self.directions).tolist():
            yield KnowledgeEntry("active zone expressions", described(stage, value, int(self.directions[stage, value])))
        for lesson in self.lessons:
            by = "winners" if lesson.attitude == WON else "losers"
            title = f"{described(lesson.stage, lesson.value, lesson.direction)} (learned from {by})"
            yield KnowledgeEntry("important zone expressions", title)

    @property
    def space(self) -> int:
        """The number of active and important expressions."""
        return int(np.count_nonzero(self.directions)) + len(self.lessons)

    def snapshot(self) -> Snapshot:
        """Return the lists' moments, the attitudes and their durations, the counts of opinions, and the lessons."""
        lessons = np.array([astuple(lesson) for lesson in self.lessons], dtype=np.int64).reshape(-1, 4)
        arrays = {name: array.copy() for name, array in self._arrays().items()}
        return Snapshot({**arrays, "lessons": lessons}, {"contests": self.contests, "advisors": len(self._advisors)})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot."""
        for name, array in self._arrays().items():
            saved = snapshot.arrays[name]
            if saved.shape != array.shape or not np.isfinite(saved).all():
                raise ValueError(f"the {name} are not finite numbers of shape {array.shape}")
            array[...] = saved
        lessons = snapshot.arrays["lessons"]
        allowed = range(len(STAGES)), range(len(VALUES)), (-1, 1), (WON, LOST)
        if any(number not in those for row in lessons.tolist() for number, those in zip(row, allowed, strict=True)):
            raise ValueError("a lesson is of no zone expression")
        self.lessons = [ZoneLesson(*lesson) for lesson in lessons.tolist()]
        self.contests = int(snapshot.data["contests"])
        self._spawn(int(snapshot.data["advisors"]))
        self._direct()

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        return {
            "counts": self._samples.counts,
            "sums": self._samples.sums,
            "squares": self._samples.squares,
            "given up": self._given_up,
            "attitudes": self._attitudes,
            "streaks": self._streaks,
            "opinions": self._opinions,
            "correct": self._correct,
        }


def _stages_and_men(experience: Experience) -> list[tuple[int, Men]]:
    """Return the positions of a contest: the stage of the move before it, and the men of seat 0 and of seat 1."""
    turns = [turn for turn in experience.turns if turn.whole]
    first = turns[0].view
    found = [(PLACING if first.places else SLIDING, first.seat, first.own, first.enemy)]
    found += [(stage_of(turn.view, turn.choice), turn.view.seat, turn.choice.own, turn.choice.enemy) for turn in turns]
    return [(stage, (own, enemy) if seat == 0 else (enemy, own)) for stage, seat, own, enemy in found]


class ZoneAdvisor(ForrAdvisor[PositionView, Choice]):
    """Move so that one zone expression changes in the direction believed to be correct."""

    opposes = True

    def __init__(self, zoning: Zoning, lesson: ZoneLesson) -> None:
        self.name = f"Zone: {described(lesson.stage, lesson.value, lesson.direction)}"
        self._zoning = zoning
        self._lesson = lesson

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion[Choice]:
        """Support moves that change the mover's value in this direction or the other's in the opposite one."""
        asked = [option for option in options if stage_of(case, option) == self._lesson.stage]
        changes = self._zoning.changes(case, asked)[:, self._lesson.value] * self._lesson.direction
        return without_indifference(asked, STRENGTHS[changes + 2].tolist())
