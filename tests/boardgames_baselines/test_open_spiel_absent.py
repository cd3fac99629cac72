"""What is said where OpenSpiel is not installed."""

import subprocess
import sys


def test_how_to_install_it_is_said() -> None:
    code = "import sys; sys.modules['pyspiel'] = None; import boardgames_baselines.open_spiel"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingLibraryError: this needs OpenSpiel: pip install 'boardgames-env[open_spiel]'" in told.stderr
