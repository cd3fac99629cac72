"""Levels of strength, ``easy`` to ``perfect``: which agent plays a game at a level, and how strong it is in words."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from boardgames_agents.alpha_zero.player import leading_network
from boardgames_agents.experts.perfect import can_be_perfect
from boardgames_agents.lookahead.evaluator import HasEvaluator
from boardgames_agents.policy import Learner
from boardgames_agents.policy.explanation import counted
from boardgames_agents.registry import agent_named, demand_agent, make_agent, registered_agents
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.solve import is_searched, solve
from boardgames_env.solve.few_men import FewMen
from boardgames_env.solve.few_men_tables import is_few_men_known
from boardgames_env.spec import Spec

EASY, NORMAL, HARD, PERFECT = "easy", "normal", "hard", "perfect"
LEVELS = (EASY, NORMAL, HARD, PERFECT)
"""The names of the levels."""

_ERRORS_IN_TEN = {EASY: 7, NORMAL: 3, HARD: 1}
_NODES = {EASY: 100, NORMAL: 2_000, HARD: 100_000}
_PLAYOUTS = {EASY: 50, NORMAL: 1_000, HARD: 20_000}
_SIMULATIONS = 1_000


@dataclass(frozen=True)
class Level:
    """A level of strength at a game.

    Attributes:
        name: One of `LEVELS`.
        agent: The spec of the agent that plays at this level.
        strength: Its strength in words, such as ``a perfect player that plays 3 moves in 10 at random``.
    """

    name: str
    agent: str
    strength: str


_PERFECT = Level(PERFECT, "perfect", "a perfect player, which never gives away a win or a draw")
_HARD = Level(
    HARD,
    f"alpha_zero(simulations={_SIMULATIONS})",
    f"a search of {_SIMULATIONS:,} positions a move, with a network trained by self-play",
)
"""The level at a game that cannot be solved whole, where a network in the package is stronger than a search without."""


def levels_of(game: Game) -> Mapping[str, Level]:
    """Return the levels of a game by name.

    In a game that can be solved they are perfect players that err; in one with dice, agents that predict outcomes; in
    others, searches that look at fewer or more positions, the last with a network if the package has one.
    """
    if can_be_perfect(game):
        levels = [
            Level(name, f"fallible(e={e / 10})", f"a perfect player that plays {counted(e, 'move')} in 10 at random")
            for name, e in _ERRORS_IN_TEN.items()
        ]
        levels.append(_PERFECT)
    elif game.rules.has_chance:
        levels = _with_dice(game)
        if is_few_men_known(game):
            levels.append(Level(PERFECT, "perfect", "a perfect player, by the exact chances of every position"))
    elif game.heuristics:
        levels = [
            Level(name, f"alpha_beta(nodes={nodes})", f"a search that looks at {nodes:,} positions a move")
            for name, nodes in _NODES.items()
        ]
        if is_searched(game) and solve(game).knows(game.initial):
            levels.append(_PERFECT)
    else:
        levels = _by_playouts()
    found = {level.name: level for level in levels}
    return found if can_be_perfect(game) or leading_network(game) is None else {**found, HARD: _HARD}


def level_of(game: Game, name: str) -> Level:
    """Return a level of a game by its name.

    Raises:
        BadInputError: If there is no such level, or nothing plays the game perfectly.
    """
    if name not in LEVELS:
        raise BadInputError(f"there is no level {name!r}; the levels are: {one_of(LEVELS)}")
    levels = levels_of(game)
    if name not in levels:
        raise BadInputError(f"nothing here plays {game.spec} perfectly; its levels are: {one_of(levels)}")
    return levels[name]


def name_for_people(player: str) -> str:
    """Return the name for people of the player of a spec: a level, or the agent's title; what is no agent stays."""
    if player in _LEVELS_BY_SPEC:
        return f"computer, {_LEVELS_BY_SPEC[player]}"
    try:
        entry = agent_named(Spec.parse(player).name)
    except BadInputError:
        entry = None
    return entry.title if entry else player


_LEVELS_BY_SPEC = {
    **{f"fallible(e={errors / 10})": name for name, errors in _ERRORS_IN_TEN.items()},
    **{f"alpha_beta(nodes={nodes})": name for name, nodes in _NODES.items()},
    **{f"mcts(playouts={playouts})": name for name, playouts in _PLAYOUTS.items()},
    _HARD.agent: HARD,
}


@lru_cache(maxsize=32)
def predictor_of(game: Game) -> str | None:
    """Return the spec of the agent that predicts the outcomes of a game best without learning first, if there is one.

    Of several it is the one that comes first in the registry and needs no other program. One that knows is not asked.
    """
    for name, entry in registered_agents().items():
        if not (entry.learns or entry.needs):
            with suppress(BadInputError, OSError):
                policy = make_agent(name, game)
                predicts = isinstance(policy, HasEvaluator) and not isinstance(policy.evaluator, FewMen)
                if predicts and not isinstance(policy, Learner):
                    return name
    return None


def _with_dice(game: Game) -> list[Level]:
    predictor = predictor_of(game)
    if predictor is None:
        return _by_playouts()
    easy, *_ = _by_playouts()
    levels = [easy, Level(NORMAL, predictor, "a network trained by self-play, which looks at its own moves")]
    if "plies" in demand_agent(predictor).options:
        strength = "a network trained by self-play, which looks three plies ahead"
        levels.append(Level(HARD, f"{predictor}(plies=3)", strength))
    return levels


def _by_playouts() -> list[Level]:
    return [
        Level(name, f"mcts(playouts={playouts})", f"a search by {playouts:,} random contests a move")
        for name, playouts in _PLAYOUTS.items()
    ]
