"""The server below the application: its socket, its links, and its connections, which strangers can open, too.

Anybody may begin a request and not finish it, or say it slowly. So a request must arrive in time, and where there are
too many connections, the one that has waited longest gives way to the newest. A message is logged once a minute.
"""

import asyncio
import errno
import io
import logging
import socket
import time
from contextlib import suppress
from ipaddress import ip_address

import h11
import segno
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from boardgames_env.errors import BadInputError

MOST_CONNECTIONS = 200
"""The number of connections; each needs a file of the process, which may have 256 on some systems."""

REQUEST_SECONDS = 20.0
"""The seconds within which a request must arrive, head and body."""

_ACCEPTED_AT_ONCE = 64
"""The number of connections that are accepted before those that give way are closed."""

_SECONDS_OF_SILENCE = 60.0
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

_BUSY = PlainTextResponse(
    "Too many requests are being answered; try again later.\n", 503, {"Retry-After": "5", "Connection": "close"}
)

_ELSEWHERE = {
    socket.AF_INET: ("192.0.2.1", "192.168.0.1", "172.16.0.1", "10.0.0.1"),
    socket.AF_INET6: ("2001:db8::1", "fd00::1"),
}
"""Addresses in other networks and in this one: what is sent there leaves by one of the machine's own addresses."""


class _SparingLog(logging.Filter):
    """Lets a message through once a minute, so that nobody can fill the log."""

    def __init__(self) -> None:
        super().__init__()
        self._silent_until: dict[tuple[object, ...], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether nothing has been logged at the same place, with the same kind of error, in the last minute."""
        key = (record.pathname, record.lineno, record.exc_info and record.exc_info[0])
        if time.monotonic() < self._silent_until.get(key, 0):
            return False
        self._silent_until[key] = time.monotonic() + _SECONDS_OF_SILENCE
        return True


_SPARING = _SparingLog()


class _Connection(H11Protocol):
    """A connection that is closed if a request does not arrive in time, and gives way if there are too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # (as every one of a socket is)
        super().connection_made(transport)
        self._waits_since = self.loop.time()
        self._deadline: asyncio.TimerHandle | None = None
        self._watch_request()
        if len(self.connections) > MOST_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._drop_deadline()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        if self._is_answered:
            super().shutdown()
        else:
            self.transport.abort()

    def _make_room(self) -> None:
        """Close the connection that has waited longest; if all others are being answered, this one says so."""
        others = [each for each in self.connections if isinstance(each, _Connection) and each is not self]
        waiting = [each for each in others if not each._is_answered]
        if waiting:
            oldest = min(waiting, key=lambda each: each._waits_since)
            self.logger.warning("too many connections: the oldest are closed, such as one of %s", oldest._from)
            self.connections.discard(oldest)
            oldest.transport.abort()
        else:
            self.logger.warning("%d requests are being answered at once; others are refused", len(others))
            self.app = _BUSY

    @property
    def _from(self) -> str:
        return self.client[0] if self.client else "nobody"

    @property
    def _is_answered(self) -> bool:
        """Whether a request has arrived, and its answer is not ready.

        It does not count if nobody reads the answer, or another request has been sent after it, which no browser does.
        """
        cycle = self.cycle
        is_stalled = self.flow.write_paused or self.conn.trailing_data[0]
        return cycle is not None and not (cycle.response_complete or cycle.more_body or is_stalled)

    def _watch_request(self) -> None:
        """Set the deadline of a request that has not arrived, and drop that of one that has."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._waits_since = self.loop.time()
            self._drop_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self._close_late)

    def _drop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close_late(self) -> None:
        self.logger.warning("a request of %s has not arrived within %g seconds", self._from, REQUEST_SECONDS)
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):  # (nothing has been answered yet)
            self.transport.write(_TOO_SLOW)
            self.transport.close()
        else:
            self.transport.abort()


def make_server(application: ASGIApp) -> uvicorn.Server:
    """Return the server of an application."""
    config = uvicorn.Config(
        application,
        http=_Connection,
        ws="none",
        loop="asyncio",
        backlog=_ACCEPTED_AT_ONCE,
        proxy_headers=False,  # (see `Guard`)
        log_level="warning",
        access_log=False,
        server_header=False,
    )
    # (the last resort is what writes the messages of everybody else, such as those on a file that cannot be read)
    for logs in (logging.getLogger("uvicorn.error"), logging.lastResort):
        assert logs is not None
        logs.addFilter(_SPARING)
    return uvicorn.Server(config)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; raise `BadInputError` if that cannot be.

    Answers are sent at once: otherwise their second part waits for the browser to acknowledge the first, 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.getaddrinfo(host, port, family)
        listening = socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        if isinstance(error, (socket.gaierror, UnicodeError)) or error.errno == errno.EADDRNOTAVAIL:
            raise BadInputError(f"{host!r} is no address of this machine; choose another --host") from None
        why = str(error.strerror).partition(" (while")[0]  # (Python adds the address)
        raise BadInputError(f"{host}:{port} cannot be listened on ({why}); choose another --port") from None
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def addresses_of(host: str) -> list[str]:
    """Return the addresses at which others reach a server: if it listens on all of them, those of this machine."""
    with suppress(ValueError):
        if ip_address(host).is_unspecified:
            return _own_addresses(socket.AF_INET6 if ":" in host else socket.AF_INET) or [socket.gethostname()]
    return [host]


def _own_addresses(family: socket.AddressFamily) -> list[str]:
    found = []
    for elsewhere in _ELSEWHERE[family]:
        with socket.socket(family, socket.SOCK_DGRAM) as asked, suppress(OSError):
            asked.connect((elsewhere, 9))  # (nothing is sent)
            address = asked.getsockname()[0]
            if not ip_address(address).is_loopback:
                found.append(address)
    return list(dict.fromkeys(found))


def qr_code(link: str) -> str:
    """Return a link as a QR code for a terminal: what is light is made of blocks, what is dark of blanks."""
    written = io.StringIO()
    segno.make(link, error="l", boost_error=False, micro=False).terminal(written, border=2, compact=True)
    return written.getvalue().rstrip("\n")
