"""The patterns, forks and zones that Hoyle knows in a position, as they are drawn on the board."""

import pytest

from boardgames_agents.hoyle.game_frame import frame_of, locations_of
from boardgames_agents.hoyle.items.zone_kernels import TYPES
from boardgames_agents.hoyle.items.zones import ZoneLesson
from boardgames_agents.hoyle.items.zoning import PLACING, SLIDING, VALUES, WON, Zoning, kind_of
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy.explanation import position_after
from boardgames_env import Game, make_game
from tests.boardgames_agents.hoyle.situation import hoyle, view_after, views_of
from tests.boardgames_agents.hoyle.test_zones import random_men, value

GAME = "tic_tac_toe"


def test_known_forks_are_drawn_with_what_they_lack(game: Game) -> None:
    learner = hoyle(game, "hoyle(only='Victory, Panic')", 10, "random")
    regions = learner.explanation(position_after(game, "0 4 8")).regions
    assert {(each.title, each.locations) for each in regions} == {
        ("fork that X makes at 2", (1, 2, 5)),
        ("fork that X makes at 6", (3, 6, 7)),
    }
    assert learner.explanation(game.initial).regions == ()
    assert hoyle(game).explanation(position_after(game, "0 4 8")).regions == ()


def test_cached_patterns_of_a_position_are_drawn(game: Game) -> None:
    learner = hoyle(game, "hoyle(patterns=True, only='Victory, Panic')", 10, "random")
    position = position_after(game, "4 2 0 8")
    found = [each for each in learner.explanation(position).regions if each.title.startswith("pattern")]
    assert found
    for region in found:
        assert region.title.rpartition(": ")[2] in {"X wins", "O wins", "a draw"}
        contents = region.title.removeprefix("pattern, ").rpartition(": ")[0].split(", ")
        for part in contents:
            what, _, where = part.partition(" on ")
            men = {"nothing": 0, "X": 1, "O": -1}[what]
            assert {int(position.state[1 + int(location)]) for location in where.split()} == {men}
        assert len(region.locations) == sum(len(part.partition(" on ")[2].split()) for part in contents)


@pytest.mark.parametrize("name", ["five_mens_morris", "achi"])
def test_the_locations_of_zones_are_those_that_their_values_count(name: str) -> None:
    zoning = Zoning(frame_of(make_game(name)))
    men = list(random_men(make_game(name), 10))
    for (own, other), values in zip(men, zoning.values(men), strict=True):
        for number, kind in enumerate(TYPES):
            zones = zoning.locations((own, other), number)
            assert zones & own == own
            assert not zones & other
            assert len(locations_of(zones)) == round(values[value(kind, "locations")])
    assert [kind_of(number) for number in range(len(VALUES))] == [TYPES.index(name) for name in map(_kind, VALUES)]


def _kind(name: str) -> str:
    return name.partition(" of ")[2].removesuffix(" zones")


def test_zones_of_active_expressions_are_drawn_for_both_seats() -> None:
    game = make_game("five_mens_morris")
    knowledge = Knowledge(views_of(game), HoyleOptions(zones=True))
    zones, view = knowledge.zones, view_after(game, (0, 3))
    assert zones is not None
    assert list(zones.regions(view)) == []
    zones.directions[PLACING, value("one-step", "pieces")] = 1
    zones.directions[SLIDING, value("two-step", "pieces")] = 1
    zones.lessons.append(ZoneLesson(PLACING, value("private", "lines"), -1, WON))
    titles = [each.title for each in zones.regions(view)]
    assert titles == [f"{kind} zones of {men}" for kind in ("one-step", "private") for men in ("black", "white")]
    first = next(iter(zones.regions(view)))
    assert first.locations == (0, *game.board.adjacency[0])
