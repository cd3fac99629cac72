"""The program GNU Backgammon, started for one connection."""

import os
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass

from boardgames_env.errors import BadInputError

PROGRAM = "gnubg"

_ELSEWHERE = "/usr/games"
"""Debian's folder for games, which is often not on the path of services and of root."""

_PATIENCE = 30.0  # seconds from the start to an answer

_SCRIPT = """trap '' INT QUIT HUP
printf '%s\\n' "$1" | "$0" --tty --quiet --no-rc > /dev/null 2>&1 &
read _
kill $! 2> /dev/null
wait"""
"""Ends the program when the script's input has a line or is closed, which happens however this process ends.

Ctrl-C and a closed terminal do not end the script before.
"""


@dataclass(frozen=True)
class GnubgProcess:
    """A GNU Backgammon that has been started.

    Attributes:
        connection: A connection to it.
        shell: The script that ends it.
    """

    connection: socket.socket
    shell: "subprocess.Popen[bytes]"

    def end(self) -> None:
        """End the program."""
        self.connection.close()
        _end(self.shell)


def gnubg_program() -> str | None:
    """Return the path of the installed program, or ``None``."""
    return shutil.which(PROGRAM, path=os.pathsep.join([os.environ.get("PATH", os.defpath), _ELSEWHERE]))


def start_gnubg(plies: int, cubeful: bool) -> GnubgProcess:
    """Start GNU Backgammon, and connect to it.

    Args:
        plies: Its search depth for plays and cube decisions.
        cubeful: Whether its plays are to consider the cube.

    Raises:
        BadInputError: If the program is not installed, or does not answer.
    """
    program = gnubg_program()
    if program is None:
        raise BadInputError(
            f"gnubg_engine needs the program GNU Backgammon, and there is no {PROGRAM} on the path; "
            "install it, or give the port of a running one"
        )
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]
    commands = [
        f"set evaluation {what} evaluation {setting}"
        for what in ("chequerplay", "cubedecision")
        for setting in (f"plies {plies}", f"cubeful {'on' if cubeful else 'off'}")
    ]
    script = "\n".join([*commands, f"external localhost:{port}"])
    shell = subprocess.Popen(["sh", "-c", _SCRIPT, program, script], stdin=subprocess.PIPE)
    ends = time.monotonic() + _PATIENCE
    while time.monotonic() < ends:
        if connection := _connected(port):
            return GnubgProcess(connection, shell)
        time.sleep(0.05)
    _end(shell)
    raise BadInputError(f"{program} was started and did not answer within {_PATIENCE:.0f} seconds")


def _connected(port: int) -> socket.socket | None:
    """Return a connection to a program that answers as GNU Backgammon does; ``None`` if there is none yet."""
    try:
        connection = socket.create_connection(("localhost", port), timeout=_PATIENCE)
        connection.sendall(b"version\n")
        if connection.recv(100).startswith(b"Interface"):
            return connection
        connection.close()  # (to itself, or to another program)
    except OSError:
        pass
    return None


def _end(shell: "subprocess.Popen[bytes]") -> None:
    assert shell.stdin is not None
    try:
        shell.stdin.write(b"\n")  # (a process forked from this one may keep the input open)
        shell.stdin.close()
    except OSError:
        pass
    shell.wait()
