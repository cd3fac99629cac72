"""A rollout that JAX compiles steps a batch by `io_callback`, as the page has it."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.clients import ROOT, client, run


@pytest.mark.slow
@pytest.mark.skipif(find_spec("jax") is None, reason="the extra clients is not installed")
@client("a compiled rollout by `io_callback`", "jax", None)
def test_a_compiled_rollout(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "plug-into-your-rl-code.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^## JAX\n.*?```python\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    # in a process of its own: others of these tests fork, which JAX forbids
    contests, points = run("-c", code, folder=tmp_path).removesuffix(" points each\n").split(" contests, ")
    assert 100 * 256 / 5 < int(contests) < 100 * 256 / 3
    assert abs(float(points)) < 0.1  # illegal actions would cost 1 each
