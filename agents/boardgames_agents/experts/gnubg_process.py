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
"""Where Debian has games, which the paths of services and of root leave out."""

_PATIENCE = 30.0  # seconds from the start to an answer

_SCRIPT = """printf '%s\\n' "$1" | "$0" --tty --quiet --no-rc > /dev/null 2>&1 &
cat > /dev/null
kill $!
wait"""
"""Ends the program when the script's input is closed: then this process has ended, however it did."""


@dataclass(frozen=True)
class GnubgProcess:
    """A GNU Backgammon that has been started."""

    shell: "subprocess.Popen[bytes]"

    def end(self) -> None:
        """End it."""
        assert self.shell.stdin is not None
        self.shell.stdin.close()
        self.shell.wait()


def gnubg_program() -> str | None:
    """Return the path of the installed program, or ``None``."""
    return shutil.which(PROGRAM, path=os.pathsep.join([os.environ.get("PATH", os.defpath), _ELSEWHERE]))


def start_gnubg(plies: int, cubeful: bool) -> tuple[socket.socket, GnubgProcess]:
    """Start GNU Backgammon, and return a connection to it.

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
    process = GnubgProcess(subprocess.Popen(["sh", "-c", _SCRIPT, program, script], stdin=subprocess.PIPE))
    ends = time.monotonic() + _PATIENCE
    while True:
        try:
            return socket.create_connection(("localhost", port), timeout=_PATIENCE), process
        except OSError:
            if time.monotonic() > ends:
                process.end()
                raise BadInputError(
                    f"{program} was started and did not answer within {_PATIENCE:.0f} seconds"
                ) from None
            time.sleep(0.05)
