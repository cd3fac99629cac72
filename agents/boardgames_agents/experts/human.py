"""A person at the terminal."""

from itertools import zip_longest

from boardgames_agents.plan import WholeMovePolicy
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.render.text import draw_locations

LEAVE = "q"


class HumanLeft(Exception):  # noqa: N818  (not an error)
    """The person has left the contest."""


@agent("human")
class Human(WholeMovePolicy):
    """A person at the terminal, who types an action for each position shown."""

    interactive = True

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Ask for a legal action, or a whole move in the game's notation, whose rest is then played.

        Raises:
            HumanLeft: If the answer is ``q``, or there are no more answers.
        """
        allowed = {self._game.action_text(action): action for action in position.legal_actions}
        print(f"\n{_with_labels(position)}")
        while True:
            try:
                answer = input(f"Your action ({LEAVE} leaves): ").strip()
            except EOFError:
                print()
                raise HumanLeft from None
            if answer in allowed:
                return (allowed[answer],)
            if answer == LEAVE:
                raise HumanLeft
            why = f"{answer!r} is not allowed here; allowed: {', '.join(allowed)}"
            if self._game.notation:
                try:
                    return self._game.notation.read(position, answer)
                except BadInputError as error:
                    why += f"\nas a whole move: {error}"
            print(why)


def _with_labels(position: Position) -> str:
    """Return the drawn position, with the labels of locations beside it if men hide those of legal actions."""
    game, board = position.game, position.game.board
    named = {location for action in position.legal_actions for location in game.actions[action].locations}
    if all(position.state[1 + location] == 0 for location in named):
        return position.text
    left, right = position.text.splitlines(), draw_locations(board, board.labels).splitlines()
    width = max(len(line) for line in left)
    return "\n".join(f"{a:{width}}    {b}".rstrip() for a, b in zip_longest(left, right, fillvalue=""))
