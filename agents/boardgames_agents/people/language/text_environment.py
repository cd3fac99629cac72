"""A solved game as a text environment with exact rewards, to train a language model in.

An episode is a single position, in which the model answers a move, or a whole contest against an agent. The reward of
an answer is the points that it gives away, as a number of at most 0: what the position is worth to the model's side
after the move, minus what it was worth before, both under best play. An answer without a legal move has a point less
than one that loses.
"""

from dataclasses import dataclass

import numpy as np

from boardgames_agents.arena.solved_game import SolvedGame
from boardgames_agents.people.language.prompt import AnswerError, PromptForm, prompt, read_answer
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy import Forfeit
from boardgames_agents.registry import make_player
from boardgames_env.errors import BadInputError, require_whole
from boardgames_env.games import make_game


@dataclass(frozen=True)
class TextStep:
    """What an answer has led to.

    Attributes:
        text: The next message to the model: a prompt, what was wrong with its answer, or how the episode has ended.
        reward: Minus the points that the answer gives away; see `SolvedGame.reward`.
        is_done: Whether the episode has ended.
        is_legal: Whether there was a legal move in the answer.
        points: The points of the model's side in a contest, 0 while it goes on and in an episode of one position.
    """

    text: str
    reward: float = 0.0
    is_done: bool = False
    is_legal: bool = True
    points: int = 0


class TextEnvironment:
    """Episodes of a solved game in words.

    Args:
        game: The game's spec.
        opponent: The spec of the agent that plays the other side, in turns the first and the second; without one, an
            episode is a single position.
        positions: The number of positions from which that one is drawn; 0 for all of a small game.
        seed: The seed of these positions; other seeds draw others, for training and evaluation.
        retries: How often the model may answer again after an answer without a legal move.
        form: What a prompt holds.

    Raises:
        BadInputError: If the game is not solved, or an argument is not allowed.
    """

    def __init__(
        self,
        game: str,
        opponent: str = "",
        positions: int = 0,
        seed: int = 0,
        retries: int = 0,
        form: PromptForm | None = None,
    ) -> None:
        require_whole(0, positions=positions, seed=seed, retries=retries)
        self._game, self._form, self._retries = make_game(game), PromptForm() if form is None else form, retries
        self._solved = SolvedGame(self._game)
        self._opponent = make_player(opponent, self._game) if opponent else None
        if self._opponent and self._opponent.interactive:
            raise BadInputError(f"{opponent} is a person; the opponent of a model is a program")
        drawn = () if opponent else self._solved.positions(positions, np.random.default_rng(seed))
        self._positions = [each.state for each in drawn]
        self.reset(0)

    def reset(self, seed: int) -> str:
        """Begin an episode, the same for the same seed, and return its first prompt."""
        require_whole(0, seed=seed)
        rng = np.random.default_rng(seed)
        self._left, start = self._retries, None
        if self._opponent is None:
            start = self._game.position(self._positions[int(rng.integers(len(self._positions)))])
        self._seat = start.seat if start else seed % 2
        players = (None, self._opponent) if self._seat == 0 else (self._opponent, None)
        self._session = PlaySession(self._game, players, [seed], start=start)
        self._reply()
        return self._prompt()

    def step(self, answer: str) -> TextStep:
        """Play the move in an answer, and the opponent's moves after it.

        Raises:
            BadInputError: If no episode is going on, or the answer is no text.
        """
        if not isinstance(answer, str):
            raise BadInputError(f"an answer is a text, not {answer!r}")
        if self._session.is_over:
            raise BadInputError("the episode is over; begin another one by reset")
        position = self._session.position
        try:
            actions = read_answer(position, answer, self._form.legal)
        except AnswerError as error:
            self._left -= 1
            if self._left >= 0:
                return TextStep(str(error), is_legal=False)
            self._session.resign(self._seat)
            reward = self._solved.reward(position, ())
            return TextStep(str(error), reward, True, False, -1 if self._opponent else 0)
        reward = self._solved.reward(position, actions)
        if self._opponent is None:
            self._session.resign(self._seat)
            return TextStep("The position is done.", reward, is_done=True)
        self._session.play(actions)
        self._reply()
        if not self._session.is_over:
            return TextStep(self._prompt(), reward)
        points = self._session.points if self._seat == 0 else -self._session.points
        won = "You have won." if points > 0 else "You have lost." if points < 0 else "Nobody has won."
        return TextStep(f"The contest is over. {won}", reward, is_done=True, points=points)

    def _reply(self) -> None:
        """Let the opponent play until it is the model's turn, or the contest is over."""
        while not (self._session.is_over or self._session.is_persons_turn):
            try:
                self._session.advance()
            except Forfeit:
                return

    def _prompt(self) -> str:
        return prompt(self._session.position, self._session.turns, self._form)
