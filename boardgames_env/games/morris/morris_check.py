"""The check of made-up states of the morris family: why no contest reaches one."""

from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.games.shared.men_check import Check, all_of, count_men, single_men
from boardgames_env.kernels import State


def check_of(rules: MorrisRules) -> Check:
    """Return the check of a game: the men, the hands, the stage and the captures still to make fit together."""
    return all_of(
        single_men(rules.board),
        lambda state: _wrong_men(rules, state),
        lambda state: _wrong_placing(rules, state),
        lambda state: _wrong_captures(rules, state),
    )


def _hands(rules: MorrisRules, state: State) -> tuple[int, int]:
    return int(state[1 + rules.board.size]), int(state[2 + rules.board.size])


def _pending(rules: MorrisRules, state: State) -> int:
    return int(state[3 + rules.board.size])


def _wrong_men(rules: MorrisRules, state: State) -> str | None:
    hands = _hands(rules, state)
    # (in the placing stage, a seat may have lost men only where mills capture then)
    least = rules.men if any(hands) and not rules.placing_captures else 0
    for seat, (hand, men) in enumerate(zip(hands, count_men(state, rules.board), strict=True)):
        if hand < 0 or not least <= hand + men <= rules.men:
            allowed = f"{rules.men}" if least else f"at most {rules.men}"
            return f"seat {seat} has {men} men on the board and {hand} in hand; a seat has {allowed}"
    return None


def _wrong_placing(rules: MorrisRules, state: State) -> str | None:
    hands = _hands(rules, state)
    if not any(hands):
        return None
    if rules.placing_ends and rules.board.size - sum(count_men(state, rules.board)) <= rules.placing_ends:
        return f"men are in hand, but only {rules.placing_ends} points or fewer are empty, which ends the placing stage"
    # (an extra turn places several men in a row)
    first = _pending(rules, state) > 0
    next_to_place = 1 - state[0] if first else state[0]
    if not rules.extra_turn and hands[1] - hands[0] != next_to_place:
        return f"the seats have {hands} men in hand, but place them in turn, seat 0 first"
    return None


def _wrong_captures(rules: MorrisRules, state: State) -> str | None:
    pending, seat = _pending(rules, state), int(state[0])
    least, most = -int(rules.may_pass), min(rules.most_captures, count_men(state, rules.board)[1 - seat])
    if not least <= pending <= most:
        return f"the last slot, the captures still to make, is {pending}; it is {least} to {most}"
    mills = rules.board.winning_lines
    if pending > 0 and not any(all(state[1 + point] == 1 - 2 * seat for point in mill) for mill in mills):
        return f"seat {seat} is to capture, but has no mill"
    if pending > 0 and any(_hands(rules, state)) and not rules.placing_captures:
        return "men are in hand, and in the placing stage nothing is captured"
    return None
