"""TD(λ): a network that learns what positions are worth from how its predictions change (Sutton 1988, Tesauro 1995).

Implementation details, numbered; † marks where this departs from TD-Gammon:

1. *What is predicted*: the points that the seat to move can expect, in [-1, 1], from the position's features as that
   seat sees them (`Position.features`). One network serves both seats. † TD-Gammon predicts the probabilities of four
   outcomes, always from one side.
2. *Afterstates* (Tesauro 1995): a move is worth what the position is worth that it leads to; where the other seat
   moves next, that is minus its value, and where the contest is over, the points themselves. All of them are valued
   in one batch. A turn of several actions is one move; its first action is played, and the rest is chosen anew.
3. *The network*: one hidden layer. † Its units are rectified linear, its output is a tanh, and the weights start
   uniform in ±√(6 / inputs) and ±√(1 / hidden units). With 40 to 80 sigmoid units, as in TD-Gammon, small boards are
   learned far more slowly, and not to the last position.
4. *Online TD(λ)* with accumulating traces, the backward view of Sutton 1988 (his equation 4):
   e ← λ e + ∇Y(t), w ← w + α (Y(t+1) − Y(t)) e at every turn, and with the outcome for Y(t+1) at the end. Y is in
   points of seat 0: its sign, and that of its gradient, follow the seat to move. Y(t) and its gradient are taken again
   after every step, so that both predictions of a difference come from the same weights.
5. † *The gradient* is taken before the output's tanh. It descends the cross-entropy of the prediction where Tesauro's
   descends its square, and so a wrong prediction near ±1 can still be moved.
6. *The learning rate* in contest k is α / (1 + k / decay).
7. † *Exploration*: dice see to it at backgammon; here an action is random with probability ε, while learning only.
   After a random action of its own, the turn is backed up from the move it thought best, and the traces are cut, as in
   Q(λ) (Watkins 1989): what is learned is what the best moves are worth, not the random ones. Without this, or with
   little exploration, self-training keeps to a narrow path and leaves the rest of the board unknown.
8. *Whose moves teach*: everybody's, in self-training, against anyone and when it watches. The moves of others are taken
   as they come, so that against an opponent that errs it learns what positions are worth against that opponent.
9. *A contest that a limit cuts short* has no outcome: its last prediction is left as it is. A draw by recurrence has
   the outcome 0, although the position does not show it.
10. *Once it has learned* (`Learner.frozen`) it plays a move of the highest value, ties broken at random.

Sources: R. S. Sutton, *Learning to predict by the methods of temporal differences*, Machine Learning 3 (1988);
G. Tesauro, *Temporal difference learning and TD-Gammon*, Communications of the ACM 38 (1995); C. J. C. H. Watkins,
*Learning from delayed rewards*, PhD thesis, Cambridge (1989).
"""

from typing import TYPE_CHECKING

from agents.policy import agent
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game

if TYPE_CHECKING:
    from agents.td.learner import TDLearner


_MOST_UNITS = 100_000


@agent("td")
def td(
    game: Game,
    hidden: int = 256,
    alpha: float = 0.1,
    decay: float = 2500,
    lam: float = 0.7,
    epsilon: float = 0.5,
    seed: int = 0,
) -> "TDLearner":
    """A network that learns what positions are worth by TD(λ).

    Args:
        game: The game.
        hidden: How many hidden units.
        alpha: The learning rate of the first contest.
        decay: After how many contests the learning rate has halved; 0 for one that stays.
        lam: λ, from 0 to 1: how far back a surprise is credited.
        epsilon: How likely it is to play a random action while it learns.
        seed: Settles the initial weights.

    Raises:
        BadInputError: For a number that is not allowed.
    """
    if not 1 <= hidden <= _MOST_UNITS:
        raise BadInputError(f"hidden={hidden} is not allowed; there are 1 to {_MOST_UNITS:,} hidden units")
    if seed >= 2**63:
        raise BadInputError(f"seed={seed} is not allowed; it is below 2**63")
    for name, value in (("lam", lam), ("epsilon", epsilon)):
        if not 0 <= value <= 1:
            raise BadInputError(f"{name}={value} is not allowed; it is from 0 to 1")
    for name, value in (("alpha", alpha), ("decay", decay), ("seed", seed)):
        if not 0 <= value < float("inf"):
            raise BadInputError(f"{name}={value} is not allowed; it is 0 or more")
    from agents.td.learner import TDLearner

    return TDLearner(game, hidden, alpha, decay, lam, epsilon, seed)
