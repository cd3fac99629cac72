"""Text environments in the forms that trainers of language models take: TextArena, OpenEnv, and a function."""

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import NoneType
from typing import TYPE_CHECKING, Any

from boardgames_agents.arena.solved_game import SolvedGame
from boardgames_agents.people.language.prompt import AnswerError, read_answer
from boardgames_agents.people.language.text_environment import TextEnvironment
from boardgames_env.errors import BadInputError, MissingLibraryError
from boardgames_env.games import make_game

if TYPE_CHECKING:
    import textarena
    from fastapi import FastAPI


def move_rewards(
    completions: Iterable[Any], game: Sequence[str], state: Sequence[Sequence[int]], **_: Any
) -> list[float]:
    """Return the reward of each answer to a row of a dataset (see `dataset`), as `SolvedGame.reward` does.

    Trainers that take functions of a batch call it with the columns of the dataset, as TRL does.

    Args:
        completions: The answers, as texts or as chats whose last message counts.
        game: The specs of the games.
        state: The states of the positions.

    Raises:
        BadInputError: If the columns differ in length, an answer is neither text nor chat, a game is not solved, or a
            position is not one in which a seat is to move.
    """
    answers = [_text(each) for each in completions]
    if not len(answers) == len(game) == len(state):
        raise BadInputError(f"there are {len(answers)} completions, {len(game)} games and {len(state)} states")
    found = []
    for answer, spec, slots in zip(answers, game, state, strict=True):
        solved = _solved(str(spec))
        position = solved.game.position(slots)
        try:
            actions = read_answer(position, answer)
        except AnswerError:
            actions = ()
        found.append(solved.reward(position, actions))
    return found


def _text(completion: Any) -> str:
    """Return the text of an answer; the content of a message may be missing, or have parts of which some are text."""
    found = completion
    if isinstance(completion, (list, tuple)):
        last = completion[-1] if completion else {}
        found = last.get("content") if isinstance(last, Mapping) else last
        if isinstance(found, (list, tuple)):
            found = "".join(str(part.get("text") or "") if isinstance(part, Mapping) else str(part) for part in found)
    if not isinstance(found, (str, NoneType)):
        raise BadInputError(f"an answer is a text, or a chat whose last message has one, not {completion!r}")
    return found or ""


@lru_cache(maxsize=16)
def _solved(spec: str) -> SolvedGame:
    return SolvedGame(make_game(spec))


def textarena_environment(game: str, **options: Any) -> "textarena.Env":
    """Return an environment of TextArena, for one player; ``options`` are those of `TextEnvironment`.

    The reward of an episode is the sum of those of its answers. The ``game_info`` of ``close`` also holds the
    ``points`` of the contest.

    Raises:
        BadInputError: If the package textarena is missing, or as `TextEnvironment` does.
    """
    try:
        import textarena
    except ImportError as error:
        raise MissingLibraryError("TextArena's environments need the package textarena", "textarena") from error
    kinds = textarena.ObservationType

    class BoardgameEnv(textarena.Env):  # (a class here, because the package may be missing)
        def __init__(self) -> None:
            self._inner = TextEnvironment(game, **options)

        def reset(self, num_players: int = 1, seed: int | None = None) -> None:
            seed = random.randrange(2**32) if seed is None else seed  # (TextArena's users seed Python's own generator)
            self.state = textarena.SinglePlayerState(num_players)
            self.state.reset(game_state={}, player_prompt_function=lambda **_: self._inner.reset(seed))
            self._sum = 0.0

        def step(self, action: str) -> tuple[bool, dict[str, Any]]:
            self.state.add_observation(action, kinds.PLAYER_ACTION, from_id=self.state.current_player_id)
            found = self._inner.step(action)
            self._sum += found.reward
            self.state.made_invalid_move = not found.is_legal
            self.state.step_info = {"reward": found.reward}
            if found.is_done:
                self.state.game_info[0] |= {"points": found.points, "invalid_move": not found.is_legal}
                self.state.set_outcome(self._sum, found.text)
            else:
                self.state.add_observation(found.text, kinds.GAME_BOARD if found.is_legal else kinds.GAME_ADMIN)
            done, info = self.state.step()
            return bool(done), dict(info)

    return BoardgameEnv()


def openenv_app(game: str, sessions: int = 100, **options: Any) -> "FastAPI":
    """Return the application of an OpenEnv server; ``options`` are those of `TextEnvironment`.

    An action is ``{"answer": "..."}``; an observation has the ``text`` for the model, the reward, and whether the
    episode is done. Each of the ``sessions`` that may be open at once has an environment of its own.

    Raises:
        BadInputError: If the package openenv is missing, or as `TextEnvironment` does.
    """
    try:
        from openenv.core import env_server
    except ImportError as error:
        raise MissingLibraryError("OpenEnv's environments need the package openenv", "openenv") from error
    TextEnvironment(game, **options)  # (errors come here, not with the first request)

    class Answer(env_server.Action):
        answer: str

    class Words(env_server.Observation):
        text: str
        is_legal: bool = True
        points: int = 0

    class BoardgameEnvironment(env_server.Environment):
        SUPPORTS_CONCURRENT_SESSIONS = True

        def __init__(self) -> None:
            super().__init__()
            self._inner = TextEnvironment(game, **options)
            self._state = env_server.State()

        def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Words:
            self._state = env_server.State(episode_id=episode_id)
            return Words(text=self._inner.reset(random.randrange(2**32) if seed is None else seed))

        def step(self, action: Answer, timeout_s: float | None = None, **_: Any) -> Words:
            found = self._inner.step(action.answer)
            self._state.step_count += 1
            told = {"text": found.text, "is_legal": found.is_legal, "points": found.points}
            return Words(reward=found.reward, done=found.is_done, **told)

        @property
        def state(self) -> env_server.State:
            return self._state

    app: FastAPI = env_server.create_fastapi_app(BoardgameEnvironment, Answer, Words, sessions)
    return app
