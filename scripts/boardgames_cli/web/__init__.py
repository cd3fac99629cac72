"""`boardgames web`: the games in the browser. A map of this package:

* `server` listens, and limits connections; `security` decides which requests are answered.
* `application` puts the parts together.
* `pages` has a module for each page; `templates` and `static` are what the pages are made of.
* `sitting` is a contest at the page, `store` keeps sittings, and `thinking` lets agents move and finds out who can.
* `tutor` sets contests to people who are taught, and keeps what they have played.
* `opinions` asks agents what they think; `overlay` draws that on the board, and makes it clickable.
* `watched_runs` reads runs and leagues; `chart` draws curves.
* `specs` makes specs of what people fill in, and checks them.
* `kept` has the values last asked for, which most of them keep in memory.
"""

from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.printing import console


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
) -> None:
    """Play in the browser."""
    import secrets
    import threading
    import webbrowser
    from contextlib import suppress
    from dataclasses import replace
    from urllib.parse import quote

    from boardgames_env.errors import MissingLibraryError

    try:
        from boardgames_cli.web.application import Settings, make_application
        from boardgames_cli.web.security import is_loopback, name_of, network_of, root_path_of
        from boardgames_cli.web.server import addresses_of, listen, make_server, qr_code
    except ModuleNotFoundError as error:
        raise MissingLibraryError(f"the web page needs {error.name}", "web") from None
    from platformdirs import user_data_path

    kept = store or user_data_path("boardgames-env", appauthor=False) / "contests.sqlite"
    settings = Settings(
        store=kept,
        runs=runs,
        host=host or "0.0.0.0",
        names=tuple(map(name_of, name or ())),
        root_path=root_path_of(root_path),
        proxies=tuple(map(network_of, proxy or ())),
    )
    settings = replace(settings, token=secrets.token_urlsafe(24) if settings.is_open else "")
    listening = listen(settings.host, port)
    application = make_application(settings)
    end = f"{quote(settings.root_path)}/{f'?token={settings.token}' if settings.token else ''}"

    def link(host: str) -> str:
        return f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}{end}"

    others = not is_loopback(settings.host)
    links = [link(each) for each in (*(settings.names if others else ()), *addresses_of(settings.host))]
    console.print(f"The games are at {links[0]}  (Ctrl-C stops; contests are kept in {kept})", soft_wrap=True)
    for each in links[1:]:
        console.print(f"or at {each}", soft_wrap=True)
    if settings.root_path or settings.proxies or (settings.names and not others):
        console.print(f"Through a proxy they are at its address, followed by {end}", soft_wrap=True)
    if others and console.is_terminal and console.encoding.startswith("utf"):
        console.print(qr_code(links[0]), style="bright_white on black", no_wrap=True, overflow="ignore", crop=False)
    if open_it:
        # (it is answered once it runs; other names may not be known on this machine)
        threading.Thread(target=webbrowser.open, args=(links[-1],), daemon=True).start()
    with suppress(KeyboardInterrupt):  # (Ctrl-C is how it is stopped)
        make_server(application).run(sockets=[listening])
