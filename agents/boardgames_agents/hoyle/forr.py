"""FORR, an architecture FOr the Right Reasons: decisions by Advisors in three tiers (Epstein 1994 and 2001).

This file knows no game. A *case* is something to decide, and its *options* are hashable alternatives. Advisors comment
on options; FORR asks them tier by tier, and records their comments:

* **Tier 1**: Advisors that are always right, in a fixed order. Options that one opposes are ruled out; if it supports
  some, all others are ruled out. Opposition to all remaining options is ignored. The first Advisor that leaves only one
  option decides.
* **Tier 2**: planners, which recommend sequences of steps. A plan continues with the first of its remaining steps that
  is an option, one step per decision. Decisions of tier 1 only interrupt it: it continues even if tier 1 has taken some
  of its steps. When none of them is an option any more, the planners are asked again.
* **Tier 3**: fallible Advisors comment together, and a `Voting` computes the support of each option. Options with the
  most support are equally good; the caller draws one of them.

Source: S. L. Epstein, *Learning to Play Expertly* (2001), sections 3.2 and 3.3.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar, Generic, TypeVar

Case = TypeVar("Case")
Option = TypeVar("Option", bound=Hashable)
Opinion = Mapping[Option, int]
"""An Advisor's opinion on a case: the strength of its comment on each option that it comments on."""

AVERSION, INDIFFERENT, ENTHUSIASM = 0, 5, 10
"""Strengths are whole numbers from aversion to enthusiasm; an option without a comment has indifference."""


class Named(ABC):
    """Something with a name: the name of its class, unless the class or the object sets another."""

    REGISTERED_AS: ClassVar[str] = "Advisor"

    name: str

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in vars(cls):
            cls.name = cls.__name__


class ForrAdvisor(Named, Generic[Case, Option]):
    """A good reason for making a decision.

    Attributes:
        tier: 1 if it is always right, 3 if it is a heuristic.
        supports: Whether it can comment with strengths above 5.
        opposes: Whether it can comment with strengths below 5.
    """

    tier: ClassVar[int] = 3
    supports: ClassVar[bool] = True
    opposes: ClassVar[bool] = False

    @abstractmethod
    def comment(self, case: Case, options: Sequence[Option]) -> Opinion[Option]:
        """Return its opinion: strengths from 0 to 10 for the options that it comments on."""

    def reason(self, case: Case, option: Option) -> str:
        """Return the reason for its comment on an option as a sentence; empty if its docstring says it for all."""
        return ""


class Planner(Named, Generic[Case, Option]):
    """A tier-2 Advisor: it recommends a sequence of steps."""

    @abstractmethod
    def plan(self, case: Case, options: Sequence[Option]) -> Sequence[Hashable]:
        """Return the recommended steps in order; none if it has no plan."""

    @abstractmethod
    def option(self, case: Case, options: Sequence[Option], step: Hashable) -> Option | None:
        """Return the option that takes a step, or ``None`` if there is none."""


class Voting(ABC):
    """The way in which the comments of tier 3 become support."""

    @abstractmethod
    def support(self, opinions: Mapping[str, Opinion[Option]], options: Sequence[Option]) -> dict[Option, float]:
        """Return the support of each option, given the Advisors' opinions by name."""

    def weight(self, advisor: str) -> float:
        """Return the weight of an Advisor's strengths; 0 for one that is not asked."""
        return 1.0


@dataclass(frozen=True)
class Comment(Generic[Option]):
    """An Advisor's comment on an option: ⟨strength, option, Advisor⟩."""

    strength: int
    option: Option
    advisor: str


@dataclass(frozen=True)
class Decision(Generic[Option]):
    """A decision and its reasons.

    Attributes:
        best: The best of the options; one, unless a vote was tied.
        tier: The tier that decided; 0 if there was only one option.
        by: The Advisor that decided, ``"vote"``, or ``"only option"``.
        comments: All comments in order.
        ruled_out: The Advisor of tier 1 that ruled out an option, by option.
        support: The support of the options that tier 3 voted on.
        weights: The weights of tier 3's Advisors.
    """

    options: tuple[Option, ...]
    best: tuple[Option, ...]
    tier: int
    by: str
    comments: tuple[Comment[Option], ...] = ()
    ruled_out: Mapping[Option, str] = field(default_factory=dict)
    support: Mapping[Option, float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)


class Forr(Generic[Case, Option]):
    """A decision maker.

    Attributes:
        first: The Advisors of tier 1, in the order in which they are asked.
        planners: The planners of tier 2.
        third: The Advisors of tier 3.
        voting: The vote of tier 3.
        plan: The current plan: its planner and its remaining steps. Set it to ``None`` to abandon it.
    """

    def __init__(
        self,
        first: Sequence[ForrAdvisor[Case, Option]],
        planners: Sequence[Planner[Case, Option]],
        third: Sequence[ForrAdvisor[Case, Option]],
        voting: Voting,
    ) -> None:
        self.first = tuple(first)
        self.planners = tuple(planners)
        self.third = tuple(third)
        self.voting = voting
        self.plan: tuple[Planner[Case, Option], tuple[Hashable, ...]] | None = None

    def decide(self, case: Case, options: Sequence[Option], voting: Voting | None = None) -> Decision[Option]:
        """Decide a case, given its options, at least one; ``voting`` replaces the vote of tier 3."""
        voting = voting or self.voting
        left = list(options)
        comments: list[Comment[Option]] = []
        ruled_out: dict[Option, str] = {}
        if len(left) == 1:
            return Decision(tuple(options), tuple(left), 0, "only option")
        for advisor in self.first:
            opinion = advisor.comment(case, left)
            comments += _as_comments(advisor.name, opinion)
            remaining = _after(opinion, left)
            ruled_out.update((option, advisor.name) for option in left if option not in remaining)
            left = remaining
            if len(left) == 1:
                return Decision(tuple(options), tuple(left), 1, advisor.name, tuple(comments), ruled_out)
        if planned := self._planned(case, left):
            comments.append(planned)
            return Decision(tuple(options), (planned.option,), 2, planned.advisor, tuple(comments), ruled_out)
        weights = {advisor.name: voting.weight(advisor.name) for advisor in self.third}
        opinions = {each.name: each.comment(case, left) for each in self.third if weights[each.name] > 0}
        for name, opinion in opinions.items():
            comments += _as_comments(name, opinion)
        support = voting.support(opinions, left)
        most = max(support.values())
        best = tuple(option for option in left if support[option] >= most - _ROUNDING)
        return Decision(tuple(options), best, 3, "vote", tuple(comments), ruled_out, support, weights)

    def _planned(self, case: Case, options: Sequence[Option]) -> Comment[Option] | None:
        """Take the first step of the plan that is an option, or of a new plan; return its planner's comment on it."""
        new = ((planner, tuple(planner.plan(case, options))) for planner in self.planners)
        for planner, steps in chain([self.plan] if self.plan else [], new):
            for number, step in enumerate(steps, start=1):
                option = planner.option(case, options, step)
                if option is not None:
                    self.plan = (planner, steps[number:]) if steps[number:] else None
                    return Comment(ENTHUSIASM, option, planner.name)
        self.plan = None
        return None


_ROUNDING = 1e-9
"""Supports that differ by less are equal: sums of the same weights in another order differ by rounding."""


def _after(opinion: Opinion[Option], options: Sequence[Option]) -> list[Option]:
    """Return the options that remain after a tier-1 Advisor's opinion."""
    supported = [option for option in options if opinion.get(option, INDIFFERENT) > INDIFFERENT]
    unopposed = [option for option in options if opinion.get(option, INDIFFERENT) >= INDIFFERENT]
    return supported or unopposed or list(options)


def without_indifference(options: Sequence[Option], strengths: Sequence[int]) -> Opinion[Option]:
    """Return the opinion with these strengths; there is no comment where the strength is indifference."""
    comments = zip(options, strengths, strict=True)
    return {option: strength for option, strength in comments if strength != INDIFFERENT}


def _as_comments(advisor: str, opinion: Opinion[Option]) -> list[Comment[Option]]:
    return [Comment(strength, option, advisor) for option, strength in opinion.items()]
