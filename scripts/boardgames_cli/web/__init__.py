"""`boardgames web`: the games in the browser. A map of this package:

* `application` puts the parts together; `security` decides which requests are answered.
* `pages` has a module for each page; `templates` and `static` are what the pages are made of.
* `sitting` is a contest at the page, `store` keeps sittings, and `thinking` lets agents move and finds out who can.
* `tutor` sets contests to people who are taught, and keeps what they have played.
* `opinions` asks agents what they think; `overlay` draws that on the board, and makes it clickable.
* `watched_runs` reads runs and leagues; `chart` draws curves.
* `specs` makes specs of what people fill in, and checks them.
* `kept` has the values last asked for, which most of them keep in memory.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console

if TYPE_CHECKING:
    from socket import socket


def web(
    host: Annotated[str, typer.Option(help="Address to listen on; any but this machine's own needs the token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8000,
    runs: Annotated[Path, typer.Option(help="The only folder whose files pages may name.")] = Path("runs"),
    store: Annotated[
        Path | None, typer.Option(help="File that keeps the contests; by default one in the user's data folder.")
    ] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Play in the browser."""
    import secrets
    import threading
    import webbrowser
    from contextlib import suppress

    from boardgames_env.errors import BadInputError, MissingLibraryError

    try:
        import uvicorn

        from boardgames_cli.web.application import Settings, make_application
    except ModuleNotFoundError as error:
        raise MissingLibraryError(f"the web page needs {error.name}", "web") from None
    from boardgames_cli.web.security import is_loopback
    from boardgames_env.files import data_root

    kept = store or data_root() / "contests.sqlite"
    token = "" if is_loopback(host) else secrets.token_urlsafe(24)
    try:
        listening = listen(host, port)
    except OSError as error:
        raise BadInputError(f"{host}:{port} cannot be listened on ({error.strerror}); choose another --port") from None
    shown = f"[{host}]" if ":" in host else host
    link = f"http://{shown}:{listening.getsockname()[1]}/{f'?token={token}' if token else ''}"
    application = make_application(Settings(store=kept, runs=runs, host=host, token=token))
    console.print(f"The games are at {link}  (Ctrl-C stops; contests are kept in {kept})", soft_wrap=True)
    if open_it:
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()  # (it is answered once it runs)
    settings = uvicorn.Config(application, log_level="warning", access_log=False, server_header=False)
    with suppress(KeyboardInterrupt):  # (Ctrl-C is how it is stopped)
        uvicorn.Server(settings).run(sockets=[listening])


def listen(host: str, port: int) -> "socket":
    """Return a socket that listens on an address.

    Answers are sent at once: otherwise their second part waits for the browser to acknowledge the first, 40 ms.
    """
    from socket import AF_INET, AF_INET6, IPPROTO_TCP, TCP_NODELAY, create_server

    listening = create_server((host, port), family=AF_INET6 if ":" in host else AF_INET)
    listening.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    return listening
