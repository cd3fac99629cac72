"""A position in words and characters: the next event, pip counts, and the board."""

from collections.abc import Iterable, Iterator

from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.games.backgammon.rules.legality import SEATS, men_of
from boardgames_env.kernels import State
from boardgames_env.match_score import MatchScore
from boardgames_env.position import Position

_ROWS = 5
_HALF = board.POINTS // 4


def number_of_point(point: int, seat: int) -> str:
    """Return a seat's own number of seat 0's point."""
    return str(point if seat == 0 else board.POINTS + 1 - point)


def has_dice(position: Position) -> bool:
    """Return whether a seat has dice to play."""
    return bool(position.state[board.STAGE] == board.MOVING)


def dice_to_play(state: State) -> list[int]:
    """Return the dice that are left to play, the larger first."""
    return [die for die in range(6, 0, -1) for _ in range(state[board.DICE + die])]


def roll_text(state: State) -> str:
    """Return the roll of which dice are left to play, such as ``31``; a double as ``66``."""
    return "".join(str(die) for die in dice_to_play(state)[:2])


def pips(state: State, seat: int) -> int:
    """Return the number of pips that a seat needs to bear off all its men."""
    return sum(point * men for point, men in enumerate(men_of(state, seat)))


def pips_of_both(state: State) -> str:
    """Return the pip counts of both seats in words."""
    return f"pips: {', '.join(f'{name} {pips(state, seat)}' for seat, name in enumerate(SEATS))}"


def score_of(length: int, state: State) -> MatchScore:
    """Return the score of a match to some points before the game that a state belongs to."""
    one, other = (length - int(away) for away in state[board.AWAY : board.AWAY + 2])
    return MatchScore(length, (one, other), bool(state[board.CRAWFORD]))


def note(length: int, state: State) -> str:
    """Return the pip counts of both seats and, in a match to some points, the score in words."""
    if not length:
        return pips_of_both(state)
    score = score_of(length, state)
    crawford = ", Crawford game" if score.is_called_crawford else ""
    both = ", ".join(f"{name} {points}" for name, points in zip(SEATS, score.points, strict=True))
    return f"{pips_of_both(state)}; match to {length}: {both}{crawford}"


def turn(position: Position) -> str:
    """Return the next event in words, such as ``white to play 3-1``."""
    mover, stage = SEATS[position.seat], position.state[board.STAGE]
    if stage == board.OPENING or stage >= board.DROPPED:
        return "the opening roll" if stage == board.OPENING else "the opening roll of the next game"
    if stage == board.ROLLING:
        return f"{mover} to roll"
    if stage == board.DOUBLING:
        return f"{mover} to roll or double"
    if stage == board.DOUBLED:
        return f"{mover} to take, drop or beaver" if len(position.legal_actions) > 2 else f"{mover} to take or drop"
    if stage == board.BEAVERED:
        return f"{mover} to take the beaver or drop"
    return f"{mover} to play {'-'.join(str(die) for die in dice_to_play(position.state))}"


def board_text(position: Position) -> str:
    """Return the board as gnubg and FIBS draw it, points numbered as the mover counts them."""
    upper, lower = range(_HALF * 2 + 1, board.POINTS + 1), range(_HALF * 2, 0, -1)
    seat = position.seat
    lines = [
        _edge(upper, seat),
        *_rows_of_half_board(position, upper, 0),
        f"|{' ' * 18}|BAR|{' ' * 18}|",
        *reversed(list(_rows_of_half_board(position, lower, 1))),
        _edge(lower, seat),
    ]
    beside = _texts_beside_board(position)
    return "\n".join(f" {line}  {beside.get(row, '')}".rstrip() for row, line in enumerate(lines))


def _edge(points: Iterable[int], seat: int) -> str:
    numbers = [f"{number_of_point(point, seat):->2}-" for point in points]
    return f"+{''.join(numbers[:_HALF])}-----{''.join(numbers[_HALF:])}+"


def _rows_of_half_board(position: Position, points: Iterable[int], seat_on_bar: int) -> Iterator[str]:
    """Return the rows of half a board, from the edge to the middle."""
    state, letters = position.state, [man.letter for man in position.game.men]
    piles = [(letters[0 if state[point] > 0 else 1], abs(int(state[point]))) for point in points]
    on_bar = (letters[seat_on_bar], men_of(state, seat_on_bar)[-1])
    for row in range(_ROWS):
        cells = [_cell_of_pile(*pile, row) for pile in piles]
        # (men pile up on the bar from the middle to the edge)
        yield f"|{''.join(cells[:_HALF])}|{_cell_of_pile(*on_bar, _ROWS - 1 - row)}|{''.join(cells[_HALF:])}|"


def _cell_of_pile(letter: str, number: int, row: int) -> str:
    """Return a pile's text in a row: a man, or in the last row the number if there are more."""
    if row == _ROWS - 1 and number > _ROWS:
        return f"{number:>2} "
    return f" {letter} " if row < number else "   "


def _texts_beside_board(position: Position) -> dict[int, str]:
    state = position.state
    beside = {}
    for seat, line in ((1, 1), (0, 2 * _ROWS + 1)):
        if off := men_of(state, seat)[0]:
            beside[line] = f"{position.game.men[seat].letter} off: {off}"
    if dice := dice_to_play(state):
        beside[_ROWS + 1] = f"dice: {' '.join(str(die) for die in dice)}"
    if position.game.num_actions > board.ROLL:
        line = _ROWS + 1 + int(state[board.OWNER]) * (_ROWS - 1)
        beside[line] = "  ".join(filter(None, (beside.get(line), f"cube: {2 ** int(state[board.CUBE])}")))
    return beside
