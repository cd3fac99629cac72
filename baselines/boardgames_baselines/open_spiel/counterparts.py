"""Which game of ours has the rules of an OpenSpiel game, and what its actions are called there."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyspiel

from boardgames_agents.policy import Policy
from boardgames_baselines.open_spiel.games import BoardGame
from boardgames_env.actions import Action
from boardgames_env.board import Board
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.games.backgammon.rules.backgammon_board import BAR, DICE, NO_MOVE, STEPS
from boardgames_env.games.backgammon.rules.turns import event_of
from boardgames_env.position import Position

COUNTERPARTS = {
    "tic_tac_toe": "tic_tac_toe",
    "gomoku(size=3,connect=3)": "tic_tac_toe",
    "gomoku(size=3,connect=3,anti=true)": "lose_tic_tac_toe",
    "gomoku(size=4,dims=3,connect=4)": "qubic",
    "gomoku(size=10,connect=5)": "fives",
    "nine_mens_morris": "nine_mens_morris(fly_at=3)",
    "othello": "othello",
}
"""OpenSpiel's games that are ours, too, action for action.

They end as ours do but for limits: OpenSpiel's nine men's morris is drawn after 200 turns, whatever was repeated.
"""

_ROLL = re.compile(r"(?:([XO]) starts, )?\(roll: ([1-6])([1-6])\)$")
_BAR, _PASS, _PLACES = 24, 25, 26
"""OpenSpiel's digits: 0 to 23 are points, and an action is two digits, for which die is played first, twice as many."""

_DICE = 2
"""How many dice an action plays."""


@dataclass(frozen=True)
class Counterpart:
    """A game of ours in which an OpenSpiel game can be followed, action for action and event for event.

    Attributes:
        numbers: OpenSpiel's number of each of our actions; one-to-one among those that are legal together.
    """

    game: Game
    numbers: tuple[int, ...]

    def event(self, number: int, opening: bool) -> int:
        """Return the event of an outcome of chance; ``opening`` if nothing has been played yet."""
        return number

    def number(self, position: Position, action: int) -> int:
        """Return OpenSpiel's number of one of our actions in a position."""
        return self.numbers[action]

    def actions(self, position: Position, number: int) -> tuple[int, ...]:
        """Return the actions that make up an action of OpenSpiel.

        Raises:
            BadInputError: If nothing of that number can be played here.
        """
        found = tuple(action for action in position.legal_actions if self.number(position, action) == number)
        if len(found) != 1:
            raise self._cannot_follow(number)
        return found

    def choice(self, position: Position, policy: Policy, legal: Sequence[int]) -> int:
        """Return the number of the action that an agent plays, one of those that are legal in OpenSpiel.

        Raises:
            BadInputError: If it is not legal there.
        """
        number = self.number(position, policy.choose(position))
        if number not in legal:
            raise _is_illegal(policy, number, position)
        return number

    def _cannot_follow(self, number: int) -> BadInputError:
        return BadInputError(f"{self.game.spec} has no legal action that OpenSpiel calls {number} where it plays that")


@dataclass(frozen=True)
class BreakthroughCounterpart(Counterpart):
    """OpenSpiel's breakthrough, followed in ours: there a step that captures has another number.

    Rows are counted from the side of the first seat there, from the top here.
    """

    @classmethod
    def of(cls, theirs: Any) -> "BreakthroughCounterpart":
        """Return the counterpart of a game of OpenSpiel."""
        size = {name: theirs.get_parameters()[name] for name in ("columns", "rows")}
        game = make_game("breakthrough", **size)
        return cls(game, tuple(_number_of_step(*action.locations, **size) for action in game.actions))

    def number(self, position: Position, action: int) -> int:
        """Return OpenSpiel's number of one of our actions in a position."""
        target = self.game.actions[action].locations[1]
        return self.numbers[action] + int(position.state[1 + target] != 0)


def _number_of_step(here: int, there: int, columns: int, rows: int) -> int:
    """Return OpenSpiel's number of a step that does not capture."""
    row, column = rows - 1 - here // columns, here % columns
    up, aside = here // columns - there // columns, there % columns - column
    return 2 * (6 * (row * columns + column) + (1 if up > 0 else 4) + aside)


@dataclass(frozen=True)
class BackgammonCounterpart(Counterpart):
    """OpenSpiel's backgammon or hypergammon, followed in ours.

    There an action plays two dice at once, and a double is two actions; here each die is an action of its own. Dice are
    thrown one after the other there, so that 12 and 21 are two outcomes; here they are one event. The agent plays for
    gammons, however OpenSpiel scores them.

    Attributes:
        openings: Our opening events by OpenSpiel's outcomes.
        rolls: Our later events by OpenSpiel's outcomes.
    """

    openings: Mapping[int, int]
    rolls: Mapping[int, int]

    @classmethod
    def of(cls, theirs: Any) -> "BackgammonCounterpart":
        """Return the counterpart of a game of OpenSpiel."""
        state = theirs.new_initial_state()
        openings = _events(state)
        state.apply_action(state.legal_actions()[0])
        state.apply_action(state.legal_actions()[0])
        name = "hypergammon" if theirs.get_parameters().get("hyper_backgammon") else "backgammon"
        return cls(make_game(name), (), openings, _events(state))

    def event(self, number: int, opening: bool) -> int:
        """Return the event of a roll, which in the opening is also the seat that begins."""
        return (self.openings if opening else self.rolls)[number]

    def actions(self, position: Position, number: int) -> tuple[int, ...]:
        """Return the steps of an action, one for each die that it plays."""
        if position.awaits_chance:  # of a double, no more could be played: OpenSpiel has the seat pass
            return ()
        dice = [die for die in range(6, 0, -1) for _ in range(position.state[DICE + die])][:_DICE]
        if number >= _PLACES**2:  # the smaller die is played first
            number, dice = number - _PLACES**2, dice[::-1]
        steps: list[int] = []
        after = position
        for place, die in zip((number % _PLACES, number // _PLACES), dice, strict=False):
            if place == _PASS:
                continue
            steps.append(STEPS.index((_own_point(place, position.seat), die)))
            if steps[-1] not in after.legal_actions:
                raise self._cannot_follow(number)
            after = after.after(steps[-1])
        return tuple(steps) or (NO_MOVE,)

    def choice(self, position: Position, policy: Policy, legal: Sequence[int]) -> int:
        """Return the number of the action that leads to the same position as the agent's steps."""
        if position.awaits_chance:
            return legal[0]
        wanted = position
        for _ in range(_DICE):
            wanted = wanted.play(policy.choose(wanted))
            if wanted.seat != position.seat or wanted.awaits_chance or wanted.is_over:
                break
        for number in legal:
            if self._leads_to(wanted, position, number):
                return number
        raise _is_illegal(policy, "the move to this", wanted)

    def _leads_to(self, wanted: Position, position: Position, number: int) -> bool:
        try:
            for step in self.actions(position, number):
                position = position.after(step)
        except BadInputError:
            return False
        return position == wanted


def _own_point(place: int, seat: int) -> int:
    """Return the mover's own point of a digit; X has its 24-point at 0, O its 1-point."""
    if place == _BAR:
        return BAR
    return BAR - 1 - place if seat == 0 else place + 1


def _events(state: Any) -> dict[int, int]:
    """Return our events by the numbers of OpenSpiel's outcomes."""
    found = {}
    for outcome, _ in state.chance_outcomes():
        text = state.action_to_string(outcome)
        roll = _ROLL.search(text)
        if not roll:
            raise BadInputError(f"an outcome of OpenSpiel's backgammon is no roll: {text}")
        begins, one, other = roll.groups()
        found[outcome] = event_of(int(one), int(other), "XO".index(begins) if begins else None)
    return found


CHECKERS = 'english_draughts(progress="capture", quiet_moves=20, recurrences=0)'
"""OpenSpiel's checkers: a contest is drawn after 40 plies without a capture, and not by repetition."""

_DIRECTIONS = ((-1, -1), (-1, 1), (1, 1), (1, -1))
"""OpenSpiel's directions at checkers: down and to the right."""


def _number_of_diagonal(action: Action, board: Board) -> int:
    """Return OpenSpiel's number of a step or a jump; there the first seat moves up, so the board is turned round."""
    (x, y), (end_x, end_y) = (board.points[location] for location in action.locations)
    is_jump = action.kind == "jump"
    direction = _DIRECTIONS.index(((y - end_y) // (1 + is_jump), (x - end_x) // (1 + is_jump)))
    return 2 * (4 * (8 * (7 - int(y)) + 7 - int(x)) + direction) + is_jump


def _is_illegal(policy: Policy, action: object, position: Position) -> BadInputError:
    return BadInputError(f"{policy.spec} plays {action}, which is not legal in OpenSpiel's game here: {position.text}")


def counterpart(theirs: Any) -> Counterpart:
    """Return the game of ours with the rules of an OpenSpiel game.

    Raises:
        BadInputError: If there is none.
    """
    if isinstance(theirs, BoardGame):
        return Counterpart(theirs.game, tuple(range(theirs.game.num_actions)))
    if theirs.get_type().short_name == "backgammon":
        return BackgammonCounterpart.of(theirs)
    if theirs.get_type().short_name == "breakthrough":
        return BreakthroughCounterpart.of(theirs)
    if _same_rules(pyspiel.load_game("checkers"), theirs):
        game = make_game(CHECKERS)
        return Counterpart(game, tuple(_number_of_diagonal(action, game.board) for action in game.actions))
    if same := _same_of_any_size(theirs):
        return Counterpart(same, tuple(range(same.num_actions)))
    for name, spec in COUNTERPARTS.items():
        if _same_rules(pyspiel.load_game(name), theirs):
            game = make_game(spec)
            return Counterpart(game, tuple(_number_of_action(action, game) for action in game.actions))
    raise BadInputError(
        f"{theirs} has the rules of no game of ours, so our agents cannot play it; "
        f"they play our games by spiel_game, backgammon, breakthrough, checkers, connect_four, hex, gomoku, "
        f"{one_of(COUNTERPARTS)}"
    )


def _same_of_any_size(theirs: Any) -> Game | None:
    """Return our connect four, Hex, or gomoku (but of the size of `fives`) whose actions and rules are OpenSpiel's."""
    kind, given = theirs.get_type(), theirs.get_parameters()
    options = {**kind.parameter_specification, **given}
    if kind.short_name == "connect_four":  # (the parameter that is left says how it is observed)
        columns, rows, in_a_row = (options[name] for name in ("columns", "rows", "x_in_row"))
        return make_game("connect_four", columns=columns, rows=rows, in_a_row=in_a_row)
    if kind.short_name == "hex":
        columns, rows = (given.get(side, options["board_size"]) for side in ("num_cols", "num_rows"))
        return make_game("hex", size=columns, swap=options["swap"]) if columns == rows and 3 <= rows <= 19 else None
    if kind.short_name == "gomoku" and [options[name] for name in _RULES_OF_GOMOKU] == [*_RULES_OF_GOMOKU.values()]:
        size = options["size"]
        return make_game("gomoku", size=size) if 5 <= size <= 15 and size != 10 else None
    return None


_RULES_OF_GOMOKU = {"dims": 2, "connect": 5, "anti": False, "wrap": False}


def _same_rules(one: Any, other: Any) -> bool:
    """Return whether two games of OpenSpiel have one name and the same parameters, defaults included."""

    def full(game: Any) -> dict[str, Any]:
        return {**game.get_type().parameter_specification, **game.get_parameters()}

    return bool(one.get_type().short_name == other.get_type().short_name and full(one) == full(other))


def _number_of_action(action: Action, game: Game) -> int:
    """Return OpenSpiel's number of an action: a location or column; or after all locations a move, or a pass."""
    if action.kind == "pass":
        return game.board.size
    if action.kind == "move":
        start, end = action.locations
        return game.board.size * (1 + start) + end
    return action.locations[0]
