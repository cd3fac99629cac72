"""Sessions: the contests that `play_contest` plays, taken back, resigned, resumed, and turn by turn."""

from dataclasses import replace

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy import Policy
from boardgames_agents.record import Record
from boardgames_agents.registry import make_player
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.contest import turn_text
from boardgames_env.games.backgammon.notation import parse_play
from boardgames_env.games.backgammon.notation.position_id import parse_position
from boardgames_env.position import IllegalActionError
from tests.contests import after_a_play, session_of
from tests.variants import EACH_GAME, cut_short, over, sampled

SEED = (7, 3)


def agents_of(game: Game) -> tuple[Policy, Policy]:
    return make_player("random", game), make_player("mcts(playouts=2)", game)


def played(game: Game) -> Record:
    return play_contest(game, agents_of(game), SEED)


@over(sampled(EACH_GAME, one_in=6))
def test_agents_and_a_person_in_the_place_of_one_play_what_they_play_in_the_arena(game: Game) -> None:
    short, expected = cut_short(game), played(cut_short(game))
    session = PlaySession(short, agents_of(short), SEED)
    while not session.is_over:
        session.advance()
    assert session.record() == replace(expected, game=short.spec)
    session = PlaySession(short, (None, agents_of(short)[1]), SEED)
    for action in expected.actions:
        if session.is_persons_turn:
            session.play([action])
        else:
            assert session.advance() == action
    assert session.record() == replace(expected, players=("human", expected.players[1]))
    assert [action for turn in session.turns for action in turn.actions] == list(expected.actions)


UNDONE = ("tic_tac_toe", "achi", "shisima", "five_mens_morris", "backgammon", "backgammon(cube=True)", "nerenchi")


@pytest.mark.parametrize("spec", sampled(UNDONE, one_in=2))
def test_undo_returns_to_the_beginning_of_the_persons_last_turn(spec: str) -> None:
    game = cut_short(make_game(spec))
    session = PlaySession(game, (None, make_player("random", game)), SEED)
    reached = []
    while not session.is_over and len(reached) < 12:
        legal = session.position.legal_actions
        looks_at_dice = game.rules.has_chance and bool(game.actions[legal[0]].told)
        if session.is_persons_turn and not session.is_within_turn and not looks_at_dice:
            reached.append((session.position, session.actions, session.plies, tuple(session._contest.events)))
        if session.is_persons_turn:
            session.play([legal[0] if looks_at_dice else legal[-1]])
        else:
            session.advance()
    assert len(reached) > 2
    for position, actions, plies, events in reversed(reached):
        session.undo()
        assert (session.position, session.actions, session.plies) == (position, actions, plies)
        assert tuple(session._contest.events) == events, "the same dice"
        assert session.is_persons_turn
        assert not session.is_over
    with pytest.raises(BadInputError, match="no move of yours to take back"):
        session.undo()
    assert not session.is_over


def test_a_turn_that_goes_on_is_taken_back_action_by_action() -> None:
    session = PlaySession(make_game("backgammon"), (None, None), SEED)
    reached = [session.position]
    for _ in range(3):  # (two dice, and one of the other seat's)
        session.play([session.position.legal_actions[0]])
        reached.append(session.position)
    assert session.is_within_turn
    session.undo_action()
    assert session.position == reached[2], "the dice are the same"
    session.undo_action()
    assert session.position == reached[0], "the turn before, as it is over"
    with pytest.raises(BadInputError, match="no move of yours to take back"):
        session.undo_action()


def test_with_two_people_undo_takes_back_the_last_turn_and_a_resignation() -> None:
    session = session_of("tic_tac_toe", "4", "0")
    session.resign(1)
    assert (session.is_over, session.points, session.is_persons_turn) == (True, 1, False)
    session.undo()
    assert session.actions == (4, 0)
    session.undo()
    assert (session.actions, session.seat) == ((4,), 1)


def test_an_agent_begins_anew_after_undo() -> None:
    """It must not remember what has been taken back: fallible's plies, the searches' positions."""
    game = make_game("five_mens_morris(plies=20)")
    session = PlaySession(game, (None, make_player("alpha_beta(nodes=50)", game)), (5,))
    for _ in range(3):
        session.play([session.position.legal_actions[0]])
        session.advance()
    agent = session.players[1]
    assert agent.plies_before(session.position) == session.plies == 6  # type: ignore[union-attr]
    session.undo()
    assert agent.plies_before(session.position) == session.plies == 4  # type: ignore[union-attr]


@over(sampled(EACH_GAME, one_in=6))
def test_a_session_of_a_record_goes_on_with_the_same_dice(game: Game) -> None:
    short, whole = cut_short(game), played(cut_short(game))
    half = len(whole.actions) // 2
    session = PlaySession(short, (None, None), SEED)
    for action in whole.actions[:half]:
        session.play([action])
    resumed = PlaySession.of_record(session.record(), short, (None, None))
    assert resumed.position == session.position
    for action in whole.actions[half:]:
        resumed.play([action])
    assert resumed.record() == replace(whole, players=("human", "human"))
    again = PlaySession.of_record(whole, short, (None, None))
    assert again.record() == resumed.record()
    again.undo()
    last = again.turns[-1].actions if again.turns else ()
    assert len(again.actions) < len(whole.actions)
    assert whole.actions[: len(again.actions)] == again.actions
    assert last == again.actions[len(again.actions) - len(last) :]


def test_a_record_with_dice_of_another_seed_is_resumed_and_taken_back_with_its_dice() -> None:
    game = make_game("hypergammon")
    record = replace(played(game), seed=(99,))
    session = PlaySession.of_record(record, game, (None, None))
    assert session.record().events == record.events
    session.undo()
    assert record.events[: len(session.record().events)] == session.record().events


@pytest.mark.parametrize(("seat", "points"), [(0, -1), (1, 1)])
def test_resigning_gives_the_other_seat_the_stake(seat: int, points: int) -> None:
    session = session_of("tic_tac_toe", "4")
    session.resign(seat)
    record = session.record()
    assert (record.outcome, record.cut) == (points, False)
    resumed = PlaySession.of_record(record, session.game, (None, None))
    assert (resumed.resigned, resumed.points) == (seat, points)


def test_resigning_with_the_cube_turned_costs_two_points() -> None:
    session = after_a_play("double", "take")
    session.resign(0)
    assert session.points == -2
    assert [turn.text for turn in session.turns][1:] == ["double", "take"]


def test_what_is_not_allowed() -> None:
    game = make_game("tic_tac_toe")
    session = PlaySession(game, (None, make_player("random", game)), (1,))
    with pytest.raises(IllegalActionError, match="action 9 is not legal"):
        session.play([9])
    with pytest.raises(BadInputError, match="more than one turn"):
        session.play([0, 1])
    with pytest.raises(BadInputError, match="no agent is to move"):
        session.advance()
    with pytest.raises(BadInputError, match="only people do"):
        session.resign(1)
    assert session.actions == ()
    session.play([0])
    with pytest.raises(BadInputError, match="the turn of O, which an agent plays"):
        session.play([1])
    session.resign(0)
    for refused in (lambda: session.play([1]), session.advance, lambda: session.resign(0)):
        with pytest.raises(BadInputError, match="the contest is over"):
            refused()


def test_a_turn_is_one_text() -> None:
    session = session_of("five_mens_morris", *"0314")
    session.play([session.game.parse_action("2"), session.game.parse_action("x3")])
    assert session.turns[-1].text == "2x3"
    assert [turn.seat for turn in session.turns] == [0, 1, 0, 1, 0]
    session.undo()
    session.play([session.game.parse_action("2")])
    assert (session.is_within_turn, session.turns[-1].text) == (True, "2")
    session.undo()
    assert not session.is_within_turn


def test_turns_have_their_rolls() -> None:
    session = after_a_play("roll")
    session.play(session.position.moves()[0].actions)
    first, asked, last = session.turns
    assert asked.chance == ""
    for turn in (first, last):
        low, high = sorted(turn.chance)
        assert f"to play {high}-{low}" in turn.before.text
    assert make_game("tic_tac_toe").notation is None


def test_hits_and_doubles_are_one_text() -> None:
    position = parse_position(make_game("backgammon"), "start", (6, 1))
    play = parse_play(position, "13/7 8/7")
    assert len(play) == 2
    assert turn_text(position, play) == "13/7 8/7"


def test_a_contest_is_resigned_for_what_can_still_be_lost() -> None:
    session = session_of("hypergammon(cube=True)")
    assert session.resignations(0) == (1, 2, 3)
    with pytest.raises(BadInputError, match="points=4 is not allowed; a resignation here is for: 1, 2, 3"):
        session.resign(0, 4)
    session.resign(0, 2)
    assert session.points == -2
    again = PlaySession.of_record(session.record(), session.game, (None, None))
    assert (again.resigned, again.points) == (0, -2)
    session.undo()
    assert (session.resigned, session.points) == (None, 0)
    assert session_of("tic_tac_toe").resignations(1) == (1,)


def test_nobody_resigns_for_more_than_can_be_lost() -> None:
    for spec, off, most in (("backgammon", 0, 3), ("backgammon(cube=True, jacoby=True)", 0, 1), ("hypergammon", 1, 1)):
        game = make_game(spec)
        state = game.initial.state.copy()
        state[1 + game.board.labels.index("off0")] = off
        assert game.losses
        assert game.losses(state, 0) == most
        assert not off or game.losses(state, 1) == 3
