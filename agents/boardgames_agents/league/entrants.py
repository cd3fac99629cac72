"""Who enters a league, and who of them can play which game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from boardgames_agents.policy import Learner, Policy
from boardgames_agents.registry import make_agent, registered_agents
from boardgames_agents.training.loop import MOST_CONTESTS
from boardgames_agents.training.run import RunConfig
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError, MissingLibraryError, one_of
from boardgames_env.spec import Spec


@dataclass(frozen=True)
class Recipe:
    """How a learner is trained before it plays; what is not said here is as in `RunConfig`.

    Attributes:
        trainer: The trainer's spec.
        contests: Contests after which it ends at the latest; by default only a standard ends it.
        standard: The behavioral standard; 0 for none.
        seed: Settles every chance of the training.
        test_every: Contests between tests, which show in the run's curves; 0 for none.
    """

    trainer: str = "self"
    contests: int | None = None
    standard: int = 0
    seed: int = 0
    test_every: int = 0

    def __post_init__(self) -> None:
        if self.contests is None and not self.standard:
            raise BadInputError("a training needs an end: give it contests, a standard, or both")

    def __str__(self) -> str:
        ends = [f"{self.contests:,} contests"] if self.contests is not None else []
        ends += [f"standard {self.standard}"] if self.standard else []
        return f"{', '.join(ends)} with trainer {self.trainer}" + (f", seed {self.seed}" if self.seed else "")


@dataclass(frozen=True)
class Entrant:
    """An agent that enters a league.

    Attributes:
        agent: Its spec; a learner's if it is trained for the league.
        name: What tables call it; by default its spec.
        recipe: How it is trained at each game; if it is not, it plays as its spec makes it.
        games: The specs of the games at which it enters; none for all.
    """

    agent: str
    name: str = ""
    recipe: Recipe | None = None
    games: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.agent)

    def config(self, game: str) -> RunConfig | None:
        """The run that trains it for a game, if it is trained."""
        if self.recipe is None:
            return None
        contests = MOST_CONTESTS if self.recipe.contests is None else self.recipe.contests
        return RunConfig(
            game=game,
            learner=self.agent,
            trainer=self.recipe.trainer,
            contests=contests,
            standard=self.recipe.standard,
            seed=self.recipe.seed,
            test_every=self.recipe.test_every,
        )

    def demand(self, game: Game) -> Policy:
        """See that it can play a game, and be trained for it if it is to be.

        Returns:
            What its spec makes.

        Raises:
            BadInputError: If it cannot.
        """
        policy = make_agent(self.agent, game)
        if policy.interactive:
            raise BadInputError(f"{self.agent} is no entrant: a person cannot play a league")
        if self.recipe is None:
            return policy
        if not isinstance(policy, Learner):
            raise BadInputError(f"{self.agent} does not learn; enter it without a training")
        make_trainer(self.recipe.trainer, game)
        return policy


@dataclass(frozen=True)
class Field:
    """Those who entered at a game.

    Attributes:
        game: The game's spec.
        entered: Those who can play it.
        left_out: The names of those who cannot, and why.
        untrained: The names of learners that play without having learned.
    """

    game: str
    entered: tuple[Entrant, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    untrained: tuple[str, ...] = ()


def fields_of(games: Sequence[str], entrants: Sequence[Entrant]) -> tuple[Field, ...]:
    """Find out who can play what.

    Raises:
        BadInputError: For fewer than two entrants, an unknown game or agent, one that is named twice, an agent whose
            own options keep it out of all games, or a game that fewer than two can play.
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
    fields = tuple(_field(game, entrants) for game in made)
    for entrant in entrants:
        _demand_playable(entrant, made, fields)
    for each in fields:
        if len(each.entered) < 2:
            able = f"only {each.entered[0].name} can play" if each.entered else "none of the agents can play"
            why = "".join(f" ({name}: {reason})" for name, reason in list(each.left_out.items())[:1])
            raise BadInputError(f"{able} {each.game}, and a league needs two{why}")
    return fields


def _demand_known(entrant: Entrant, games: Sequence[str]) -> None:
    """Refuse agents that are not registered, and games that are not the league's."""
    name = Spec.parse(entrant.agent).name
    if name not in registered_agents():
        raise BadInputError(f"there is no agent {name!r}; the agents are: {one_of(registered_agents())}")
    for game in entrant.games:
        if make_game(game).spec not in games:
            raise BadInputError(
                f"{entrant.name} enters at {game}, not a game of the league; those are: {one_of(games)}"
            )


def _field(game: Game, entrants: Sequence[Entrant]) -> Field:
    entered: dict[tuple[str, Recipe | None], Entrant] = {}
    left_out: dict[str, str] = {}
    untrained = []
    for entrant in entrants:
        if entrant.games and game.spec not in {make_game(each).spec for each in entrant.games}:
            continue
        if entrant.name in left_out or entrant.name in {each.name for each in entered.values()}:
            raise BadInputError(f"{entrant.name} is entered twice at {game.spec}; enter it once, or name one otherwise")
        try:
            policy = entrant.demand(game)
        except MissingLibraryError:
            raise
        except BadInputError as error:
            left_out[entrant.name] = str(error)
            continue
        if (same := entered.setdefault((policy.spec, entrant.recipe), entrant)) is not entrant:
            raise BadInputError(f"{entrant.name} and {same.name} are the same agent at {game.spec}; enter it once")
        if entrant.recipe is None and isinstance(policy, Learner):
            untrained.append(entrant.name)
    return Field(game.spec, tuple(entered.values()), left_out, tuple(untrained))


def _demand_playable(entrant: Entrant, games: Sequence[Game], fields: Sequence[Field]) -> None:
    """Refuse an entrant that can play nowhere, unless the games alone are to blame.

    They are if the agent refuses them in the same words whatever its options.
    """
    if any(entrant in each.entered for each in fields):
        return
    for game, each in zip(games, fields, strict=True):
        reason = each.left_out.get(entrant.name)
        if reason is not None and reason != _refusal(Spec.parse(entrant.agent).name, game):
            raise BadInputError(reason)


def _refusal(agent: str, game: Game) -> str | None:
    """In what words an agent with its usual options refuses a game."""
    try:
        make_agent(agent, game)
    except BadInputError as error:
        return str(error)
    return None
