import pickle
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass
from typing import Annotated, Any, ClassVar

import pytest

from boardgames_env import BadInputError
from boardgames_env.spec import Entry, Quick, Recipe, Spec, options_dataclass, options_of


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
    spec = Spec.parse(text)
    assert (spec.name, spec.options, str(spec)) == (name, options, text)
    assert Spec.parse(str(Spec(name, options))) == spec
    assert Spec.parse(spec) is spec


def test_specs_are_values() -> None:
    spec = Spec.parse("f(a=1,  b=[2])")
    same, other = Spec("f", {"b": [2], "a": 1}), Spec("f", {"a": True, "b": [2]})
    assert (spec == same, spec == other, len({spec, same, other})) == (True, False, 2)
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert str(pickle.loads(pickle.dumps(spec))) == "f(a=1,  b=[2])"
    assert str(spec.with_options(a=3)) == "f(a=3, b=[2])"
    with pytest.raises(TypeError):
        spec.options["a"] = 2  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "name"), [("tic-tac-toe", "tic_tac_toe"), (" mc-control(epsilon=-0.1) ", "mc_control")]
)
def test_hyphens_within_a_name_are_underscores(text: str, name: str) -> None:
    spec = Spec.parse(text)
    assert spec.name == name
    assert "-" not in str(spec).partition("(")[0]
    assert Spec.parse("f(plan='a-b', n=-1)").options == {"plan": "a-b", "n": -1}


@pytest.mark.parametrize(
    "text", ["", "-a", "a-", "a--b", "a b", "f(1)", "f(**x)", "f(e=0.1", "import os", "f.g()", "1"]
)
def test_what_is_not_a_spec_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="is not a spec"):
        Spec.parse(text)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("value", "read"),
    [
        *((odd, None) for odd in (r"'C:\data'", r"'\400'", "1if 2 else 3", "0x1for x", "b'1'", "1in(2,)", r"u'\-'")),
        (r"'C:\\data'", r"C:\data"),
        (r"r'C:\data'", r"C:\data"),
        ("'1if 2'", "1if 2"),
        (r"'\x41\101\n'", "AA\n"),
        (r"""'it\'s "1or"'""", 'it\'s "1or"'),
        ("0x1f", 31),
    ],
)
def test_python_warns_of_nothing_in_a_spec(value: str, read: object, recwarn: pytest.WarningsRecorder) -> None:
    """What it would warn of is refused; later versions of Python refuse it, too."""
    if read is None:
        with pytest.raises(BadInputError, match="is not a spec"):
            Spec.parse(f"f(a={value})")
    else:
        assert Spec.parse(f"f(a={value})").options == {"a": read}
    assert not recwarn.list


def test_nothing_in_a_spec_is_evaluated() -> None:
    with pytest.raises(BadInputError, match="the value of e is not a literal"):
        Spec.parse("f(e=__import__('os').getcwd())")


@pytest.mark.parametrize("text", ["f(e=1e999)", "f(e=-1e999)", "f(plan=((1, 'a'), (1e999, 'b')))"])
def test_numbers_are_finite_because_text_has_no_other(text: str) -> None:
    with pytest.raises(BadInputError, match=r"the value of \w+ is too large a number"):
        Spec.parse(text)


class Given(Entry[tuple[object, ...]]):
    given = 1


def plain(given: str, e: float = 0.1, on: bool = False, n: int | None = None) -> tuple[object, ...]:
    """A plain function.

    Args:
        given: Not an option.
        e: How often, over
            two lines.
        on: Whether: or not.

    Raises:
        KeyError: Never.
    """
    return given, e, on, n


@dataclass(frozen=True)
class Options:
    """The same options, declared.

    Attributes:
        e: How often, over two lines.
        on: Whether: or not.
    """

    e: float = 0.1
    on: bool = False
    n: int | None = None


def declared(given: str, options: Options) -> tuple[object, ...]:
    return given, options.e, options.on, options.n


@pytest.mark.parametrize("entry", [Given("made", plain), Given("made", declared, Options)])
def test_options_are_declared_by_a_signature_or_by_a_dataclass(entry: Given) -> None:
    assert entry.make({"e": 1, "n": 3}, "it") == ("it", 1, False, 3)
    with pytest.raises(BadInputError, match="made has no option 'f'; its options are: e, on, n"):
        entry.make({"f": 1}, "it")
    for options, allowed in [
        ({"e": "much"}, "a number"),
        ({"e": True}, "a number"),
        ({"on": 1}, "True or False"),
        ({"n": 2.5}, "a whole number or None"),
    ]:
        with pytest.raises(BadInputError, match=f"must be {allowed}"):
            entry.make(options, "it")
    assert [tuple(each)[:4] for each in entry.options.values()] == [
        ("e", float, 0.1, "How often, over two lines."),
        ("on", bool, False, "Whether: or not."),
        ("n", int | None, None, ""),
    ]
    assert entry.options == options_of(entry.declared or Options)


def test_what_a_type_is_annotated_with_marks_the_option() -> None:
    def marked(given: str, plies: Annotated[int | None, Quick(3)] = 1, e: float = 0.1) -> None:
        """Do nothing."""

    options = Given("made", marked).options
    assert [(each.type, each.marks) for each in options.values()] == [(int | None, (Quick(3),)), (float, ())]


def test_an_option_without_a_default_must_be_given() -> None:
    entry = Entry("made", plain)
    assert entry.options["given"].default is MISSING
    with pytest.raises(BadInputError, match=r"made needs the option given; write made\(given=...\)"):
        entry.make({})


def test_a_factory_that_takes_nothing_is_refused() -> None:
    class Taciturn:
        """Takes no game."""

    with pytest.raises(BadInputError, match="Taciturn takes too few arguments"):
        options_dataclass(Taciturn, skip=1)


@dataclass(frozen=True)
class Baked:
    """Options with recipes."""

    RECIPES: ClassVar[Mapping[str, Recipe]] = {
        "rye": Recipe("Dark. Source: a baker", {"flour": "rye", "hours": 3}),
        "white": Recipe("Light", {"hours": 1}),
    }

    flour: str = "wheat"
    hours: float = 2
    salt: int = 10


BREAD = Entry("bread", lambda options: options, Baked)


@pytest.mark.parametrize(
    ("options", "made"),
    [
        ({}, Baked()),
        ({"recipe": ""}, Baked()),
        ({"recipe": "rye"}, Baked("rye", 3)),
        ({"recipe": "white"}, Baked(hours=1)),
        ({"recipe": "rye", "hours": 2}, Baked("rye", 2)),  # (also if that is the default)
        ({"salt": 0, "recipe": "rye"}, Baked("rye", 3, 0)),
    ],
)
def test_a_recipe_gives_the_options_that_are_not_given(options: dict[str, Any], made: Baked) -> None:
    assert BREAD.make(options) == made
    assert BREAD.in_force(options) == {"recipe": options.get("recipe", ""), **asdict(made)}
    assert BREAD.make(BREAD.differing(options)) == made
    assert list(BREAD.options) == ["flour", "hours", "salt", "recipe"]


@pytest.mark.parametrize("recipe", ["ry", 3, None, ["rye"]])
def test_an_unknown_recipe_is_refused(recipe: object) -> None:
    with pytest.raises(BadInputError, match="recipe must be one of '', 'rye', 'white'"):
        BREAD.make({"recipe": recipe})


@pytest.mark.parametrize(
    ("options", "label"),
    [
        ({}, "bread"),
        ({"recipe": "rye", "hours": 3}, "bread(recipe='rye')"),
        ({"recipe": "rye", "hours": 2}, "bread(recipe='rye', hours=2)"),
        ({"flour": "rye", "hours": 3, "salt": 1}, "bread(recipe='rye', salt=1)"),
        ({"hours": 2, "salt": 10}, "bread"),
        ({"flour": "r" * 60, "salt": 1}, "bread(…)"),
        ({"flour": "r" * 30, "hours": 12345678, "salt": 1}, f"bread(flour='{'r' * 30}', …)"),
    ],
)
def test_labels_are_short(options: dict[str, Any], label: str) -> None:
    assert BREAD.label(options) == label
