"""What agents think of positions: who can be asked, their explanations, and judgements of the turns of a contest."""

from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Lock

import numpy as np

from boardgames_agents.experts.perfect import PerfectPlayer, demand_openings
from boardgames_agents.lookahead.evaluator import HasEvaluator
from boardgames_agents.lookahead.player import explainer_of
from boardgames_agents.people.judging.cost import Judgement, judgement_of
from boardgames_agents.people.judging.sources import NODES
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy import Policy
from boardgames_agents.policy.explanation import Explains, Explanation
from boardgames_agents.registry import agent_named, make_agent, make_player
from boardgames_agents.training.run import read_config, read_progress
from boardgames_agents.training.trained import run_of_spec, spec_of_run
from boardgames_cli.web.kept import Kept
from boardgames_cli.web.specs import Checker
from boardgames_cli.web.watched_runs import Folders
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.spec import Spec

UNTRAINED = "has learned nothing"
"""What people should know of a learner that has just been made."""

_ERRING = ("fallible", "reasonable", "worst")
"""The agents that know what `perfect` knows, and err on purpose."""

EXACT, TRAINED, SEARCH = "Know the answer", "Have been trained", "Look ahead"
"""By what agents know what they say, and the titles of their groups, in order."""

_MOST_POLICIES = 32
_MOST_EXPLANATIONS = 512
_MOST_JUDGEMENTS = 8192
_MOST_RUNS = 50
_TURNS_WITH_ALL_NODES = 60
_FEWEST_NODES = 500
_SEED = 0


@dataclass(frozen=True)
class Thinker:
    """An agent that can be asked what it thinks."""

    spec: str
    label: str  # its name for people
    note: str = ""  # what people should know of it; may be empty
    knows: str = ""  # `EXACT`, `TRAINED` or `SEARCH`; empty if it evaluates nothing or errs on purpose


class _Asked:
    """An agent that is asked; by one thread at a time."""

    def __init__(self, spec: str, game: Game) -> None:
        self.policy, self.lock = make_player(spec, game), Lock()
        self.explainer = explainer_of(self.policy, game)


class Opinions:
    """Asks agents about positions, and keeps their last answers."""

    def __init__(self, checker: Checker, folders: Folders) -> None:
        self._checker = checker
        self._folders = folders
        self._asked = Kept[tuple[str, str, int], _Asked](_MOST_POLICIES)
        self._explanations = Kept[tuple[Hashable, ...], Explanation](_MOST_EXPLANATIONS)
        self._judgements = Kept[tuple[Position, tuple[int, ...], int], Judgement](_MOST_JUDGEMENTS)
        self._able = Kept[tuple[Game, bool], list[Thinker]](_MOST_POLICIES)

    def thinkers(self, game: Game) -> list[Thinker]:
        """Return the registered agents that can be asked about a game, without learners."""
        return self._registered(game, learners=False)

    def untrained(self, game: Game) -> list[Thinker]:
        """Return the learners that can be asked about a game; they have learned nothing."""
        return self._registered(game, learners=True)

    def trained(self, game: Game) -> list[Thinker]:
        """Return the runs that have trained for a game, the last changed first."""
        found: list[Thinker] = []
        for folder in self._folders.runs():
            with suppress(BadInputError, OSError):
                config = read_config(folder, imports=False)
                if config.game == game.spec:
                    spec, name = self._folders.named(str(spec_of_run(folder))), self._folders.name_of(folder)
                    found.append(Thinker(spec, name, f"{config.label}, trained by {config.trainer}", TRAINED))
            if len(found) == _MOST_RUNS:
                break
        return found

    def named(self, spec: str) -> str:
        """Return a spec as pages have it, without a path of the server."""
        return self._folders.named(spec)

    def thinker(self, spec: str, game: Game) -> Thinker:
        """Return an agent of a registered name as one that can be asked about a game, whether it can or not."""
        entry = agent_named(Spec.parse(spec).name)
        if entry is None:
            return Thinker(spec, spec)
        usual = next((each for each in self.thinkers(game) if each.spec == entry.name), None)
        knows = EXACT if entry.name in _ERRING else usual.knows if usual else ""
        return Thinker(spec, entry.title, UNTRAINED if entry.learns else entry.does, knows)

    def explanation(self, spec: str, positions: Sequence[Position], actions: Sequence[int]) -> Explanation:
        """Return what an agent thinks of the last of some positions of a contest, given the actions between them.

        Raises:
            BadInputError: If there is no such agent at this game, it cannot explain its moves, or no seat is to move.
        """
        game, position = positions[-1].game, positions[-1]
        if not position.legal_actions:
            raise BadInputError("the contest is over; there is nothing to choose any more")
        spec = str(self._checker.agent(spec))
        folder = run_of_spec(Spec.parse(spec))
        trained = read_progress(folder).contests if folder else 0  # (the run may be trained on)
        key = (game.spec, spec, trained, tuple(each.key for each in positions), tuple(actions))
        return self._explanations.get_or_make(key, lambda: self._explained(spec, trained, positions, actions))

    def _explained(self, spec: str, trained: int, positions: Sequence[Position], actions: Sequence[int]) -> Explanation:
        game = positions[-1].game
        asked = self._asked.get_or_make((game.spec, spec, trained), lambda: _Asked(spec, game))
        with asked.lock:
            asked.policy.begin(game, (), np.random.default_rng(_SEED))
            for position, action in zip(positions, actions, strict=False):
                asked.policy.saw(position, action)
            return asked.explainer.explanation(positions[-1])

    def judged(self, session: PlaySession, most: int) -> list[Judgement]:
        """Return the judgements of the turns of a contest, and of the position reached, the first ones first.

        If more than some number have not been made before, the rest is left out.
        """
        turns, found = to_judge(session), list[Judgement]()
        nodes = nodes_a_move(len(turns))
        for position, actions in turns:
            known = self._judgements.get((position, actions, nodes))
            if known is None:
                if most == 0:
                    break
                most -= 1
                known = judgement_of(position, actions, nodes)
                self._judgements.put((position, actions, nodes), known)
            found.append(known)
        return found

    def _registered(self, game: Game, learners: bool) -> list[Thinker]:
        def found() -> Iterator[Thinker]:
            for name, entry in self._checker.offered().items():
                if entry.learns == learners and not entry.needs:
                    with suppress(BadInputError, OSError):
                        self._checker.agent(name)
                        policy = make_player(make_agent(name, game), game)
                        demand_openings(policy, game)
                        explainer_of(policy, game)
                        yield Thinker(name, entry.title, entry.does, "" if name in _ERRING else _known_by(policy))

        return self._able.get_or_make((game, learners), lambda: list(found()))


def _known_by(policy: Policy) -> str:
    """Return by what an agent evaluates moves; empty if it does not."""
    if isinstance(policy, HasEvaluator | PerfectPlayer):
        return TRAINED if isinstance(policy, HasEvaluator) else EXACT
    return SEARCH if isinstance(policy, Explains) else ""


def nodes_a_move(turns: int) -> int:
    """Return the positions that a search looks at for each move of a contest: fewer if it has many turns.

    Each halving is for twice as many turns, so that most judgements of a contest that goes on can be used again.
    """
    halvings = max(0, (max(1, turns) - 1) // _TURNS_WITH_ALL_NODES).bit_length()
    return max(_FEWEST_NODES, NODES >> halvings)


def to_judge(session: PlaySession) -> list[tuple[Position, tuple[int, ...]]]:
    """Return the turns of a contest, each with the position before it, and the position reached with no actions.

    A turn that is going on is left out: the position that its seat is to move in comes last.
    """
    turns = [(turn.before, turn.actions) for turn in session.turns]
    if session.is_within_turn:
        turns = turns[:-1]
    return turns if session.is_over else [*turns, (session.position, ())]
