"""`boardgames web`: the games in the browser. A map of this package:

* `server` listens, and limits connections; `security` decides which requests are answered.
* `application` puts the parts together.
* `pages` has a module for each page; `templates` and `static` are what the pages are made of.
* `sitting` is a contest at the page, `store` keeps sittings, and `thinking` lets agents move and finds out who can.
* `tutor` sets contests to people who are taught, and keeps what they have played.
* `opinions` asks agents what they think; `overlay` draws that on the board, and makes it clickable.
* `positions` reads positions and contests from addresses, and what people paste or send; `analyses` judges contests and
  matches in the background.
* `watched_runs` reads runs and leagues; `chart` draws curves.
* `specs` makes specs of what people fill in, and checks them.
* `kept` has the values last asked for, which most of them keep in memory.
"""

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console

if TYPE_CHECKING:
    from boardgames_cli.web.application import Settings


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
    name: Annotated[
        list[str] | None, typer.Option(help="Another name of this server, such as vm.lan (repeatable).")
    ] = None,
    root_path: Annotated[
        str, typer.Option(help="Path at which a proxy has the page, such as /user/x/proxy/8000/.")
    ] = "",
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="Address or network of a proxy whose X-Forwarded-* headers are believed (repeatable)."),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            help="An agent that connects to another program, such as \"chat(model='m')\", to offer (repeatable)."
        ),
    ] = None,
) -> None:
    """Play in the browser."""
    import secrets
    import threading
    import webbrowser
    from contextlib import suppress
    from dataclasses import replace

    from boardgames_env.errors import MissingLibraryError

    try:
        from boardgames_cli.web.application import Settings, make_application
        from boardgames_cli.web.security import name_of, network_of, root_path_of
        from boardgames_cli.web.server import listen, make_server
    except ModuleNotFoundError as error:
        raise MissingLibraryError(f"the web page needs {error.name}", "web") from None
    from boardgames_agents.registry import demand_agent
    from boardgames_env.files import data_root
    from boardgames_env.spec import Spec

    for each in agent or ():
        demand_agent(Spec.parse(each).name)
    kept = store or data_root() / "contests.sqlite"
    settings = Settings(
        store=kept,
        runs=runs,
        host=host or "0.0.0.0",
        names=tuple(map(name_of, name or ())),
        root_path=root_path_of(root_path),
        proxies=tuple(map(network_of, proxy or ())),
        agents=tuple(agent or ()),
    )
    settings = replace(settings, token=secrets.token_urlsafe(24) if settings.is_open else "")
    application = make_application(settings)
    listening = listen(settings.host, port)
    link = _print_links(settings, listening.getsockname()[1])
    if open_it:
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()  # (it is answered once it runs)
    with suppress(KeyboardInterrupt):  # (Ctrl-C is how it is stopped)
        make_server(application).run(sockets=[listening])


def _print_links(settings: "Settings", port: int) -> str:
    """Print how the page can be opened, by others with a QR code, too; return a link that this machine can open."""
    from urllib.parse import quote

    from boardgames_cli.web.security import is_loopback
    from boardgames_cli.web.server import addresses_of, qr_code

    end = f"{quote(settings.root_path)}/{f'?token={settings.token}' if settings.token else ''}"
    others = not is_loopback(settings.host)
    hosts = [*(settings.names if others else ()), *addresses_of(settings.host)]
    links = [f"http://{f'[{each}]' if ':' in each else each}:{port}{end}" for each in hosts]
    print_line = functools.partial(console.print, soft_wrap=True)
    print_line(f"The games are at {links[0]}  (Ctrl-C stops; contests are kept in {settings.store})")
    for link in links[1:]:
        print_line(f"or at {link}")
    if settings.root_path or settings.proxies or (settings.names and not others):
        print_line(f"Through a proxy they are at its address, followed by {end}")
    code = qr_code(links[0])
    if others and console.is_terminal and console.encoding.startswith("utf") and code.index("\n") <= console.width:
        console.print(code, style="bright_white on black", no_wrap=True)
    return links[-1]
