"""`python -m networks improve`: all options of expert iteration come to the engine."""

from collections.abc import Callable
from pathlib import Path

import pytest

from boardgames_agents.improve.teacher import SelfPlayOptions
from networks.examples import WorkshopExampleOptions
from networks.improvement import WorkshopConfig, WorkshopFittingOptions


@pytest.mark.parametrize("minutes", ["-5", "nan"])
def test_minutes_are_checked(
    networks: Callable[..., None], capsys: pytest.CaptureFixture[str], tmp_path: Path, minutes: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        networks("improve", "hypergammon", "td", "--run", tmp_path / "run", "--minutes", minutes)
    assert f"minutes={float(minutes)} is not allowed; it must be at least 0" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_the_options_are_those_of_the_engine(
    networks: Callable[..., None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = []

    def improve(folder: Path, config: WorkshopConfig, *_: object) -> list[object]:
        asked.append((folder, config))
        raise SystemExit(0)

    monkeypatch.setattr("networks.improvement.WorkshopImprovement", improve)
    examples = "--plies 3 --samples 2 --label-lambda 0.6 --kept 4 --candidates 3 --others 2 --margin 0.08 --no-forced"
    with pytest.raises(SystemExit, match="0"):
        networks(
            *("improve", "backgammon", "td-gammon", "--join", "td_gammon_1995", "--filter", "td_gammon_raw"),
            *("--races", "races.safetensors", "--rolls", 4000, "--run", tmp_path, "--blend", 0.75),
            *("--self-play", 60, "--branches", 11, *examples.split()),
        )
    config = WorkshopConfig(
        *("backgammon", "td_gammon", 1),
        joined="td_gammon_1995",
        filtering="td_gammon_raw",
        races="races.safetensors",
        rolls=4000,
        kept=4,
        examples=WorkshopExampleOptions(3, 3, others=2, margin=0.08, forced=False, samples=2, label_lambda=0.6),
        fitting=WorkshopFittingOptions(blend=0.75),
        teacher=SelfPlayOptions(60, 11),
    )
    assert asked == [(tmp_path, config)]
