"""The claims of Epstein 1994 about trainers, judged for every learner."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from boardgames_agents.experiments.runner import QUICK_RUNS, QUICK_SCALE
from boardgames_baselines.papers.ideal_trainer_today.grid import LEVEL, Gain, Grid, gain, holm, present, shortened


@dataclass(frozen=True)
class Claim:
    """A claim: one trainer makes learners more reliable than another.

    Attributes:
        short: The claim in a few words.
        sentence: The claim as a clause, for the abstract.
        better: The name of the trainer that it calls better.
        worse: The name of the other one.
    """

    short: str
    sentence: str
    better: str
    worse: str


CLAIMS = {
    "self": Claim("perfect > self", "self-training is worse than a perfect trainer", "perfect", "self"),
    "narrow": Claim(
        "10 % noise > perfect", "a trainer with some noise is better than a perfect one", "10 % noise", "perfect"
    ),
    "too much": Claim(
        "10 % noise > 100 % noise", "a trainer with some noise is better than a random one", "10 % noise", "100 % noise"
    ),
    "lessons": Claim("2&7 > perfect", "lessons and practice are better than a perfect trainer alone", "2&7", "perfect"),
    "practice": Claim("2&7 > self", "lessons and practice are better than self-training", "2&7", "self"),
    "key nodes": Claim(
        "key nodes > 2&7", "lessons that lead to the key nodes are better than others", "key nodes", "2&7"
    ),
    "key nodes alone": Claim(
        "key nodes > perfect", "key-node training is better than a perfect trainer", "key nodes", "perfect"
    ),
}
"""The last two are about the trainer that the paper's conclusion asks for, which is ours."""

Word = Literal["yes", "the reverse", "undecided"]

_TEXTS: Mapping[Word, str] = {"yes": "holds", "the reverse": "is reversed", "undecided": "is undecided"}


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds for a learner; ``p`` is corrected for the number of claims and learners."""

    gain: Gain
    p: float

    @property
    def word(self) -> Word:
        """The verdict at the level of 5 %."""
        if self.p >= LEVEL:
            return "undecided"
        return "yes" if self.gain.estimate.value > 0 else "the reverse"


Verdicts = Mapping[tuple[str, str], Verdict]


def judge(found: Grid) -> Verdicts:
    """Return the verdict on every claim, by its name, for every learner that was trained by both trainers."""
    _, learners, _ = present(found)
    gains = {
        (name, learner): found_gain
        for name, claim in CLAIMS.items()
        for learner in learners
        if (found_gain := gain(found, learner, claim.better, claim.worse))
    }
    ps = holm([each.p for each in gains.values()])
    return {key: Verdict(each, p) for (key, each), p in zip(gains.items(), ps, strict=True)}


def abstract(found: Grid, verdicts: Verdicts) -> tuple[str, ...]:
    """Return a sentence for each claim: for which learners it holds."""
    _, learners, _ = present(found)
    sentences = []
    for name, claim in CLAIMS.items():
        by_word: dict[Word, list[str]] = {"yes": [], "the reverse": [], "undecided": []}
        for learner in learners:
            if (name, learner) in verdicts:
                by_word[verdicts[name, learner].word].append(learner)
        parts = [f"{_TEXTS[word]} for {_listed(some)}" for word, some in by_word.items() if some]
        if parts:
            sentences.append(f"That {claim.sentence} {'; it '.join(parts)}.")
    return tuple(sentences)


def quick_signs(found: Grid, verdicts: Verdicts) -> str:
    """Return a sentence on the decided claims whose sign is another one with ``--quick``."""
    quick = judge(shortened(found, QUICK_RUNS, QUICK_SCALE))
    decided = [key for key, verdict in verdicts.items() if verdict.word != "undecided" and key in quick]
    other = [
        f"{CLAIMS[name].short} for {learner}"
        for name, learner in decided
        if verdicts[name, learner].gain.estimate.value * quick[name, learner].gain.estimate.value <= 0
    ]
    if not other:
        return f"With `--quick` the sign of all {len(decided)} decided claims is the same."
    return (
        f"With `--quick` the sign of {len(decided) - len(other)} of {len(decided)} decided claims is the same. "
        f"It is another one, or 0, for {'; '.join(other)}."
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
