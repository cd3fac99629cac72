"""What went wrong in a contest, in words: the turns that gave something away, and how sure that is."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import get_ident

import numpy as np

from boardgames_agents.people.judging.cost import Judgement, TurnError, as_well, exact_cost, judgement_of
from boardgames_agents.people.judging.sources import source_of
from boardgames_agents.people.judging.valued_moves import ValuedMove
from boardgames_agents.policy import Policy
from boardgames_agents.policy.explanation import Explains, counted
from boardgames_agents.registry import make_player, registered_agents
from boardgames_env.contest import Turn, is_same_turn
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position

_SEED = 0
_REASONS = "why"
"""The column of an explanation that has the reason for each move."""


@dataclass(frozen=True)
class Mistake:
    """An error beside what would have been best.

    Attributes:
        error: Where it was, and what it cost.
        before: The position before the turn.
        after: The position after it.
        played: What was played.
        best: What would have been best.
        as_good: Further moves that would have been as good.
        reason: Why an agent that explains itself would have played one of the best moves; empty if none would have.
        reply: The best answer to what was played: of those as good, the one of the contest; ``None`` if the contest was
            over, or chance decides first.
    """

    error: TurnError
    before: Position
    after: Position
    played: ValuedMove
    best: ValuedMove
    as_good: tuple[str, ...] = ()
    reason: str = ""
    reply: ValuedMove | None = None

    @property
    def better(self) -> str:
        """What would have been better, as a sentence."""
        return f"Better: {self.best.text}, which {self.best.clause}{as_well(self.as_good)}."


@dataclass(frozen=True)
class Findings:
    """What has been found in a contest.

    Attributes:
        mistakes: The mistakes, in the order of the contest.
        doubtful: Where only a search evaluates moves and it proves no mistake, the one that it liked least.
        turns: The number of turns in which there was a choice.
        source: Where the values are from, in words; empty if nothing is known of them.
    """

    mistakes: tuple[Mistake, ...]
    turns: int
    source: str
    doubtful: Mistake | None = None

    @property
    def errors(self) -> tuple[TurnError, ...]:
        """The errors alone."""
        return tuple(each.error for each in self.mistakes)

    @property
    def shown(self) -> tuple[Mistake, ...]:
        """The mistakes or, if there are none, the doubtful move."""
        return (self.doubtful,) if self.doubtful else self.mistakes

    @property
    def summary(self) -> str:
        """What has been found, as a sentence."""
        turns = counted(self.turns, "turn")
        if self.doubtful:
            return f"No error is proven in {turns} with a choice. The search liked this move least:"
        if self.mistakes:
            lost = points_text(sum(each.error.cost for each in self.mistakes))
            return f"{counted(len(self.mistakes), 'error')} in {turns} with a choice: {lost} given away."
        if self.source:
            return f"Nothing went wrong: no error in {turns} with a choice."
        return "Nothing is known of the moves of this contest." if self.turns else "There was no choice in it."


def find_mistakes(turns: Sequence[Turn], contest: Sequence[Turn] = ()) -> Findings:
    """Look for mistakes among turns of a contest; `Judgement.cost` says what counts as one.

    The answers that were played are those of the ``contest``: all of its turns.
    """
    choices = [turn for turn in turns if had_a_choice(turn)]
    if not choices:
        return Findings((), 0, "")
    costs = [exact_cost(turn) for turn in choices]
    looked_at: list[tuple[float, Mistake]] = []
    source = "" if None in costs else "exact values of the solved game"
    if source_of(turns[0].before).kind != "tried":
        for turn, cost in zip(choices, costs, strict=True):
            if cost is None or cost > 0:
                judged = judgement_of(turn.before, turn.actions)
                assert judged.played is not None
                source = judged.known.source
                looked_at.append((judged.fall, _mistake_of_turn(turn, judged, judged.played)))
    mistakes = tuple(
        replace(each, reason=_reason(each), reply=best_reply(each.before, each.after, contest))
        for _, each in looked_at
        if each.error.cost
    )
    fall, least = max(looked_at, key=lambda pair: pair[0], default=(0, None))
    return Findings(mistakes, len(choices), source, None if mistakes or fall <= 0 else least)


def had_a_choice(turn: Turn) -> bool:
    """Return whether a whole turn was played, and another could have been."""
    position, several = turn.before, False
    for action in turn.actions:
        several |= len(position.legal_actions) > 1
        position = position.after(action)
    return several and not is_same_turn(turn.seat, turn.after)


def _mistake_of_turn(turn: Turn, judged: Judgement, played: ValuedMove) -> Mistake:
    """Return a turn beside the best moves; its cost is 0 if it was none."""
    error = TurnError(turn.number, judged.cost)
    return Mistake(error, turn.before, turn.after, played, judged.best, judged.as_good)


def best_reply(before: Position, after: Position, contest: Sequence[Turn] = ()) -> ValuedMove | None:
    """Return the best answer of the other seat to a turn: of those as good, the one of a ``contest`` that has it."""
    if after.is_over or after.awaits_chance or after.seat == before.seat:
        return None
    source = source_of(after)
    best = source.best_moves(after, 1).moves[0]
    for turn in contest:
        if turn.before == after and not is_same_turn(turn.seat, turn.after):
            played = source.valued(after, turn.actions)
            return played if played and played.ties_with(best) else best
    return best


def _reason(mistake: Mistake) -> str:
    """Return why an agent that explains itself plays one of the good moves, if it does."""
    teacher = _who_gives_reasons(get_ident(), mistake.before.game)
    if not isinstance(teacher, Explains):
        return ""
    explanation = teacher.explanation(mistake.before)
    row = dict(zip(explanation.columns, explanation.rows[0], strict=True))
    if not any(row.get("move") in (text, text.replace("x", " x")) for text in (mistake.best.text, *mistake.as_good)):
        return ""
    return f"{teacher.spec.capitalize()} would play {row['move']}. {row[_REASONS]}"


@lru_cache(maxsize=16)
def _who_gives_reasons(thread: int, game: Game) -> Policy | None:
    """Return the agent that gives reasons for its choices at a game without learning first, if there is one.

    Each thread has its own.
    """
    for name, entry in registered_agents().items():
        if isinstance(entry.factory, type) and issubclass(entry.factory, Explains):
            with suppress(BadInputError, OSError):
                policy = make_player(name, game)
                policy.begin(game, (0, 1), np.random.default_rng(_SEED))
                if isinstance(policy, Explains) and _REASONS in policy.explanation(game.initial).columns:
                    return policy
    return None


def points_text(points: float) -> str:
    """Return points that were given away in words."""
    number = int(points) if points == int(points) else round(points, 2)
    return counted(number, "point") if isinstance(number, int) else f"{number} points"
