"""What makes a board clickable: its locations as areas over the picture, and the actions that clicks make."""

from dataclasses import dataclass

from boardgames_agents.people.clicks import locations_of
from boardgames_env.position import Position
from boardgames_env.render.layout import areas, location_names
from boardgames_env.render.shapes import Area


@dataclass(frozen=True)
class Spot:
    """A location that can be clicked.

    Attributes:
        location: Its number.
        area: Its place in the picture.
        label: Its name and the men on it, for screen readers.
    """

    location: int
    area: Area
    label: str


@dataclass(frozen=True)
class Choice:
    """A legal action.

    Attributes:
        action: Its number.
        text: Its text.
        path: The locations that are clicked for it, in order, as text; empty if it is a button.
    """

    action: int
    text: str
    path: str


def spots(position: Position, viewer: int) -> list[Spot]:
    """Return the locations of a position that are drawn, named as a seat counts them."""
    names = location_names(position.game, viewer)
    return [
        Spot(location, area, f"{names[location]}, {_men_on(position, location)}")
        for location, area in enumerate(areas(position.game))
    ]


def choices(position: Position) -> list[Choice]:
    """Return the legal actions."""
    on_board = bool(areas(position.game))
    return [
        Choice(
            action,
            position.game.action_text(action),
            " ".join(map(str, locations_of(position, action))) if on_board else "",
        )
        for action in position.legal_actions
    ]


def _men_on(position: Position, location: int) -> str:
    count = int(position.state[1 + location])
    if not count:
        return "empty"
    name = position.game.men[0 if count > 0 else 1].name
    return name if abs(count) == 1 else f"{abs(count)} {name}"
