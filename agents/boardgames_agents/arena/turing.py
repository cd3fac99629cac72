"""The game players' Turing test of Epstein 1994, section 2.3: is this a reliable and powerful player?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.estimate import wilson
from boardgames_agents.experts.perfect import can_be_perfect
from boardgames_agents.policy import Policy
from boardgames_agents.record import Record
from boardgames_agents.registry import yardsticks_at
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.solve.few_men_tables import is_few_men_known
from boardgames_env.spec import Spec

LEVEL = 0.0625
"""The paper cites correlations of 93.75 % or higher."""


@dataclass(frozen=True)
class Challenger:
    """An opponent that is perfect but for its noise e, the probability of a random decision."""

    name: str
    e: float

    def spec(self, style: str = "uniform") -> Spec:
        """Return its spec, with perfect decisions in a style."""
        options = {} if style == "uniform" else {"style": style}
        return Spec("fallible", {"e": self.e, **options}) if self.e else Spec("perfect", options)


CHALLENGERS = (
    Challenger("perfect", 0.0),
    Challenger("expert", 0.1),
    Challenger("novice", 0.7),
    Challenger("random", 1.0),
)
"""The paper's four."""


def challengers_at(game: Game) -> dict[str, Spec]:
    """Return specs of challengers by name: the paper's four, or yardsticks or a searcher with the random player.

    In a game with dice that has been solved, the perfect player comes before these.
    """
    if can_be_perfect(game):
        return {challenger.name: challenger.spec() for challenger in CHALLENGERS}
    perfect = {"perfect": Spec("perfect")} if is_few_men_known(game) else {}
    if usual := yardsticks_at(game):
        return perfect | {name: Spec(name) for name in [*usual, "random"]}
    return {**perfect, "searcher": Spec("mcts", {"playouts": 50}), "random": Spec("random")}


_PURPOSE = 2
"""Part of the seeds, which a training and its tests with the same base seed do not have."""

_CHALLENGERS_BY_ERROR = {challenger.e: challenger for challenger in CHALLENGERS}

LADDER = tuple(_CHALLENGERS_BY_ERROR.get(tenths / 10, Challenger(f"e={tenths}0%", tenths / 10)) for tenths in range(11))
"""Challengers with noise 0, 10, …, 100 %, including the four, so that a trend can show."""


@dataclass(frozen=True)
class Condition:
    """One of the test's three conditions, with a line for each comparison."""

    name: str
    passed: bool
    details: tuple[str, ...]


@dataclass(frozen=True)
class TuringVerdict:
    """The result of the test: scores in ``contests`` contests against each challenger, by noise, and the conditions."""

    game: str
    player: str
    contests: int
    scores: Mapping[Challenger, Score]
    conditions: tuple[Condition, ...]

    @property
    def passed(self) -> bool:
        """Whether all conditions hold."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the conditions that do not hold."""
        return tuple(condition.name for condition in self.conditions if not condition.passed)

    def __str__(self) -> str:
        lines = [f"{self.player} {'meets' if self.passed else 'fails'} the game players' Turing test at {self.game}"]
        for condition in self.conditions:
            lines.append(f"  {'passed' if condition.passed else 'FAILED'}: {condition.name}")
            lines.extend(f"    {detail}" for detail in condition.details)
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Return all results as plain data, for JSON."""
        return {
            "game": self.game,
            "player": self.player,
            "contests": self.contests,
            "passed": self.passed,
            "failed": list(self.failed),
            "conditions": {condition.name: condition.passed for condition in self.conditions},
            "scores": {challenger.name: score.as_dict() for challenger, score in self.scores.items()},
        }


@dataclass(frozen=True)
class TuringOptions:
    """How the test is played.

    Attributes:
        contests: Contests against each challenger, on each of the eleven rungs of the ladder. The paper played 20, five
            times.
        seed: Random seed of the test; the tournament on rung r, 0 to 10, has the seed ``(seed, 2, r)``.
        style: The challengers' perfect decisions: ``uniform``, or ``wise`` as in Epstein 1994.
        jobs: Number of processes; the result is the same with any number.
    """

    contests: int = 1000
    seed: int = 1_000_000
    style: str = "uniform"
    jobs: int = 1


def turing_test(
    game: Game,
    policy: str | Policy,
    maximal_power: Mapping[str, float],
    options: TuringOptions,
    on_contest: Callable[[Record], object] | None = None,
) -> TuringVerdict:
    """Play the game players' Turing test, a tournament at each noise of the ladder; see `judge`.

    The paper's four challengers are rungs of the ladder. They alone could not show a trend: Cox and Stuart's test
    makes two pairs of four values, which at best reaches p = 0.25.

    Args:
        game: A game known to be a draw; at others a perfect player loses, too, so that reliability means little.
        policy: The policy, or its spec. A learner plays as it is now.
        maximal_power: Power of a perfect player in per cent, by the name of each challenger but the perfect one.
        options: How the test is played.
        on_contest: Called with the record of each contest.

    Raises:
        BadInputError: If the game is not known to be a draw, maximal power is missing for a challenger, or
            `tournament` raises it.
    """
    if game.value != 0:
        raise BadInputError(
            f"{game.spec} is not known to be a draw; the game players' Turing test is defined for draw games only"
        )
    imperfect = [challenger.name for challenger in CHALLENGERS if challenger.e > 0]
    if missing := [name for name in imperfect if name not in maximal_power]:
        raise BadInputError(f"maximal power is not given for: {one_of(missing)}; the test needs: {one_of(imperfect)}")
    if wrong := {name: power for name, power in maximal_power.items() if not 0 <= power <= 100}:
        raise BadInputError(f"maximal power is a percentage, from 0 to 100, not {wrong}")
    scores, player = {}, ""
    for rung, challenger in enumerate(LADDER):
        opponent, seeds = challenger.spec(options.style), (options.seed, _PURPOSE, rung)
        played = tournament(game, policy, opponent, options.contests, seeds, options.jobs, on_contest)
        player = played.players[0]
        scores[challenger] = played.score
    return TuringVerdict(game.spec, player, options.contests, scores, judge(scores, maximal_power))


def judge(scores: Mapping[Challenger, Score], maximal_power: Mapping[str, float]) -> tuple[Condition, ...]:
    """Return the test's three conditions, in the paper's order.

    1. Reliability within the 95 % confidence limit of 100 %: against each of the four challengers it is at least
       the lower end of Wilson's interval for a perfect record over as many contests.
    2. Power within the 95 % confidence limit of maximal power: against each of the four it is at least the lower
       end of Wilson's interval, for as many contests, of a perfect player's power. A perfect player itself fails
       in one comparison of forty, where its power is known exactly.
    3. Both increase with the challengers' noise, by Cox and Stuart's test over all of them at 93.75 %. Power must
       show an increase; if pairs are tied (both at 100 %, for instance) so often that no result could reach that
       level, all others must go up, and there must be at least one. Reliability, which cannot exceed 100 %, must show
       no decrease.

    Args:
        scores: Scores against the challengers, the four among them; the test has eleven.
        maximal_power: Power of a perfect player in per cent, by the challenger's name; 0 for the perfect one.
    """
    reliable, powerful = True, True
    reliabilities, powers = [], []
    for challenger in CHALLENGERS:
        score, maximal = scores[challenger], {"perfect": 0.0, **maximal_power}[challenger.name]
        bound = wilson(score.contests, score.contests)[0]
        reliable &= score.reliability >= bound
        reliabilities.append(f"{challenger.name}: {score.reliability:.2f} %, must be at least {bound:.2f} %")
        bound = wilson(score.contests * maximal / 100, score.contests)[0]
        powerful &= score.power >= bound
        note = f"(a perfect player's is {maximal:.2f} %)"
        powers.append(f"{challenger.name}: {score.power:.2f} %, must be at least {bound:.2f} % {note}")
    return (
        Condition("reliability within the 95 % confidence limit of 100 %", reliable, tuple(reliabilities)),
        Condition("power within the 95 % confidence limit of maximal power", powerful, tuple(powers)),
        _monotone([scores[challenger] for challenger in sorted(scores, key=lambda challenger: challenger.e)]),
    )


def _monotone(scores: Sequence[Score]) -> Condition:
    power = cox_stuart([score.power for score in scores])
    reliability = cox_stuart([score.reliability for score in scores])
    untied = power.ups + power.downs
    could_show = _tail(untied, untied) <= LEVEL
    rises = power.p_increase <= LEVEL if could_show else power.ups > 0 and power.downs == 0
    demand = f"must be at most {LEVEL}" if could_show else "too few for a level: all must go up"
    return Condition(
        "reliability and power increase with the challenger's noise",
        rises and reliability.p_decrease > LEVEL,
        (
            f"power: {power}; p of the increase {power.p_increase:.4g}, {demand}",
            f"reliability: {reliability}; p of a decrease {reliability.p_decrease:.4g}, must be more than {LEVEL}",
        ),
    )


@dataclass(frozen=True)
class Trend:
    """The counts of Cox and Stuart's test: pairs that go up, and pairs that go down."""

    ups: int
    downs: int

    @property
    def p_increase(self) -> float:
        """Probability that as many pairs or more go up by chance; 1 if all are ties."""
        return _tail(self.ups, self.ups + self.downs)

    @property
    def p_decrease(self) -> float:
        """Probability that as many pairs or more go down by chance; 1 if all are ties."""
        return _tail(self.downs, self.ups + self.downs)

    def __str__(self) -> str:
        return f"{self.ups} of {self.ups + self.downs} untied pairs go up"


def cox_stuart(sequence: Sequence[float]) -> Trend:
    """Return the counts of Cox and Stuart's sign test for trend in a sequence.

    Each value of the first half is paired with the one at the same place of the second half. The middle one of an
    odd number is left out, and so are ties.

    Source: D. R. Cox and A. Stuart, *Some quick sign tests for trend in location and dispersion*, Biometrika 42
    (1955); W. J. Conover, *Practical Nonparametric Statistics* (1980), which the paper cites.
    """
    half = len(sequence) // 2
    pairs = list(zip(sequence[:half], sequence[len(sequence) - half :], strict=True))
    return Trend(sum(early < late for early, late in pairs), sum(early > late for early, late in pairs))


def _tail(successes: int, trials: int) -> float:
    """Return the probability of at least as many heads, exactly: p may equal the level."""
    return float(sum(comb(trials, heads) for heads in range(successes, trials + 1)) / 2**trials)
