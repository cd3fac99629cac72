"""The entrants of a league, and the games that each of them can play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from platform import node
from typing import Any, Generic, TypeVar

from boardgames_agents.experts.perfect import demand_openings
from boardgames_agents.policy import Learner, Policy, Snapshot
from boardgames_agents.policy.explanation import counted
from boardgames_agents.registry import make_agent, make_learner, make_player, registered_agents
from boardgames_agents.training.loop import MOST_CONTESTS
from boardgames_agents.training.run import RunConfig
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError, MissingLibraryError, one_of
from boardgames_env.spec import Spec, demand_entry


@dataclass(frozen=True)
class Entrant:
    """An agent that enters a league.

    Attributes:
        agent: Spec of the agent; of a learner, if it is trained for the league.
        name: Name in tables; by default the spec.
        training: The run that trains it, without game and learner; ``None`` if it plays as its spec makes it.
        games: Specs of the games at which it enters; empty for all.
    """

    agent: str
    name: str = ""
    training: RunConfig | None = None
    games: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.agent)

    @classmethod
    def trained(cls, agent: str, name: str = "", games: tuple[str, ...] = (), **training: Any) -> "Entrant":
        """Return a learner that is trained for the league, by self-play unless ``training`` has a trainer.

        ``training`` has fields of `RunConfig`, among them ``contests``, ``standard`` or both.

        Raises:
            BadInputError: If the training has no end.
        """
        if "contests" not in training and not training.get("standard"):
            raise BadInputError("a training needs an end: give it contests, a standard, or both")
        config = RunConfig(**{"game": "", "learner": "", **training})
        return cls(agent, name, config, games)

    def config(self, game: str) -> RunConfig | None:
        """Return the run that trains it for a game, if it is trained."""
        return self.training and replace(self.training, game=game, learner=self.agent)

    @property
    def training_text(self) -> str:
        """The training in words, ``–`` for none."""
        run = self.training
        if run is None:
            return "–"
        ends = [] if run.standard and run.contests == MOST_CONTESTS else [counted(run.contests, "contest")]
        ends += [f"standard {run.standard}"] if run.standard else []
        return f"{', '.join(ends)} with trainer {run.trainer}" + (f", seed {run.seed}" if run.seed else "")

    def make(self, game: Game) -> Policy:
        """Return the agent at a game, before any training.

        Raises:
            BadInputError: If it cannot play the game, or cannot be trained for it.
        """
        policy = make_agent(self.agent, game)
        demand_openings(policy, game)
        if policy.interactive:
            raise BadInputError(f"{self.agent} is no entrant: a person cannot play a league")
        if self.training is None:
            return policy
        if not isinstance(policy, Learner):
            raise BadInputError(f"{self.agent} does not learn; enter it without a training")
        make_trainer(self.training.trainer, game)
        return policy


@dataclass(frozen=True)
class LeaguePlayer:
    """An entrant at one game, ready to play.

    Attributes:
        spec: Spec in the match store; that of a trained learner has its path from the league's folder.
        maker: Spec that makes the player; for a trained learner that of the untrained one.
        origin: `Policy.origin`.
        learned: Knowledge of a trained learner, so that no file is read where a block is played.
    """

    name: str
    spec: str
    maker: str
    origin: str = ""
    learned: Snapshot | None = field(default=None, compare=False, repr=False)

    def make(self, game: Game) -> Policy:
        """Return the policy that plays.

        Raises:
            BadInputError: If the files it is made from differ from those where the league was started.
        """
        if self.learned is not None:
            learner = make_learner(self.maker, game)
            learner.restore(self.learned)
            policy = make_player(learner, game)
            policy.origin = self.origin
        else:
            policy = make_player(self.maker, game)
            if policy.origin != self.origin:
                raise BadInputError(f"{self.spec} is made from another file on {node()} than where the league began")
        policy.spec = self.spec
        return policy


Player = TypeVar("Player", Entrant, LeaguePlayer)


@dataclass(frozen=True)
class Roster(Generic[Player]):
    """The entrants at a game, or the players that they become.

    Attributes:
        players: Those that can play it.
        left_out: The reasons why others cannot, by their names.
        untrained: Names of learners that play without having learned.
    """

    game: str
    players: tuple[Player, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    untrained: tuple[str, ...] = ()

    def player(self, name: str) -> Player:
        """Return the player of a name; raise `BadInputError` if there is none."""
        for each in self.players:
            if each.name == name:
                return each
        raise BadInputError(f"{name} does not play {self.game} in this league")


def entrants_by_game(games: Sequence[str], entrants: Sequence[Entrant]) -> tuple[Roster[Entrant], ...]:
    """Return the entrants at each game that can play it.

    Raises:
        BadInputError: If there are fewer than two entrants, a game or an agent is unknown or named twice, an agent's
            own options keep it out of all games, or fewer than two can play a game.
    """
    if not games:
        raise BadInputError("a league needs a game; name one or several")
    if len(entrants) < 2:
        named = one_of(entrant.name for entrant in entrants)
        raise BadInputError(f"a league needs at least two agents to play one another, and has: {named}")
    made = [make_game(game) for game in games]
    specs = [game.spec for game in made]
    if len(set(specs)) < len(specs):
        raise BadInputError(f"a game is named twice in: {one_of(specs)}; name it once")
    for entrant in entrants:
        _demand_known(entrant, specs)
    found = tuple(_entrants_at(game, entrants) for game in made)
    for entrant in entrants:
        _demand_playable(entrant, made, found)
    for each in found:
        if len(each.players) < 2:
            able = f"only {each.players[0].name} can play" if each.players else "none of the agents can play"
            why = "".join(f" ({name}: {reason})" for name, reason in list(each.left_out.items())[:1])
            raise BadInputError(f"{able} {each.game}, and a league needs two{why}")
    return found


def _demand_known(entrant: Entrant, games: Sequence[str]) -> None:
    """Refuse an agent that is not registered, and games that are not in the league."""
    name = Spec.parse(entrant.agent).name
    agents = registered_agents()
    demand_entry("agent", name, agents)
    for game in entrant.games:
        if make_game(game).spec not in games:
            raise BadInputError(
                f"{entrant.name} enters at {game}, not a game of the league; those are: {one_of(games)}"
            )


def _entrants_at(game: Game, entrants: Sequence[Entrant]) -> Roster[Entrant]:
    entered: dict[tuple[str, RunConfig | None], Entrant] = {}
    left_out: dict[str, str] = {}
    untrained = []
    for entrant in entrants:
        if entrant.games and game.spec not in {make_game(each).spec for each in entrant.games}:
            continue
        if entrant.name in left_out or entrant.name in {each.name for each in entered.values()}:
            raise BadInputError(f"{entrant.name} is entered twice at {game.spec}; enter it once, or name one otherwise")
        try:
            policy = entrant.make(game)
        except MissingLibraryError:
            raise
        except BadInputError as error:
            left_out[entrant.name] = str(error)
            continue
        if (same := entered.setdefault((policy.spec, entrant.training), entrant)) is not entrant:
            raise BadInputError(f"{entrant.name} and {same.name} are the same agent at {game.spec}; enter it once")
        if entrant.training is None and isinstance(policy, Learner):
            untrained.append(entrant.name)
    return Roster(game.spec, tuple(entered.values()), left_out, tuple(untrained))


def _demand_playable(entrant: Entrant, games: Sequence[Game], found: Sequence[Roster[Entrant]]) -> None:
    """Refuse an entrant whose own options keep it out of all games.

    A game keeps it out if the agent with its default options gives the same reason.
    """
    if any(entrant in each.players for each in found):
        return
    for game, each in zip(games, found, strict=True):
        if entrant.name in each.left_out:
            try:
                make_agent(Spec.parse(entrant.agent).name, game)
            except BadInputError as error:
                if str(error) == each.left_out[entrant.name]:
                    continue
            raise BadInputError(each.left_out[entrant.name])
