"""Sphinx builds the documentation with this: `make docs`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # for pages.py

from pages import write_pages  # noqa: E402

from boardgames_env import __version__  # noqa: E402

project = "boardgames-env"
author = copyright = "the boardgames-env developers"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "papers/tables", "data"]  # the tables are included by pages
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 3
default_role = "code"  # in docstrings, `name` is code, as in Markdown
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"

html_theme = "furo"
html_title = f"boardgames-env {release}"

write_pages(HERE)
