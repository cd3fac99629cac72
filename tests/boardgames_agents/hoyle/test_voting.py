"""The four move selection paradigms of the older program."""

import pytest

from boardgames_agents.hoyle.voting import PARADIGMS

MOVES = ("calm", "keen", "loud", "wide", "mute")

# one that shouts for one move and murmurs for others, two that murmur, one that is against a move
OPINIONS = {
    "Loud": {"loud": 10, "wide": 6, "keen": 7},
    "Keen": {"keen": 8, "wide": 6},
    "Wide": {"wide": 6, "calm": 6},
    "Cross": {"keen": 4, "loud": 2},
}

TALLIES = {
    "tally": {"calm": 1, "keen": 2 + 3 - 1, "loud": 5 - 3, "wide": 1 + 1 + 1, "mute": 0},
    "smooth": {"calm": 1, "keen": 1 + 1 - 1, "loud": 1 - 1, "wide": 1 + 1 + 1, "mute": 0},
    "limit": {"calm": 1, "keen": 3, "loud": 5 - 3, "wide": 1, "mute": 0},
    "both": {"calm": 1, "keen": 1, "loud": 1 - 1, "wide": 1, "mute": 0},
}


@pytest.mark.parametrize("name", TALLIES)
def test_tallies_worked_by_hand(name: str) -> None:
    assert PARADIGMS[name].support(OPINIONS, MOVES) == TALLIES[name]


def test_there_are_four_and_they_choose_differently() -> None:
    opinions = {"One": {"d": 7}, "Two": {"a": 10, "b": 6, "c": 9}, "Three": {"a": 3, "b": 6}}
    chosen = {}
    for name, paradigm in PARADIGMS.items():
        support = paradigm.support(opinions, "abcd")
        chosen[name] = [move for move in "abcd" if support[move] == max(support.values())]
    assert chosen == {"tally": ["c"], "smooth": ["b"], "limit": ["a"], "both": ["d"]}


def test_all_advisors_count_the_same() -> None:
    assert all(paradigm.weight(name) == 1.0 for paradigm in PARADIGMS.values() for name in ("Loud", "Unheard"))


def test_nothing_said_is_no_support() -> None:
    assert all(paradigm.support({}, MOVES) == dict.fromkeys(MOVES, 0.0) for paradigm in PARADIGMS.values())
