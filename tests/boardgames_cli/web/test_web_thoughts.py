"""What agents think beside the board, and the graph of a contest, without a browser."""

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_agents.people.judging.sources import best_moves
from boardgames_agents.people.pupil import Assignment
from boardgames_agents.policy.explanation import Mark
from boardgames_agents.training.run import RunConfig, train
from boardgames_cli.web.overlay import drawing_of, drawing_of_hints, drawing_of_mistake
from boardgames_env import make_game
from boardgames_env.moves import locations_of as locations
from boardgames_env.render.layout import areas
from tests.boardgames_cli.web.conftest import TestClient
from tests.boardgames_cli.web.test_web_pages import begun, legal, post, stored
from tests.variants import EACH_GAME


def played(client: TestClient, *actions: int, **fields: str) -> str:
    """Begin a contest between two people, play some actions, and return its address."""
    return begun(client, actions="-".join(map(str, actions)), **fields)


def thoughts(client: TestClient, there: str, *who: str, **asked: Any) -> str:
    answer = client.get(f"{there}/thoughts", params={"who": who, **asked})
    assert answer.status_code == 200, answer.text
    return answer.text


def whole_graph(client: TestClient, there: str, after: int = 0) -> str:
    """Return the graph once all turns have been judged."""
    for _ in range(30):
        text = client.get(f"{there}/graph", params={"after": after}).text
        if "load delay" not in text:
            return text
    raise AssertionError("the graph is never complete")


def marks(text: str) -> list[str]:
    """Return the texts drawn on the board."""
    drawing = text[text.index('<div id="marks"') :]
    return re.findall(r"<text[^>]*>([^<]*)</text>", drawing)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder of runs: those of other tests would have something to say."""
    return tmp_path_factory.mktemp("runs")


def groups_of(text: str) -> list[tuple[str, list[str]]]:
    """Return the titles of the groups of agents outside the fold for researchers, and the specs in each."""
    shown = text.partition('<div id="other-thinkers"')[0]
    parts = re.split(r'<fieldset class="thinkers"><legend>(.*?)</legend>', shown)
    return [(title, re.findall(r'value="(.*?)"', part)) for title, part in zip(parts[1::2], parts[2::2], strict=True)]


def test_who_has_something_to_say_comes_first(client: TestClient) -> None:
    text = client.get(f"{begun(client, player1='menace')}/thinkers").text
    groups = dict(groups_of(text))
    learned_nothing = "In this contest, with nothing learned yet"
    assert list(groups) == ["Know the answer", "Look ahead", learned_nothing]
    assert groups["Know the answer"] == ["perfect"]
    assert groups[learned_nothing] == ["menace"]
    assert {"mcts", "alpha_beta", "informed"} == set(groups["Look ahead"])
    assert set(re.findall(r'value="(\w+)" checked', text)) == {"menace", "perfect", "alpha_beta"}
    assert "O: Matchboxes" in text
    assert "pubeval" not in text
    spoken, silent = text.split('<div id="other-thinkers"')
    for word in ('value="random"', 'value="fallible"', "Learners that have learned nothing", 'id="other-thinker"'):
        assert word in silent
        assert word not in spoken
    assert not re.search(r"<span>[^<]*_", spoken)  # (no names of the registry)
    assert "Look-ahead: <code>alpha_beta</code>" in silent
    between_people = client.get(f"{begun(client)}/thinkers").text
    assert 'value="perfect" checked> <span>computer, perfect <small class="quiet">a perfect player,' in between_people


def test_a_level_has_the_same_name_beside_the_board_and_among_those_asked(client: TestClient) -> None:
    there = begun(client, player1="normal")
    strength = "a perfect player that plays 3 moves in 10 at random"
    assert f"<strong>O</strong> computer, normal: {strength}</li>" in client.get(there).text
    text = client.get(f"{there}/thinkers").text
    assert f'checked> <span>O: computer, normal <small class="quiet">{strength}</small>' in text
    text = thoughts(client, there, "fallible(e=0.3)")
    assert "<strong>Computer, normal</strong>: every move draws." in text
    assert f'<h4>computer, normal <small class="quiet">{strength}</small>' in text
    assert "moves by computer, normal" in text


def test_trained_learners_of_this_game_can_be_asked(client: TestClient, place: Path) -> None:
    train(place / "beads", RunConfig("tic_tac_toe", "menace", "random", contests=3))
    there = begun(client)
    assert "beads" in client.get(f"{there}/thinkers").text
    assert "beads" not in client.get(f"{begun(client, game='achi')}/thinkers").text
    spec = f"trained(run={str(place / 'beads')!r})"
    text = thoughts(client, there, spec)
    assert "beads of a matchbox" in text
    assert "<h4>menace, trained in beads" in text
    assert len(marks(text)) == 9
    assert "has learned nothing" not in text
    train(place / "beads", RunConfig("tic_tac_toe", "menace", "random", contests=30))
    assert thoughts(client, there, spec) != text


def test_values_are_in_a_table_and_on_the_board(client: TestClient) -> None:
    there = played(client, 0, 3, 1, 4)  # 2 wins
    text = thoughts(client, there, "perfect", "random")
    assert "X wins in 1 ply" in text
    assert sorted(marks(text)) == ["+1", "-2", "-2", "-2", "="]
    assert len(re.findall(r'<g class="mark shade\d chosen"', text)) == 1
    assert marks(thoughts(client, there, "perfect", "random", draw="random")) == ["20%"] * 5
    assert marks(thoughts(client, there, "perfect", draw="nothing")) == []
    assert 'id="marks"' not in thoughts(client, there, "perfect", hinted="yes")


def test_earlier_positions_are_thought_about_too(client: TestClient) -> None:
    there = played(client, 0, 3, 1, 4)
    text = thoughts(client, there, "perfect", after=1)
    assert "O played 3 here" in text
    assert "O draws if both sides play perfectly" in text
    assert len(marks(text)) == 8


def test_whole_moves_and_captures_are_drawn(client: TestClient) -> None:
    text = thoughts(client, played(client, 0, 3, 1, 4, game="five_mens_morris"), "perfect")
    chosen = re.search(r'<g class="mark shade\d chosen".*?</g>', text, flags=re.DOTALL)
    assert chosen
    assert chosen[0].count("<circle") == 1  # the man that is captured
    sliding = thoughts(client, played(client, 0, 4, 1, 2, 6, 3, game="nine_holes"), "random")
    assert 2 * sliding.count("<polygon") == sliding.count('<g class="mark')


def test_who_cannot_say_anything_says_why(client: TestClient) -> None:
    there = played(client, 4)
    for spec, sentence in {
        "td_gammon": "td_gammon",
        "no_such": "There is no agent",
        "mcts(playouts=999999999)": "too large for a page",
        "td_net(file='/etc/passwd')": "not allowed on a page",
        "<script>": "&lt;script&gt;",
    }.items():
        text = thoughts(client, there, spec)
        assert sentence in text
        assert "<script>" not in text
    over = played(client, 0, 3, 1, 4, 2)
    assert "The contest is over" in thoughts(client, over, "perfect")


SEVEN = "&".join(f"who={number}" for number in range(7))


@pytest.mark.parametrize("address", ["thoughts?after=9", "thoughts?after=x", "graph?after=5", f"thoughts?{SEVEN}"])
def test_bad_questions_are_refused(client: TestClient, address: str) -> None:
    assert client.get(f"{played(client, 4)}/{address}").status_code == 400
    assert client.get(f"/contests/nowhere/{address.partition('?')[0]}").status_code == 404


def test_the_graph_marks_what_was_given_away(client: TestClient) -> None:
    there = played(client, 0, 1, 2, 3)  # O gives the contest away at once; X gives the win away
    text = whole_graph(client, there, after=1)
    assert "exact values" in text
    assert f'href="{there}?after=1"' in text
    assert "O 1 <strong>?</strong>" in text
    assert "loses in" in text
    assert 'class="here"' in text
    post(client, there, "act", action=4)
    grown = whole_graph(client, there, after=1)
    assert grown.count('<td class="number">') == text.count('<td class="number">') + 1


def test_the_graph_ends_with_the_outcome(client: TestClient) -> None:
    there = played(client, 4)
    assert whole_graph(client, there).count("<circle") == 2
    post(client, there, "resign")
    text = whole_graph(client, there)
    assert 'class="end"' in text


def test_a_hint_is_drawn_on_the_board(client: TestClient) -> None:
    there = played(client, 0, 3, 1, 4)
    shown = post(client, there, "hint").text
    assert marks(shown)[-1] == "1"
    assert sorted(marks(shown)) == ["1", "2", "3"]
    assert 'name="hinted"' in shown
    assert marks(client.get(there).text) == []
    assert stored(client, there).actions == (0, 3, 1, 4)


def test_where_all_moves_are_as_good_a_hint_says_so_and_draws_nothing(client: TestClient) -> None:
    shown = post(client, begun(client), "hint").text
    assert "<p>All moves are equally good: each draws.</p>" in shown
    assert marks(shown) == []


@pytest.mark.parametrize(("name", "played"), [("achi", (0, 3)), ("tic_tac_toe", (0, 3, 1, 4)), ("hex(size=5)", (3,))])
def test_the_ranks_of_hints_lie_on_no_number(name: str, played: tuple[int, ...]) -> None:
    position = make_game(name).initial.after(*played)
    drawn = drawing_of_hints(position, best_moves(position)).marks
    assert drawn
    for mark in drawn:
        for area in areas(position.game):
            aside, above = abs(mark.centre[0] - area.centre[0]), abs(mark.centre[1] - area.centre[1])
            assert aside > mark.width / 2 + 0.1 * area.width or above > mark.height / 2 + 0.1 * area.height


def test_what_is_said_is_announced_in_short(client: TestClient) -> None:
    text = thoughts(client, played(client, 0, 3, 1, 4), "perfect", "random")
    said = text[text.index('<p id="thoughts-said"') :]
    assert "computer, perfect: 2 wins at once; everything else draws or loses." in said
    assert "Random player: would play any move." in said


@pytest.mark.parametrize(
    ("game", "actions", "who", "line"),
    [
        ("tic_tac_toe", (0,), "perfect", "4 draws; everything else loses"),
        ("tic_tac_toe", (), "perfect", "every move draws"),
        ("tic_tac_toe", (0, 1, 2, 4, 6, 3), "perfect", "every move loses"),
        ("tic_tac_toe", (0, 3, 1, 4), "worst", "would play 6 or 7 or 8"),
        ("tic_tac_toe", (0, 1), "perfect", "3 or 4 or 6 wins in 3 moves; everything else draws"),
        ("tic_tac_toe", (0, 4), "alpha_beta(depth=2)", "looking 2 moves ahead, prefers "),
        ("tic_tac_toe", (0, 3, 1, 4), "alpha_beta", "sees that 2 wins in 1 move"),
        ("tic_tac_toe", (0, 3, 1, 4), "mcts", "after 1,000 trial games prefers 2: X can expect 100% of the points"),
        ("tic_tac_toe", (0, 3, 1, 4), "hoyle", "prefers 2, by the advice: make a move that wins at once"),
        ("tic_tac_toe", (0,), "menace", "has no matchbox for this position yet: it would play any move"),
        ("hypergammon", (), "td_gammon", r"prefers \S+.*: \w+ then wins \d+% of games"),
    ],
)
def test_each_says_in_one_line_what_a_pupil_understands(
    client: TestClient, game: str, actions: tuple[int, ...], who: str, line: str
) -> None:
    text = thoughts(client, played(client, *actions, game=game), who)
    said = re.findall(r'<p class="thought"><strong>[^<]+</strong>: (.*)\.</p>', text)
    assert len(said) == 1
    assert re.match(line, said[0]), said
    assert not re.search(r"\b(seat|ply|plies|equity|variation|playouts)\b", said[0])


def test_nobody_is_asked_in_an_examination_nor_while_a_lesson_goes_on(client: TestClient) -> None:
    store = client.app.state.parts.store  # type: ignore[attr-defined]
    for exam, code in ((0, 400), (-1, 200)):
        lesson = Assignment("Ada", "perfect", 0, "lesson", (0,), 0, exam=exam)
        sitting = replace(stored(client, begun(client, player1="perfect")), lesson=lesson)
        there = f"/contests/{store.add(sitting).id}"
        assert ('id="thoughts-panel"' in client.get(there).text) == (code == 200)
        for part in ("thoughts?who=perfect", "graph"):
            answer = client.get(f"{there}/{part}")
            assert answer.status_code == code
            assert "when the lesson is over" in answer.text or code == 400
            assert "<table" not in answer.text


@pytest.mark.slow
@pytest.mark.parametrize("game", [*EACH_GAME, "backgammon(cube=True, beavers=True)"])
def test_every_agent_that_is_offered_thinks_and_is_drawn(client: TestClient, game: str) -> None:
    """At two positions of a random contest, in the middle of turns too; and the graph of that contest."""
    there = begun(client, game=game)
    opinions, rng = client.app.state.parts.opinions, np.random.default_rng(5)  # type: ignore[attr-defined]
    thinkers = [*opinions.thinkers(make_game(game)), *opinions.untrained(make_game(game))]
    assert thinkers
    for plies in (2, 3):
        for _ in range(plies):
            if actions := legal(client, there):
                post(client, there, "act", action=str(rng.choice(actions)))
        for thinker in thinkers if legal(client, there) else []:
            text = thoughts(client, there, thinker.spec)
            assert "<table" in text, (thinker.spec, text)
    assert "<polyline" in whole_graph(client, there)


def test_many_turns_share_the_positions_of_a_search(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from boardgames_cli.web import opinions

    for turns in (1, 60, 61, 300, 1500):
        assert opinions.nodes_a_move(turns) * turns <= 61 * opinions.NODES
    assert opinions.nodes_a_move(60) == opinions.NODES
    assert opinions.nodes_a_move(10**6) == 500
    there = played(client, 0, 1, 2, game="qubic")
    assert "a search of 20,000 positions" in whole_graph(client, there)
    monkeypatch.setattr(opinions, "_TURNS_WITH_ALL_NODES", 2)
    assert "a search of 10,000 positions" in whole_graph(client, there)


def test_texts_of_marks_do_not_lie_on_one_another() -> None:
    marks = 0
    for event in make_game("backgammon").initial.events():
        for position in (event.position, *map(event.position.play, event.position.legal_actions)):
            moves = [Mark((action,), "-0.62", 0.5) for action in position.legal_actions]
            boxes = [(*mark.centre, mark.width, mark.height) for mark in drawing_of(position, moves).marks]
            marks += len(boxes)
            for (x, y, width, height), (other_x, other_y, *_) in combinations(boxes, 2):
                assert abs(x - other_x) >= width or abs(y - other_y) >= height
    assert marks > 100


@pytest.mark.parametrize("game", ["tic_tac_toe", "nine_holes", "five_mens_morris", "othello", "hex", "hexapawn"])
def test_every_location_keeps_its_name_while_errors_speak_of_them(game: str) -> None:
    position, rng = make_game(game).initial, np.random.default_rng(1)
    for _ in range(8):
        played, better = position.legal_actions[0], position.legal_actions[-1]
        drawing = drawing_of_mistake(position, (played,), (better,))
        named = {name.text for name in drawing.names}
        shown = {label for place, label in enumerate(position.game.board.labels) if not position.state[1 + place]}
        assert named | shown == set(position.game.board.labels)
        spoken = {
            position.game.board.labels[each] for each in (*locations(position, played), *locations(position, better))
        }
        assert spoken <= named
        following = position.after(int(rng.choice(position.legal_actions)))
        if following.is_over:
            break
        position = following


def test_the_answer_to_an_error_shares_the_mark_of_a_better_move_in_the_same_place() -> None:
    position = make_game("tic_tac_toe").initial.play(4)
    assert [mark.text for mark in drawing_of_mistake(position, (1,), (0,), (0,)).marks] == ["×", "✓!"]
    drawing = drawing_of_mistake(position, (1,), (0,), (2,))
    assert [mark.text for mark in drawing.marks] == ["×", "!", "✓"]
    for mark, location in zip(drawing.marks, (1, 2, 0), strict=True):
        area = areas(position.game)[location]
        assert abs(mark.centre[0] - area.centre[0]) < area.width / 2
        assert abs(mark.centre[1] - area.centre[1]) < area.height / 2


def test_nobody_is_asked_once_the_contest_is_over(client: TestClient) -> None:
    there = played(client, 0, 3, 1, 4, 2)  # X has a row
    text = thoughts(client, there, "perfect", "alpha_beta")
    assert "The contest is over; choose an earlier move to ask about it." in text
    assert 'class="thought"' not in text
    assert "2 wins at once" in thoughts(client, there, "perfect", after=4)
