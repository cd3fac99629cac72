"""The perfect player and its opposite, which know the value of every position."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from boardgames_agents.policy import Distribution, MarkovPolicy, Policy, Rng, drawn, uniform
from boardgames_agents.policy.batch_players import ChoiceTable, LookupPlayer
from boardgames_agents.policy.explanation import (
    ConsideredMove,
    Explanation,
    alternatives,
    counted,
    explanation_of_moves,
)
from boardgames_agents.registry import agent
from boardgames_env.contest import turn_text
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.position import Position, demand_turn
from boardgames_env.solve import SearchedGame, Solution, demand_solvable, is_searched, solve
from boardgames_env.solve.few_men_tables import known_few_men
from boardgames_env.solve.few_men_with_cube import FewMenWithCube

Style = Literal["uniform", "opening", "wise", "values"]
Choose = Callable[[Iterable[int]], int]


class ExactMove(NamedTuple):
    """A whole move with its exact value.

    Attributes:
        actions: Its actions, in order.
        value: Its value to the mover: +1, 0 or −1.
        plies: The plies to the end, this move included, if the winner hurries and the loser delays; 0 for a draw.
    """

    actions: tuple[int, ...]
    value: int
    plies: int

    @property
    def rank(self) -> tuple[int, int]:
        """A key that is higher for better moves: sooner wins and later losses are better."""
        return self.value, -self.value * self.plies

    @property
    def text(self) -> str:
        """The value in words, such as ``wins in 3 plies``."""
        if self.value == 0:
            return "draws"
        return f"{'wins' if self.value > 0 else 'loses'} in {counted(self.plies, 'ply')}"


def exact_move(table: Solution, position: Position, actions: tuple[int, ...], left: int | None = None) -> ExactMove:
    """Return a whole move with its value; a win that takes more than the plies ``left`` is a draw (``None``: any)."""
    reached = position.after(*actions)
    value = table.value_for(reached, position.seat)
    plies = 1 + (table.distance(reached) or 0) if value else 0
    return ExactMove(actions, 0, 0) if left is not None and plies > left else ExactMove(actions, value, plies)


def exact_moves(table: Solution, position: Position, left: int | None = None) -> list[ExactMove]:
    """Return a move to each position that a turn can lead to, the best first; ``left`` is as for `exact_move`."""
    distinct = {move.afterstate.key: move.actions for move in reversed(position.moves())}
    found = (exact_move(table, position, actions, left) for actions in reversed(distinct.values()))
    return sorted(found, key=lambda each: each.rank, reverse=True)


class TablePlayer(MarkovPolicy):
    """A policy based on the values of positions.

    Its choice depends on the position alone, except in games whose contests are drawn after a number of plies: there a
    win that takes more plies than are left does not count. In a game that is solved by a search (`SearchedGame`) it
    raises `BadInputError` in an opening that has not been solved.

    Raises:
        BadInputError: If the game is too large to be solved.
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        demand_solvable(game)
        self._solved = game
        self._limit = 0
        self._plies = 0
        self._seat = 0

    @cached_property
    def table(self) -> Solution:
        """The values of positions; the game is solved when they are first needed, if it has not been before."""
        return solve(self._solved)

    @abstractmethod
    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """Return the actions it may choose and their probabilities with ``left`` plies left (``None``: no limit)."""

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest."""
        super().begin(game, seats, rng)
        self._limit, self._plies, self._seat = game.limits.plies, 0, game.initial.seat

    def saw(self, position: Position, action: int) -> None:
        """Count the plies."""
        if position.seat != self._seat:
            self._plies += 1
            self._seat = position.seat

    given = saw

    def choose(self, position: Position) -> int:
        """Draw an action from `distribution`."""
        if not self._limit:
            return super().choose(position)
        return drawn(self._legal_distribution(position, self._left(position)), self.rng)

    def _legal_distribution(self, position: Position, left: int | None) -> Distribution:
        return self.demand_distribution(position, self.distribution(position, left))

    def _left(self, position: Position) -> int | None:
        """Return the number of plies left in a position of the contest (``None``: no limit)."""
        return self._limit - self._plies - (position.seat != self._seat) if self._limit else None

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the exact value of every move, and how likely the player is to begin with its first action.

        An arrow marks the likeliest moves of the best value among those, or else the action played.
        """
        demand_turn(position, self.table.game)
        left = self._left(position)
        moves = exact_moves(self.table, position, left)
        likely = dict(zip(*self._legal_distribution(position, left), strict=True))
        most = max(likely.values())
        first = [move for move in moves if likely.get(move.actions[0], 0.0) == most]
        best = {move.actions for move in first if move.rank == max(each.rank for each in first)}
        considered = [
            ConsideredMove(
                turn_text(position, move.actions),
                (
                    f"{move.value:+d}" if move.value else "0",
                    str(move.plies) if move.value else "",
                    f"{likely.get(move.actions[0], 0.0):.0%}",
                ),
                mark=f"{'+' if move.value > 0 else '-'}{move.plies}" if move.value else "=",
                weight=(1 + move.value) / 2,
                is_chosen=move.actions in best,
                alike=(move.actions,),
            )
            for move in moves
        ]
        return explanation_of_moves(
            "decided by the exact values of the solved game",
            considered,
            numbers=("value", "plies", "chance"),
            played=played,
            facts=(f"{position.game.men[position.seat].name} {moves[0].text} if both sides play perfectly",),
            glossary=(
                "value: +1 wins, 0 draws, -1 loses, for the seat to move",
                "plies: the turns of either side to the end, if the winner hurries and the loser delays",
                "chance: the probability that this player begins with the first action of the move",
            ),
            legend="+3 wins and -3 loses in three turns of either side, and = is a draw",
            verdict=_verdict(position, moves) if moves[0].actions in best else "",
        )

    def in_batch(self, game: Game, copies: int) -> LookupPlayer | None:
        """Return a batch version of this policy, if no number of plies limits contests."""
        return None if game.limits.plies else LookupPlayer(self, game, copies)

    def by_position(self, game: Game) -> ChoiceTable | None:
        """Return the policy as a table, if no number of plies limits contests."""
        return None if game.limits.plies else ChoiceTable(game, self.distribution)


_VERBS = {1: ("wins", "win"), 0: ("draws", "draw"), -1: ("loses", "lose")}


def _verdict(position: Position, moves: Sequence[ExactMove]) -> str:
    """Return for people what the best moves lead to, and what the others do; the best ones come first."""
    best = [move for move in moves if move.rank == moves[0].rank]
    alike, worse = moves[len(best) :], [move for move in moves if move.value < moves[0].value]
    alike = alike[: len(alike) - len(worse)]
    value, turns = moves[0].value, (moves[0].plies + 1) // 2
    soon = "at once" if moves[0].plies == 1 else f"in {counted(turns, 'move')}"
    names = alternatives([turn_text(position, move.actions) for move in best])
    if len(best) == len(moves) > 1:
        return f"every move {_VERBS[value][0]}"
    if value < 0:
        return f"every move loses; {names} holds out longest" if alike else f"{names} loses, and is the only move"
    said = f"{names} {_VERBS[value][0]}{f' {soon}' if value else ''}"
    if alike:
        said += f"; {counted(len(alike), 'other move')} {_VERBS[value][len(alike) > 1]} later"
    if worse:
        left = " or ".join(_VERBS[each][0] for each in sorted({move.value for move in worse}, reverse=True))
        said += f"; everything else {left}"
    return said


class PerfectPlayer(TablePlayer):
    """A player of correct actions, all equally likely or chosen by a style.

    A correct action keeps the value of the position. In a game that can cycle, keeping the value (style="values") may
    keep a won position won for ever; in the other styles the correct actions of a won position are therefore those
    that win soonest.

    The wise competitor of Epstein 1994 (style="wise"; note 1, where "a perfect player as trainer" means this one)
    prefers, among the correct actions, those that leave the opponent the largest share of losing replies, and opens as
    the game's sources advise (`Game.openings`), if they do. With style="opening" it is wise in its opening only, the
    subject of the note.

    Args:
        style: The choice among correct actions: ``uniform``, ``opening``, ``wise`` or ``values``.

    Raises:
        BadInputError: If the game is too large to be solved.
    """

    def __init__(self, game: Game, style: Style = "uniform") -> None:
        super().__init__(game)
        self.style = style

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """Return the correct actions, equally likely; the wise style narrows them down."""
        correct = self._correct(position, left)
        if self.style not in ("opening", "wise"):
            return uniform(correct)
        advised = position.game.openings if position == position.game.initial else {}
        if openings := {action: advised[action] for action in correct if action in advised}:
            total = sum(openings.values())
            return tuple(openings), tuple(weight / total for weight in openings.values())
        if self.style == "opening":
            return uniform(correct)
        shares = {action: self._losing_share(position, action, left) for action in correct}
        return uniform(tuple(action for action in correct if shares[action] == max(shares.values())))

    def _correct(self, position: Position, left: int | None) -> tuple[int, ...]:
        """Return the actions that keep the value; those that win soonest if the game can cycle."""
        best, value = _by_value(self.table, position, max, left)
        if self.table.acyclic or self.style == "values" or value < 1:
            return best
        return _by_distance(self.table, position, best, min)

    def _losing_share(self, position: Position, action: int, left: int | None) -> float:
        """Return the share of the opponent's replies that lose; 1 if the action ends the contest.

        If the action keeps the turn, it is the largest share after a correct next action.
        """
        reached = position.after(action)
        if reached.is_over:
            return 1.0
        left = _left_after(position, reached, left)
        if reached.seat == position.seat:
            return max(self._losing_share(reached, following, left) for following in self._correct(reached, left))
        replies = [
            _value_within(self.table, reply, position.seat, _left_after(reached, reply, left))
            for reply in map(reached.after, reached.legal_actions)
        ]
        return replies.count(1) / len(replies)


@agent("perfect", for_people="Perfect player: never gives away a win or a draw")
def perfect(game: Game, style: Style = "uniform", doubling: str = "") -> Policy:
    """Play by the values of all positions: a `PerfectPlayer` or, in backgammon with few men, by the exact equities.

    Among the actions that are correct, all are equally likely, or a style chooses; see `PerfectPlayer`. With dice, the
    play of the highest equity is one, and there are no styles.

    Args:
        game: The game.
        style: The choice among correct actions: ``uniform``, ``opening``, ``wise`` or ``values``.
        doubling: A formula, such as ``janowski``, that handles the doubling cube in place of the exact equities. Then
            it and the plays go by the exact chances without a cube, which shows what formulas lose.

    Raises:
        BadInputError: If the game is too large to be solved, or has a table that is not computed yet.
    """
    if doubling and game.stake is None:
        what = "games with a doubling cube that are no matches"
        raise BadInputError(f"doubling={doubling!r} is for {what}; leave it out at {game.spec}")
    if not game.rules.has_chance:
        return PerfectPlayer(game, style)
    from boardgames_agents.experts.perfect_with_cube import PerfectWithCube
    from boardgames_agents.lookahead.cube.formulas import make_formula
    from boardgames_agents.lookahead.player import LookaheadPolicy

    if style != "uniform":
        raise BadInputError(f"style={style!r} is for games without dice; leave it out at {game.spec}")
    table = known_few_men(make_game(game.name) if doubling else game)
    if isinstance(table, FewMenWithCube):
        return PerfectWithCube(game, table)
    return LookaheadPolicy(game, table, doubling=make_formula(doubling) if doubling else None)


@agent("worst", for_people="Worst player: loses as soon as it can")
class WorstPlayer(TablePlayer):
    """A player of the worst possible moves, which loses as soon as it can.

    One of the trainers that Epstein 1994 (section 5) proposes.

    Raises:
        BadInputError: If the game is too large to be solved.
    """

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """Return the actions of the worst value: those that lose soonest or, if all win, those that win latest."""
        worst, value = _by_value(self.table, position, min, left)
        return uniform(_by_distance(self.table, position, worst, max if value > 0 else min))


def demand_openings(policy: Policy, game: Game) -> None:
    """Raise `BadInputError` for a policy that cannot begin a contest, because the openings have not been solved."""
    if isinstance(policy, TablePlayer) and is_searched(game):
        SearchedGame(game).demand_openings()


def can_be_perfect(game: Game) -> bool:
    """Return whether there is a perfect player of a game that plays without a search, by tables."""
    try:
        demand_solvable(game)
    except BadInputError:
        return False
    return not is_searched(game)


def _left_after(position: Position, reached: Position, left: int | None) -> int | None:
    """Return the number of plies left after an action."""
    return left if left is None or reached.seat == position.seat else left - 1


def _value_within(table: Solution, position: Position, seat: int, left: int | None) -> int:
    """Return the value for a seat: +1, 0 or −1; a win that takes more plies than are left does not count."""
    value = table.value_for(position, seat)
    return 0 if value and left is not None and (table.distance(position) or 0) > left else value


def _by_value(table: Solution, position: Position, choose: Choose, left: int | None) -> tuple[tuple[int, ...], int]:
    """Return the legal actions of the value for the seat to move that ``choose`` selects, and that value."""
    values = {}
    for action in position.legal_actions:
        reached = position.after(action)
        values[action] = _value_within(table, reached, position.seat, _left_after(position, reached, left))
    wanted = choose(values.values())
    return tuple(action for action, value in values.items() if value == wanted), wanted


def _by_distance(table: Solution, position: Position, actions: tuple[int, ...], choose: Choose) -> tuple[int, ...]:
    """Return those of some actions of one value after which the distance is the one that ``choose`` selects."""
    distances = {action: table.distance(position.after(action)) or 0 for action in actions}
    wanted = choose(distances.values())
    return tuple(action for action in actions if distances[action] == wanted)
