"""The agent alpha_zero: a network with a tree search."""

import hashlib
from collections.abc import Sequence
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from shlex import quote

import numpy as np

from boardgames_agents.alpha_zero.conclusion import Found
from boardgames_agents.alpha_zero.network import PolicyNetwork, load_network
from boardgames_agents.alpha_zero.search import Evaluate, Rule, SearchOptions, Subtree, TreeSearch
from boardgames_agents.policy import Distribution, MarkovPolicy, Policy, Rng
from boardgames_agents.policy.explanation import (
    ConsideredMove,
    Explanation,
    explanation_of_moves,
    points_in_words,
    signed,
)
from boardgames_agents.registry import agent
from boardgames_agents.search import LookAhead
from boardgames_agents.td.network_file import describe_file
from boardgames_env.chance import refuse_chance
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.kernels.signatures import Float64s, Int8s
from boardgames_env.position import Position, demand_turn


@agent(
    "alpha_zero",
    for_people="Search with a network: thinks about the moves that a trained network likes",
    known_by="network",
)
def alpha_zero(
    game: Game,
    network: str = "",
    simulations: int = 64,
    considered: int = 16,
    rule: Rule = "gumbel",
    noise: float = 0.0,
    solve: bool = True,
    images: bool = False,
    afresh: bool = False,
) -> Policy:
    """AlphaZero: a tree search with a network that gives every position a policy and a value.

    Each simulation descends the tree of earlier ones and adds one position, which the network evaluates. Few
    simulations are enough, because they are shared as in Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver,
    *Policy improvement by planning with Gumbel*, ICLR 2022). What the tree holds of the position that a contest has
    reached is kept for the next search. Contests that are over count exactly, and so does what follows from them.

    Args:
        game: The network's own game, without chance.
        network: The network's file, or a folder of `boardgames improve`, whose last network is taken; by default the
            network of the game that comes with the package.
        simulations: Number of simulations for each choice.
        considered: Most actions that simulations are shared among, by the rule ``gumbel``.
        rule: How simulations choose actions: ``gumbel``, or ``puct`` as in the first AlphaZero.
        noise: Scale of the Gumbel noise that is added to the logits; with 0, the same position of the same contest is
            always answered alike.
        solve: Whether it proves values.
        images: Whether the network looks at every symmetric image of a position, which makes it stronger and slower.
        afresh: Whether each position is searched as if the contest began there, so that the policy can be tested
            exactly; only without noise.

    Raises:
        BadInputError: If there is no network, it is damaged or for another game, or an option is not allowed.
    """
    refuse_chance(game, "alpha_zero looks ahead over actions alone")
    options = SearchOptions(simulations, considered, rule, solve)
    require(0, 1000, noise=noise)
    if afresh and noise:
        raise BadInputError(f"afresh=True is for play without noise, not for noise={noise:g}")
    if rule == "puct" and noise:
        raise BadInputError(f"noise={noise:g} is for rule='gumbel'; the rule 'puct' has none")
    file = last_network(Path(network)) if network else own_network(game)
    if file is None:
        raise BadInputError(
            f"alpha_zero needs a network of {game.spec}: make one with `boardgames improve {quote(game.spec)} "
            "alpha_zero --run FOLDER`, and give the folder as network='FOLDER'"
        )
    made = load_network(file, game)
    used = made.evaluate_images if images else made
    player = AlphaZeroAfresh(game, used, options) if afresh else AlphaZero(game, used, options, noise)
    player.origin = hashlib.sha256(file.read_bytes()).hexdigest()
    return player


NETS = Path(__file__).with_name("nets")
"""The folder of the networks that come with the package, each named after its game."""


@lru_cache(maxsize=64)
def own_network(game: Game) -> Path | None:
    """Return the file of the network that comes with the package and fits a game, or ``None`` if there is none."""
    file = NETS / f"{game.name}.safetensors"
    if not file.exists():
        return None
    learned = describe_file(file, PolicyNetwork)
    try:
        PolicyNetwork(make_game(learned.game), learned.design).at(game)
    except BadInputError:
        return None
    return file


STRONGER_THAN = "stronger than"
"""What the description of a network in the package calls the search that it beats."""


@lru_cache(maxsize=64)
def leading_network(game: Game) -> Path | None:
    """Return the file of `own_network`, if that beats the searches without a network, at the game by these rules."""
    if (file := own_network(game)) is None:
        return None
    learned = describe_file(file, PolicyNetwork)
    return file if learned.game == game.spec and STRONGER_THAN in learned.about else None


def last_network(path: Path) -> Path:
    """Return the file of a network, which in a folder of `boardgames improve` is the last one there.

    Raises:
        BadInputError: If the folder has none.
    """
    if not path.is_dir():
        return path
    found = path.glob("iteration-*/network.safetensors")
    last = max(found, key=lambda file: (len(file.parent.name), file), default=None)  # (iteration-100 is after -99)
    if last is None:
        raise BadInputError(
            f"the folder {path} holds no network; give a network's file, or a folder of `boardgames improve` with an "
            "iteration that is done"
        )
    return last


class AlphaZero(LookAhead):
    """A policy that searches with a network; see `alpha_zero`.

    Args:
        game: The game.
        network: The network, or another function that evaluates positions.
        options: Options of the search.
        noise: Scale of the Gumbel noise.
    """

    def __init__(
        self, game: Game, network: PolicyNetwork | Evaluate, options: SearchOptions, noise: float = 0.0
    ) -> None:
        super().__init__(game)
        self._network, self._options, self._noise = network, options, noise
        self._search = TreeSearch(game, network, options)
        self._forget()

    def _forget(self) -> None:
        self._kept: Subtree | None = None
        self._gumbels: Float64s | None = None
        self._searched_at = -1
        self._last_action = -1

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Begin a contest without a tree."""
        super().begin(game, seats, rng)
        self._forget()

    def saw(self, position: Position, action: int) -> None:
        """Note the action."""
        super().saw(position, action)
        self._last_action = action

    given = saw

    def choose(self, position: Position) -> int:
        """Return the action that the search finds best."""
        demand_turn(position, self.game)
        gumbels = self._noise_from(self.rng)
        if not self._is_reached(position):  # (another position than that of the contest leaves its tree alone)
            search = TreeSearch(self.game, self._network, self._options)
            return int(search.search(position.state[None], gumbels=gumbels).actions[0])
        self._kept, self._searched_at, self._gumbels = self._tree_before(position), len(self._seen), gumbels
        return int(self._found(self._search, position, gumbels).actions[0])

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return visits, value and policy of each action. An arrow marks the action played.

        They are those of the choice, if the position has been searched.
        """
        demand_turn(position, self.game)
        search = TreeSearch(self.game, self._network, self._options)  # (what is played afterwards must not change)
        was_searched = self._is_reached(position) and self._searched_at == len(self._seen)
        found = self._found(search, position, self._gumbels if was_searched else self._noise_from(deepcopy(self.rng)))
        prior, value = self._network_alone(position)
        chosen = int(found.actions[0])
        legal = sorted(position.legal_actions, key=lambda action: (action != chosen, -found.policy[0, action], action))
        most, total = found.policy.max(), max(1, found.visits.sum())
        text = self.game.action_text
        moves = [
            ConsideredMove(
                text(action),
                (
                    f"{found.visits[0, action]:,}",
                    f"{found.visits[0, action] / total:.0%}",
                    signed(float(found.points[0, action]), 2),
                    f"{found.policy[0, action]:.0%}",
                    f"{prior[action]:.0%}",
                ),
                mark=f"{found.policy[0, action]:.0%}",
                weight=float(found.policy[0, action] / most),
                is_chosen=action == chosen,
                alike=((action,),),
            )
            for action in legal
        ]
        return explanation_of_moves(
            f"decided by at most {self._options.simulations:,} simulations with a network",
            moves,
            numbers=("visits", "share", "value", "policy", "network"),
            played=played,
            facts=(
                f"the position is worth {signed(value, 2)} points to the network alone, "
                f"and {signed(float((found.policy * found.points).sum()), 2)} with the policy of the search",
            ),
            glossary=(
                "visits: the simulations that went through the move, also those of earlier searches of the contest",
                "value: the points that the seat to move can expect",
                "policy: the probability of the move after the search; network: before",
            ),
            legend="how likely it is to play each move",
            verdict=f"prefers {text(chosen)}: {points_in_words(position, float(found.points[0, chosen]))}",
        )

    def _noise_from(self, rng: Rng) -> Float64s | None:
        return self._noise * rng.gumbel(size=(1, self.game.num_actions)) if self._noise else None

    def _found(self, search: TreeSearch, position: Position, gumbels: Float64s | None) -> Found:
        return search.search(position.state[None], self.seen()[None], gumbels=gumbels, kept=self._tree_before(position))

    def _is_reached(self, position: Position) -> bool:
        """Return whether the contest is in a position, by what has been seen of it."""
        if not self._seen:
            return position == self.game.initial
        return self._seen[-1].after(self._last_action) == position

    def _tree_before(self, position: Position) -> Subtree | None:
        """Return what earlier searches of the contest have found of the position.

        A second search of a position begins as the first one did, so that it finds the same.
        """
        if self._searched_at == len(self._seen):
            kept = self._kept
            return kept if kept is not None and (kept.state == position.state).all() else None
        if not 0 <= self._searched_at < len(self._seen):
            return None
        return self._search.subtree(np.concatenate((self.seen()[self._searched_at :], position.state[None])))

    def _network_alone(self, position: Position) -> tuple[Float64s, float]:
        """Return the network's probability of each action, 0 if it is not legal, and its points."""
        state: Int8s = position.state[None].copy()
        logits, values = self._search.evaluate(state)
        legal = list(position.legal_actions)
        weights = np.zeros(self.game.num_actions)
        weights[legal] = np.exp(logits[0, legal].astype(np.float64) - logits[0, legal].max())
        return weights / weights.sum(), float(values[0])


class AlphaZeroAfresh(MarkovPolicy):
    """A policy that searches each position as if the contest began there.

    Args:
        game: The game.
        network: The network, or another function that evaluates positions.
        options: Options of the search.
    """

    def __init__(self, game: Game, network: PolicyNetwork | Evaluate, options: SearchOptions) -> None:
        super().__init__()
        self.game = game
        self._search, self._explained = TreeSearch(game, network, options), AlphaZero(game, network, options)

    def distribution(self, position: Position) -> Distribution:
        """Return the action that a search of the position finds best."""
        return self.distributions([position])[0]

    def distributions(self, positions: Sequence[Position]) -> Sequence[Distribution]:
        """Return the best action of each of some positions, which are searched in lockstep."""
        for position in positions:
            demand_turn(position, self.game)
        states = np.array([each.state for each in positions]).reshape(-1, self.game.state_size)
        return [((action,), (1.0,)) for action in self._search.best_actions(states).tolist()]

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return visits, value and policy of each action. An arrow marks the action played."""
        self._explained.begin(self.game, (), np.random.default_rng(0))
        return self._explained.explanation(position, played)
