import pytest

from boardgames_env import BadInputError
from boardgames_env.spec import call_factory, format_spec, parse_spec


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("perfect", "perfect", {}),
        ("fallible(e=0.1)", "fallible", {"e": 0.1}),
        (" achi(adjacent=True, recurrences=3) ", "achi", {"adjacent": True, "recurrences": 3}),
        ("lessons(expert='fallible(e=0.1)')", "lessons", {"expert": "fallible(e=0.1)"}),
        ("x(a=-1, b=None)", "x", {"a": -1, "b": None}),
    ],
)
def test_specs_are_read_and_written(text: str, name: str, options: dict[str, object]) -> None:
    assert parse_spec(text) == (name, options)
    assert parse_spec(format_spec(name, options)) == (name, options)


@pytest.mark.parametrize("text", ["", "a b", "f(1)", "f(**x)", "f(e=0.1", "import os", "f.g()", "1"])
def test_what_is_not_a_spec_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="is not a spec"):
        parse_spec(text)


def test_nothing_in_a_spec_is_evaluated() -> None:
    with pytest.raises(BadInputError, match="the value of e is not a literal"):
        parse_spec("f(e=__import__('os').getcwd())")


def test_options_are_checked_against_the_signature() -> None:
    def made(given: str, e: float = 0.1, on: bool = False, n: int | None = None) -> tuple[object, ...]:
        return given, e, on, n

    assert call_factory(made, "made", {"e": 1, "n": 3}, "it") == ("it", 1, False, 3)
    with pytest.raises(BadInputError, match="made has no option 'f'; its options are: e, on, n"):
        call_factory(made, "made", {"f": 1}, "it")
    with pytest.raises(BadInputError, match=r"made needs the option given; write made\(given=...\)"):
        call_factory(made, "made", {})
    for options, allowed in [
        ({"e": "much"}, "a number"),
        ({"e": True}, "a number"),
        ({"on": 1}, "True or False"),
        ({"n": 2.5}, "a whole number or None"),
    ]:
        with pytest.raises(BadInputError, match=f"must be {allowed}"):
            call_factory(made, "made", options, "it")
