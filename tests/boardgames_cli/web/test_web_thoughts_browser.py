"""What agents think, and the graph of a contest, in a real browser. `make test-web` installs what they need."""

from typing import Any

import pytest

from tests.boardgames_cli.web.browser import begin, open_panel

pytestmark = pytest.mark.slow


def begin_with(page: Any, address: str, game: str, agent: str) -> None:
    """Begin a contest with an agent without the form, which asks all agents whether they can play."""
    fields = {"game": game, "player0": "human", "player1": agent}
    answer = page.request.post(
        f"{address}/contests", form=fields, headers={"Origin": address, "Sec-Fetch-Site": "same-origin"}
    )
    page.goto(answer.url)


def ask(page: Any, *specs: str) -> None:
    """Choose who is asked, and wait for the answers."""
    page.locator("details.who > summary").click()
    for spec in specs:
        page.locator(f"#thinkers input[value='{spec}']").check()
    for spec in specs:
        wait_for(page, spec)


def wait_for(page: Any, spec: str) -> None:
    """Wait for the answer of an agent."""
    page.locator(".thought h4 code", has_text=spec).first.wait_for(state="attached")


def play(page: Any, location: int) -> None:
    """Play by a click, and wait until the board shows it."""
    turns = page.locator("nav.moves li").count()
    page.locator(f".spot.next[data-location='{location}']").click()
    page.wait_for_function("turns => document.querySelectorAll('nav.moves li').length > turns", arg=turns)


def test_hoyle_and_perfect_follow_the_position(page: Any, address: str) -> None:
    begin_with(page, address, "tic_tac_toe", "hoyle")
    open_panel(page, "thoughts")
    wait_for(page, "hoyle")
    lines = page.locator("#thoughts .thought").all_inner_texts()
    asked = [line.partition(":")[0] for line in lines if "trained in" not in line]  # (runs of other tests may be there)
    assert asked == ["Perfect player", "Look-ahead", "Hoyle"]
    open_panel(page, "research")
    assert "Candide" in page.locator("#explanations").inner_text()
    assert "has learned nothing" in page.locator("#explanations h4", has_text="Hoyle").inner_text()
    ask(page, "mcts")
    assert page.locator("#thoughts .thought", has_not_text="trained in").count() == 4
    assert page.locator("#explanations table").count() == page.locator("#thoughts .thought").count()
    assert page.locator("#marks .mark text").count() == 9
    play(page, 0)
    page.wait_for_function("() => document.querySelectorAll('#marks .mark text').length === 7")
    page.locator("input[name=draw][value=perfect]").check()
    page.locator("#marks .mark text", has_text="=").first.wait_for()
    page.locator("input[name=draw][value=nothing]").check()
    page.wait_for_function("() => document.querySelectorAll('#marks .mark text').length === 0")
    page.locator("nav.moves a").first.click()
    page.locator("#thoughts", has_text="O played").wait_for()


def test_the_graph_grows_and_leads_to_errors(page: Any, address: str) -> None:
    begin(page, address, "tic_tac_toe", "human", "human")
    open_panel(page, "graph")
    page.locator("#graph svg").wait_for()
    for location in (0, 1, 3):
        play(page, location)
    error = page.locator("#graph .errors a")
    error.first.wait_for()
    assert "O 1 ?" in error.first.inner_text()
    error.first.click()
    page.locator(".status", has_text="after 1 of 3").wait_for()
    page.locator("#graph .here").wait_for(state="attached")
    page.locator("#graph summary").click()
    assert page.locator("#graph tbody tr").count() == 4
    page.keyboard.press("Tab")
    page.locator("#graph svg a").first.focus()
    page.keyboard.press("Enter")
    page.locator(".status", has_text="after 1 of 3").wait_for()


def test_panels_stay_open_in_the_next_contest(page: Any, address: str) -> None:
    begin(page, address, "tic_tac_toe", "human", "human")
    open_panel(page, "thoughts")
    wait_for(page, "perfect")
    ask(page, "mcts")
    page.get_by_role("button", name="New contest").click()
    wait_for(page, "mcts")
    assert page.locator("#graph-panel[open]").count() == 0


def test_a_spec_and_learners_that_have_learned_nothing(page: Any, address: str) -> None:
    begin(page, address, "achi", "human", "human")
    open_panel(page, "thoughts")
    wait_for(page, "perfect")
    open_panel(page, "research")
    page.locator(".untrained > summary").click()
    page.locator("#untrained input[value=menace]").check()
    page.locator("#thoughts .thought", has_text="Matchboxes: has no matchbox for this position yet").wait_for()
    page.locator("#other-thinker").fill("mcts(playouts=77)")
    page.keyboard.press("Enter")
    page.locator("#explanations .thought", has_text="77 playouts").wait_for()


def test_a_hint_is_drawn_and_stays_while_agents_are_asked(page: Any, address: str) -> None:
    begin(page, address, "tic_tac_toe", "human", "human")
    for location in (0, 3, 1, 4):
        play(page, location)
    open_panel(page, "thoughts")
    wait_for(page, "perfect")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function("() => document.querySelectorAll('#marks .mark text').length === 3")
    page.wait_for_timeout(500)
    assert page.locator("#marks .mark text").all_text_contents() == ["3", "2", "1"]
