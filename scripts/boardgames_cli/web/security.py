"""Which requests are answered: checks of host, origin, token and size, and the headers of every answer.

Where a proxy has passed a request on, these are checks of what the visitor sent to the proxy.

A page elsewhere can make a visitor's browser send requests to this machine. It cannot read the answers, unless its
name resolves to this machine (DNS rebinding): so the name in the header ``Host`` must be ours. It can post without
reading, so whatever is not a GET must come from a page of ours: browsers say so in ``Sec-Fetch-Site`` and ``Origin``.
"""

import hmac
import ipaddress
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boardgames_env.errors import BadInputError

if TYPE_CHECKING:
    from boardgames_cli.web.application import Settings

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LARGEST_BODY = 1_000_000
"""The largest body of a request, in bytes."""

COOKIE = "boardgames-token"

VISITOR = ContextVar("VISITOR", default="")
"""Who has sent the request that is being answered: visitors share what there is of threads."""

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
    """Middleware that answers only the requests that may be answered.

    It passes them on as the visitor sent them: ``client``, ``scheme`` and the header ``Host`` are the visitor's own,
    and ``path`` begins with ``root_path``, which is ``state["root"]``, too.
    """

    def __init__(self, app: ASGIApp, settings: "Settings", too_large: Callable[[Request], Response]) -> None:
        self._app = app
        self._too_large = too_large  # (answers a request that is larger than `LARGEST_BODY`)
        self._settings = settings
        own = {socket.gethostname().lower()} if settings.is_open else set()
        self._names = {"localhost", settings.host.lower(), *settings.names} | own

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        is_forwarded = self._is_proxy((scope.get("client") or ("",))[0])
        scope = self._below_root(self._as_sent(scope) if is_forwarded else scope, is_forwarded)
        VISITOR.set(_visitor_of(scope))

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                if not _is_trustworthy(scope):
                    del headers["Cross-Origin-Opener-Policy"]
                if not _path_of(scope).startswith("/static/"):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        refusal = self._refusal(scope, is_forwarded)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, _limited(receive), send_guarded)
        except TooLargeError:
            await self._too_large(Request(scope))(scope, receive, send_guarded)
        except ClientDisconnect:  # (nobody is there to be answered)
            return

    def _is_proxy(self, address: str) -> bool:
        """Return whether what an address says of visitors is believed."""
        return _is_address(address) and any(ipaddress.ip_address(address) in each for each in self._settings.proxies)

    def _as_sent(self, scope: Scope) -> Scope:
        """Return a request as the visitor sent it, by what a proxy says of it in ``X-Forwarded-…``."""
        headers = MutableHeaders(raw=list(scope["headers"]))
        changed = dict(scope)
        # (whoever is not believed may have written what is further to the left)
        for address in reversed(_listed(headers, "x-forwarded-for")):
            if not (visitor := _host_and_port(address)) or not _is_address(visitor[0]):
                break
            changed["client"] = (visitor[0], visitor[1] or 0)
            if not self._is_proxy(visitor[0]):
                break
        if (scheme := _listed(headers, "x-forwarded-proto")[-1:]) and scheme[0].lower() in _USUAL_PORTS:
            changed["scheme"] = scheme[0].lower()
        if host := _listed(headers, "x-forwarded-host"):
            headers["host"] = host[-1]
        return {**changed, "headers": headers.raw}

    def _below_root(self, scope: Scope, is_forwarded: bool) -> Scope:
        """Return a request whose path begins with the path of the server, whether or not a proxy removes it."""
        root = self._settings.root_path
        if is_forwarded and not root:
            with suppress(BadInputError):
                root = root_path_of(Headers(scope=scope).get("x-forwarded-prefix", ""))
        path = scope["path"]
        if root and (path == root or path.startswith(f"{root}/")):
            path = path.removeprefix(root) or "/"
        return {**scope, "root_path": root, "path": root + path, "state": {**scope.get("state", {}), "root": root}}

    def _refusal(self, scope: Scope, is_forwarded: bool) -> Response | None:
        headers = Headers(scope=scope)
        host = _host_and_port(headers.get("host", ""))
        if not (host and self._is_ours(host[0])):
            hint = f" If it is yours, start it with --name {host[0]}" if host and _NAME.fullmatch(host[0]) else ""
            return _refused(421, f"This server does not have that name.{hint}")
        if scope["method"] not in ("GET", "HEAD") and not _is_same_origin(headers, host, is_forwarded):
            hint = " A proxy must pass on the name and the port in Host, or be named by --proxy."
            sentence = "The request does not come from a page of this server."
            return _refused(403, sentence + (hint if self._settings.is_open else ""))
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return _refused(400, "The length of the request is not a number.")
        if len(length) > 12 or int(length) > LARGEST_BODY:
            return self._too_large(Request(scope))
        return self._without_token(scope, headers) if self._settings.token else None

    def _is_ours(self, name: str) -> bool:
        """Return whether a name or an address is this server's. (No address can be rebound, only a name.)"""
        return name in self._names or (_is_address(name) if self._settings.is_open else is_loopback(name))

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
            path, root = _path_of(scope), quote(scope["root_path"])
            there = root + ("/" + path.lstrip("/\\") if path.isascii() and path.isprintable() else "/")
            answer = RedirectResponse(f"{there}?{left}" if left else there, 303)
            is_secure = scope["scheme"] == "https"
            answer.set_cookie(
                COOKIE, self._settings.token, path=f"{root}/", secure=is_secure, httponly=True, samesite="strict"
            )
            return answer
        return _refused(403, "Open the link that `boardgames web` has printed: it holds the token.")

    def _matches(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._settings.token.encode())


_USUAL_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
_ROOT_PATH = re.compile(r"/?(\w|[.~@+:=,!-]|%[0-9A-Fa-f]{2})+(/(\w|[.~@+:=,!-]|%[0-9A-Fa-f]{2})+)*/?")


def name_of(text: str) -> str:
    """Return a name or an address as browsers write it; raise `BadInputError` if it is neither."""
    bare = text.strip().strip("[]") if text.count(":") > 1 else text.strip().rstrip(".")
    if _is_address(bare):
        return str(ipaddress.ip_address(bare))
    try:
        name = bare.lower() if bare.isascii() else bare.encode("idna").decode().lower()
    except UnicodeError:
        name = ""
    if not _NAME.fullmatch(name):
        raise BadInputError(f"--name is a name such as vm.lan or an address, without http:// and port, not {text!r}")
    return name


def root_path_of(text: str) -> str:
    """Return the path at which the server is, without a slash at its end; raise `BadInputError` if it is none."""
    path = unquote(text.strip("/"), errors="replace")
    is_path = not path or (_ROOT_PATH.fullmatch(text) and path.isprintable())
    if not is_path or {".", ".."} & set(path.split("/")):
        raise BadInputError(f"--root-path is a path such as /user/x/proxy/8000/, not {text!r}")
    return f"/{path}" if path else ""


def network_of(text: str) -> Network:
    """Return the network of a proxy's address, or of several; raise `BadInputError` if it is neither."""
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise BadInputError(
            f"--proxy is an address such as 127.0.0.1 or a network such as 10.0.0.0/8, not {text!r}"
        ) from None


def _visitor_of(scope: Scope) -> str:
    """Return who sends a request: an address, or the network of 2^64 addresses that a machine has by IPv6."""
    address = str((scope.get("client") or ("",))[0])
    if _is_address(address) and ":" in address:
        return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
    return address


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _path_of(scope: Scope) -> str:
    """Return the path of a request below the path at which the server is."""
    return str(scope["path"]).removeprefix(scope["root_path"])


def _is_trustworthy(scope: Scope) -> bool:
    """Return whether browsers apply a policy for windows to an answer. (To others they do not, and log an error.)"""
    name, _ = _host_and_port(Headers(scope=scope).get("host", "")) or ("", None)
    return scope["scheme"] == "https" or is_loopback(name) or name.endswith(".localhost")


def _listed(headers: Headers, name: str) -> list[str]:
    """Return the values of a header to which every proxy adds one."""
    values = ",".join(headers.getlist(name)).split(",")
    return [value.strip() for value in values if value.strip()]


def _host_and_port(text: str) -> tuple[str, int | None] | None:
    """Return a name or an address in small letters, and the port if there is one; ``None`` if it is neither."""
    if _is_address(text):
        return text, None
    try:
        parts = urlsplit(f"//{text}")
        name = (parts.hostname or "").removesuffix(".")
        return (name, parts.port) if parts.netloc == text and "@" not in text else None
    except ValueError:
        return None


def _is_same_origin(headers: Headers, host: tuple[str, int | None], is_forwarded: bool) -> bool:
    """Return whether a browser says that a page of this server has made a request.

    Proxies often pass the name on without the port, so the port is not compared then.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None and site != "same-origin":
        return False
    if origin is None or origin == "null":
        return site is not None
    scheme, _, named = origin.lower().partition("://")
    sent, usual = _host_and_port(named), _USUAL_PORTS.get(scheme)
    if sent is None or usual is None:
        return False
    name, port = host
    return sent[0] == name and ((is_forwarded and port is None) or (sent[1] or usual) == (port or usual))


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
