"""Decisions in words: the comments on each move, and the reasons for and against it."""

from collections.abc import Sequence
from dataclasses import dataclass

from boardgames_agents.explanation import Explanation
from boardgames_agents.hoyle import forr
from boardgames_agents.hoyle.advisors import name_of, registered_advisors
from boardgames_agents.hoyle.forr import INDIFFERENT, Decision
from boardgames_agents.hoyle.planners import Forcing
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_env.game import Game


@dataclass(frozen=True)
class Remark:
    """An Advisor's comment on a move.

    Attributes:
        advisor: The Advisor's name.
        strength: The strength from 0 to 10; 5 is indifference.
        weight: Its weight in the vote; ``None`` for tiers 1 and 2, which do not vote.
    """

    advisor: str
    strength: int
    weight: float | None

    @property
    def force(self) -> float:
        """Its contribution to the move's support in the vote."""
        return (self.weight or 0.0) * (self.strength - INDIFFERENT)


@dataclass(frozen=True)
class Row:
    """The explanation of a move.

    Attributes:
        move: The actions of the turn in the game's notation, separated by spaces.
        alike: The number of moves that are equal up to symmetry, this one included.
        chosen: Whether it is the best move, or one of the best if a vote was tied.
        remarks: The comments on it, in the order in which the Advisors were asked.
        ruled_out_by: The Advisor of tier 1 that ruled it out, if any.
        support: Its support in the vote, if there was one.
        why: The reason why it was chosen or not, in a sentence.
    """

    move: str
    alike: int
    chosen: bool
    remarks: tuple[Remark, ...]
    ruled_out_by: str | None
    support: float | None
    why: str


def rows_of(decision: Decision[Choice], game: Game, played: int | None = None) -> tuple[Row, ...]:
    """Return a decision move by move: best moves, then others by support, then those ruled out.

    Args:
        decision: The decision.
        game: The game.
        played: The action that was then played, if any. Of moves equal up to symmetry the row shows the played one,
            otherwise the first.
    """
    rows = [_row(decision, choice, game, played) for choice in decision.options]
    return tuple(sorted(rows, key=lambda row: (not row.chosen, row.ruled_out_by is not None, -(row.support or 0.0))))


def explanation_of(decision: Decision[Choice], game: Game, played: int | None = None) -> Explanation:
    """Return a decision as a table with a row for each move; see `rows_of`."""
    deciders = {0: "the only move", 2: f"the plan of {decision.by}", 3: "the vote of tier 3"}
    rows = []
    for row in rows_of(decision, game, played):
        comments = (
            f"{remark.advisor} {remark.strength}" + ("" if remark.weight is None else f" × {remark.weight:.2f}")
            for remark in row.remarks
        )
        support = "" if row.support is None else f"{row.support:+.2f}"
        rows.append(("→" if row.chosen else "", row.move, str(row.alike), support, ", ".join(comments), row.why))
    advisors = dict.fromkeys(comment.advisor for comment in decision.comments)
    return Explanation(
        f"decided by {deciders.get(decision.tier, f'{decision.by}, in tier 1')}",
        ("", "move", "alike", "support", "comments (strength × weight)", "why"),
        tuple(rows),
        numbers=("alike", "support"),
        glossary=tuple(f"{advisor}: {reason_of(advisor)}" for advisor in advisors if reason_of(advisor)),
    )


def reason_of(advisor: str) -> str:
    """Return an Advisor's or planner's reason in a sentence; empty for learned ones, whose names are reasons."""
    return _reasons().get(advisor, "")


def _reasons() -> dict[str, str]:
    """Return the first lines of the Advisors' docstrings, by name."""
    makers: tuple[type[forr.ForrAdvisor[PositionView, Choice] | forr.Planner[PositionView, Choice]], ...]
    makers = (*registered_advisors(), Forcing)
    return {name_of(made): (made.__doc__ or "").strip().splitlines()[0] for made in makers}


def _row(decision: Decision[Choice], choice: Choice, game: Game, played: int | None) -> Row:
    remarks = tuple(
        Remark(comment.advisor, comment.strength, decision.weights.get(comment.advisor))
        for comment in decision.comments
        if comment.option is choice
    )
    chosen, ruled_out_by = choice in decision.best, decision.ruled_out.get(choice)
    actions = next((alike for alike in choice.alike if chosen and alike[0] == played), choice.actions)
    return Row(
        " ".join(map(game.action_text, actions)),
        len(choice.alike),
        chosen,
        remarks,
        ruled_out_by,
        decision.support.get(choice),
        _why_chosen(decision, remarks) if chosen else _why_not(decision, ruled_out_by, remarks),
    )


def _why_chosen(decision: Decision[Choice], remarks: Sequence[Remark]) -> str:
    if decision.tier == 0:
        return "It is the only move, up to symmetry."
    if decision.tier == 1:
        return _with_reason(f"{decision.by} decides", decision.by)
    if decision.tier == 2:
        return _with_reason(f"It is the next step of a plan of {decision.by}", decision.by)
    if len(decision.best) > 1 and len(decision.best) == len(decision.support):
        return f"These {len(decision.best)} moves are tied in the vote: one of them is drawn at random."
    others = len(decision.best) - 1
    most = (
        f"It is tied with {others} more for the most support, and one is drawn at random"
        if others
        else "It has the most support"
    )
    speaker = max(remarks, key=lambda remark: remark.force, default=None)
    if speaker is None or speaker.force <= 0:
        return f"{most}: other moves are opposed more."
    return _with_reason(f"{most}. {speaker.advisor} supports it", speaker.advisor)


def _why_not(decision: Decision[Choice], ruled_out_by: str | None, remarks: Sequence[Remark]) -> str:
    if ruled_out_by:
        opposed = any(remark.advisor == ruled_out_by and remark.strength < INDIFFERENT for remark in remarks)
        return (
            _with_reason(f"{ruled_out_by} opposes it", ruled_out_by) if opposed else f"{ruled_out_by} prefers another."
        )
    if decision.tier == 2:
        return f"{decision.by} plans another move."
    speaker = min(remarks, key=lambda remark: remark.force, default=None)
    if speaker is None or speaker.force >= 0:
        return "It has less support."
    return _with_reason(f"It has less support. {speaker.advisor} opposes it", speaker.advisor)


def _with_reason(sentence: str, advisor: str) -> str:
    """Return a sentence with the Advisor's reason after a colon, if it has one."""
    reason = reason_of(advisor)
    return f"{sentence}: {reason[0].lower()}{reason[1:]}" if reason else f"{sentence}."
