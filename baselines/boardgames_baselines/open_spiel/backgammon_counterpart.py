"""OpenSpiel's backgammon and its hypergammon, followed in ours.

There an action plays two dice at once, and a double is two actions; here each die is an action of its own. Dice are
thrown one after the other there, so that 12 and 21 are two outcomes; here they are one event.
"""

import re
from collections.abc import Sequence
from typing import Any

from boardgames_agents.policy import Policy
from boardgames_baselines.open_spiel.counterparts import Counterpart, not_here, not_there
from boardgames_env.errors import BadInputError
from boardgames_env.games import make_game
from boardgames_env.games.backgammon.backgammon_board import BAR, DICE, NO_MOVE, STEPS
from boardgames_env.games.backgammon.dice import event_of
from boardgames_env.position import Position

_ROLL = re.compile(r"(?:([XO]) starts, )?\(roll: ([1-6])([1-6])\)$")
_BAR, _PASS, _PLACES = 24, 25, 26
"""OpenSpiel's digits: 0 to 23 are points, and an action is two digits, for which die is played first, twice as many."""

_DICE = 2
"""How many dice an action plays."""


class BackgammonCounterpart(Counterpart):
    """OpenSpiel's backgammon, followed in ours; the agent plays for gammons, however OpenSpiel scores them."""

    def __init__(self, theirs: Any) -> None:
        self.game = make_game("hypergammon" if theirs.get_parameters().get("hyper_backgammon") else "backgammon")
        state = theirs.new_initial_state()
        self._openings = _events(state)
        state.apply_action(state.legal_actions()[0])
        state.apply_action(state.legal_actions()[0])
        self._rolls = _events(state)

    def event(self, number: int, opening: bool) -> int:
        """The roll, and in the opening who begins."""
        return (self._openings if opening else self._rolls)[number]

    def actions(self, position: Position, number: int) -> tuple[int, ...]:
        """The steps that an action is made of: one for each die that it plays."""
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
                raise not_there(self.game, number)
            after = after.after(steps[-1])
        return tuple(steps) or (NO_MOVE,)

    def choice(self, position: Position, policy: Policy, legal: Sequence[int]) -> int:
        """The action that leads where the agent's steps lead."""
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
        raise not_here(policy, "the move to this", wanted)

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
