"""What the documentation shows is run."""

import os
import re
import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.registry import registered_agents
from boardgames_env import __version__, registered_games
from tests.processes import printed, python

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    page for page in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))] if "```python" in page.read_text(encoding="utf-8")
]
TOP_PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / ".github").rglob("*.md"))]
FAST = ("README", "use-with-gymnasium", "use-with-pettingzoo")
"""The pages whose code the fast run tries, in one process."""


def run(code: str, folder: Path = ROOT) -> str:
    """What code prints that finds the examples; it must succeed without a warning."""
    path = os.pathsep.join([str(DOCS / "examples"), *filter(None, sys.path)])
    return printed(code, cwd=folder, PYTHONWARNINGS="error", PYTHONPATH=path)


def code_of(page):
    return "\n".join(re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL))


def test_the_code_on_everyday_pages_runs():
    texts = {page.name: code_of(page) for page in PAGES if page.stem in FAST}
    assert len(texts) == len(FAST)
    run(f"for name, text in {texts}.items():\n    exec(compile(text, name, 'exec'), {{'__name__': name}})")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_code_on_a_page_runs(page, tmp_path):
    run(code_of(page), folder=tmp_path)


@pytest.mark.slow
def test_a_game_an_agent_and_an_advisor_from_elsewhere_are_like_any_other():
    shown = run("""
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.hoyle import Hoyle, HoyleOptions
from boardgames_agents.registry import make_agent
from boardgames_env import make_game

tic_tac_toe = make_game("tic_tac_toe")
Hoyle(tic_tac_toe)  # an Advisor may be entered when others have been at work already
import crossroads, four_corners, opportunist

game = make_game("four_corners")
position = game.initial
for point in (4, 0, 1, 8, 3, 2, 5, 6):
    position = position.play(point)
print(position.text)
score = tournament(game, "perfect", "random", contests=50, seed=1).score
assert score.losses == 0, score

position = tic_tac_toe.initial.play(4).play(0).play(1).play(2)
actions, chances = make_agent("opportunist(slips=0.25)", tic_tac_toe).distribution(position)
assert dict(zip(actions, chances))[7] == 0.75 + 0.25 / 5

hoyle = Hoyle(tic_tac_toe, HoyleOptions(only="Crossroads"))
strengths = {comment.option.actions: comment.strength for comment in hoyle.explain(tic_tac_toe.initial).comments}
# four lines go through the centre, three through a corner, and two through a side
assert strengths == {(4,): 7, (0,): 6}, strengths
assert Hoyle(tic_tac_toe).explain(tic_tac_toe.initial).weights.keys().isdisjoint({"Crossroads"})
""")  # fmt: skip
    assert shown.endswith("white has won\n")


@pytest.mark.slow
def test_the_example_with_a_direction_is_hexapawn_of_its_size() -> None:
    run("""
import octopawn
from boardgames_env import make_game
from boardgames_env.position import Position
from boardgames_env.solve import solve_reachable

ours, theirs = make_game("octopawn"), make_game("hexapawn", columns=4, rows=4)
assert ours.board == theirs.board
assert ours.actions == theirs.actions
pending, seen = [ours.initial], {ours.initial}
while pending:
    position = pending.pop()
    other = Position.unchecked(theirs, position.state.copy())
    assert (position.outcome, position.legal_actions) == (other.outcome, other.legal_actions)
    assert [*position.features(0), *position.features(1)] == [*other.features(0), *other.features(1)]
    for action in position.legal_actions:
        reached = position.play(action)
        assert (reached.state == other.play(action).state).all()
        if reached not in seen:
            seen.add(reached)
            pending.append(reached)
assert len(seen) == 20_286
assert solve_reachable(ours).value(ours.initial) == 1
""")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("train", "octopawn", "menace", "--contests", "50"),
        ("exploitability", "octopawn", "random"),
        ("match", "octopawn", "alpha_beta(nodes=200)", "hoyle", "--contests", "2"),
    ],
)
def test_commands_take_the_example_with_a_direction(words: tuple[str, ...], tmp_path: Path) -> None:
    file = DOCS / "examples" / "octopawn.py"
    done = python("-m", "boardgames_cli", *words, "--import", file, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_changelog_begins_with_the_version():
    headings = re.findall(r"^## (\S+?),? ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == __version__


@pytest.mark.parametrize("page", TOP_PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_beside_the_documentation_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
        file, _, heading = target.partition("#")
        assert (page.parent / file).exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", (page.parent / file).read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}, target


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import pages

    return pages


def test_every_game_and_every_agent_has_a_page(pages, tmp_path):
    pages.write_pages(tmp_path)
    for name in registered_games():
        page = (tmp_path / "games" / f"{name}.md").read_text(encoding="utf-8")
        assert "## Rules" in page
        for picture in re.findall(r"\((\S+\.svg)\)", page):
            assert (tmp_path / "games" / picture).read_text(encoding="utf-8").startswith("<svg")
        assert f"({name}.md)" in (tmp_path / "games" / "index.md").read_text(encoding="utf-8")
    for name in registered_agents():
        assert f"\n## {name}\n" in (tmp_path / "agents.md").read_text(encoding="utf-8")
    assert "| `state/beads_of_the_first_box` |" in (tmp_path / "agents.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("seconds", "in_use", "lost"), [(10, 0.801, 2), (60, 0.930, 5), (600, 0.948, 23)])
def test_the_rows_of_160_processors_are_reproduced(seconds: int, in_use: float, lost: int) -> None:
    simulate = runpy.run_path(str(DOCS / "examples" / "cluster_simulation.py"))["simulate"]
    jobs = seconds * np.random.default_rng((0, 160)).lognormal(-0.045, 0.3, 20 * 160)
    _, used, repeated, found, _, tasks = simulate(160, jobs.tolist())
    assert (round(used, 3), found, tasks) == (in_use, lost, 3200)
    assert 0 < repeated < 0.005
