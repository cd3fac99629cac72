"""The pages of people who are taught, without a browser."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from boardgames_env import make_game
from boardgames_env.solve import solve
from tests.boardgames_cli.web.conftest import HERE, TestClient, client_of
from tests.boardgames_cli.web.test_web_pages import post, stored

TO_ERRORS = "key_nodes(lessons=1, practice=0)"


@pytest.fixture
def pupil(client: TestClient, request: pytest.FixtureRequest) -> str:
    """The name of somebody that nothing is known of."""
    return request.node.name.replace("_", "-")[:40].split("[")[0]  # type: ignore[no-any-return]


def begun(client: TestClient, pupil: str, trainer: str = "perfect", game: str = "tic_tac_toe", **fields: str) -> str:
    answer = client.post(f"/taught/{pupil}/next", data={"game": game, "trainer": trainer, **fields})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def play(client: TestClient, there: str, well: bool = True) -> str:
    """Play the person's turns of a contest to its end, well or badly; return the page."""
    game = make_game("tic_tac_toe")
    text, table = client.get(there).text, solve(game)
    while "status over" not in text:
        position = game.initial
        for action in stored(client, there).actions:
            position = position.play(action)
        value = {each: table.value_for(position.play(each), position.seat) for each in position.legal_actions}
        action = (max if well else min)(value, key=lambda each: value[each])
        text = post(client, there, "act", action=action).text
    return text


def study(client: TestClient, pupil: str, game: str = "tic_tac_toe") -> Any:
    return client.app.state.parts.tutor.files.study(pupil, game)  # type: ignore[attr-defined]


def test_somebody_says_the_name_and_chooses_a_game(tmp_path: Path) -> None:
    with client_of(HERE, store=tmp_path / "contests.sqlite", runs=tmp_path) as client:
        asked = client.get("/taught?game=achi").text
        assert "<h1>Learn Achi</h1>" in asked
        assert '<input name="name" value="" required autofocus' in asked
        to_study = client.post("/taught", data={"name": "Ann B", "game": "achi"}).headers["location"]
        assert to_study == "/taught/Ann%20B/study?game=achi"
        assert "/trainers?game=achi" in client.get(to_study).text
        assert client.post("/taught", data={"name": "../x"}).status_code == 400
        there = begun(client, "Ann B", "random", "achi")
        assert 'href="/taught/Ann%20B/study?game=achi"' in client.get(there).text
        assert client.get("/taught?game=achi").headers["location"] == to_study
        client.cookies.clear()  # (another device)
        asked = client.get("/taught?game=achi").text
        assert "Who are you?" in asked
        assert '<button name="known" value="Ann B">' in asked
        for hostile in ("../x", "Bob", "%00", "%ff"):
            client.cookies.set("boardgames-pupil", hostile)
            assert "Who are you?" in client.get("/taught?game=achi").text
            client.cookies.clear()
        answer = client.post("/taught", data={"known": "Ann B", "game": "achi"})
        assert "httponly" in answer.headers["set-cookie"].lower()
        assert client.get("/taught?game=achi").headers["location"] == to_study
        assert "Ann B" in client.get("/taught?others=1").text
        assert "Achi" in client.get("/taught/Ann%20B").text
        client.post("/taught/Ann%20B/forget")
        assert client.get("/taught").status_code == 200


def test_a_lesson_begins_with_a_name_and_a_click(client: TestClient) -> None:
    form, there = {"name": "Cleo", "game": "achi", "teach": "1"}, "/taught"
    while there.startswith("/taught"):  # (the game is solved first)
        there = client.post("/taught", data=form).headers["location"]
    assert stored(client, there).lesson.trainer == TO_ERRORS
    newest = client.app.state.parts.store.newest  # type: ignore[attr-defined]
    listed = [[each.id for each in newest([""], pupil, 50)] for pupil in ("Cleo", "Mia", "")]
    name = there.rpartition("/")[2]
    assert [name in each for each in listed] == [True, False, False], "nobody else's browser lists it"
    assert client.post("/taught", data=form).headers["location"] == "/taught/Cleo/study?game=achi", "it goes on there"
    client.post("/taught/Cleo/forget")
    client.cookies.clear()


def test_trainers_are_offered_with_their_options(client: TestClient, pupil: str) -> None:
    text = ""
    while 'name="trainer"' not in text:  # (the game is solved first)
        text = client.get(f"/taught/{pupil}/trainers?game=tic_tac_toe").text
    assert text.index(">Teach me</button>") < text.index("<summary>For researchers") < text.index("key_nodes")
    before = client.get(f"/taught/{pupil}/study?game=tic_tac_toe").text
    assert [each.count("<summary>For researchers") for each in (before, text)] == [1, 1]
    for trainer in (TO_ERRORS, "2&amp;7", "watch", "tutorial", "mcts", "fallible(e=0.3)"):
        assert f'value="{trainer}"' in text
    assert 'value="human"' not in text
    assert 'name="trainer.growth"' in client.get(f"/taught/{pupil}/options?other=lessons").text
    assert client.get(f"/taught/{pupil}/options?other=").text.strip() == ""
    there = begun(client, pupil, "perfect", **{"other": "lessons", "trainer.practice": "1", "trainer.expert": "random"})
    assert stored(client, there).lesson.trainer == "lessons(practice=1, expert='random')"


def test_a_lesson_ends_with_what_went_wrong_and_the_next(client: TestClient, pupil: str) -> None:
    there = begun(client, pupil)
    assert "Contest 1: a perfect player in every contest" in client.get(there).text
    assert begun(client, pupil) == there, "a contest that goes on is not begun twice"
    text = play(client, there, well=False)
    assert text.index("status over") < text.index(f'hx-get="{there}/review"') < text.index('class="players"')
    assert text.count("Next contest") == 1
    assert text.index("Looking for what went wrong") < text.index("Next contest")
    for refused in ("swap", "again", "undo", "hint"):
        assert post(client, there, refused).status_code == 400
    review = client.get(f"{there}/review").text
    first, research = review.split("<summary>For researchers", 1)
    assert "One thing to learn:" in first
    assert re.search("Then [XO] can play ([0-8]), and wins[.]", first)
    assert not re.search("loses in|given away|exact values", first)
    assert "loses in" in research
    assert "Better:" in review
    assert re.search(r"X answers \d, which wins|O answers \d, which wins", review)
    assert review.count("!</text>") >= 1
    assert "given away" in review
    assert "<svg" in review
    (contest,) = study(client, pupil).contests
    assert (len(contest.errors), contest.points, study(client, pupil).open) == (1, -1, {})
    again = begun(client, pupil)
    assert again != there
    sitting = stored(client, again)
    assert (sitting.players, sitting.lesson.number) == (("perfect", "human"), 1)
    play(client, again)
    assert "Nothing went wrong" in client.get(f"{again}/review").text
    page = client.get(f"/taught/{pupil}/study?game=tic_tac_toe").text
    assert "What is better?" in page
    assert "0 won, 1 drawn, 1 lost" in page
    assert "Wrong 1 of 1 times" in page


def test_a_game_too_large_to_be_solved_is_taught_where_one_move_decides(client: TestClient, pupil: str) -> None:
    text = client.get(f"/taught/{pupil}/trainers?game=qubic").text
    assert 'value="decisive_moves" checked' in text
    there = begun(client, pupil, "decisive_moves", "qubic")
    sitting = stored(client, there)
    assert len(sitting.actions) == sitting.lesson.opening > 0
    assert "It begins where the right move decides: find it." in client.get(there).text


def test_a_double_click_begins_one_contest(client: TestClient, pupil: str) -> None:
    with ThreadPoolExecutor(2) as clicks:
        one, other = clicks.map(lambda _: begun(client, pupil), range(2))
    assert one == other


def test_a_contest_of_a_forgotten_examination_does_not_count_in_the_next(client: TestClient, pupil: str) -> None:
    data = {"game": "tic_tac_toe", "contests": "1"}
    old = client.post(f"/taught/{pupil}/exams", data=data).headers["location"]
    client.post(f"/taught/{pupil}/forget", data={"game": "tic_tac_toe"})
    client.post(f"/taught/{pupil}/exams", data=data)
    assert post(client, old, "resign").status_code == 200
    assert study(client, pupil).contests == ()


def test_help_is_counted(client: TestClient, pupil: str) -> None:
    there = begun(client, pupil)
    post(client, there, "hint")
    post(client, there, "act", action=4)
    post(client, there, "undo")
    assert stored(client, there).lesson.helped == 2
    post(client, there, "resign")
    assert study(client, pupil).contests[0].assignment.helped == 2


def test_practice_and_watching(client: TestClient, pupil: str) -> None:
    there = begun(client, pupil, "self")
    assert stored(client, there).players == ("human", "human")
    assert "Practice: you play both sides" in post(client, there, "resign").text
    there = begun(client, pupil, "watch(a='random', b='random')")
    for _ in range(9):
        text = post(client, there, "step").text
        if "status over" in text:
            break
    assert "What the players did wrong" in client.get(f"{there}/review").text
    assert [each.assignment.kind for each in study(client, pupil).contests] == ["practice", "watching"]
    assert study(client, pupil).contests[1].errors == ()


@pytest.mark.slow
def test_key_nodes_come_up_again_and_a_new_server_goes_on(client: TestClient, pupil: str, folder: Path) -> None:
    play(client, begun(client, pupil, TO_ERRORS), well=False)
    first = study(client, pupil).contests[0].record.actions
    there = begun(client, pupil, f"{TO_ERRORS[:-1]}, errors=False, budget=2)")
    assert stored(client, there).players[1] == "steering"
    assert "your trainer" in client.get(there).text
    assert first, "the error is known to the next trainer, too"
    assert "begins where you have erred" in client.get(there).text
    answer = post(client, there, "resign")
    assert answer.status_code == 200, answer.text
    assert post(client, there, "undo").status_code == 400
    there = begun(client, pupil, TO_ERRORS)
    before = stored(client, there)
    with client_of(HERE, store=folder / "contests.sqlite", runs=folder / "runs") as restarted:
        assert begun(restarted, pupil, TO_ERRORS) == there
        assert stored(restarted, there) == before
        post(restarted, there, "resign")
        assert len(study(restarted, pupil).contests) == 3


@pytest.mark.slow
def test_an_examination(client: TestClient, pupil: str) -> None:
    data = {"game": "tic_tac_toe", "contests": "1", "ladder": "0"}
    there = client.post(f"/taught/{pupil}/exams", data=data).headers["location"]
    assert client.post(f"/taught/{pupil}/exams", data=data).status_code == 400
    text = client.get(there).text
    assert "contest 1 of 4: perfect challenger" in text
    for name in ("hint", "undo"):
        assert f'id="{name}"' not in text
        assert post(client, there, name).status_code == 400
    play(client, there)
    for _ in range(3):
        there = client.post(f"/taught/{pupil}/next", data={"game": "tic_tac_toe", "exam": "1"}).headers["location"]
        text = post(client, there, "resign").text
    assert 'id="exams"' not in text
    assert ">Result</a>" in text
    assert client.post(f"/taught/{pupil}/next", data={"game": "tic_tac_toe", "exam": "1"}).status_code == 400
    results = client.get(f"/taught/{pupil}/results?game=tic_tac_toe").text
    said = ["You won 0 of 1 against a player of random moves.", "You won 0 of 1 against a beginner."]
    assert all(
        results.index(each) < results.index("<summary>For researchers") < results.index("Power") for each in said
    )
    assert results.count("<td>1</td>") >= 4
    assert "the game players&#39; Turing test" in results
    assert "reliability within the 95 % confidence limit of 100 %" in results
    client.post(f"/taught/{pupil}/exams", data=data)
    assert client.post(f"/taught/{pupil}/give-up", data={"game": "tic_tac_toe"}).status_code == 303
    assert "given up: 4 contests not played" in client.get(f"/taught/{pupil}/results?game=tic_tac_toe").text


def test_what_is_forgotten_is_gone(client: TestClient, pupil: str, folder: Path) -> None:
    there, other = begun(client, pupil, "random"), begun(client, pupil, "self")
    post(client, other, "resign")
    goes_on = begun(client, pupil, TO_ERRORS)
    client.post(f"/taught/{pupil}/forget", data={"game": "tic_tac_toe"})
    assert study(client, pupil).contests == ()
    with client_of(HERE, store=folder / "contests.sqlite", runs=folder / "runs") as restarted:
        assert "was forgotten" in post(restarted, goes_on, "act", action=4).text
    assert post(client, there, "resign").status_code == 200
    assert len(study(client, pupil).contests) == 1


@pytest.mark.parametrize(
    "trainer",
    [
        "nobody", "human", "perfect(", "trained(run='/etc')", "teacher(starts='/etc/passwd')", "teacher(starts='../x')",
        "phases(plan=((2, 'watch(a=\"trained(run=/etc)\")'),))", "lessons(expert='alpha_beta(tables=\"/etc\")')",
        "key_nodes(budget=100000000)", "0&0", "x" * 3000,
    ],
)  # fmt: skip
def test_trainers_that_a_page_may_not_name(client: TestClient, trainer: str) -> None:
    answer = client.post("/taught/me/next", data={"game": "tic_tac_toe", "trainer": trainer})
    assert answer.status_code == 400
    assert "Traceback" not in answer.text
    assert study(client, "me").contests == ()


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/taught/..%2Fx/next", {"game": "tic_tac_toe", "trainer": "self"}),
        ("/taught/me/next", {"game": "nothing", "trainer": "self"}),
        ("/taught/me/next", {"game": "tic_tac_toe"}),
        ("/taught/me/next", {"game": "tic_tac_toe", "exam": "1"}),
        ("/taught/me/exams", {"game": "tic_tac_toe", "contests": "0"}),
        ("/taught/me/exams", {"game": "tic_tac_toe", "contests": "51"}),
        ("/taught/me/exams", {"game": "qubic", "contests": "1", "ladder": "1"}),
        ("/taught/me/give-up", {"game": "tic_tac_toe"}),
    ],
)
def test_forms_that_are_refused(client: TestClient, path: str, data: dict[str, str]) -> None:
    assert 400 <= client.post(path, data=data).status_code < 500


def test_a_damaged_profile_is_one_sentence(client: TestClient, pupil: str) -> None:
    post(client, begun(client, pupil, "self"), "resign")
    (path,) = client.app.state.parts.tutor.files._folder.glob(f"{pupil}.json")  # type: ignore[attr-defined]
    path.write_bytes(path.read_bytes()[:-20])
    answer = client.get(f"/taught/{pupil}/study?game=tic_tac_toe")
    assert (answer.status_code, answer.text.count("is damaged")) == (400, 1)
    client.post(f"/taught/{pupil}/forget")
    assert client.get(f"/taught/{pupil}/study?game=tic_tac_toe").status_code == 200


def test_names_and_games_are_escaped(client: TestClient, pupil: str) -> None:
    text = client.get("/taught?game=%3Cscript%3E&others=1").text
    assert "<script>" not in text
    assert not re.search(r"style=|onclick=", client.get(f"/taught/{pupil}/study?game=tic_tac_toe").text)


@pytest.mark.parametrize(
    ("trainer", "name"),
    [
        ("fallible(e=0.7)", "computer, easy"),
        ("mcts(playouts=7)", "Trial games"),
        ("lessons(practice=1)", "the trainer lessons"),
    ],
)
def test_pupils_read_names_and_no_specs(client: TestClient, pupil: str, trainer: str, name: str) -> None:
    there = begun(client, pupil, trainer)
    text = client.get(there).text
    assert f"Contest 1: {name}" in text
    assert trainer not in text.replace("&#39;", "'")
    post(client, there, "resign")
    shown = client.get(f"/taught/{pupil}/study?game=tic_tac_toe").text
    for_pupils, *research = shown.split("<summary>For researchers")
    assert len(research) == 1, "there is one fold"
    seen = re.sub(r'value="[^"]*"', "", for_pupils)
    assert trainer not in seen
    assert name.lower() in seen.lower()
    assert trainer in research[0]


@pytest.mark.parametrize("game", ["qubic", "backgammon", "tic_tac_toe"])
def test_only_trainers_that_can_train_are_offered(client: TestClient, pupil: str, game: str) -> None:
    text = ""
    while "trainer-agents" not in text:
        text = client.get(f"/taught/{pupil}/trainers?game={game}").text
    offered = re.findall(r'<option value="([^"]+)"', text)
    assert "random" in offered
    assert {"key_nodes", "watch", "perfect"} & set(offered) == (
        {"key_nodes", "watch", "perfect"} if game == "tic_tac_toe" else set()
    )
    assert not {"fives_student", "pubeval"} & set(offered) or game == "backgammon"
