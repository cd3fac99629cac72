"""Contests in a window: locations are clicked, and buttons below the board do the rest."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from boardgames_cli.printing import console

if TYPE_CHECKING:
    from boardgames_agents.interactive.clicks import ClickedMove
    from boardgames_cli.play_at_terminal import PlayAtTerminal
    from boardgames_env.render.shapes import Area, Point, Shape
    from boardgames_env.render.window import Window

_SIDE = 640
_STRIP = 40.0
"""The height of the strip of buttons, in units of the picture."""
_POSSIBLE, _CLICKED = "#2f7d4f", "#c0392b"
_FPS = 30.0


def play_in_window(contests: "PlayAtTerminal") -> None:
    """Play contests in a window until it is closed; turns and results are printed at the terminal, too.

    Raises:
        BadInputError: If there is no screen, or the game's drawing has no areas to click on.
    """
    from boardgames_env import BadInputError
    from boardgames_env.render.layout import areas
    from boardgames_env.render.window import Window

    if not areas(contests.game):
        raise BadInputError(f"the drawing of {contests.game.spec} has no areas to click on; play at the terminal")
    window = Window(contests.game.title, fps=_FPS, clickable=True)
    contests.introduce()
    table = ClickTable(contests)
    try:
        while not window.is_closed:
            table.step(window)
    finally:
        window.close()
    console.print("The window is closed.")


class ClickTable:
    """The picture of a contest with its highlights and buttons, and what clicks on it do."""

    def __init__(self, contests: "PlayAtTerminal") -> None:
        self.contests = contests
        self._shown: object = None
        self._move: ClickedMove | None = None

    @property
    def move(self) -> "ClickedMove":
        """The clicks of the person's next action."""
        from boardgames_agents.interactive.clicks import ClickedMove

        position = self.contests.session.position
        if self._move is None or self._move.position != position:
            self._move = ClickedMove(position)
        return self._move

    def step(self, window: "Window") -> None:
        """Show the picture, let an agent play if it is to move, and carry out the clicks."""
        self.show(window)
        if not self.contests.session.is_over and not self.contests.session.is_persons_turn:
            self.contests.agents_turn()
            self.contests.print_if_over()
            return
        for x, y in window.clicks():
            width, _ = _picture_size(window)
            self.click((x * _canvas() / width, y * _canvas() / width))

    def show(self, window: "Window") -> None:
        """Show the picture; it is painted anew only if something has changed."""
        from boardgames_env.render.pixels import paint

        session = self.contests.session
        clicked = self.move.clicked if session.is_persons_turn else ()
        key = (session, len(session.actions), session.is_over, clicked, window.size)
        if key != self._shown:
            self._shown = key
            self._pixels = paint(self.shapes(), *_picture_size(window))
        window.show(self._pixels)

    def shapes(self) -> "list[Shape]":
        """Return the shapes of the picture: the board, the locations that may be clicked, and the buttons."""
        from boardgames_env.render.layout import areas, draw
        from boardgames_env.render.shapes import INK, PAGE, WOOD, Box, Text

        session = self.contests.session
        drawn = draw(session.position, before=session.before_last_turn)
        if session.is_persons_turn:
            every = areas(self.contests.game)
            for location in self.move.next_locations():
                drawn.append(_outline(every[location], _POSSIBLE))
            for location in self.move.clicked:
                drawn.append(_outline(every[location], _CLICKED))
        drawn.append(Box((0, _canvas()), _canvas(), _STRIP, 0, PAGE, PAGE, 0))
        for text, area in self.buttons().items():
            corner = area.centre[0] - area.width / 2, area.centre[1] - area.height / 2
            drawn.append(Box(corner, area.width, area.height, area.rounding, WOOD, INK, 1))
            drawn.append(Text(area.centre, text, 14, INK))
        return drawn

    def buttons(self) -> "dict[str, Area]":
        """Return the area of each button by its text."""
        from boardgames_env.render.shapes import Area

        texts = list(self._acts())
        width = _canvas() / len(texts)
        middle = _canvas() + _STRIP / 2
        return {
            text: Area(((number + 0.5) * width, middle), width - 8, _STRIP - 8, 5) for number, text in enumerate(texts)
        }

    def click(self, point: "Point") -> None:
        """Carry out a click on a point of the picture."""
        from boardgames_env.render.layout import location_at

        acts = self._acts()
        for text, area in self.buttons().items():
            if area.holds(point):
                acts[text]()
                return
        session = self.contests.session
        location = location_at(session.game, point) if session.is_persons_turn else None
        action = None if location is None else self.move.click(location)
        if action is not None:
            self._play(action)

    def _acts(self) -> dict[str, Callable[[], None]]:
        """Return what the buttons do, by their texts: the actions that no location stands for, and commands."""
        session = self.contests.session
        acts: dict[str, Callable[[], None]] = {}
        if session.is_persons_turn:
            for text, action in self.move.answers.items():
                acts[text] = lambda action=action: self._play(action)  # type: ignore[misc]
        for name in ("undo", "hint", "resign", "swap", "new"):
            acts[name] = lambda name=name: self._command(name)  # type: ignore[misc]
        return acts

    def _play(self, action: int) -> None:
        self.contests.play_actions((action,), answered=False)

    def _command(self, name: str) -> None:
        self.contests.answer(name, answered=False)


def _picture_size(window: "Window") -> tuple[int, int]:
    """Return width and height of the picture: the largest that fits into the window."""
    canvas = _canvas()
    width, height = window.size or (_SIDE, round(_SIDE * (canvas + _STRIP) / canvas))
    width = max(120, min(width, int(height * canvas / (canvas + _STRIP))))
    return width, round(width * (canvas + _STRIP) / canvas)


def _outline(area: "Area", colour: str) -> "Shape":
    """Return the edge of an area: a circle if it is round, otherwise a rectangle."""
    from boardgames_env.render.shapes import Circle, Stroke

    (x, y), half, tall = area.centre, area.width / 2 - 3, area.height / 2 - 3
    if area.rounding:
        return Circle(area.centre, min(half, tall), None, colour, 4)
    corners = ((x - half, y - tall), (x + half, y - tall), (x + half, y + tall), (x - half, y + tall))
    return Stroke((*corners, corners[0]), 4, colour)


def _canvas() -> float:
    from boardgames_env.render.shapes import CANVAS

    return CANVAS
