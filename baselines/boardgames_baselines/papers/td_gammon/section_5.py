"""Conclusion: modifications of the learning methodology. λ, the learning rate, and who the learner plays."""

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.td_gammon.jobs import SELECTION
from boardgames_baselines.papers.td_gammon.trials import LONG, compared, learner, main, scaled, trained
from boardgames_env.spec import Spec

_LAMBDA_GAMES = LONG[:6]
_LAMBDAS = {
    "λ = 0": learner(lam=0.0),
    "λ = 0.3": learner(lam=0.3),
    "λ = 1": learner(lam=1.0),
    "λ from 1, halved by game 5,000": learner(lam=1.0, lam_decay=5_000),
}

_REGIME_GAMES = LONG[1:4]
_PRIMING = _REGIME_GAMES[0]
_EXPERT = "pubeval"
_WATCH = str(Spec("watch", {"a": _EXPERT, "b": _EXPERT}))

_RATES = (0.03, 0.1, 0.3)
_RATE_RUNS = 2
_RATE_GAMES = LONG[1:5]


@experiment("lambda")
def lambdas(runner: Runner) -> Report:
    """What λ does, and a λ that falls as learning goes on."""
    others = trained(runner, "λ", _LAMBDAS, _LAMBDA_GAMES)
    found = {"λ = 0.7": main(runner).at(scaled(runner, _LAMBDA_GAMES)), **others}
    return compared(runner, "198–40–4, raw inputs, mover-relative", found)


@experiment("regimes")
def regimes(runner: Runner) -> Report:
    """Training by or with an expert, priming, and lesson and practice training, against pure self-play."""
    trainers = _regimes(max(1, scaled(runner, (_PRIMING,))[0]))
    learners = dict.fromkeys(trainers, learner())
    others = trained(runner, "training regimes", learners, _REGIME_GAMES, trainer=trainers)
    found = {"self-play": main(runner).at(scaled(runner, _REGIME_GAMES)), **others}
    return compared(runner, "198–40–4, raw inputs, mover-relative: training with pubeval as the expert", found)


def _regimes(priming: int) -> dict[str, str]:
    """Return the trainers; some are followed by self-play after a number of games."""
    return {
        "2&7": str(Spec("lessons", {"lessons": 2, "practice": 7, "expert": _EXPERT})),
        f"{priming:,} games against pubeval, then self-play": _then_self(priming, _EXPERT),
        f"{priming:,} games of pubeval watched, then self-play": _then_self(priming, _WATCH),
        "always against pubeval": _EXPERT,
        "always watching pubeval": _WATCH,
    }


def _then_self(priming: int, trainer: str) -> str:
    return str(Spec("phases", {"plan": ((priming, trainer), (1, "self"))}))


@experiment("learning-rate")
def learning_rate(runner: Runner) -> Report:
    """What the learning rate does, of which the paper only says that it is small; by seeds for selection."""
    learners = {
        f"α = {alpha}, {view}": learner(alpha=alpha, viewer=viewer)
        for view, viewer in (("absolute", "0"), ("mover-relative", "move"))
        for alpha in _RATES
    }
    found = trained(runner, "learning rates", learners, _RATE_GAMES, _RATE_RUNS, purpose=SELECTION)
    return compared(runner, "198–40–4, raw inputs: learning rates", found)
