"""Decisions in words: the comments on each move, and the reasons for and against it."""

from collections.abc import Callable, Sequence

from boardgames_agents.hoyle.advisors import registered_advisors
from boardgames_agents.hoyle.forr import INDIFFERENT, Comment, Decision, Named
from boardgames_agents.hoyle.planners import Forcing
from boardgames_agents.hoyle.position_view import Choice
from boardgames_agents.policy.explanation import (
    ConsideredMove,
    Explanation,
    alternatives,
    explanation_of_moves,
    shares_of,
    signed,
)
from boardgames_env.game import Game

Reason = Callable[[str, Choice], str]
"""Returns the reason of the Advisor of a name for its comment on a move; empty if there is none."""


def explanation_of(
    decision: Decision[Choice], game: Game, played: int | None = None, reason: Reason | None = None
) -> Explanation:
    """Return a decision as a table of moves: the best ones, then others by support, then those ruled out.

    Of moves equal up to symmetry the row shows the one whose first action was ``played``, otherwise the first.
    ``reason`` returns an Advisor's reason for its comment on a move, by default that of all its comments.
    """
    reason = reason or (lambda advisor, _: reason_of(advisor))
    deciders = {0: "the only move", 2: f"the plan of {decision.by}", 3: "the vote of tier 3"}
    choices = sorted(
        decision.options,
        key=lambda each: (each not in decision.best, each in decision.ruled_out, -decision.support.get(each, 0.0)),
    )
    advisors = dict.fromkeys(comment.advisor for comment in decision.comments)
    supports = decision.support
    weights = dict(zip(supports, shares_of(list(supports.values())), strict=True)) if supports else {}
    return explanation_of_moves(
        f"decided by {deciders.get(decision.tier, f'{decision.by}, in tier 1')}",
        [_considered(decision, choice, weights.get(choice), game, played, reason) for choice in choices],
        numbers=("alike", "support"),
        texts=("comments (strength × weight)", "why"),
        facts=(
            (f"These {len(decision.best)} moves are tied in the vote: one of them is drawn at random.",)
            if _all_are_tied(decision)
            else ()
        ),
        glossary=tuple(f"{advisor}: {reason_of(advisor)}" for advisor in advisors if reason_of(advisor)),
        verdict=_verdict(decision, game),
    )


def _verdict(decision: Decision[Choice], game: Game) -> str:
    """Return for people what is preferred, and the reason that counted most."""
    chosen = alternatives([" ".join(map(game.action_text, each.actions)) for each in decision.best])
    if decision.tier == 0:
        return f"{chosen} is the only move, up to symmetry"
    comments = [comment for comment in decision.comments if comment.option in decision.best]
    strongest = max(comments, key=lambda comment: _force_of(decision, comment), default=None)
    by = strongest.advisor if decision.by not in {each.advisor for each in comments} and strongest else decision.by
    reason = reason_of(by).partition(";")[0].removesuffix(".").replace("seat", "side")
    return f"prefers {chosen}{f', by the advice: {reason[0].lower()}{reason[1:]}' if reason else ''}"


def reason_of(advisor: str) -> str:
    """Return an Advisor's or planner's reason, the first line of its docstring; empty for learned ones."""
    classes: list[type[Named]] = [*registered_advisors(), Forcing]
    docstring = next((made.__doc__ for made in classes if made.name == advisor), None)
    return (docstring or "").strip().partition("\n")[0]


def _considered(
    decision: Decision[Choice], choice: Choice, weight: float | None, game: Game, played: int | None, reason: Reason
) -> ConsideredMove:
    """Return a move with its support; without a vote, its mark is a tick for the best and a cross for others."""
    comments = [comment for comment in decision.comments if comment.option is choice]
    chosen, support = choice in decision.best, decision.support.get(choice)
    factors = {advisor: f" × {weight:.2f}" for advisor, weight in decision.weights.items()}
    actions = next((alike for alike in choice.alike if chosen and alike[0] == played), choice.actions)
    return ConsideredMove(
        " ".join(map(game.action_text, actions)),
        (
            str(len(choice.alike)),
            "" if support is None else signed(support, 2),
            ", ".join(f"{each.advisor} {each.strength}{factors.get(each.advisor, '')}" for each in comments),
            _why_chosen(decision, comments) if chosen else _why_not(decision, choice, comments, reason),
        ),
        mark=("✓" if chosen else "✗") if support is None else signed(support, 1),
        weight=float(chosen) if weight is None else weight,
        is_chosen=chosen,
        alike=choice.alike,
    )


def _force_of(decision: Decision[Choice], comment: Comment[Choice]) -> float:
    """Return the contribution of a comment to the support in the vote."""
    return decision.weights.get(comment.advisor, 0.0) * (comment.strength - INDIFFERENT)


def _why_chosen(decision: Decision[Choice], comments: Sequence[Comment[Choice]]) -> str:
    if decision.tier == 0:
        return "It is the only move, up to symmetry."
    if decision.tier in (1, 2):
        decides = f"{decision.by} decides" if decision.tier == 1 else f"It is the next step of a plan of {decision.by}"
        return _sentence_with_reason(decides, reason_of(decision.by))
    if _all_are_tied(decision):
        return "It is tied."
    others = len(decision.best) - 1
    most = (
        f"It is tied with {others} more for the most support, and one is drawn at random"
        if others
        else "It has the most support"
    )
    strongest = max(comments, key=lambda comment: _force_of(decision, comment), default=None)
    if strongest is None or _force_of(decision, strongest) <= 0:
        return f"{most}: other moves are opposed more."
    return _sentence_with_reason(f"{most}. {strongest.advisor} supports it", reason_of(strongest.advisor))


def _all_are_tied(decision: Decision[Choice]) -> bool:
    """Return whether a vote has ended without a difference between several moves."""
    return bool(decision.support) and 1 < len(decision.best) == len(decision.support)


def _why_not(decision: Decision[Choice], choice: Choice, comments: Sequence[Comment[Choice]], reason: Reason) -> str:
    if choice in decision.ruled_out:
        advisor = decision.ruled_out[choice]
        if any(comment.advisor == advisor and comment.strength < INDIFFERENT for comment in comments):
            return _sentence_with_reason(f"{advisor} opposes it", reason(advisor, choice))
        return f"{advisor} prefers another."
    if decision.tier == 2:
        return f"{decision.by} plans another move."
    strongest = min(comments, key=lambda comment: _force_of(decision, comment), default=None)
    if strongest is None or _force_of(decision, strongest) >= 0:
        return "It has less support."
    why = reason(strongest.advisor, choice)
    opposes = "opposes it by its rule" if why and why == reason_of(strongest.advisor) else "opposes it"
    return _sentence_with_reason(f"It has less support. {strongest.advisor} {opposes}", why)


def _sentence_with_reason(sentence: str, reason: str) -> str:
    """Return a sentence with a reason after a colon, if there is one."""
    return f"{sentence}: {reason[0].lower()}{reason[1:].removesuffix('.')}." if reason else f"{sentence}."
