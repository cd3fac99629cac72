"""Why contests end: each reason against what the states show, in all environments the same."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boardgames_env import Contest, Game, make_game
from boardgames_env.ending import ENDS, board_end
from boardgames_env.envs.aec import AGENTS, BoardGameAECEnv
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.games.backgammon.rules.backgammon_board import TRAYS
from boardgames_env.games.hex.connection import has_joined
from boardgames_env.kernels import ONGOING, State
from boardgames_env.kernels.signatures import Int8s
from tests.variants import EACH_GAME, EVERY_GAME, MORRIS, WITH_CHANCE, fast_for, over

CONTESTS = 20
PAWNS = ("breakthrough", "english_draughts", "hexapawn")


def actions_and_states(env: BoardGameAECEnv, seed: int) -> tuple[list[int], list[State]]:
    """Play a contest at random."""
    env.reset(seed=seed)
    rng, actions, states = np.random.default_rng(seed), [], [env.state()]
    while not any((*env.terminations.values(), *env.truncations.values())):
        assert [info.get("end") for info in env.infos.values()] == [None if not actions else ""] * 2
        actions.append(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
        env.step(actions[-1])
        states.append(env.state())
    return actions, states


def end_of(game: Game, actions: list[int], states: list[State]) -> str:
    """The end of a contest, worked out from its states."""
    last, mover, board = states[-1], states[-2][0], game.board
    men = last[1 : 1 + board.size]
    if game.rules.outcome.as_python(last) == ONGOING:
        return limit_of(game, states)
    if game.name in WITH_CHANCE:
        is_off = abs(last[TRAYS + mover]) == game.family.men
        assert is_off != (game.action_text(actions[-1]) == "drop")
        return "borne_off" if is_off else "dropped"
    if game.name in MORRIS:
        in_hand = last[1 + board.size : 3 + board.size]
        left = ((men > 0).sum() + in_hand[0], (men < 0).sum() + in_hand[1])
        if min(left) <= game.family.lose_at:
            return "too_few_men"
    else:
        own, before = (state[1 : 1 + board.size] * (1 - 2 * mover) > 0 for state in (last, states[-2]))
        if any(own[list(line)].all() and not before[list(line)].all() for line in board.winning_lines):
            return "line"
    joined = "joined" if game.name == "hex" and has_joined(last, board, mover) else ""
    if men.all() or (end := joined or end_of_men(game, men)):
        return joined or ("full_board" if men.all() else end)
    passes = int(game.name == "othello")
    assert game.rules.legal.as_python(last, np.empty(game.num_actions, dtype=np.int32)) == passes
    return "no_move"


def limit_of(game: Game, states: list[State]) -> str:
    """The limit that has ended a contest."""
    if comes_up(game, states) >= (game.limits.recurrences or len(states) + 1):
        return "recurrence"
    quiet = game.limits.quiet_plies
    return "no_progress" if quiet and is_quiet(game, states[-1 - quiet :]) else "plies"


def end_of_men(game: Game, men: Int8s) -> str:
    """The end of a contest by men alone; empty if the seat to move is stuck."""
    if game.name not in (*PAWNS, "othello"):
        return ""
    if game.name in PAWNS and any((men[list(game.board.homes[1 - seat])] == 1 - 2 * seat).any() for seat in (0, 1)):
        return "home"
    return "" if (men > 0).any() and (men < 0).any() else "too_few_men"


def is_quiet(game: Game, states: list[State]) -> bool:
    """Whether no man has been captured and, if that is progress, only kings have moved; each action is a ply."""
    boards = np.array(states)[:, 1 : 1 + game.board.size]
    numbers = (boards != 0).sum(axis=1)
    kept = boards if game.limits.progress == "capture" else np.where(abs(boards) == 1, boards, 0)
    still = game.limits.progress == "capture" or (kept == kept[0]).all()
    return bool((numbers == numbers[0]).all() and still)


def comes_up(game: Game, states: list[State]) -> int:
    """How often the last position has come up."""

    def same(state: State) -> Any:
        if game.limits.key == "symmetry":
            return min(image.tobytes() for image in state[game.slot_symmetries])
        return state[game.limits.key == "board" :].tobytes()

    return [same(state) for state in states].count(same(states[-1]))


@over(fast_for(EACH_GAME, EVERY_GAME))
def test_every_contest_says_rightly_why_it_ended_in_each_environment(game: Game) -> None:
    env, alone = BoardGameAECEnv(game), BoardGameEnv(game, opponent=None)
    for seed in range(CONTESTS):
        actions, states = actions_and_states(env, seed)
        expected = end_of(game, actions, states)
        assert expected in ENDS[1:]
        assert [env.infos[agent]["end"] for agent in AGENTS] == [expected] * 2, (seed, states[-1])
        assert type(env.infos[AGENTS[0]]["end"]) is str
        _, info = alone.reset(seed=seed)
        for action in actions:
            assert not info.get("end")
            *_, info = alone.step(action)
        assert info["end"] == expected
        if expected not in ("recurrence", "no_progress", "plies"):
            assert board_end(game, states[-1]) == expected


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("illegal", [4, 99, -1])
def test_an_illegal_action_is_named_and_whose_it_was(seat: int, illegal: int) -> None:
    env, alone, against = (
        BoardGameAECEnv("tic_tac_toe"),
        BoardGameEnv("tic_tac_toe", opponent=None),
        BoardGameEnv("tic_tac_toe", seat=seat),
    )
    env.reset(seed=0)
    alone.reset(seed=0)
    for action in [4, 0][: 1 + seat]:
        env.step(action)
        alone.step(action)
    env.step(illegal)
    expected = {"end": "illegal", "illegal_action": illegal, "illegal_seat": 1 - seat}
    *_, info = alone.step(illegal)
    for found in (info, *env.infos.values()):
        assert expected.items() <= found.items()
    _, info = against.reset(seed=0)
    *_, info = against.step(int(np.flatnonzero(info["action_mask"] == 0)[0]) if seat else 9)
    assert (info["end"], info["illegal_seat"]) == ("illegal", seat)


def test_both_limits_are_told_apart_even_if_a_contest_reaches_them_at_once() -> None:
    game = make_game("pong_hau_ki")
    env = BoardGameAECEnv(game)
    found = (actions_and_states(env, seed)[0] for seed in range(50))
    actions = next(each for each in found if env.infos[AGENTS[0]]["end"] == "recurrence")
    plies = len(actions)
    cases = [(3, plies, "recurrence"), (3, plies - 1, "plies"), (4, plies, "plies"), (0, plies, "plies")]
    for recurrences, most, end in [*cases, (3, 0, "recurrence")]:
        for draws in (True, False):
            limits = replace(game.limits, recurrences=recurrences, plies=most, plies_draw=draws)
            contest = Contest(replace(game, limits=limits))
            for action in actions[: most or plies]:
                assert contest.end == ""
                contest.advance(action)
            assert contest.end == end
            assert contest.is_cut == (end == "plies" and not draws)
