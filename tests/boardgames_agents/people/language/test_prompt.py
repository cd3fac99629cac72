"""Positions in words, and moves in answers."""

import pytest

from boardgames_agents.people.language.prompt import AnswerError, PromptForm, prompt, read_answer
from boardgames_env import Game, Position, make_game
from boardgames_env.contest import turns
from tests.variants import EACH_GAME, over


def position_after(spec: str, *texts: str) -> Position:
    position = make_game(spec).initial
    for text in texts:
        position = position.play(position.game.parse_action(text))
    return position


def chosen(position: Position, answer: str) -> str:
    return " ".join(position.game.action_text(action) for action in read_answer(position, answer))


def test_a_prompt_has_rules_board_history_and_moves() -> None:
    game = make_game("tic_tac_toe")
    actions = [4, 0]
    found = prompt(position_after("tic_tac_toe", "4", "0"), list(turns(game.initial, actions)))
    assert "You play the game Tic-tac-toe. Your side is X" in found
    assert "The first to hold three" in found
    assert "Moves so far: X 4; O 0." in found
    assert "The legal moves: 1, 2, 3, 5, 6, 7, 8." in found
    assert position_after("tic_tac_toe", "4", "0").text in found


def test_a_prompt_has_the_options_and_limits_of_the_game() -> None:
    found = prompt(make_game("nine_mens_morris", fly_at=3).initial)
    assert "The options here: fly_at=3, any_capture=False, " in found
    assert "When the same situation comes up 3 times, nobody has won. After 200 turns nobody has won." in found
    disguised = prompt(make_game("disguised", game="nine_mens_morris").initial)
    assert "options" not in disguised
    assert disguised.count("comes up 3 times") == 1


def test_legal_moves_can_be_left_out() -> None:
    position = position_after("tic_tac_toe", "4", "0")
    for board in ("text", "json"):
        assert "legal" not in prompt(position, form=PromptForm(legal=False, board=board))
    with pytest.raises(AnswerError) as wrong:
        read_answer(position, "4", legal=False)
    assert str(wrong.value) == "4 is not a legal move here."


def test_a_board_can_be_json() -> None:
    found = prompt(position_after("tic_tac_toe", "4", "0"), form=PromptForm(board="json"))
    assert '"board": {"0": {"seat": 1, "name": "O", "number": 1}, "4": {"seat": 0, "name": "X", "number": 1}}' in found


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("4", "4"),
        ("Move: 4", "4"),
        ("**4**", "4"),
        ("`4`.", "4"),
        ('{"move": "4"}', "4"),
        ("First 0 comes to mind,\nbut the centre is better:\n\n(4)", "4"),
        ("I take 8. No: 4!", "4"),
        ("4\n", "4"),
    ],
)
def test_the_last_move_in_an_answer_counts(answer: str, action: str) -> None:
    assert chosen(make_game("tic_tac_toe").initial, answer) == action


@pytest.mark.parametrize(
    ("spec", "before", "answer", "move"),
    [
        ("connect_four", (), "I drop into column D", "d"),
        ("connect_four", (), "d, a good column", "d"),
        ("shisima", (), "My man goes from 4 to 8.", "4-8"),
        ("shisima", (), "4 \u2192 8", "4-8"),
        ("shisima", (), "4 -> 8", "4-8"),
        ("hexapawn", (), "A1-A2", "a1-a2"),
        ("five_mens_morris", ("0", "7", "1", "8"), "2 x7", "2 x7"),
        ("five_mens_morris", ("0", "7", "1", "8"), "2x7", "2 x7"),
    ],
)
def test_moves_are_read_in_the_games_notation(spec: str, before: tuple[str, ...], answer: str, move: str) -> None:
    assert chosen(position_after(spec, *before), answer) == move


def test_a_play_of_dice_is_read() -> None:
    position = make_game("backgammon").initial.happen(0)
    best = position.as_dict()["legal_moves"][-1]
    assert position.after(*read_answer(position, f"I play **{best['text']}**.")) == position.after(*best["actions"])


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("I take 0, no, 4", "4 is not a legal move here; the legal moves are: 0, 1, 2, 3, 5, 6, 7, 8."),
        ("", "There is no move in the answer; the legal moves are: 0, 1, 2, 3, 5, 6, 7, 8."),
        ("I resign", "There is no move in the answer; the legal moves are: 0, 1, 2, 3, 5, 6, 7, 8."),
        ("99", "There is no move in the answer; the legal moves are: 0, 1, 2, 3, 5, 6, 7, 8."),
        ("\x00" * 100_000, "There is no move in the answer; the legal moves are: 0, 1, 2, 3, 5, 6, 7, 8."),
    ],
)
def test_a_wrong_answer_is_explained_in_one_sentence(answer: str, why: str) -> None:
    with pytest.raises(AnswerError) as wrong:
        read_answer(position_after("tic_tac_toe", "4"), answer)
    assert str(wrong.value) == why


@over(EACH_GAME)
def test_every_legal_move_is_read_as_it_is_listed(game: Game) -> None:
    position = game.initial
    while position.awaits_chance:
        position = position.happen(0)
    for move in position.as_dict()["legal_moves"][:40]:
        reached = position.after(*read_answer(position, f"Perhaps.\nMy move is {move['text']}"))
        assert reached == position.after(*move["actions"])
    assert game.title in prompt(position)
