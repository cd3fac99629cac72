"""Templates, and the answers that are made of them."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from boardgames_env.kernels.compiling import being_compiled


@cache
def _environment() -> Environment:
    folder = Path(__file__).parent / "templates"
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["being_compiled"] = being_compiled
    return made


def is_part(request: Request) -> bool:
    """Return whether a script of the page asks for a part of it."""
    return bool(request.headers.get("hx-request") == "true")


def page(request: Request, template: str, code: int = 200, **values: Any) -> Response:
    """Return a page made of a template, or the ``sentence`` alone if a script's request went wrong."""
    if code >= 400 and is_part(request):
        return Response(_encoded(str(values["sentence"])), code, media_type="text/plain")
    return HTMLResponse(_encoded(_environment().get_template(template).render(**values)), code)


def _encoded(text: str) -> bytes:
    """Return a text as UTF-8, in which half a surrogate pair that somebody has sent is a question mark."""
    return text.encode("utf-8", "replace")


def seen_other(request: Request, address: str) -> Response:
    """Send the browser to another page."""
    if is_part(request):
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)
