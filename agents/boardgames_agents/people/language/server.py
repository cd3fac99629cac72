"""A language model behind a server that speaks the chat-completions protocol, asked over HTTP.

The key is read from the environment variable `KEY` and sent as a bearer token, to the server of `URL` alone: a file of
a stranger that names another address does not get it. It is in no file, log or error: where a server sends it back, it
is replaced.
"""

import json
import os
import ssl
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from boardgames_env.errors import BadInputError, MissingLibraryError

if TYPE_CHECKING:
    import httpx

KEY = "BOARDGAMES_CHAT_KEY"
"""The environment variable that holds the key; without it, none is sent."""

URL = "BOARDGAMES_CHAT_URL"
"""The environment variable that holds the address of the server to which the key belongs."""

TRIES = 5
"""How often a request is sent until an error."""

LONGEST_WAIT = 60.0
"""The most seconds between two tries."""

_LONGEST_REASON = 200

_AGAIN = (408, 409, 425, 429)
"""The status codes besides 500 and more after which a request is sent again."""

_PATH = "/chat/completions"

Message = Mapping[str, str]


@dataclass(frozen=True)
class ChatAnswer:
    """An answer of a model.

    Attributes:
        text: What it wrote.
        tokens: The tokens of the prompt and of the answer, as the server counts them; 0 if it does not say so.
        seconds: How long it took, with all tries.
    """

    text: str
    tokens: tuple[int, int] = (0, 0)
    seconds: float = 0.0


class _TryAgainError(Exception):
    """A failure that may pass; ``wait`` is how many seconds the server asks for."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


def _place(url: str) -> tuple[str, str]:
    """Return the scheme, host and port of an address."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return "", ""
    return parts.scheme, parts.netloc.lower()


@cache
def _certificates() -> ssl.SSLContext:
    """Return the usual certificates. (Loading them takes longer than an exchange; all clients share them.)"""
    import httpx

    return httpx.create_ssl_context()


class ChatServer:
    """A server that answers chats.

    Args:
        url: Its address up to ``/v1``, or whole.
        timeout: The most seconds without a sign of life.
        wait: The seconds before the second try, doubled for each further one, unless the server asks for more.

    Raises:
        BadInputError: If the address is not one of HTTP or holds a password, or the package httpx is missing.
    """

    def __init__(self, url: str, timeout: float, wait: float) -> None:
        try:
            import httpx
        except ImportError as error:
            raise MissingLibraryError("the agent chat needs the package httpx", "llm") from error
        try:
            parts = urlsplit(url)
            is_http = parts.scheme in ("http", "https") and bool(parts.hostname)
            has_secret = bool(parts.username or parts.password or parts.query)
        except ValueError:
            is_http, has_secret = False, False
        if has_secret:
            raise BadInputError(f"the url of a model must hold no name, password or query; the key belongs into {KEY}")
        if not is_http:
            raise BadInputError(f"url={url!r} is not allowed; it must be like http://localhost:8000/v1")
        self.url = url.rstrip("/").removesuffix(_PATH) + _PATH
        self._wait = wait
        key = os.environ.get(KEY, "").strip() if _place(url) == _place(os.environ.get(URL, "")) else ""
        if not key.isascii() or not key.isprintable():
            raise BadInputError(f"{KEY} holds characters that no key has")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(timeout=timeout, headers=headers, verify=_certificates())
        weakref.finalize(self, self._client.close)
        self._key = key

    def ask(self, model: str, messages: Sequence[Message], more: Mapping[str, object]) -> ChatAnswer:
        """Return the answer of a model to a chat.

        Args:
            model: The name of the model at the server.
            messages: The chat, each with a ``role`` and a ``content``.
            more: Further entries of the request, such as ``temperature``.

        Raises:
            BadInputError: If the server refuses the request, or does not answer after `TRIES` tries.
        """
        began, why = time.perf_counter(), ""
        body = {"model": model, "messages": list(messages), **more}
        for number in range(TRIES):
            try:
                found = self._post(body)
                return ChatAnswer(found.text, found.tokens, time.perf_counter() - began)
            except _TryAgainError as error:
                why = str(error)
                if number + 1 < TRIES:
                    time.sleep(min(LONGEST_WAIT, max(error.wait, self._wait * 2**number)))
        raise BadInputError(f"{self.url} gave no answer in {TRIES} tries; the last one: {why}")

    def _post(self, body: Mapping[str, object]) -> ChatAnswer:
        import httpx

        try:
            response = self._client.post(self.url, json=body)
        except httpx.TimeoutException:
            raise _TryAgainError("it took too long") from None
        except httpx.TransportError as error:
            raise _TryAgainError(f"the connection failed ({type(error).__name__})") from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, ValueError) as error:
            raise BadInputError(f"{self.url} cannot be asked ({type(error).__name__})") from None
        status = response.status_code
        if status >= 500 or status in _AGAIN:
            raise _TryAgainError(f"status {status}", _asked_wait(response))
        if status != 200:
            said = " ".join(response.text.split())[:_LONGEST_REASON]
            raise BadInputError(
                f"{self.url} refuses the request with status {status}: {self._safe(said) or 'no reason'}"
            )
        try:
            text, usage = _content(response)
            return ChatAnswer(self._safe(text), usage)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            raise _TryAgainError("what it sent is no answer of a chat") from None

    def _safe(self, text: str) -> str:
        """Return a text without the key."""
        return text.replace(self._key, "[key]") if self._key else text


def _asked_wait(response: "httpx.Response") -> float:
    """Return the seconds that a server asks to wait for, 0 if it does not."""
    try:
        return max(0.0, min(LONGEST_WAIT, float(response.headers.get("Retry-After", "0"))))
    except ValueError:  # (a date)
        return 0.0


def _content(response: "httpx.Response") -> tuple[str, tuple[int, int]]:
    """Return the text of an answer, also of one that is sent in parts, and the tokens."""
    if "event-stream" in response.headers.get("Content-Type", ""):
        parts = list(_events(response.text))
        text = "".join(_text_of(each["choices"][0].get("delta", {})) for each in parts if each.get("choices"))
        used = next((each["usage"] for each in reversed(parts) if each.get("usage")), None)
        if not any(each.get("choices") for each in parts):
            raise ValueError("no part of a chat")
    else:
        data = response.json()
        text, used = _text_of(data["choices"][0]["message"]), data.get("usage")
    used = used if isinstance(used, dict) else {}
    return text, (_count(used.get("prompt_tokens")), _count(used.get("completion_tokens")))


def _events(text: str) -> Iterator[dict[str, Any]]:
    """Yield the parts of an answer that is sent in parts; raise `ValueError` if it has no end."""
    for line in text.splitlines():
        name, _, data = line.partition(":")
        if name != "data":
            continue
        if data.strip() == "[DONE]":
            return
        yield json.loads(data)
    raise ValueError("the answer was cut off")


def _text_of(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(each.get("text", "")) for each in content)
    if not (content is None or isinstance(content, str)):
        raise ValueError(f"{content!r} is no text")
    return content or ""


def _count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
