"""`LookaheadPolicy`, any evaluator as a player, and what explains any policy: its own reasons, or predictions."""

from collections.abc import Sequence

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Formula, Janowski, Prospects
from boardgames_agents.lookahead.evaluator import Evaluator, HasEvaluator
from boardgames_agents.lookahead.expectimax import Candidate, Expectimax
from boardgames_agents.policy import MarkovPolicy, Policy
from boardgames_agents.policy.explanation import (
    ConsideredMove,
    Explains,
    Explanation,
    counted,
    explanation_of_moves,
    shares_of,
    signed,
)
from boardgames_agents.policy.whole_moves import WholeMovePolicy
from boardgames_env.contest import turn_text
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position, demand_turn

_COLUMNS = ("win", "win 2", "win 3", "lose 2", "lose 3")
"""The columns of `cumulated` probabilities."""

EQUITY = "equity: the points that the seat to move expects, without the doubling cube"
EQUITY_IN_MATCH = (
    "equity: what the seat to move expects without the doubling cube, by its chances to win the match; winning the "
    "stake counts 1"
)


class LookaheadPolicy(WholeMovePolicy):
    """Plays the best move by look-ahead with an evaluator, and handles the cube by a formula.

    Args:
        game: The game.
        evaluator: The evaluator of positions.
        plies: Plies of look-ahead, from 1.
        candidates: Most moves that are examined more deeply.
        margin: Largest difference of these from the best move, in points.
        doubling: The doubling formula.

    Raises:
        BadInputError: If an option is out of range.
    """

    is_memoryless = True

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        plies: int = 1,
        candidates: int = 8,
        margin: float = 0.16,
        doubling: Formula | None = None,
    ) -> None:
        super().__init__()
        self.game, self.evaluator = game, evaluator
        self.search = Expectimax(game, evaluator, plies, candidates, margin)
        self.doubler = Doubler(game, doubling or Janowski())

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Return the actions of the best move, or a decision about the cube."""
        demand_turn(position, self.game)
        if len(position.legal_actions) == 1:
            return position.legal_actions
        if not self.doubler.is_asked(position):
            return self.search.best_move(position.state)
        return (self.doubler.action(position, self.doubler.prospects(self.search.to_double, position)),)

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the moves with their outcome probabilities and equities, or the values of the cube actions.

        An arrow marks the best move, or the action that was played.
        """
        position, search, doubler = position.part, self.search, self.doubler
        demand_turn(position, search.game)
        mover = position.game.men[position.seat].name
        if doubler.is_asked(position):
            return self._cube_explained(position, played)
        moves = search.candidates(position)
        chances = [cumulated(each.probabilities) for each in moves]
        columns = [column for column in range(len(_COLUMNS)) if column == 0 or any(each[column] for each in chances)]
        shown = 0 if played is None else next(k for k, each in enumerate(moves) if each.actions[0] == played)
        names = tuple(_COLUMNS[column] for column in columns)
        cubeful = [cubeful_equity(doubler, position, each) for each in moves] if doubler.has_cube else []
        equities = ("equity", "cubeful") if cubeful else ("equity",)
        weights = shares_of([each.equity for each in moves])
        considered = [
            ConsideredMove(
                turn_text(position, each.actions),
                (
                    *(f"{chances[number][column]:.1%}" for column in columns),
                    signed(each.equity, 3),
                    *(signed(value, 3) for value in cubeful[number : number + 1]),
                    str(each.plies),
                ),
                mark=signed(each.equity, 2),
                weight=weight,
                is_chosen=number == 0,
                alike=(each.actions,),
            )
            for number, (each, weight) in enumerate(zip(moves, weights, strict=True))
        ]
        return explanation_of_moves(
            f"decided by predictions, {counted(search.plies, 'ply')} ahead",
            considered,
            numbers=(*names, *equities, "plies"),
            shown=(shown,),
            legend="the points that each move can expect",
            facts=(f"the seat to move expects {signed(moves[0].equity, 3)} points after the best move",),
            glossary=(
                "win: the probability that the seat to move wins; win 2: by 2 points or more, and so on",
                EQUITY_IN_MATCH if search.game.score else EQUITY,
                *(["cubeful: the same with the doubling cube, by the doubling formula"] if cubeful else []),
                "plies: the depth to which the move was examined",
            ),
            verdict=f"prefers {turn_text(position, moves[0].actions)}: {mover} then wins {chances[0][0]:.0%} of games",
        )

    def _cube_explained(self, position: Position, played: int | None) -> Explanation:
        prospects, text = self.doubler.prospects(self.search.to_double, position), position.game.action_text
        values = self.doubler.values(position, prospects)
        advised = self.doubler.action(position, prospects)
        ordered = sorted(values, key=lambda action: (action != advised, -values[action]))
        weights = shares_of([values[action] for action in ordered])
        considered = [
            ConsideredMove(
                text(action),
                (signed(values[action], 3),),
                mark=signed(values[action], 2),
                weight=weight,
                is_chosen=action == advised,
                alike=((action,),),
            )
            for action, weight in zip(ordered, weights, strict=True)
        ]
        return explanation_of_moves(
            f"decided by predictions and {type(self.doubler.formula).__name__}'s formula for the cube",
            considered,
            numbers=("value",),
            legend="the points that each answer can expect, in units of the stake",
            played=played,
            facts=(
                f"the seat that rolls next wins with a probability of {prospects.win:.1%}, "
                f"and expects {signed(prospects.equity, 3)} points without the cube",
            ),
            glossary=("value: the points that the seat to move expects, in units of the stake before the action",),
            verdict=f"would play {text(advised)}: who rolls next wins {prospects.win:.0%} of games",
        )


def cumulated(probabilities: Sequence[float]) -> tuple[float, ...]:
    """Return the probabilities of winning at least 1, 2, 3 points, and of losing at least 2, 3."""
    one, two, three, _, less_two, less_three = (float(each) for each in probabilities)
    return one + two + three, two + three, three, less_two + less_three, less_three


def cubeful_equity(doubler: Doubler, position: Position, candidate: Candidate) -> float:
    """Return the value of a move with the cube to the seat that plays it, by the doubling formula."""
    reached = position.part.after(*candidate.actions)
    if reached.is_over:
        return candidate.equity
    prospects = Prospects.of(candidate.probabilities)
    same = reached.seat == position.seat
    return doubler.cubeful(reached, prospects) if same else -doubler.cubeful(reached, prospects.turned)


def explainer_of(policy: Policy, game: Game) -> Explains:
    """Return what explains the decisions of a policy: itself, if it can.

    Otherwise the predictions of its evaluator explain them, or the probabilities of its actions.

    Raises:
        BadInputError: If it has none of these.
    """
    if isinstance(policy, Explains):
        return policy
    if isinstance(policy, HasEvaluator):
        return LookaheadPolicy(game, policy.evaluator)
    if isinstance(policy, MarkovPolicy):
        return _ByProbabilities(policy)
    raise BadInputError(
        f"{policy.spec or type(policy).__name__} cannot explain its moves; take an agent that can, such as hoyle"
    )


class _ByProbabilities:
    """Explains by the probabilities with which a policy chooses."""

    def __init__(self, policy: MarkovPolicy) -> None:
        self._policy = policy

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the actions with their probabilities. An arrow marks the likeliest ones, or the action played."""
        demand_turn(position, position.game)
        likely = dict.fromkeys(position.legal_actions, 0.0)
        likely |= zip(*self._policy.legal_distribution(position), strict=True)
        ordered = sorted(likely, key=lambda action: -likely[action])
        most = likely[ordered[0]]
        text = position.game.action_text
        moves = [
            ConsideredMove(text(action), (f"{p:.1%}",), f"{p:.0%}", p / most, p == most, ((action,),))
            for action, p in ((action, likely[action]) for action in ordered)
        ]
        title = "decided by the probabilities of its actions"
        return explanation_of_moves(title, moves, numbers=("probability",), played=played)
