"""Contests in a window: locations are clicked, and buttons below the board, or their first letters, do the rest."""

from collections.abc import Callable, Mapping
from threading import Thread
from typing import TYPE_CHECKING

from boardgames_cli.printing import console

if TYPE_CHECKING:
    from boardgames_agents.people.clicks import ClickedMove
    from boardgames_cli.play_at_terminal import PlayAtTerminal
    from boardgames_env.render.shapes import Area, Point, Shape
    from boardgames_env.render.window import Window

_SIDE = 640
_STRIP = 40.0
"""The height of the strip of buttons, in units of the picture."""
_POSSIBLE, _CLICKED = "#2f7d4f", "#c0392b"
_FPS = 30.0
_QUICK = 0.1
"""Seconds that an agent may think before the window says so."""


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
        from boardgames_agents.people.clicks import ClickedMove

        position = self.contests.session.position
        if self._move is None or self._move.position != position:
            self._move = ClickedMove(position)
        return self._move

    def step(self, window: "Window") -> None:
        """Show the picture, let an agent play if it is to move, and carry out the clicks."""
        self.show(window)
        if not self.contests.session.is_over and not self.contests.session.is_persons_turn:
            self._let_think(window)
            return
        for key in window.pressed_keys():
            self.press(key)
        for x, y in window.clicks():
            width, _ = _picture_size(window)
            self.click((x * _canvas() / width, y * _canvas() / width))

    def _let_think(self, window: "Window") -> None:
        """Let the agent to move play a turn in a thread, while the window goes on; clicks and keys are dropped."""
        from boardgames_env.render.pixels import paint
        from boardgames_env.render.shapes import INK, Text

        drawn = self.shapes({})
        name = self.contests.game.men[self.contests.session.seat].name
        drawn.append(Text((_canvas() / 2, _canvas() + _STRIP / 2), f"{name} is thinking …", 14, INK))
        turn = _AgentsTurn(self.contests.agents_turn)
        turn.start()
        turn.join(_QUICK)
        size = None
        while turn.is_alive() and not window.is_closed:
            if size != window.size:
                size = window.size
                pixels = paint(drawn, *_picture_size(window))
            window.show(pixels)
            window.clicks()
            window.pressed_keys()
        if turn.error:
            raise turn.error
        if not turn.is_alive():
            self.contests.print_if_over()

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

    def shapes(self, buttons: "Mapping[str, Area] | None" = None) -> "list[Shape]":
        """Return the shapes of the picture: the board, the locations that may be clicked, and some or all buttons."""
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
        for text, area in (self.buttons() if buttons is None else buttons).items():
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

    def press(self, key: str) -> None:
        """Carry out a key: that of the first button whose text begins with it; Escape begins a move anew."""
        if key == "escape":
            self.move.clicked = ()
        for text, act in self._acts().items():
            if text.lower().startswith(key):
                act()
                return

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


class _AgentsTurn(Thread):
    """A turn of an agent, in a thread that the program does not wait for when it ends."""

    def __init__(self, play: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self._play = play
        self.error: BaseException | None = None

    def run(self) -> None:
        """Play the turn, and keep the error if there is one."""
        try:
            self._play()
        except BaseException as error:
            self.error = error


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
