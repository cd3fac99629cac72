"""The rest of a move that was chosen as a whole, to be played action by action."""

from itertools import pairwise

from boardgames_env.position import Position


class Plan:
    """What to play in the positions that a chosen move goes through.

    It is a memory of one contest; in a position that the move does not go through it has nothing to say.
    """

    def __init__(self) -> None:
        self._actions: dict[bytes, int] = {}

    def action(self, position: Position) -> int | None:
        """The action to play here, if the move goes through the position."""
        return self._actions.get(position.key)

    def begin(self, position: Position, actions: tuple[int, ...]) -> int:
        """Plan a move, and forget the one before; its first action.

        Args:
            position: Where it begins.
            actions: All its actions.
        """
        self._actions = {}
        if len(actions) > 1:
            play = position.game.rules.play.run
            state = position.state.copy()
            for action, following in pairwise(actions):
                play(state, action)
                self._actions[state.tobytes()] = following
        return actions[0]
