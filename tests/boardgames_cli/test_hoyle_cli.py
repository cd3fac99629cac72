"""`explain`, `knowledge` and `play --explain`, of Hoyle and of another learner that explains its moves."""

import json
import re
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.hoyle import Hoyle
from boardgames_agents.record import write_records
from boardgames_agents.training.run import RunConfig, load_run, train
from tests.conftest import Run


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has trained hoyle."""
    folder = tmp_path_factory.mktemp("runs") / "hoyle"
    train(folder, RunConfig("tic_tac_toe", "hoyle", "2&7", contests=60))
    return folder


def test_explain_draws_the_board_and_says_who_said_what(boardgames: Run, trained: Path) -> None:
    out = boardgames("explain", trained, "4", "0", "1")
    board, _, decision = out.partition("decided by ")
    assert " O | X | 2" in board
    assert "O to move" in board
    assert re.search(r"^ → +7 +1 +(\w+) +\d+ .* \1 decides: ", decision, flags=re.MULTILINE), "it blocks"
    assert boardgames("explain", trained, "4 0 1") == boardgames("explain", trained, "4,0,1") == out


def test_explain_takes_the_start_if_no_action_is_given(boardgames: Run, trained: Path) -> None:
    out = boardgames("explain", trained)
    assert " 0 | 1 | 2" in out
    assert "X to move" in out
    assert "decided by the vote of tier 3" in out
    assert re.search(r"\d × [01]\.\d\d", out)
    assert re.search(r"^\w+( \w+)?: [A-Z].*\.$", out, flags=re.MULTILINE), "reasons stand below the table"
    assert boardgames("explain", trained, "") == out


@pytest.mark.slow
def test_explain_reads_a_record(boardgames: Run, refused: Run, trained: Path, tmp_path: Path) -> None:
    record = tournament("tic_tac_toe", "random", "random", 1, 4, records=True).records[0]
    for name, each in (("contest.json", record), ("other.json", replace(record, game="lose_tic_tac_toe"))):
        write_records(tmp_path / name, [each, replace(record, game="achi", actions=(4,))])
    options = ("explain", trained, "--record", tmp_path / "contest.json")
    out, after = boardgames(*options), boardgames(*options, "--after", 2)
    assert out.count("decided by ") == out.count(" played ") == len(record.actions)
    assert f"X played {record.actions[2]}" in after
    alone = boardgames("explain", trained, *record.actions[:2])
    assert alone.partition("decided by ")[0] in after
    assert "and the run is of tic_tac_toe" in refused(*options, "--contest", 2)
    assert "give --after" in refused("explain", trained, "4", *options[2:])
    assert "is over after" in refused(*options, "--after", len(record.actions))


def test_knowledge_shows_every_item(boardgames: Run, trained: Path) -> None:
    learner = load_run(trained).learner
    assert isinstance(learner, Hoyle)
    known = learner.useful_knowledge
    out = boardgames("knowledge", trained)
    text = " ".join(out.split())
    assert "hoyle at tic_tac_toe after 60 contests" in text
    for item in known.items:
        assert re.search(rf"^ {item.name} .* {item.space:,} *$", out, flags=re.MULTILINE), item.name
    assert "reflection in the vertical axis" in text
    assert "lines played for 8" in text
    assert f"average contest length: {known.tallies.average_length:.1f} moves in 60 contests" in text
    assert "going first: " in text
    states = known.states.significant
    assert f"significant states: {len(states):,}, the first 6" in text
    assert out.count(" wins within ") == 6
    for number in (0, 2):
        assert boardgames("knowledge", trained, "--states", number).count(" wins within ") == number
    assert out.count(" to move") >= 6
    bars = [line for line in out.splitlines() if "█" in line]
    assert {line.split("  ")[0].strip() for line in bars} >= {"Cyber", "Anything"}
    weights = [float(re.findall(r"\d\.\d\d", line)[0]) for line in bars]
    assert weights == sorted(weights, reverse=True)
    assert len({line.index("│") for line in bars}) == 1, "the stroke stands in one place"


def test_knowledge_writes_pictures(boardgames: Run, trained: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "pictures"
    out = boardgames("knowledge", trained, "--svg", folder)
    assert f"the pictures are in {folder}" in out
    learner = load_run(trained).learner
    significant = sorted(folder.glob("significant-states-*.svg"))
    assert len(significant) == len(learner.useful_knowledge.states.significant) > 6
    assert ElementTree.parse(significant[0]).getroot().tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.slow
def test_patterns_and_zones_are_shown_where_they_are_learned(boardgames: Run, tmp_path: Path) -> None:
    train(tmp_path / "run", RunConfig("achi", "hoyle(patterns=True, zones=True)", "random", contests=30))
    out = boardgames("knowledge", tmp_path / "run")
    assert "men are moved" in " ".join(out.split())
    for name in ("patterns", "zones"):
        assert re.search(rf"^ {name} ", out, flags=re.MULTILINE)


def test_a_watched_contest_is_explained_move_by_move(boardgames: Run, trained: Path) -> None:
    words = ("play", "tic_tac_toe", "--watch", "random", "--against", f"trained(run={str(trained)!r})", "--seed", 4)
    plain = boardgames(*words)
    out = boardgames(*words, "--explain")
    moves = re.findall(r"^O plays (\d)$", out, flags=re.MULTILINE)
    parts = re.split(r"^O plays \d$", out, flags=re.MULTILINE)[1:]
    assert moves
    for move, part in zip(moves, parts, strict=True):
        assert re.search(rf"^ → +{move} ", part, flags=re.MULTILINE), "the move that was played has an arrow"
    assert out.count("decided by ") == len(moves)
    said = [line for line in plain.splitlines() if " plays " in line]
    assert said == [line for line in out.splitlines() if re.search("^[XO] plays", line)]


def test_explain_shows_moves_and_features_of_another_learner(boardgames: Run, tmp_path: Path) -> None:
    spec = "fives(opening=2, paired_moves=25)"
    run = train(tmp_path, RunConfig(spec, "fives(exam='')", "fives_teacher(level=3)", contests=2))
    out = boardgames("explain", tmp_path, "0 1 2")
    position = run.game.initial.play(0).play(1).play(2)
    assert position.text.splitlines()[0] in out
    explanation = run.learner.frozen().explanation(position)  # type: ignore[attr-defined]
    arrow = re.findall(r"^ → +(\d+) +(\S+) +(\S+)", out, flags=re.MULTILINE)
    assert arrow == [row[1:] for row in explanation.rows if row[0]]
    assert explanation.facts
    assert set(explanation.facts) <= set(out.splitlines())


def test_every_learner_is_explained(boardgames: Run, tmp_path: Path) -> None:
    train(tmp_path, RunConfig("tic_tac_toe", "menace", "random", contests=3))
    out = boardgames("explain", tmp_path)
    assert "decided by the beads of a matchbox" in " ".join(out.split())
    assert re.search(r"0 2 6 8 +\d", out)
    rows = json.loads(boardgames("explain", tmp_path, "--json"))
    assert any(row["chosen"] for row in rows)
    assert "" not in rows[0]
    assert {type(row["beads"]) for row in rows} == {int}
    assert sum(row["share"] for row in rows) == pytest.approx(1, abs=0.02)


def test_a_person_is_told_why(boardgames: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("4\nq\n"))
    out = boardgames("play", "tic_tac_toe", "--against", "hoyle", "--explain", "--seed", 1)
    assert out.count("decided by ") == 1
    assert out.index("O plays") < out.index("decided by ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["knowledge", "{other}"], "has trained menace; give a run that has trained hoyle"),
        (["explain", "nowhere"], "nowhere holds no run"),
        (["explain", "{trained}", "0", "--after", "1"], "--after 1 is for a contest of --record"),
        (
            ["paper", "ideal_trainer_today", "--quick", "--folder", "{trained}/config.json"],
            "config.json is a file; give",
        ),
        (["explain", "{trained}", "0 3 1 4 2"], "the contest is over after '0 3 1 4 2'"),
        (["knowledge", "{trained}", "--svg", "{trained}/config.json"], "config.json"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_sentence(
    words: list[str], sentence: str, refused: Run, trained: Path, tmp_path: Path
) -> None:
    train(other := tmp_path / "other", RunConfig("tic_tac_toe", "menace", "random", contests=3))
    assert sentence in refused(*(word.format(trained=trained, other=other) for word in words))
