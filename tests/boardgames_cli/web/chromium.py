"""The system's Chromium, controlled over a pipe by the protocol of its developer tools.

Input is sent without waiting for each event to be dealt with, and a tab can be asked for a value that a script of it
will have later. A tab that answers late, because something is paused, is waited for.
"""

import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

_PATIENCE, _GLANCE = 720, 5.0
"""The number of times that a reply is looked for, and the seconds of each: while this process is paused, none pass."""

_LOADED = "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', () => done()))"

_EXECUTE = """import os, sys
for end, expected in zip(sys.argv[1:], (3, 4)):
    os.dup2(int(end), expected)
os.execv(sys.argv[3], sys.argv[3:])"""
"""Program that executes another, which reads from file descriptor 3 and writes to 4, as a browser does."""

_KEYS = {
    "Tab": {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9},
    "Enter": {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"},
}
_SHIFT = 8


def found_chromium() -> str | None:
    """Return the path of the system's Chromium, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, names) if path), None)


class Tab:
    """A tab of a browser, which shows one page.

    Attributes:
        troubles: What scripts of pages have failed with, and what the browser has refused.
    """

    def __init__(self, commands: int, replies: int) -> None:
        self.troubles: list[str] = []
        self._commands, self._replies = commands, replies
        self._sent = 0
        self._left = b""
        self._session = ""
        found = self._ask("Target.getTargets")["targetInfos"]
        target = next(each["targetId"] for each in found if each["type"] == "page")
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")

    def resize(self, width: int, height: int) -> None:
        """Give the page another size."""
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, address: str, script: str) -> None:
        """Open an address, wait until its page is there, and run a script in it."""
        self._ask("Page.navigate", url=address)
        self.evaluate(_LOADED)
        self.evaluate(script)

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page; of a promise, what it is fulfilled with.

        Raises:
            AssertionError: If it has none.
        """
        reply = self._ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in reply, reply["exceptionDetails"]["exception"]["description"]
        return reply["result"].get("value")

    def click(self, x: float, y: float) -> None:
        """Click on a point of the page."""
        for kind in ("mousePressed", "mouseReleased"):
            self._send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str, with_shift: bool = False) -> None:
        """Press a key and let it go."""
        for kind in ("keyDown", "keyUp"):
            self._send("Input.dispatchKeyEvent", type=kind, modifiers=_SHIFT * with_shift, **_KEYS[key])

    def _send(self, method: str, **parameters: Any) -> int:
        self._sent += 1
        message = {"id": self._sent, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        return self._sent

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the reply to a command; replies to earlier ones that were not waited for are passed by."""
        number = self._send(method, **parameters)
        while True:
            message = self._next()
            assert "error" not in message, (method, message["error"])
            if message.get("id") == number:
                return message["result"]  # type: ignore[no-any-return]
            self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        if message.get("method") == "Runtime.exceptionThrown":
            self.troubles.append(str(message["params"]["exceptionDetails"].get("exception", message["params"])))
        if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.troubles.append(message["params"]["entry"]["text"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            if not any(select.select([self._replies], [], [], _GLANCE)[0] for _ in range(_PATIENCE)):
                raise AssertionError("the browser does not answer")
            more = os.read(self._replies, 1 << 20)
            assert more, "the browser has ended"
            self._left += more
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)  # type: ignore[no-any-return]


@contextmanager
def browser(executable: str, flags: Sequence[str] = FLAGS) -> Iterator[Tab]:
    """Start a browser with a profile of its own; yield its tab."""
    commands_out, commands_in = _pipe()
    replies_out, replies_in = _pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = [*flags, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(
            [sys.executable, "-c", _EXECUTE, str(commands_out), str(replies_in), executable, *options],
            pass_fds=(commands_out, replies_in),
            stderr=subprocess.DEVNULL,
        )
        os.close(commands_out)
        os.close(replies_in)
        try:
            yield Tab(commands_in, replies_out)
        finally:
            process.terminate()
            process.wait(20)
            os.close(commands_in)
            os.close(replies_out)


def _pipe() -> list[int]:
    """Return both ends of a pipe, whose numbers are beyond those that the browser expects."""
    ends = [(end, fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)) for end in os.pipe()]
    for end, _ in ends:
        os.close(end)
    return [kept for _, kept in ends]
