"""The pages of the study of trainers, without a browser."""

import html
import re
import shlex
from urllib.parse import urlencode

from boardgames_baselines.papers.ideal_trainer_today import LEARNERS, TRAINERS
from boardgames_baselines.papers.ideal_trainer_today.recommendation import published
from tests.boardgames_cli.web.conftest import TestClient

CELL = ("tic-tac-toe", "Q-learning", "2&7")


def address(game: str, learner: str, trainer: str) -> str:
    return "/which-trainer/cell?" + urlencode({"game": game, "learner": learner, "trainer": trainer})


def test_every_cell_of_a_game_is_linked_with_its_reliability(client: TestClient) -> None:
    text = html.unescape(client.get("/which-trainer?game=tic-tac-toe").text)
    cells = {key: found for key, found in published().items() if key[0] == "tic-tac-toe"}
    assert len(cells) >= len(TRAINERS)
    for (game, learner, trainer), found in cells.items():
        link = re.search(f'href="{re.escape(address(game, learner, trainer))}"[^>]*>(\\d+)</a>', text)
        assert link, (learner, trainer)
        assert link[1] == f"{found.reliability.mean:.0f}"
    assert client.get("/which-trainer").text == client.get("/which-trainer?game=tic-tac-toe").text
    assert client.get("/which-trainer?game=chess").status_code == 404


def test_a_cell_shows_its_curve_and_the_command_that_trains_it(client: TestClient) -> None:
    answer = client.get(address(*CELL))
    text = html.unescape(answer.text)
    found = published()[CELL]
    assert f"{found.reliability.mean:.1f} % after 1,000 contests" in text
    assert "<polyline" in text
    words = ["tic_tac_toe", LEARNERS["Q-learning"].spec, "--trainer", found.trainer, "--contests", "1000"]
    assert shlex.join(["boardgames", "train", *words]) in text
    assert client.get(address("tic-tac-toe", "Q-learning", "nobody")).status_code == 404
    assert client.get("/which-trainer/cell").status_code == 404
