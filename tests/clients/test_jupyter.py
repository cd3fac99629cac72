"""A notebook runs the cells of docs/use-in-jupyter.md, and shows games and results."""

import re
from pathlib import Path

import pytest

from tests.clients import ROOT, client

PAGE = ROOT / "docs" / "use-in-jupyter.md"
SHOWN = ["image/svg+xml", "image/svg+xml", "text/html", "text/html"]


@pytest.mark.slow
@client("the cells of [Use in a notebook](use-in-jupyter.md)", "ipykernel", None)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_notebook_shows_the_page(tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient", reason="the extra clients is not installed")
    nbformat = pytest.importorskip("nbformat", reason="the extra clients is not installed")
    cells = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    results = [[each for each in cell.outputs if each.output_type == "execute_result"] for cell in notebook.cells]
    assert all(kind in result[0].data for kind, result in zip(SHOWN, results, strict=True))
    assert "<caption>achi, 20 contests</caption>" in results[2][0].data["text/html"]
    bars = [each for cell in notebook.cells for each in cell.outputs if each.output_type == "display_data"]
    assert len(bars) >= 2  # (a tournament's and a training's)
