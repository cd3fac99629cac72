"""Runs and trainings in the page, without a browser."""

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from boardgames_agents.arena.score import Score
from boardgames_agents.training.run import RunConfig, train
from boardgames_agents.training.verdict import RunVerdict, write_verdict
from tests.boardgames_cli.web.conftest import HERE

if TYPE_CHECKING:
    from starlette.testclient import TestClient

LEARNER, CONTESTS = "q_learning(alpha=0.5)", 40
PART = {"HX-Request": "true"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs: one that has ended, and one in a folder, with a name that addresses must quote."""
    made = tmp_path_factory.mktemp("runs")
    config = RunConfig("tic_tac_toe", LEARNER, "self", CONTESTS, test_every=20, test_contests=2, checkpoint_every=20)
    train(made / "first", config)
    train(made / "more" / "a (b=1) & c", RunConfig("tic_tac_toe", "menace", "random", 3))
    return made


def damaged(place: Path, name: str, content: str) -> Path:
    (place / name).mkdir(parents=True)
    (place / name / "config.json").write_text(content)
    return place / name


def test_every_run_is_listed(client: "TestClient") -> None:
    text = client.get("/runs").text
    assert 'href="/runs/first"' in text
    assert f"Finished after {CONTESTS} contests" in text
    assert 'href="/runs/more/a%20%28b%3D1%29%20%26%20c"' in text
    assert client.get("/runs/more/a%20%28b%3D1%29%20%26%20c").status_code == 200


WRONG = ["{", "[]", '{"game": 1}', "\x00", '{"game": "x", "learner": "y", "trainer": "z", "contests": "1"}']


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_damaged_run_is_listed_with_a_sentence(client: "TestClient", place: Path, number: int) -> None:
    name = f"damaged-{number}"
    damaged(place, name, WRONG[number])
    text = client.get("/runs").text
    assert f"{name}/config.json is damaged" in text
    assert str(place) not in text
    answer = client.get(f"/runs/{name}")
    assert (answer.status_code, str(place) in answer.text) == (400, False)


def test_a_damaged_log_or_checkpoint_or_test_leaves_the_rest_of_the_page(client: "TestClient", place: Path) -> None:
    train(place / "broken", RunConfig("tic_tac_toe", "menace", "random", 4, test_every=2, test_contests=1))
    assert "<polyline" in client.get("/runs/broken").text
    (place / "broken" / "test.json").write_text("{}")
    events = next((place / "broken").glob("events*"))
    events.write_bytes(b"\x05" + bytes(11) + b"\xff" * 9)
    text = client.get("/runs/broken").text
    assert "test.json is damaged" in text
    assert "is damaged" in text.replace("test.json is damaged", "")
    for file in (place / "broken").glob("checkpoints/*/checkpoint.json"):
        file.write_text("{")
    assert client.get("/runs/broken").status_code == 400
    assert client.get("/runs").status_code == 200


def test_the_page_of_a_run_has_its_settings_and_curves(client: "TestClient") -> None:
    text = client.get("/runs/first").text
    for word in (LEARNER, "tic_tac_toe", "test every", "Power in tests, %", "against the challenger"):
        assert word in text
    assert text.count("<polyline") == 8  # (power and reliability against four challengers)
    assert "Power in tests, % over contests: expert" in text
    assert "delay:1s" not in text


def test_the_curves_can_be_chosen(client: "TestClient") -> None:
    text = client.get("/runs/first", params={"curves": ["training/plies", "nothing"]}).text
    assert text.count("<polyline") == 1
    assert "The number of plies of the contest" in text
    assert re.search(r'value="training/plies" checked', text)
    assert not re.search(r'value="power" checked', text)


def test_a_run_is_an_opponent(client: "TestClient", place: Path) -> None:
    text = client.get("/runs/first").text
    link = re.search(r'href="(/new[^"]+)">Play against', text)
    assert link
    there = link[1].replace("&amp;", "&")
    form = client.get(there).text
    assert f"{LEARNER}, trained in first" in form
    fields = {name: values[0] for name, values in parse_qs(urlsplit(there).query).items()}
    contest = client.post("/contests", data=fields).headers["location"]
    answer = client.post(f"{contest}/act", data={"version": 1, "action": 4}, headers=PART).text
    assert f"{LEARNER}, trained in first" in answer
    assert "Your move" in answer


def test_the_result_of_a_test_is_shown(client: "TestClient", place: Path) -> None:
    assert "not been tested yet" in client.get("/runs/first").text
    score = Score(wins=3, draws=1, losses=1)
    write_verdict(place / "first", RunVerdict(CONTESTS, 5, 0, {"perfect": score}, {"perfect": 0.0}, False, ("power",)))
    text = client.get("/runs/first").text
    assert "Fails the game players&#39; Turing test: power." in text
    assert "60.0" in text
    assert "Fails" in client.get("/runs").text


ELSEWHERE = [
    "..",
    "../runs",
    "first/..",
    "first/../first",
    "/etc",
    "first//",
    ".",
    "out",
    "first/checkpoints/../..",
    "a\x00b",
]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_other_folders_are_not_shown(client: "TestClient", place: Path, name: str) -> None:
    if not (place / "out").exists():
        (place / "out").symlink_to(place.parent)
    if name.strip("."):  # (browsers leave out dots)
        address = f"{HERE}/runs/{quote(name, safe='')}"
        assert client.get(address).status_code == client.post(address, data={"do": "stop"}).status_code == 404


FORM = {"game": "tic_tac_toe", "learner": "q_learning", "trainer": "self", "contests": "30", "seed": "0"}

REFUSED = [
    {"game": "nothing"}, {"learner": "random"}, {"learner": "human"}, {"learner": "td(start='/etc/passwd')"},
    {"trainer": "nothing"}, {"trainer": "human"}, {"trainer": "watch(a=\"td_net(file='/etc/passwd')\")"},
    {"trainer": "teacher(starts='/etc/passwd')"}, {"trainer": "phases(plan=((1, \"teacher(starts='/etc/x')\"),))"},
    {"contests": "0"}, {"contests": "100001"}, {"contests": "-1"}, {"contests": "x"}, {"seed": "-1"},
    {"seed": "9999999999"}, {"name": "../x"}, {"name": "a/b"}, {"name": ".x"}, {"name": "a.b"}, {"name": "x" * 61},
    {"name": "--run"}, {"name": "first"}, {"name": "more"}, {"name": "out"},
]  # fmt: skip


@pytest.mark.parametrize("fields", REFUSED)
def test_a_training_that_is_not_allowed_is_refused(client: "TestClient", place: Path, fields: dict[str, str]) -> None:
    before = sorted(place.iterdir())
    answer = client.post("/train", data={**FORM, **fields})
    assert answer.status_code == 400, answer.headers
    assert sorted(place.iterdir()) == before
    assert not client.app.state.parts.watched.commands._started  # type: ignore[attr-defined]


def test_the_form_of_a_training_has_the_options(client: "TestClient") -> None:
    assert '<option value="tic_tac_toe" selected>' in client.get("/train?game=tic_tac_toe").text
    assert 'name="learner.alpha"' in client.get("/train/options?learner=q_learning").text
    assert 'name="trainer.practice"' in client.get("/train/options?trainer=lessons").text
    assert 'name="trainer.e"' in client.get("/train/options?trainer=fallible").text
    assert client.get("/train/options?learner=").status_code == 200
    assert client.get("/train/options?learner=nobody").status_code == 400


class Process:
    """In the place of a process."""

    def __init__(self, words: list[str], **options: Any) -> None:
        self.words, self.pid, self.code = words, 0, None
        self.errors = options["stderr"]

    def poll(self) -> int | None:
        return self.code

    def terminate(self) -> None:
        self.code = -15

    def wait(self, seconds: float = 0) -> int:
        return self.code or 0


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """The processes that would have been started."""
    started: list[Process] = []

    def start(words: list[str], **options: Any) -> Process:
        started.append(Process(words, **options))
        return started[-1]

    monkeypatch.setattr("boardgames_cli.web.commands.subprocess.Popen", start)
    monkeypatch.setattr("boardgames_cli.web.commands.os.setpriority", lambda *_: None, raising=False)
    return started


def test_a_training_begins_fails_and_is_stopped(client: "TestClient", place: Path, processes: list[Process]) -> None:
    there = client.post("/train", data={**FORM, "learner.alpha": "0.25", "tests": "yes"}).headers["location"]
    assert there == "/runs/tic_tac_toe-q_learning-1"
    (process,) = processes
    words = " ".join(process.words)
    assert "train tic_tac_toe q_learning(alpha=0.25) --trainer self --run" in words
    assert "--contests 30 --seed 0 --test-every 3 " in words
    assert "being prepared" in client.get(there).text
    assert 'state=begins"' in client.get(there).text
    assert client.get(f"{there}?state=begins", headers=PART).status_code == 204
    process.errors.write(b"Warning: x\nError: the <disk> is full\n\n")
    process.code = 2
    assert client.get(f"{there}?state=begins", headers=PART).headers["hx-refresh"] == "true"
    assert "could not begin: the &lt;disk&gt; is full" in client.get(there).text


def test_two_commands_run_at_a_time(client: "TestClient", place: Path, processes: list[Process]) -> None:
    one, _ = (client.post("/train", data={**FORM, "name": name}).headers["location"] for name in ("one", "other"))
    answer = client.post("/train", data={**FORM, "name": "third"})
    assert (answer.status_code, "are running" in answer.text) == (400, True)
    assert client.post(one, data={"do": "stop"}).status_code == 303
    assert processes[0].code == -15
    assert client.post("/runs/first", data={"do": "test", "contests": 7}).status_code == 303
    assert processes[-1].words[-4:] == ["test", str(place / "first"), "--contests", "7"]
    assert "Being tested" in client.get("/runs/first").text
    assert client.post("/runs/first", data={"do": "test", "contests": 7}).status_code == 400
    for process in processes:
        process.code = 0
    text = client.get("/runs/first", params={"state": "test"}, headers=PART)
    assert text.headers["hx-refresh"] == "true"


def test_a_run_goes_on(client: "TestClient", place: Path, processes: list[Process]) -> None:
    assert client.post("/runs/first", data={"do": "train", "contests": CONTESTS - 1}).status_code == 400
    assert client.post("/runs/first", data={"do": "train", "contests": 100_001}).status_code == 400
    assert client.post("/runs/first", data={"do": "test", "contests": 100_001}).status_code == 400
    assert client.post("/runs/first", data={"do": "fly"}).status_code == 400
    assert client.post("/runs/first", data={"do": "train", "contests": 2 * CONTESTS}).status_code == 303
    assert client.get("/runs/first?state=begins", headers=PART).headers["hx-refresh"] == "true"
    assert processes[0].words[-5:] == ["train", "--run", str(place / "first"), "--contests", str(2 * CONTESTS)]
    text = client.get("/runs/first").text
    assert 'value="40"' in text
    assert "It plays itself, after 40 contests" in text
    more = re.search(r'hx-get="([^"]+)" hx-trigger', text.partition('id="live"')[2] or text)
    assert more
    next_ = client.get(more[1].replace("&amp;", "&"), headers=PART).text
    assert "trained=40&amp;number=2" in next_
    processes[0].code = 0


def test_another_process_that_trains_is_seen(client: "TestClient", place: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    with (place / "first" / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        text = client.get("/runs/first").text
        assert f"In training: {CONTESTS} of {CONTESTS} contests" in text
        assert "not started by this server" in text
        assert client.post("/runs/first", data={"do": "train", "contests": CONTESTS}).status_code == 400
    assert "not started by this server" not in client.get("/runs/first").text


def test_the_pages_have_no_inline_script_or_style(client: "TestClient", place: Path) -> None:
    for path in ("/runs", "/runs/first", "/train", "/knowledge/first", "/leagues"):
        text = client.get(path).text
        for unwanted in ("<style", " style=", " onclick", "<script>"):
            assert unwanted not in text, path


@pytest.mark.slow
def test_a_training_is_started_stopped_and_gone_on_with(client: "TestClient", place: Path) -> None:
    there = client.post("/train", data={**FORM, "contests": "6000", "name": "long"}).headers["location"]
    wait_for(client, there, r"In training: [\d,]+00 of 6,000")
    client.post(there, data={"do": "stop"})
    assert "Stopped after" in client.get(there).text
    client.post(there, data={"do": "train", "contests": 6_000})
    wait_for(client, there, "Finished after 6,000 contests")
    client.post(there, data={"do": "test", "contests": 10})
    wait_for(client, there, "Turing test")


def wait_for(client: "TestClient", there: str, pattern: str) -> None:
    for _ in range(300):
        if re.search(pattern, client.get(there).text):
            return
        time.sleep(0.2)
    raise AssertionError(client.get(there).text)
