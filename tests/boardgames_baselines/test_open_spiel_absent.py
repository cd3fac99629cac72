"""What is said where OpenSpiel is not installed."""

import pytest

from tests.processes import python


@pytest.mark.slow
def test_how_to_install_it_is_said() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import boardgames_baselines.open_spiel"
    sentence = "MissingLibraryError: this needs OpenSpiel: pip install 'boardgames-env[open_spiel]'"
    assert sentence in python(code=code).stderr
