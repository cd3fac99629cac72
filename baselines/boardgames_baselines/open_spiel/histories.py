"""Games of OpenSpiel that are too large for tables: a state holds the actions played so far, and kernels ask OpenSpiel.

Each kernel calls Python, which costs some microseconds, and is compiled in every process anew. Searches and learners
that need nothing but the rules play such a game; it cannot be solved.
"""

from typing import Any

import numpy as np
from numba import objmode
from numpy.typing import NDArray

from boardgames_baselines.open_spiel.numbering import points_of
from boardgames_env.errors import BadInputError
from boardgames_env.game import Rules
from boardgames_env.kernels import ONGOING, Actions, Features, State, encode, initial, legal, outcome, play

MOST_ACTIONS = 1000
"""The maximal length of a contest, in actions: a state has room for all of them."""

_FIRST = 2
"""The slot where the actions begin, each as digits to the base 128, lowest first; unused slots are -1."""

_UNUSED = b"\xff"

_MOST_KEPT = 20_000
"""The maximal number of OpenSpiel's states that are kept at a time."""


class Histories:
    """OpenSpiel's states by ours.

    Attributes:
        theirs: The ``pyspiel.Game``.
        state_size: The length of our states.
        num_features: The numbers of its observation tensor, whether the viewer is to move, and whether it has seat 0.

    Raises:
        BadInputError: If contests may take more than `MOST_ACTIONS` actions.
    """

    def __init__(self, theirs: Any) -> None:
        length = theirs.max_game_length()
        if length > MOST_ACTIONS:
            raise BadInputError(
                f"a contest of {theirs} can take {length:,} actions; a game to be made ours takes {MOST_ACTIONS:,}"
            )
        self.theirs = theirs
        self._is_shown = theirs.get_type().provides_observation_tensor
        self._digits = 1 + (theirs.num_distinct_actions() > 128) + (theirs.num_distinct_actions() > 128**2)
        self._kept: dict[bytes, Any] = {}
        self.state_size = _FIRST + self._digits * length
        self.num_features = (theirs.observation_tensor_size() if self._is_shown else 0) + 2

    @property
    def most_positions(self) -> int:
        """An upper bound on the number of states."""
        return int(self.theirs.num_distinct_actions() ** self.theirs.max_game_length())

    def at(self, state: State) -> Any:
        """Return OpenSpiel's state, which must not be changed."""
        played = state[_FIRST:].tobytes().rstrip(_UNUSED)
        found = self._kept.get(played)
        if found is None:
            before = self._kept.get(played[: -self._digits])
            if before is not None:
                found = before.child(self._numbers(played[-self._digits :])[0])
            else:
                found = self.theirs.new_initial_state()
                for number in self._numbers(played):
                    found.apply_action(number)
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[played] = found
        return found

    def check(self, state: State) -> str | None:
        """Return why a state is not a history of legal actions, or None."""
        played = state[_FIRST:].tobytes().rstrip(_UNUSED)
        if state[1] or len(played) % self._digits or _UNUSED in played or max(played, default=0) > 127:
            return f"after 0 in slot 1, the others hold actions, {self._digits} slots each, and then -1"
        theirs, mover = self.theirs.new_initial_state(), 0
        for number in self._numbers(played):
            if number not in theirs.legal_actions():
                return f"action {number} is not legal after {theirs.history()}"
            mover = theirs.current_player()
            theirs.apply_action(number)
        seat = 1 - mover if theirs.is_terminal() else theirs.current_player()
        return None if state[0] == seat else f"after {theirs.history()} the other seat is to move"

    def begin(self, state: State) -> None:
        """Write the initial state."""
        state[:] = -1
        state[1] = 0
        state[0] = self.theirs.new_initial_state().current_player()

    def write_legal(self, state: State, actions: Actions) -> int:
        """Write the legal actions, and return how many there are."""
        numbers = self.at(state).legal_actions()
        actions[: len(numbers)] = numbers
        return len(numbers)

    def follow(self, state: State, action: int) -> None:
        """Play an action in place."""
        end = _FIRST + len(state[_FIRST:].tobytes().rstrip(_UNUSED))
        mover = self.at(state).current_player()
        state[end : end + self._digits] = [action // 128**digit % 128 for digit in range(self._digits)]
        after = self.at(state)
        state[0] = 1 - mover if after.is_terminal() else after.current_player()

    def points(self, state: State) -> int:
        """Return the points of seat 0, or `ONGOING`."""
        theirs = self.at(state)
        return points_of(theirs) if theirs.is_terminal() else ONGOING

    def observe(self, state: State, viewer: int, features: Features) -> None:
        """Write what a seat observes; numbers outside of 0 to 1 become 0 or 1."""
        if self._is_shown:
            np.clip(self.at(state).observation_tensor(viewer), 0, 1, out=features[:-2], casting="unsafe")
        features[-2:] = state[0] == viewer, viewer == 0

    def _numbers(self, played: bytes) -> list[int]:
        digits: NDArray[np.int64] = np.frombuffer(played, dtype=np.uint8).astype(np.int64).reshape(-1, self._digits)
        numbers: list[int] = (digits @ 128 ** np.arange(self._digits)).tolist()
        return numbers


def asking_rules(histories: Histories) -> Rules:
    """Return kernels that ask OpenSpiel."""
    begin, write_legal, follow = histories.begin, histories.write_legal, histories.follow
    points, observe = histories.points, histories.observe

    @initial
    def starts(state: State) -> None:
        with objmode():
            begin(state)

    @legal
    def listed(state: State, actions: Actions) -> int:
        with objmode(count="int64"):
            count = write_legal(state, actions)
        return count

    @play
    def played(state: State, action: int) -> None:
        with objmode():
            follow(state, action)

    @outcome
    def result(state: State) -> int:
        with objmode(found="int64"):
            found = points(state)
        return found

    @encode
    def observed(state: State, viewer: int, features: Features) -> None:
        with objmode():
            observe(state, viewer, features)

    return Rules(starts, listed, played, result, observed)
