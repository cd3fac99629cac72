"""What the morris games share: checks, evaluation, options, and how a game is made."""

from dataclasses import dataclass
from functools import cache, partial
from typing import Annotated, Any

from boardgames_env.board import BLACK, WHITE, Board
from boardgames_env.ending import ENDS, ending
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game, Heuristics, Setting
from boardgames_env.games.morris.mills import Bitboard, count, make_bitboard, men_on, mills_closed
from boardgames_env.games.morris.morris_kernels import kernels_of, write_legal
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.games.shared.single_men import all_of, count_men, single_men
from boardgames_env.history import Limits, RecurrenceKey
from boardgames_env.kernels import Actions, Kernel, State, evaluate, forcing, helper
from boardgames_env.spec import Label


def _hands(rules: MorrisRules, state: State) -> tuple[int, int]:
    return int(state[1 + rules.board.size]), int(state[2 + rules.board.size])


def _pending(rules: MorrisRules, state: State) -> int:
    return int(state[3 + rules.board.size])


def _wrong_men_on_board(rules: MorrisRules, state: State) -> str | None:
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
        return f"{pending} captures cannot be still to make; here there are {least} to {most}"
    mills = rules.board.winning_lines
    if pending > 0 and not any(all(state[1 + point] == 1 - 2 * seat for point in mill) for mill in mills):
        return f"seat {seat} is to capture, but has no mill"
    if pending > 0 and any(_hands(rules, state)) and not rules.placing_captures:
        return "men are in hand, and in the placing stage nothing is captured"
    return None


_CHECKS = (_wrong_men_on_board, _wrong_placing, _wrong_captures)
"""They say why the men, the hands, the stage and the captures still to make do not fit together."""

# (Our choice: a man outweighs everything that its place can add.)
MAN = 300
MILL = 12
ALMOST_MILL = 10
FREE_POINT = 2
BLOCKED_MAN = -6


@helper
def standing(bitboard: Bitboard, men: int, empty: int) -> int:
    """Return the value of the places of a seat's men: mills, mills that lack one man, and room to move."""
    mills = 0
    almost = 0
    for mill in range(len(bitboard.mills)):
        missing = bitboard.mills[mill] & ~men
        mills += int(missing == 0)
        almost += int((missing & empty != 0) & (missing & (missing - 1) == 0))
    free = 0
    blocked = 0
    for point in range(bitboard.size):
        beside = count(bitboard.neighbours[point] & empty)
        stands = (men >> point) & 1
        free += beside * stands
        blocked += int(beside == 0) & stands
    return MILL * mills + ALMOST_MILL * almost + FREE_POINT * free + BLOCKED_MAN * blocked


@cache
def _evaluate(board: Board, flying: bool) -> Kernel:
    bitboard = make_bitboard(board, flying)
    size = board.size

    @evaluate
    def men_and_standing(state: State) -> int:
        own, other = men_on(state)
        empty = (own | other) ^ ((1 << size) - 1)
        hands = int(state[1 + size + state[0]]) - int(state[2 + size - state[0]])
        men = count(own) - count(other) + hands + max(0, int(state[3 + size]))
        return MAN * men + standing(bitboard, own, empty) - standing(bitboard, other, empty)

    return men_and_standing


@cache
def _forcing(board: Board, fly_at: int, any_capture: bool, may_pass: bool) -> Kernel:
    bitboard = make_bitboard(board, fly_at > 0)
    size = board.size

    @forcing
    def captures_and_mills(state: State, actions: Actions) -> int:
        legal = write_legal(bitboard, fly_at, any_capture, may_pass, state, actions)
        if actions[0] >= size + len(bitboard.pairs):
            return legal  # only captures, or a pass
        own, _ = men_on(state)
        number = 0
        for which in range(legal):
            action = actions[which]
            men, target = own, action
            if action >= size:
                men ^= 1 << bitboard.pairs[action - size, 0]
                target = bitboard.pairs[action - size, 1]
            actions[number] = action
            number += int(mills_closed(bitboard, men, target) > 0)
        return number

    return captures_and_mills


@dataclass(frozen=True, kw_only=True)
class MorrisOptions:
    """The options that all morris games have.

    Attributes:
        fly_at: A seat with no man in hand and at most this many on the board may move to any empty point; 0 for never.
        any_capture: Whether men in mills may be captured like others.
        capture_each_mill: Whether a turn captures as many men as it closes mills.
        recurrences: A contest is drawn when a position comes up for this many times; 0 for never.
        recurrence_key: What counts as the same: the position, the board alone, or the position up to symmetry.
        plies: A contest ends after this many plies; 0 for never.
    """

    fly_at: Annotated[int, Label("Men may fly when three are left", on=3)] = 0
    any_capture: Annotated[bool, Label("Men in mills may be captured like others")] = False
    capture_each_mill: Annotated[bool, Label("Who closes two mills at once captures two men")] = False
    recurrences: int = 3
    recurrence_key: RecurrenceKey = "position"
    plies: int = 200

    def rules(self, board: Board, men: int, **others: Any) -> MorrisRules:
        """Return the rules on a board with a number of men of each seat; others are arguments of `MorrisRules`."""
        return MorrisRules(board, men, self.fly_at, self.any_capture, self.capture_each_mill, **others)


def morris_game(
    title: str, rules: MorrisRules, options: MorrisOptions, value: int | None = None, plies_draw: bool = False
) -> Game:
    """Return a game of the family; raise `BadInputError` if nothing limits its contests, which then need not end."""
    if not (options.recurrences or options.plies):
        raise BadInputError(
            "recurrences=0 and plies=0 are not allowed together, or contests need not end; set at least one of them"
        )
    board = rules.board
    return Game(
        title=title,
        board=board,
        rules=kernels_of(rules),
        state_size=rules.state_size,
        num_features=rules.num_features,
        actions=rules.actions,
        limits=Limits(options.recurrences, options.recurrence_key, options.plies, plies_draw),
        value=value,
        positions=rules.most_positions,
        note=what_is_not_on_the_board,
        settings=_settings(rules),
        complete=partial(_limit_hands, rules),
        check=all_of(single_men(board), *(partial(each, rules) for each in _CHECKS)),
        heuristics=Heuristics(
            evaluate=_evaluate(board, rules.fly_at > 0),
            forcing=_forcing(board, rules.fly_at, rules.any_capture, rules.may_pass),
        ),
        board_end=_board_end(board.size, rules.lose_at),
        family=rules,
    )


def _settings(rules: MorrisRules) -> tuple[Setting, ...]:
    """Return what is chosen beside the men on the board: those in hand, and the captures still to make."""
    first, second, pending = (1 + rules.board.size + slot for slot in range(3))
    hands = (
        Setting(f"{man.name} men in hand", {str(number): {slot: number} for number in range(rules.men + 1)})
        for man, slot in ((BLACK, first), (WHITE, second))
    )
    captures = {str(number): {pending: number} for number in range(rules.most_captures + 1)}
    return (*hands, Setting("men to capture now", captures))


def _limit_hands(rules: MorrisRules, state: State) -> None:
    """Write that no seat has more men in hand than it has left beside those on the board."""
    for slot, men in enumerate(count_men(state, rules.board), start=1 + rules.board.size):
        state[slot] = min(int(state[slot]), max(0, rules.men - men))


_FEW, _FULL, _STUCK = map(ENDS.index, ("too_few_men", "full_board", "no_move"))


@cache
def _board_end(size: int, lose_at: int) -> Kernel:
    """Return the kernel of why the board has ended a contest, in the order in which the ``outcome`` kernel looks."""

    @ending
    def few_full_or_stuck(state: State) -> int:
        own, other = men_on(state)
        seat = state[0]
        if min(count(own) + state[1 + size + seat], count(other) + state[2 + size - seat]) <= lose_at:
            return _FEW
        return _FULL if count(own | other) == size else _STUCK

    return few_full_or_stuck


def what_is_not_on_the_board(state: State) -> str:
    """Return in words how many men are in hand and what the seat to move must do."""
    first, second, pending = state[-3:].tolist()
    notes = []
    if pending > 0:
        notes.append("captures a man" if pending == 1 else f"captures {pending} men")
    if pending < 0:
        notes.append("misses this turn")
    if pending == 0 and first + second > 0 and (first, second)[state[0]] == 0:
        notes.append("waits until all men are placed")
    if first or second:
        notes.append(f"in hand: {BLACK.name} {first}, {WHITE.name} {second}")
    return "; ".join(notes)
