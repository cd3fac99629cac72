"""A language model that plays, asked for each of its moves over the chat-completions protocol."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from boardgames_agents.people.language.prompt import AnswerError, BoardForm, PromptForm, prompt, read_answer
from boardgames_agents.people.language.server import URL, ChatAnswer, ChatServer, Message
from boardgames_agents.people.language.transcript import exchange_key, transcript_at
from boardgames_agents.policy import Forfeit, Rng
from boardgames_agents.policy.whole_moves import WholeMovePolicy
from boardgames_agents.registry import agent
from boardgames_env.contest import Turn, is_same_turn
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import data_root
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.spec import Elsewhere


@dataclass
class ChatCount:
    """What a model has been asked, and what that took.

    Attributes:
        exchanges: The number of questions, those that a transcript answered among them.
        asked: The number of those that the server answered.
        illegal: The number of answers without a legal move.
        tokens: The tokens of all prompts and of all answers.
        seconds: How long the server took, in all.
    """

    exchanges: int = 0
    asked: int = 0
    illegal: int = 0
    tokens: tuple[int, int] = (0, 0)
    seconds: float = 0.0


@agent(
    "chat",
    for_people="Language model: reads the rules and the board, and answers in words",
    needs="a server with a language model",
    known_by="model",
)
class ChatPlayer(WholeMovePolicy):
    """A language model that reads the rules, the board and the history, and answers with a move.

    It speaks the chat-completions protocol. The environment variable ``BOARDGAMES_CHAT_URL`` holds the usual address,
    and ``BOARDGAMES_CHAT_KEY`` the key, which is sent there alone.

    An answer without a legal move is sent back with a sentence that says why. Every exchange is kept in a transcript,
    from which the same contests are played again without asking.

    Args:
        model: The name of the model at the server.
        url: The address of the server, such as ``http://localhost:8000/v1``; by default that of the environment.
            Without either, the transcript alone answers.
        legal: Whether the legal moves are listed in the prompt.
        board: The form of the board in the prompt: ``text`` or ``json``.
        retries: How often it may answer again after an answer without a legal move.
        illegal: What such an answer costs after that: it may ``lose`` the contest, or have a ``random`` move played.
        temperature: The temperature of the model's sampling; by default the server's.
        timeout: The most seconds that the server may be silent.
        wait: The seconds before a request that has failed is sent again, doubled each time.
        transcript: The file of the transcript; by default one of the model's in the user's data folder.

    Raises:
        BadInputError: If an option is not allowed, there is neither an address nor a transcript, or httpx is missing.
    """

    waits = True

    def __init__(
        self,
        game: Game,
        model: str,
        url: Annotated[str, Elsewhere()] = "",
        legal: bool = True,
        board: BoardForm = "text",
        retries: int = 2,
        illegal: Literal["lose", "random"] = "lose",
        temperature: float | None = None,
        timeout: float = 120.0,
        wait: float = 1.0,
        transcript: Annotated[str, Elsewhere()] = "",
    ) -> None:
        super().__init__()
        require(0, 100, retries=retries)
        if not (0 < timeout <= 86_400 and 0 <= wait <= 3600):
            raise BadInputError("timeout must be above 0 seconds and at most a day, and wait from 0 to an hour")
        url = url or os.environ.get(URL, "")
        if not (url or transcript):
            raise BadInputError(f"chat needs the url of a server (or {URL}), or a transcript in which the answers are")
        self._model, self._form, self._retries, self._illegal = model, PromptForm(legal, board), retries, illegal
        self._more = {} if temperature is None else {"temperature": temperature}
        self._server = ChatServer(url, timeout, wait) if url else None
        self._transcript = transcript_at(Path(transcript) if transcript else _usual_transcript(model))
        self._turns: list[Turn] = []
        self._contest = self._exchanges = 0
        self.count = ChatCount()
        self.said = ""

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest, which has a number of its own in the transcript."""
        super().begin(game, seats, rng)
        self._turns = []
        self._contest, self._exchanges = int(rng.integers(2**53)), 0
        self.said = ""

    def saw(self, position: Position, action: int) -> None:
        """Note an action for the history in the prompts."""
        reached = position.after(action)
        last = self._turns[-1] if self._turns else None
        number = last.number + len(last.actions) if last else 0
        if last and last.after == position and is_same_turn(last.seat, position):
            self._turns[-1] = Turn(last.before, (*last.actions, action), reached, last.number)
        else:
            self._turns.append(Turn(position, (action,), reached, number))

    given = saw

    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Ask the model for a move until it names a legal one.

        Raises:
            Forfeit: If it does not, and loses the contest by that.
            BadInputError: If the server does not answer.
        """
        messages: list[Message] = [{"role": "user", "content": prompt(position, self._turns, self._form)}]
        why = ""
        for _ in range(1 + self._retries):
            self.said = self._ask(position, messages)
            try:
                return read_answer(position, self.said, self._form.legal)
            except AnswerError as error:
                why = str(error)
                self.count.illegal += 1
                again = f"{why} Answer again, with a legal move at the end."
                messages += [{"role": "assistant", "content": self.said}, {"role": "user", "content": again}]
        if self._illegal == "random":
            return (int(self.rng.choice(position.legal_actions)),)
        raise Forfeit(f"{self._model} has lost the contest by {1 + self._retries} answers without a legal move: {why}")

    def _ask(self, position: Position, messages: list[Message]) -> str:
        """Return the answer to messages, from the transcript or else from the server."""
        key = exchange_key(self._contest, self._exchanges, self._model, messages, self._more)
        self._exchanges += 1
        found = self._transcript.find(key)
        if found is None:
            if self._server is None:
                raise BadInputError(f"{self._transcript.path} has no answer to this position; give the url of a server")
            found = self._server.ask(self._model, messages, self._more)
            self._transcript.keep(key, position, messages, found)
            self.count.asked += 1
        self._note(found)
        return found.text

    def _note(self, answer: ChatAnswer) -> None:
        count = self.count
        count.exchanges += 1
        count.tokens = count.tokens[0] + answer.tokens[0], count.tokens[1] + answer.tokens[1]
        count.seconds += answer.seconds


def _usual_transcript(model: str) -> Path:
    """Return the file of the transcript of a model in the user's data folder."""
    name = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in model)[:80]
    return data_root() / "transcripts" / f"{name or 'model'}.jsonl"
