"""What must hold for every game in the registry, and every variant of it."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgames_env import BadInputError, Contest, Game, IllegalActionError, Limits, Position, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.encoding import LINES, OBSERVATION, encoding_names, encoding_of
from boardgames_env.games import HEADINGS
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel
from tests.golden_records import actions_of, path_of, play_out, tells_apart
from tests.positions import random_positions
from tests.variants import (
    EACH_GAME,
    EVERY_GAME,
    OWN_RULES,
    VARIANTS,
    WITH_HEURISTICS,
    WITHOUT_CHANCE,
    fast_for,
    over,
    variants_of,
)

every_game = over(fast_for(EACH_GAME, EVERY_GAME))
all_rules = over(fast_for(EACH_GAME, OWN_RULES))
each_game = over(EACH_GAME)

CHANGES = {
    "at": {(1, 0), (0, 0)},
    "column": {(1, 0)},
    "move": {(0, 0)},
    "capture": {(0, 1)},
    "jump": {(0, 1)},
    "pass": {(0, 0)},
    "swap": {(1, 1)},
}
"""How many men an action of a kind adds to those of its seat, and takes from the other's."""


def positions_of(game: Game, choices: list[int]) -> list[Position]:
    """The positions of the contest that takes ``choices[k] % n`` of the n legal actions, or of chance's n events."""
    positions = [game.initial]
    for choice in choices:
        position = positions[-1]
        if position.is_over:
            break
        if events := position.events():
            positions.append(events[choice % len(events)].position)
        else:
            legal = position.legal_actions
            positions.append(position.play(legal[choice % len(legal)]))
    return positions


contests = st.lists(st.integers(0, 10_000), max_size=60)

MANY = 200
"""Of more moves than this from a position, only some are tried."""


@over(EVERY_GAME)
def test_has_a_golden_record(game: Game) -> None:
    path = path_of(game.spec)
    assert path.exists(), f"{game.spec} has no golden record: run `python -m tests.golden_records`"
    assert play_out(game) == path.read_text(encoding="utf-8")
    if game.spec in VARIANTS:
        assert tells_apart(game, make_game(VARIANTS[game.spec]), actions_of(game)), "the option shows nowhere"


@every_game
def test_its_page_follows_the_template(game: Game) -> None:
    page = game.page
    found = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    assert [heading for heading in found if heading in HEADINGS] == list(HEADINGS)
    assert found[-1] == HEADINGS[-1]
    assert f"* v{game.version}: " in page


@every_game
def test_is_made_again_from_its_spec(game: Game) -> None:
    assert make_game(game.spec) is game
    assert pickle.loads(pickle.dumps(game)) is game
    assert copy.deepcopy(game) is game


@every_game
def test_a_changed_game_is_another_game(game: Game) -> None:
    changed = replace(game, limits=Limits(plies=4))
    assert changed != game
    twin = pickle.loads(pickle.dumps(changed))
    assert (twin.limits, twin.rules, twin.spec) == (changed.limits, game.rules, game.spec)
    foreign = replace(game, rules=replace(game.rules, play=game.rules.happen))
    assert not foreign.is_registered
    with pytest.raises(BadInputError, match="cannot be pickled"):
        pickle.dumps(foreign)


@every_game
def test_unknown_options_are_refused(game: Game) -> None:
    with pytest.raises(BadInputError, match="no option 'colour'"):
        make_game(game.name, colour="red")


@all_rules
def test_action_texts_are_read_back(game: Game) -> None:
    texts = [game.action_text(action) for action in range(game.num_actions)]
    assert [game.parse_action(text) for text in texts] == list(range(game.num_actions))
    with pytest.raises(BadInputError, match="is not an action"):
        game.parse_action("xyzzy")
    for strange in (-1, game.num_actions):
        with pytest.raises(BadInputError, match="they are 0 to"):
            game.action_text(strange)


@all_rules
def test_states_of_another_shape_are_refused(game: Game) -> None:
    with pytest.raises(BadInputError, match="shape"):
        game.position(np.zeros(game.state_size + 1))
    for wrong in (np.full(game.state_size, 0.5), np.full(game.state_size, 300), ["a"] * game.state_size):
        with pytest.raises(BadInputError, match="whole numbers from -128 to 127"):
            game.position(wrong)
    with pytest.raises(BadInputError, match="seat to move"):
        game.position(np.full(game.state_size, 7))


@all_rules
@given(choices=contests)
def test_legal_actions_play_and_others_do_not(game: Game, choices: list[int]) -> None:
    # (contests with dice are long and have many actions: there, a fifth of them is tried in each position)
    stride = 5 if game.rules.has_chance else 1
    for ply, position in enumerate(positions_of(game, choices)):
        legal = position.legal_actions
        assert list(legal) == sorted(set(legal))
        assert bool(legal) == (not position.is_over and not position.awaits_chance)
        for action in {-1, game.num_actions, *range(ply % stride, game.num_actions, stride)} - set(legal):
            with pytest.raises(IllegalActionError):
                position.play(action)
        assert position.state.flags.writeable is False


@all_rules
@given(choices=contests)
def test_positions_are_values(game: Game, choices: list[int]) -> None:
    position = positions_of(game, choices)[-1]
    for twin in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position), game.position(position.state)):
        assert twin == position
        assert hash(twin) == hash(position)
        assert twin.legal_actions == position.legal_actions
        assert twin.outcome == position.outcome


@all_rules
@given(choices=contests)
def test_moves_are_the_ways_to_complete_a_turn(game: Game, choices: list[int]) -> None:
    position = positions_of(game, choices)[-1]
    moves = position.moves()
    assert {move.actions[0] for move in moves} == set(position.legal_actions)
    for move in moves[:: 1 + len(moves) // MANY]:
        reached = position
        for action in move.actions:
            assert reached.seat == position.seat
            reached = reached.play(action)
        assert reached == move.afterstate
        assert reached.is_over or reached.awaits_chance or reached.seat != position.seat


WITH_MOVES = ["achi", "backgammon", "five_mens_morris", "nerenchi", "tic_tac_toe"]
"""The games whose kernels of whole moves are compiled in the fast run: most take a second or two."""


@pytest.mark.parametrize("game", fast_for(WITH_MOVES, EACH_GAME), indirect=True)
@given(choices=contests)
def test_all_afterstates_are_found_at_once(game: Game, choices: list[int]) -> None:
    position = positions_of(game, choices)[-1]
    if not position.legal_actions:
        return
    states = np.empty((MOST_MOVES, game.state_size), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    found = moves_kernel(game)(position.state, states, actions)
    moves = {move.actions: move.afterstate.key for move in position.moves()}
    rows = [tuple(row[: row.index(-1)]) for row in actions[:found].tolist()]
    assert [moves[row] for row in rows] == [state.tobytes() for state in states[:found]]
    assert sorted(moves[row] for row in rows) == sorted(set(moves.values()))


@each_game
@given(choices=contests)
def test_chance_decides_between_turns(game: Game, choices: list[int]) -> None:
    for position in positions_of(game, choices):
        events = position.events()
        assert bool(events) == position.awaits_chance
        if events:
            assert not position.legal_actions
            assert not position.is_over
            assert [event.number for event in events] == list(range(len(events)))
            assert sum(event.probability for event in events) == pytest.approx(1)
            assert len({event.position for event in events}) == len(events)
            assert {event.position for event in events} == {position.happen(event.number) for event in events}
            with pytest.raises(IllegalActionError, match="chance must decide first"):
                position.play(0)


@over(fast_for(WITHOUT_CHANCE, variants_of(WITHOUT_CHANCE, OWN_RULES)))
@given(choices=contests)
def test_men_are_placed_moved_and_captured_and_nothing_else(game: Game, choices: list[int]) -> None:
    """An action does to the men on the board what its kind says, and the turn passes unless a capture is to follow."""
    for position in positions_of(game, choices):
        own = 1 - 2 * position.seat
        for number in position.legal_actions:
            action, reached = game.actions[number], position.after(number)
            men, after = (np.sign(each.state[1 : 1 + game.board.size]) for each in (position, reached))
            gained = int((after == own).sum() - (men == own).sum())
            lost = int((men == -own).sum() - (after == -own).sum())
            takes_by_moving = action.kind == "move" and game.name in ("breakthrough", "hexapawn")
            if game.name == "othello" and action.kind == "at":  # (the discs lost by the other seat are turned)
                assert gained == lost + 1 > 1
            else:
                assert (gained, lost) in CHANGES[action.kind] | ({(0, 1)} if takes_by_moving else set())
            if reached.seat == position.seat and not reached.is_over:
                goes_on = "jump" if action.kind == "jump" else "capture"
                assert {game.actions[following].kind for following in reached.legal_actions} == {goes_on}


@all_rules
@given(choices=contests)
def test_symmetric_positions_have_symmetric_moves(game: Game, choices: list[int]) -> None:
    position = positions_of(game, choices)[-1]
    images = position.images()
    assert images[0] == position
    assert {image.canonical for image in images} == {min(image.key for image in images)}
    for image, carry in zip(images, game.action_symmetries, strict=True):
        assert image.outcome == position.outcome
        assert sorted(carry[list(position.legal_actions)].tolist()) == list(image.legal_actions)
        for action in position.legal_actions:
            assert image.play(int(carry[action])).outcome == position.play(action).outcome


@each_game
def test_inputs_are_the_features_that_are_not_0_in_longer_arrays_as_well(game: Game) -> None:
    for position in random_positions(game, 12, seed=0):
        features = position.features(0)
        indices, values = np.zeros(len(features) + 7, dtype=np.int32), np.zeros(len(features) + 7, dtype=np.float32)
        found = encoding_of(game, OBSERVATION).kernel.as_python(position.state, 0, indices, values)
        assert np.array_equal(indices[:found], np.flatnonzero(features))
        assert np.array_equal(values[:found], features[features != 0])


@each_game
def test_lines_of_one_seat_are_inputs(game: Game) -> None:
    lines = game.board.winning_lines
    if not lines:
        assert LINES not in encoding_names(game)
        return
    encoding, first = encoding_of(game, LINES), game.num_features
    for position in random_positions(game, 12, seed=0):
        expected = np.zeros((len(lines), 2, len(lines[0])))
        for row, line in zip(expected, lines, strict=True):
            men = position.state[np.array(line) + 1] * (1 - 2 * position.seat)
            if men.any() and (men.min() >= 0 or men.max() <= 0):
                row[int(men.min() < 0), np.count_nonzero(men) - 1] = 1
        indices, values = np.zeros(encoding.size, np.int32), np.zeros(encoding.size, np.float32)
        found = encoding.kernel.run(position.state, position.seat, indices, values)
        assert (np.diff(indices[:found]) > 0).all()
        inputs = np.zeros(encoding.size)
        inputs[indices[:found]] = values[:found]
        assert np.array_equal(inputs[:first], position.features(position.seat))
        assert np.array_equal(inputs[first:], expected.ravel())


@all_rules
@given(choices=contests)
def test_features_are_small_and_tell_positions_apart(game: Game, choices: list[int]) -> None:
    seen: dict[bytes, Position] = {}
    for position in positions_of(game, choices):
        features = position.features()
        assert features.shape == (game.num_features,)
        assert features.dtype == np.float32
        assert 0 <= features.min() <= features.max() <= 1
        assert features.any()
        assert features is not position.features()
        key = bytes([position.seat]) + features.tobytes()
        assert seen.setdefault(key, position) == position


@every_game
@pytest.mark.parametrize("contests", [15, pytest.param(50, marks=pytest.mark.slow)])
def test_contests_end(contests: int, game: Game) -> None:
    rng = np.random.default_rng(1)
    for _ in range(contests):
        contest = Contest(game, ChanceStream(game, rng))
        while not contest.is_over and len(contest.actions) < 100_000:
            contest.play(int(rng.choice(contest.position.legal_actions)))
        assert contest.is_over


BOUND = 10_000


# (a disguise has the heuristics of the game behind it, and shisima has none)
GUIDED = [spec for spec in variants_of(WITH_HEURISTICS, OWN_RULES) if "game='shisima'" not in spec]


@over(fast_for(WITH_HEURISTICS, GUIDED))
def test_worths_gains_and_forcing_actions_are_what_they_say(game: Game) -> None:
    heuristics = game.heuristics
    assert heuristics
    room = np.empty(game.num_actions, dtype=np.int32)
    for position in random_positions(game, 600, 6):
        worth = heuristics.evaluate(position.state)
        assert -BOUND < worth < BOUND
        # (a mirror image looks as good)
        assert {heuristics.evaluate(image.state) for image in position.images()} == {worth}
        if not hasattr(game.family, "placing_ends") or position.state[-1] == 0:  # (no captures are due)
            turned = position.state.copy()
            turned[0] = 1 - turned[0]
            assert heuristics.evaluate(turned) == -worth
        if heuristics.forcing:
            forcing = room[: heuristics.forcing(position.state, room)].tolist()
            assert len(set(forcing)) == len(forcing)
            assert set(forcing) <= set(position.legal_actions)
        if heuristics.gain:
            for action in position.legal_actions:
                reached = position.after(action)
                if not reached.is_over:
                    after = heuristics.evaluate(reached.state) * (1 if reached.seat == position.seat else -1)
                    assert heuristics.gain(position.state, action) == after - worth
