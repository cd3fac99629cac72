"""Tables: for terminals of any width, as Markdown, HTML and CSV, and as data."""

import io
from math import inf

import pytest
from rich.console import Console

from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.table import Table, text_of
from boardgames_agents.policy.explanation import signed


def printed(table: Table, width: int | None) -> str:
    """What a terminal of some width shows, or a file."""
    out = io.StringIO()
    console = Console(file=out, markup=False, highlight=False, width=width or 10_000, color_system=None)
    for part in table.for_terminal(width):
        console.print(part)
    return out.getvalue()


def test_a_table_that_is_too_wide_is_printed_in_parts() -> None:
    numbers = [f"column {number}" for number in range(12)]
    rows = [(f"row {row}", *(f"{row}-{number}-cell" for number in range(12))) for row in range(2)]
    out = printed(Table("The title", ["name", *numbers], rows), 80)
    assert max(map(len, out.splitlines())) <= 80
    assert out.count("The title") == 1
    assert out.count("row 1") == 2  # the names are repeated
    assert [cell for row in rows for cell in row if cell not in out] == []
    assert [name for name in numbers if name not in out] == []


def test_a_title_is_as_wide_as_the_terminal() -> None:
    title = "a title that is much longer than the table under it"
    out = printed(Table(title, ("name", "n"), [("a", 1)]), 80).splitlines()
    assert out[0] == title
    assert max(map(len, out[1:])) < len(title)
    assert max(map(len, printed(Table(title, ("name", "n"), [("a", 1)]), 30).splitlines())) <= 30
    assert not printed(Table("", ("name", "n"), [("a", 1)]), 80).startswith("\n")


def test_long_names_are_folded_before_numbers_are_moved() -> None:
    name, figure = "a long name of words " * 6, "1,234,567"
    out = printed(Table("", ["name", "n", "m"], [(name, figure, figure)]), 80)
    assert max(map(len, out.splitlines())) <= 80
    assert sum(figure in line for line in out.splitlines()) == 1
    assert out.count("words") == 6


def test_a_table_is_whole_where_there_is_no_terminal() -> None:
    cells = ("a long name of words " * 20, "1,234,567")
    out = printed(Table("", ["name", "n"], [cells]), None)
    assert any(cells[0].strip() in line and cells[1] in line for line in out.splitlines())


def test_names_may_stand_between_figures() -> None:
    table = Table("", ("n", "name", "m"), [(1, "a", 2)], figures=("n", "m"))
    assert [table.is_figure(column) for column in range(3)] == [True, False, True]
    assert "| ---: | --- | ---: |" in table.markdown()
    assert '<td class="figure">1</td><td>a</td><td class="figure">2</td>' in table.html()


def test_a_table_is_written_in_every_format() -> None:
    table = Table("A & B", ("", "won"), [("a<b", Estimate(50.0, 40.0, 60.0)), ("c", None)], shades={(0, 1): 0.5})
    shade = ' style="background: hsl(60 60% 85%)"'
    assert f'<tr><td>a&lt;b</td><td class="figure"{shade}>50 (40 to 60)</td></tr>' in table.html()
    assert "<caption>A &amp; B</caption>" in table.html()
    assert table.as_dicts() == [
        {"table": "A & B", "name": "a<b", "won": 50.0, "won interval": [40.0, 60.0]},
        {"table": "A & B", "name": "c", "won": None},
    ]
    assert Table("", ("a", "b"), [("x,y", 1.5)]).csv() == 'a,b\n"x,y",1.5\n'
    assert printed(Table("", ("", ""), [("a", "b")]), 80).split() == ["a", "b"], "no headings, no line below them"


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


def test_zero_has_no_minus_sign() -> None:
    assert [signed(number, 2) for number in (-0.001, 0.0, -0.0, -0.01, inf)] == ["+0.00"] * 3 + ["-0.01", "+inf"]
    assert text_of(-0.0) == "0"
    assert text_of(Estimate(-0.01, -0.04, 0.01)) == "0 (0 to 0)"
    assert Estimate(-0.01, -0.2, 0.1).signed(1) == "+0.0 (-0.2 to +0.1)"
