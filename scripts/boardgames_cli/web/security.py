"""Which requests are answered: checks of host, origin, token and size, and the headers of every answer.

A page elsewhere can make a visitor's browser send requests to this machine. It cannot read the answers, unless its
name resolves to this machine (DNS rebinding): so the name in the header ``Host`` must be ours. It can post without
reading, so whatever is not a GET must come from a page of ours: browsers say so in ``Sec-Fetch-Site`` and ``Origin``.
"""

import hmac
import ipaddress
import socket
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 1_000_000
"""The largest body of a request, in bytes."""

COOKIE = "boardgames-token"

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # (with no-referrer, browsers would not name the origin of a form; other sites are sent nothing by either)
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class TooLargeError(Exception):
    """A body that is longer than it was announced to be, or than is allowed."""


class Guard:
    """Middleware that answers only the requests that may be answered."""

    def __init__(self, app: ASGIApp, host: str, token: str) -> None:
        self._app = app
        self._token = token
        self._is_open = not is_loopback(host)
        self._names = {"localhost", host.lower()} | ({socket.gethostname().lower()} if self._is_open else set())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                if not scope["path"].startswith("/static/"):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, _limited(receive), send_guarded)
        except TooLargeError:
            await _refused(413, "The request is too large.")(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._is_ours(headers.get("host", "")):
            return _refused(421, "This server does not have that name.")
        if scope["method"] not in ("GET", "HEAD") and not _is_same_origin(headers):
            return _refused(403, "The request does not come from a page of this server.")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return _refused(400, "The length of the request is not a number.")
        if len(length) > 12 or int(length) > LARGEST_BODY:
            return _refused(413, "The request is too large.")
        return self._without_token(scope, headers) if self._token else None

    def _is_ours(self, host: str) -> bool:
        """Return whether a header ``Host`` names this server. (No address can be rebound, only a name.)"""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            _ = urlsplit(f"//{host}").port
        except ValueError:
            return False
        return name in self._names or (_is_address(name) if self._is_open else is_loopback(name))

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that has no cookie with the token."""
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        if cookie is not None and self._matches(cookie.value):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if scope["method"] == "GET" and any(key == "token" and self._matches(value) for key, value in query):
            left = urlencode([(key, value) for key, value in query if key != "token"])
            path = scope["path"]
            there = "/" + path.lstrip("/\\") if path.isascii() and path.isprintable() else "/"
            answer = RedirectResponse(f"{there}?{left}" if left else there, 303)
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        return _refused(403, "Open the link that `boardgames web` has printed: it holds the token.")

    def _matches(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_same_origin(headers: Headers) -> bool:
    """Return whether a browser says that a page of this server has made a request."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site != "same-origin":
        return False
    if origin is None or origin == "null":
        return site is not None
    return origin.lower() in {f"{scheme}://{headers.get('host', '').lower()}" for scheme in ("http", "https")}


def _limited(receive: Receive) -> Receive:
    """Limit the size of a body, whatever its header says."""
    left = LARGEST_BODY

    async def receive_limited() -> Message:
        nonlocal left
        message = await receive()
        if message["type"] == "http.request":
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooLargeError
        return message

    return receive_limited


def _refused(status: int, sentence: str) -> Response:
    return PlainTextResponse(f"{sentence}\n", status)
