"""TD(λ): a network that learns to predict how contests end from how its predictions change.

It follows Sutton 1988 and Tesauro 1995. Implementation details; † marks defaults that depart from TD-Gammon, to which
options lead back:

1. *Predictions*: the probability of winning, or those of the four outcomes of Tesauro 1995 or of six; see
   `td.outputs`. Expected points follow from them. † By default a position is shown as the seat to move sees it, and
   one network serves both seats; with ``viewer='0'`` seat 0 sees all positions, as in TD-Gammon.
2. *Afterstates* (Tesauro 1995): a move's value is the expected points in the position after it, before any dice, or the
   points themselves where the contest is over. All whole moves of a turn are evaluated.
3. *The network*: one hidden layer of sigmoid units, and sigmoid outputs. † By default the hidden units are rectified
   linear: with 40 to 80 sigmoid units small boards are learned far more slowly, and not completely. Weights start
   uniform in ±1/√inputs (rectified: ±√(6/inputs)) and ±1/√units.
4. *Online TD(λ)* with accumulating traces, one for each of seat 0's probabilities (Sutton's equation 4 for each output,
   summed): e ← λ e + ∇Y(t), w ← w + α Σ (Y(t+1) − Y(t)) e at every turn, with the outcome for Y(t+1) at the end.
   Y(t) and its gradient are computed again after every step, so that both predictions of a difference come from the
   same weights.
5. *The error*: steps descend the squared error of the outputs, as Tesauro's do. † By default they descend the
   cross-entropy, by which a wrong prediction near 0 or 1 can still be moved; at backgammon the squared error plays
   better.
6. *The learning rate* in contest k is α / (1 + k / decay); λ can decrease likewise. (Tesauro 1995 gives neither.)
7. *Exploration*: where there are dice ε should be 0. † While learning, a move is random with probability ε, or drawn by
   its value, or contests begin with random moves. After a move of its own that is not the best, the turn is backed up
   from the best move, and the traces are reset, as in Q(λ) (Watkins 1989): it learns the value of the best moves.
8. *Whose moves teach*: everybody's, in self-play, against any opponent and when it watches. The moves of others are
   backed up as they are played, so against an opponent that errs it learns values against that opponent.
9. *A contest that a limit cuts short* has no outcome: its last prediction is left as it is. A draw by recurrence has
   the outcome 0, although the position does not show it.
10. *Once it has learned* (`Learner.frozen`) it plays a move with the highest value, ties broken at random. While it
    learns it plays the first of equals. † By default it plays with the mean of its weights over the last contests,
    which is free of the noise of single contests; TD-Gammon played with the last weights.
11. *Self-play at full speed*: whole contests are played and learned from in one kernel (`td.self_play`). Under any
    other trainer, contest by contest, the same kernels take the steps. A test compares them, weight for weight, with
    automatic differentiation.

Sources: R. S. Sutton, *Learning to predict by the methods of temporal differences*, Machine Learning 3 (1988); G.
Tesauro, *Temporal difference learning and TD-Gammon*, Communications of the ACM 38 (1995), and *Practical issues in
temporal difference learning*, Machine Learning 8 (1992); C. J. C. H. Watkins, *Learning from delayed rewards*, PhD
thesis, Cambridge (1989); B. T. Polyak and A. B. Juditsky, *Acceleration of stochastic approximation by averaging*, SIAM
Journal on Control and Optimization 30 (1992).
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from boardgames_agents.policy import Policy
from boardgames_agents.registry import agent
from boardgames_agents.td.options import TDOptions, refuse_stakes
from boardgames_env.game import Game
from boardgames_env.spec import Quick

if TYPE_CHECKING:
    from boardgames_agents.td.learner import TDLearner


@agent(
    "td",
    for_people="Network learner: learns from how its expectations change",
    options=TDOptions,
    curves={
        "initial value": "Σ p · points over the predicted outcomes of the initial position, for the seat to move",
        "mean absolute TD error": "mean over turns of Σ |Y(t+1) − Y(t)| over outputs, in at most 1,000 contests of "
        "self-play at full speed; contest by contest m ← m + (Σ |Y(t+1) − Y(t)| − m) / 100 at each turn",
        "learning rate": "α / (1 + k / decay) in the next contest, the k-th from 0; α if decay is 0",
        "weight norm": "√(Σ w²) over all weights and biases",
    },
)
def td(game: Game, options: TDOptions) -> "TDLearner":
    """Learn the values of positions by TD(λ).

    Raises:
        BadInputError: For a game with a doubling cube, for matches, or without the encoding.
    """
    refuse_stakes(game, "td does")
    from boardgames_agents.td.learner import TDLearner
    from boardgames_agents.td.network import Network

    return TDLearner(Network(game, options.design, options.seed), options)


@agent("td_net", for_people="Network from a file: plays as it was trained, and learns no more", known_by="file")
def td_net(
    game: Game,
    file: str,
    plies: Annotated[int, Quick(3)] = 1,
    candidates: Annotated[int, Quick(50)] = 8,
    doubling: str = "janowski",
) -> Policy:
    """Play by the network in a file, without learning.

    Args:
        game: The network's own game.
        file: The file, written by `boardgames_agents.td.network_file.save_network`.
        plies: Plies of look-ahead, from 1.
        candidates: Most moves that are examined more deeply.
        doubling: The formula for the doubling cube: ``janowski`` or ``zadeh_kobliska``, with its option in brackets,
            such as ``janowski(efficiency=0.7)``.

    Raises:
        BadInputError: If the file is damaged or holds a network for another game, or an option is not allowed.
    """
    from boardgames_agents.lookahead.cube.formulas import make_formula
    from boardgames_agents.lookahead.player import LookaheadPolicy
    from boardgames_agents.td.network_file import load_network

    network = load_network(Path(file), game)
    player = LookaheadPolicy(game, network, plies, candidates, doubling=make_formula(doubling))
    player.origin = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return player
