from importlib.util import find_spec

import pytest

needs_rl = pytest.mark.skipif(find_spec("sb3_contrib") is None, reason="the extra rl is not installed")
"""Skip tests where Stable-Baselines3 is not installed. It is not imported: that takes seconds, in every collection."""
