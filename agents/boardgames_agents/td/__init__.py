"""TD(λ): a network that learns how contests will end from how its predictions change (Sutton 1988, Tesauro 1995).

Implementation details, numbered; † marks where the defaults depart from TD-Gammon, to which options lead back:

1. *What is predicted*: the probability of winning, or those of the four outcomes of Tesauro 1995 (each seat wins a
   point, or a gammon), or of six; see `td.outputs`. † By default the network is shown a position as the seat to
   move sees it, and one network serves both seats; with ``viewer='0'`` seat 0 sees all, as in TD-Gammon. The points
   that can be expected follow.
2. *Afterstates* (Tesauro 1995): a move is worth what the network expects where it leads to, before any dice; where the
   contest is over, the points themselves. All whole moves of a turn are weighed. They differ from one another in few
   inputs, so each one's hidden layer is computed from that of the position they come from.
3. *The network*: one hidden layer of sigmoid units, and sigmoid outputs. † By default the hidden units are rectified
   linear: with 40 to 80 sigmoid units small boards are learned far more slowly, and not to the last position. Weights
   start uniform in ±1/√inputs (rectified: ±√(6/inputs)) and ±1/√units.
4. *Online TD(λ)* with accumulating traces, one for each of seat 0's probabilities (Sutton's equation 4 for each output,
   summed): e ← λ e + ∇Y(t), w ← w + α Σ (Y(t+1) − Y(t)) e at every turn, and with the outcome for Y(t+1) at the end.
   Y(t) and its gradient are taken again after every step, so that both predictions of a difference come from the same
   weights.
5. *The error*: steps descend the squared error of the outputs, as Tesauro's do. † By default its cross-entropy, by
   which a wrong prediction near 0 or 1 can still be moved; at backgammon the squared error plays better.
6. *The learning rate* in contest k is α / (1 + k / decay), and λ goes down likewise if it is told to. Tesauro 1995
   gives neither.
7. *Exploration*: where there are dice they see to it, and ε should be 0. † While learning, a move is random with
   probability ε, or drawn by its worth, or contests begin with random moves. After a move of its own that is not the
   best, the turn is backed up from the best, and the traces are cut, as in Q(λ) (Watkins 1989): what is learned is what
   the best moves are worth.
8. *Whose moves teach*: everybody's, in self-training, against anyone and when it watches. The moves of others are taken
   as they come, so that against an opponent that errs it learns what positions are worth against that opponent.
9. *A contest that a limit cuts short* has no outcome: its last prediction is left as it is. A draw by recurrence has
   the outcome 0, although the position does not show it.
10. *Once it has learned* (`Learner.frozen`) it plays a move of the highest worth, ties broken at random. While it
    learns it takes the first of equals. † By default it plays with the mean of its weights over the last contests,
    which is free of the noise that every contest leaves; TD-Gammon played with the last weights.
11. *Self-training at full speed*: against itself whole contests are played and learned from in a kernel (`self_play`),
    which a test holds equal, weight for weight, to the same rule by automatic differentiation. Under any other trainer,
    contest by contest, the same kernels take the steps.

Sources: R. S. Sutton, *Learning to predict by the methods of temporal differences*, Machine Learning 3 (1988); G.
Tesauro, *Temporal difference learning and TD-Gammon*, Communications of the ACM 38 (1995), and *Practical issues in
temporal difference learning*, Machine Learning 8 (1992); C. J. C. H. Watkins, *Learning from delayed rewards*, PhD
thesis, Cambridge (1989); B. T. Polyak and A. B. Juditsky, *Acceleration of stochastic approximation by averaging*, SIAM
Journal on Control and Optimization 30 (1992).
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from boardgames_agents.policy import Policy
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game

if TYPE_CHECKING:
    from boardgames_agents.td.learner import TDLearner


@agent("td")
def td(
    game: Game,
    inputs: str = "observation",
    hidden: int = 256,
    outputs: int = 1,
    units: Literal["sigmoid", "rectified"] = "rectified",
    viewer: Literal["move", "0"] = "move",
    gammons: Literal["apart", "within"] = "apart",
    alpha: float = 0.25,
    decay: float = 2500,
    lam: float = 0.7,
    lam_decay: float = 0,
    error: Literal["squared", "cross_entropy"] = "cross_entropy",
    epsilon: float = 0.5,
    temperature: float = 0.0,
    openings: int = 0,
    average: float = 3000,
    device: str = "",
    batch: int = 64,
    seed: int = 0,
) -> "TDLearner":
    """A network that learns what positions are worth by TD(λ).

    Args:
        game: The game.
        inputs: How it is shown positions: the name of one of the game's encodings.
        hidden: How many hidden units.
        outputs: What it predicts: 1, who wins; 4, and who wins a gammon, as TD-Gammon; 6, and two points from three.
        units: What the hidden units are.
        viewer: Who sees positions: the seat to move, or always seat 0, as in TD-Gammon.
        gammons: Whether the outputs for gammons are apart from those for wins, or within them.
        alpha: The learning rate of the first contest.
        decay: After how many contests the learning rate has halved; 0 for one that stays.
        lam: λ, from 0 to 1: how far back a surprise is credited.
        lam_decay: After how many contests λ has halved; 0 for one that stays.
        error: What learning makes smaller: the squared error, as TD-Gammon, or the cross-entropy.
        epsilon: How likely it is to play a random move while it learns.
        temperature: While it learns it draws moves in proportion to exp(points / temperature); 0 for the best.
        openings: With how many random moves it begins contests against itself, at most.
        average: It plays with the mean of its weights over about so many contests; 0 for the weights as they are.
        device: Where it practises against itself with torch, many contests at once (`td.batched`), such as
            ``"cuda"``; nothing for one contest after another in a kernel, which small networks learn fastest by.
        batch: How many contests go on at once on a device.
        seed: Settles the initial weights.

    Raises:
        BadInputError: For a number that is not allowed, or an encoding that the game does not have.
    """
    require(0, 2**63 - 1, seed=seed)
    if game.stake is not None:
        raise BadInputError(f"td does not learn {game.spec}, with its doubling cube; learn without, and play with it")
    from boardgames_agents.td.learner import Schedule, TDLearner
    from boardgames_agents.td.network import Design, Network

    schedule = Schedule(alpha, decay, lam, lam_decay, error, epsilon, temperature, openings, average)
    network = Network(game, Design(inputs, hidden, outputs, units, viewer, gammons), seed)
    if not device:
        return TDLearner(network, schedule)
    from boardgames_agents.td.batched import BatchedLearner

    return BatchedLearner(network, schedule, device, batch)


@agent("td_net")
def td_net(game: Game, file: str, plies: int = 1, candidates: int = 8, doubling: str = "janowski") -> Policy:
    """Plays by the network in a file (`boardgames_agents.td.files.save_network`), and learns no more.

    Args:
        game: The game; the network's own.
        file: The file.
        plies: How many plies it looks ahead, from 1.
        candidates: How many of the moves that look best it looks at more deeply.
        doubling: How it handles a doubling cube: ``janowski`` or ``zadeh_kobliska``, with its option in brackets, such
            as ``janowski(efficiency=0.7)``.

    Raises:
        BadInputError: If the file is damaged, or holds a network for another game, or an option is not allowed.
    """
    from boardgames_agents.lookahead.cube.formulas import make_formula
    from boardgames_agents.lookahead.policy import LookaheadPolicy
    from boardgames_agents.td.files import load_network

    network = load_network(Path(file), game)
    player = LookaheadPolicy(game, network, plies, candidates, doubling=make_formula(doubling))
    player.origin = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return player
