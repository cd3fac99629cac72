"""`boardgames paper`, run as its users run it."""

from pathlib import Path

from tests.conftest import Run


def test_papers_are_listed(boardgames: Run) -> None:
    for words in (["paper"], ["paper", "ideal_trainer", "--list"]):
        out = boardgames(*words)
        assert "ideal_trainer" in out
        assert "table-8.4" in out


def test_an_experiment_is_carried_out_and_published(boardgames: Run, tmp_path: Path) -> None:
    words = ("paper", "ideal_trainer", "--table", "table-3", "--runs", 1)
    out = boardgames(*words, "--folder", tmp_path / "run", "--publish", tmp_path / "docs")
    assert "Table 3: tic-tac-toe" in out
    first = {name: (tmp_path / "docs" / name).read_bytes() for name in _PUBLISHED}
    results = (tmp_path / "run" / "results.jsonl").read_bytes()
    assert (tmp_path / "run" / "table-3.md").exists()
    assert list((tmp_path / "run" / "tensorboard" / "table-3").rglob("events.out.*"))
    assert "another version" not in out
    with (tmp_path / "run" / "results.jsonl").open("ab") as file:
        file.write(results.splitlines()[0].replace(b'"program"', b'"other"') + b"\n")
    out = boardgames(*words, "--folder", tmp_path / "run", "--publish", tmp_path / "docs")
    assert "also holds results of another version of the program (1), which are not used" in out.replace("\n", " ")
    assert {name: (tmp_path / "docs" / name).read_bytes() for name in _PUBLISHED} == first
    assert (tmp_path / "run" / "results.jsonl").read_bytes().startswith(results)


_PUBLISHED = ("papers/tables/ideal_trainer-table-3.md", "data/papers/ideal_trainer-table-3.csv")
