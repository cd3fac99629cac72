"""The page of a game: its rules, as its docstring has them."""

from functools import cache

from markdown_it import MarkdownIt
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_cli.web.pages.shared import VALUES, entry_of, sentence_of
from boardgames_cli.web.templating import page
from boardgames_env import make_game


async def rules(request: Request) -> Response:
    """Show a game's page."""
    entry = entry_of(request)
    html = await run_in_threadpool(_html, entry.name)
    game = make_game(entry.name)
    return page(request, "rules.html", game=game, sentence=sentence_of(entry), value=VALUES[game.value], html=html)


@cache
def _html(name: str) -> str:
    """Return the page without its first paragraph, as HTML; HTML in it is shown as text."""
    _, _, text = make_game(name).page.partition("\n\n")
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


ROUTES = [Route("/games/{name}", rules)]
