"""Tables in Markdown."""

import pytest

from boardgames_agents.experiments.table import Table


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("fallible(e=0.1)", "fallible(e=0.1)"),
        ("mu_torere, fives_student", "mu_torere, fives_student"),
        ("a|b\nc", r"a\|b c"),
        ("a\\", "a\\\\"),
        ("*a* _b_ `c`", r"\*a\* \_b\_ \`c\`"),
        ("<b>[x](y)", r"\<b>\[x\](y)"),
    ],
)
def test_names_are_shown_as_they_are(name: str, written: str) -> None:
    assert Table("", ("agent", "won"), [(name, 1)]).markdown().splitlines()[-1] == f"| {written} | 1 |"
