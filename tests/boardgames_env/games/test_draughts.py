"""English draughts: jumps, kings, draws without progress, and what guides a search."""

import numpy as np
import pytest

from boardgames_agents.experts.human import read_move
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Contest, Position, make_game
from boardgames_env.contest import turns
from boardgames_env.ending import board_end
from boardgames_env.kernels.signatures import Int8s
from tests.perft import through_kernels
from tests.positions import play, random_positions
from tests.variants import fast_for

GAME = "english_draughts"


def state_of(black: str, white: str, seat: int = 0, jumper: int = 0) -> Int8s:
    """The state with men on squares, such as ``1 K22``."""
    state = np.zeros(34, dtype=np.int8)
    for sign, texts in ((1, black.split()), (-1, white.split())):
        for text in texts:
            state[int(text.removeprefix("K"))] = sign * (1 + text.startswith("K"))
    state[0], state[33] = seat, jumper
    return state


def position_of(black: str, white: str, seat: int = 0, jumper: int = 0) -> Position:
    return make_game(GAME).position(state_of(black, white, seat, jumper))


def legal_texts(position: Position) -> list[str]:
    return [position.game.action_text(action) for action in position.legal_actions]


@pytest.mark.parametrize("turns", fast_for([5], [5, 7]))
def test_the_known_numbers_of_ways_to_play(turns: int) -> None:
    known = [7, 49, 302, 1469, 7361, 36_768, 179_740]
    assert through_kernels(make_game(GAME).initial, turns) == known[:turns]


@pytest.mark.parametrize(
    ("black", "white", "seat", "texts"),
    [
        ("11", "32", 0, ["11-15", "11-16"]),  # a man goes forward
        ("1", "32", 1, ["32-27", "32-28"]),
        ("4", "32", 0, ["4-8"]),  # (at the edge)
        ("K18", "32", 0, ["18-14", "18-15", "18-22", "18-23"]),  # a king goes both ways
        ("11 1", "15", 0, ["11x18"]),  # whoever can jump must
        ("11 20", "15 24", 0, ["11x18", "20x27"]),  # with any man that can
        ("11", "15 18", 0, ["11-16"]),  # the square behind is taken
        ("18", "15", 0, ["18-22", "18-23"]),  # a man does not jump backward
        ("K18", "15", 0, ["18x11"]),  # a king does
        ("11", "K15", 0, ["11x18"]),  # men take kings
    ],
)
def test_steps_and_jumps(black: str, white: str, seat: int, texts: list[str]) -> None:
    assert legal_texts(position_of(black, white, seat)) == texts


def test_the_man_that_has_jumped_must_jump_on() -> None:
    before = position_of("7 12", "10 18 25 16 32")
    assert legal_texts(before) == ["7x14", "12x19"]
    going = play(before, "7x14")
    assert (going.seat, going.state[33]) == (0, 14)
    assert legal_texts(going) == ["14x23"]  # neither 12x19 nor a step
    assert "14 jumps on" in going.text
    after = play(going, "14x23")
    assert (after.seat, after.state[33]) == (1, 0)
    actions = tuple(map(before.game.parse_action, ("7x14", "14x23")))
    (turn,) = turns(before, actions)
    assert turn.text == "7x14x23"
    assert read_move(before, turn.text) == read_move(before, "7x14 14x23") == actions


def test_a_man_that_is_crowned_by_a_jump_ends_its_turn() -> None:
    reached = play(position_of("22", "26 27 7"), "22x31")  # a king on 31 could jump over 27
    assert reached.seat == 1
    assert reached.state[31] == 2
    going = play(position_of("K22", "26 27 7"), "22x31")  # one that was a king before does
    assert legal_texts(going) == ["31x24"]
    assert play(position_of("25", "5 K32"), "25-30").state[30] == 2
    assert play(position_of("K32 25", "8", 1), "8-3").state[3] == -2


@pytest.mark.parametrize(("black", "white", "seat"), [("", "32", 0), ("5", "9 14 32", 0), ("K1", "5 6 10 9 K14", 0)])
def test_a_seat_that_cannot_move_loses(black: str, white: str, seat: int) -> None:
    position = position_of(black, white, seat)
    assert position.outcome == (2 * seat - 1)
    assert board_end(position.game, position.state) == ("no_move" if black else "too_few_men")


def turned(position: Position) -> Position:
    """The position on the board turned round, with the seats exchanged."""
    jumper = int(position.state[33])
    return position.game.position([1 - position.seat, *(-position.state[32:0:-1]), 33 - jumper if jumper else 0])


def test_the_board_turned_round_is_the_same_game() -> None:
    game = make_game(GAME)
    assert len(game.board.symmetries) == 1
    for position in random_positions(game, 200, 3):
        other = turned(position)
        assert other.outcome == (None if position.outcome is None else -position.outcome)
        ends = {tuple(31 - at for at in game.actions[action].locations) for action in position.legal_actions}
        assert ends == {game.actions[action].locations for action in other.legal_actions}
        assert game.heuristics.evaluate(other.state) == game.heuristics.evaluate(position.state)
        seen, there = (each.features(viewer)[:192].reshape(2, 32, 3) for each, viewer in ((position, 0), (other, 1)))
        assert (seen == there[:, ::-1]).all()


def test_what_guides_a_search() -> None:
    game = make_game(GAME)
    found = np.empty(game.num_actions, dtype=np.int32)
    seen = set()
    for position in random_positions(game, 400, 5):
        if position.is_over:
            continue
        before, urgent = game.heuristics.evaluate(position.state), []
        assert abs(before) < 10_000
        for action in position.legal_actions:
            after = position.after(action)
            later = game.heuristics.evaluate(after.state) * (1 if after.seat == position.seat else -1)
            assert game.heuristics.gain(position.state, action) == later - before
            here, there = game.actions[action].locations
            crowned = abs(position.state[1 + here]) < abs(after.state[1 + there])
            if game.actions[action].kind == "jump" or crowned:
                urgent.append(action)
                seen.add((game.actions[action].kind, crowned))
        assert found[: game.heuristics.forcing(position.state, found)].tolist() == urgent
    assert seen == {("jump", False), ("jump", True), ("move", True)}


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (state_of("29", "1"), "seat 0 has a man on its far row, who is a king there"),
        (state_of("5", "1"), "seat 1 has a man on its far row"),
        (state_of("5", ""), "seat 1 has moved last, but has no man"),
        (state_of(" ".join(map(str, range(1, 14))), "32"), r"the seats have \(13, 1\) men on the board"),
        (state_of("11", "15", jumper=12), "seat 0 must jump on from square 12, but has no man there that can"),
        (state_of("11", "15", jumper=15), "seat 0 must jump on from square 15"),
        (state_of("11", "15", jumper=33), "it is 0 .none. to 32"),
        (state_of("11", "15", jumper=-1), "it is 0 .none. to 32"),
        (state_of("11", "15 " + " ".join(map(str, range(22, 33))), jumper=11), "seat 1 has all of its men"),
        (state_of("11", "15") * 3, "location 10 holds 3; it is from -2 to 2"),
    ],
)
def test_states_that_no_contest_reaches_are_refused(state: Int8s, why: str) -> None:
    with pytest.raises(BadInputError, match=why):
        make_game(GAME).position(state)


def test_alpha_beta_makes_progress_before_it_is_too_late() -> None:
    """A ply before the draw, with a king more, only a move of the man goes on."""
    game = make_game(GAME, quiet_moves=3, recurrences=0)
    contest = Contest(game, start=game.position(state_of("K1 K2 5", "K32")))
    player = make_agent("alpha_beta(nodes=2000)", game)
    player.begin(game, (0,), np.random.default_rng(0))
    for text in ("1-6", "32-27", "6-1", "27-32"):
        player.saw(contest.position, game.parse_action(text))
        contest.play(game.parse_action(text))
    assert game.action_text(player.choose(contest.position)) == "5-9"


BACK_AND_FORTH = ("1-6", "32-27", "6-1", "27-32")


@pytest.mark.parametrize(
    ("options", "plies", "end"),
    [
        ({}, 8, "recurrence"),
        ({"recurrences": 0}, 80, "no_progress"),
        ({"recurrences": 0, "quiet_moves": 3}, 6, "no_progress"),
        ({"recurrences": 3, "quiet_moves": 4}, 8, "recurrence"),  # (both at once)
        ({"recurrences": 3, "quiet_moves": 3}, 6, "no_progress"),
    ],
)
def test_kings_alone_make_no_progress(options: dict[str, int], plies: int, end: str) -> None:
    game = make_game(GAME, **options)
    contest = Contest(game, start=game.position(state_of("K1 12", "K32 13")))
    for ply in range(plies):
        assert contest.end == ""
        contest.play(game.parse_action(BACK_AND_FORTH[ply % 4]))
    assert (contest.end, contest.points) == (end, 0)


@pytest.mark.parametrize(("progress", "plies"), [("man", 10), ("capture", 6)])
def test_what_progress_is(progress: str, plies: int) -> None:
    """The fourth ply is a man's move: with it, the plies are counted anew unless only captures are progress."""
    game = make_game(GAME, quiet_moves=3, recurrences=0, progress=progress)
    contest = Contest(game, start=game.position(state_of("K1 12", "K32 31")))
    for text in ("1-6", "32-27", "6-1", "31-26", *(("1-6", "27-32", "6-1", "32-27") * 2)):
        if contest.end:
            break
        contest.play(game.parse_action(text))
    assert (len(contest.actions), contest.end) == (plies, "no_progress")


def test_a_capture_is_progress_for_kings_as_well() -> None:
    game = make_game(GAME, quiet_moves=2, recurrences=0, progress="capture")
    contest = Contest(game, start=game.position(state_of("K1 12", "K32 K15")))
    for text in ("1-6", "15-10", "6x15", "32-27", "15-10", "27-32", "10-15"):
        assert contest.end == ""
        contest.play(game.parse_action(text))
    assert contest.end == "no_progress"


def test_kings_are_drawn_as_kings() -> None:
    position = position_of("1 K2", "31 K32")
    men, kings = position_of("1 2", "31 32").svg, position.svg
    assert kings.count("<polygon") == men.count("<polygon") + 2
    letters = [letter for letter in "".join(position.text.splitlines()[:-1]) if letter.isalpha()]
    assert letters == ["b", "B", "w", "W"]
    assert position.game.men_at(-2)[0].name == "white king"
    assert position.game.men_at(-2)[1] == make_game(GAME).men_at(1)[1] == 1


def test_men_and_kings_are_observed_apart() -> None:
    features = position_of("K14 12", "17 K5").features(0)
    blocks = features[:192].reshape(2, 32, 3)
    assert np.argwhere(blocks).tolist() == [[0, 11, 0], [0, 13, 1], [1, 4, 1], [1, 16, 0]]
    going = play(position_of("7 12", "10 18 25 16 32"), "7x14")
    assert [going.features(viewer)[:192].reshape(2, 32, 3)[viewer, 13].tolist() for viewer in (0, 1)] == [[1, 0, 1]] * 2
