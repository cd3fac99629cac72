"""The picture of a position: a board as in a book, with bar, trays, dice and cube.

Seat 0 sits at the bottom and bears off at the bottom right. The points are numbered as the seat that looks counts
them, by default the one to move. A man on the bar lies in the half of the board in which it will enter.
"""

from collections.abc import Iterator

from boardgames_env.board import Man
from boardgames_env.game import Game
from boardgames_env.games.backgammon.notation.words import dice_to_play, number_of_point
from boardgames_env.games.backgammon.rules.backgammon_board import (
    CRAWFORD,
    CUBE,
    DOUBLE,
    DOUBLED,
    NO_MOVE,
    OWNER,
    POINTS,
    ROLL,
    STAGE,
    STEPS,
)
from boardgames_env.games.backgammon.rules.legality import SEATS, men_of
from boardgames_env.kernels import State
from boardgames_env.position import Position
from boardgames_env.render.layout import caption
from boardgames_env.render.shapes import (
    CANVAS,
    FAINT,
    FRAME,
    GLOW,
    INK,
    PAGE,
    SHADOW,
    WOOD,
    Area,
    Box,
    Circle,
    Controls,
    Point,
    Polygon,
    Shape,
    Text,
    edge_of,
    ink_on,
)

_DARK = "#b98552"
_LIGHT = "#f6ead0"

_MARGIN = 12.0
# room for the words
_ABOVE = 22.0
_BELOW = 62.0
_WIDEST = 1.75 * CANVAS  # the size of letters times their number
_HINT = "Click a man to play the die on the left, or drag it. A click on the dice swaps them."
_NO_LOOK = " Undo takes back moves only, never a roll or the cube."
_TALLEST = 5
"""The largest number of men drawn in a pile; the last of them shows a number if there are more."""

# in diameters of a man
_RIM = 0.3
_EDGE = 0.72  # the rim above and below, with the numbers
_BAR = 1.1
_TRAY = 1.3
_TRIANGLE = 4.6
_DIE = 1.1  # from the middle of a die to that of the next
_PRESSED = 2.5  # the height of what is pressed, for fingers
_NARROWEST = 2.2  # the width of a button, for fingers
_HALF = 5.75  # from the middle to the rim above or below

_SPOTS = {
    1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8),
}  # fmt: skip
"""The spots of a die, in three times three places."""


def shapes(position: Position, labels: bool, before: Position | None) -> Iterator[Shape]:
    """Yield a picture's shapes, from the back to the front; see `render.shapes.Drawing`."""
    return seen_by(position, labels, before, position.seat)


def seen_by(position: Position, labels: bool, before: Position | None, viewer: int) -> Iterator[Shape]:
    """Yield a picture's shapes with the points numbered as a seat counts them."""
    picture = _BackgammonPicture(position)
    yield Box((0, 0), CANVAS, CANVAS, 0, PAGE, PAGE, 0)
    yield from picture.board()
    yield from picture.triangles(before)
    if labels:
        yield from picture.numbers(viewer)
    for seat in (0, 1):
        yield from picture.men(seat)
    yield from picture.dice(before)
    if picture.has_cube:
        yield from picture.cube()
    yield from picture.words()


def areas(game: Game) -> list[Area]:
    """Return the areas of the points, of each seat's half of the bar, and of its tray; see `render.shapes.Drawing`."""
    return _BackgammonPicture(game.initial).areas()


def controls(position: Position) -> Controls:
    """Return what can be pressed besides the locations; see `render.shapes.Drawing`."""
    return _BackgammonPicture(position).controls()


def names(viewer: int) -> list[str]:
    """Return the names of the points as a seat counts them, of both bars and of both trays."""
    points = [number_of_point(point, viewer) for point in range(1, POINTS + 1)]
    return [*points, *(f"{place} of {seat}" for place in ("bar", "tray") for seat in SEATS)]


class _BackgammonPicture:
    def __init__(self, position: Position) -> None:
        self.position = position
        self.state: State = position.state
        self.seats: tuple[Man, Man] = position.game.men
        score = position.game.score and position.game.score(position.state)
        self.has_cube = position.game.num_actions > ROLL and not (score and score.length == 1)
        rails = 3 + self.has_cube
        self.unit = (CANVAS - 2 * _MARGIN) / (rails * _RIM + 12 + _BAR + _TRAY * (1 + self.has_cube))
        self.left = _MARGIN + self.unit * (_RIM + (_TRAY + _RIM) * self.has_cube)
        self.bar = self.left + 6 * self.unit
        self.right = self.bar + _BAR * self.unit
        self.tray = self.right + (6 + _RIM) * self.unit
        height = 2 * (_EDGE + _HALF) * self.unit
        self.top = _ABOVE + (CANVAS - _ABOVE - _BELOW - height) / 2
        self.middle = self.top + height / 2
        self.bottom = self.top + height

    def areas(self) -> list[Area]:
        """Return the area of each location."""
        unit, tall = self.unit, (_HALF - 0.4) * self.unit
        points = [
            Area((self._column(point), self.middle - self._inwards(point) * (_HALF + 0.4) / 2 * unit), unit, tall)
            for point in range(1, POINTS + 1)
        ]
        ends = ((self.bar, self.bar + _BAR * unit, -1), (self.tray, CANVAS, 1))
        for left, right, side in ends:  # (a tray's area reaches the edge of the picture: on a phone it is narrow)
            for way in (side, -side):  # (seat 0's men lie in the upper half of the bar and in the lower tray)
                centre = (left + right) / 2, self.middle + way * (_HALF + 0.4) / 2 * unit
                points.append(Area(centre, right - left, tall))
        return points

    def board(self) -> Iterator[Shape]:
        """Yield the frame, the two halves and the trays."""
        unit = self.unit
        yield Box((_MARGIN, self.top), CANVAS - 2 * _MARGIN, self.bottom - self.top, unit / 4, FRAME, INK, 1.5)
        top, height = self.middle - _HALF * unit, 2 * _HALF * unit
        for left in (self.left, self.right):
            yield Box((left, top), 6 * unit, height, 0, WOOD, INK, 1)
        for left in (self.tray, _MARGIN + _RIM * unit)[: 1 + self.has_cube]:
            for y in (top, self.middle + unit / 2):
                yield Box((left, y), _TRAY * unit, (_HALF - 0.5) * unit, unit / 8, SHADOW, INK, 1)

    def triangles(self, before: Position | None) -> Iterator[Shape]:
        """Yield the points, marked where they have changed."""
        for point in range(1, POINTS + 1):
            x, inwards = self._column(point), self._inwards(point)
            rim, half = self.middle - inwards * _HALF * self.unit, 0.5 * self.unit
            changed = before is not None and before.state[point] != self.state[point]
            fill = GLOW if changed else _DARK if point % 2 else _LIGHT
            tip = (x, rim + inwards * _TRIANGLE * self.unit)
            yield Polygon(((x - half, rim), (x + half, rim), tip), fill)

    def numbers(self, viewer: int) -> Iterator[Shape]:
        """Yield the points' numbers as a seat counts them, on the rim."""
        for point in range(1, POINTS + 1):
            y = self.middle - self._inwards(point) * (_HALF + _EDGE / 2) * self.unit
            yield Text((self._column(point), y), number_of_point(point, viewer), 0.42 * self.unit, PAGE)

    def men(self, seat: int) -> Iterator[Shape]:
        """Yield a seat's men: on the points, on the bar and in the tray."""
        off, *points, on_bar = men_of(self.state, seat)
        for own_point, number in enumerate(points, start=1):
            point = own_point if seat == 0 else POINTS + 1 - own_point
            inwards = self._inwards(point)
            rim = self.middle - inwards * (_HALF - 0.5) * self.unit
            yield from self._pile(seat, (self._column(point), rim), inwards, number)
        away = -1 if seat == 0 else 1
        start = self.middle + away * 0.75 * self.unit
        yield from self._pile(seat, (self.bar + _BAR / 2 * self.unit, start), away, on_bar)
        yield from self._tray(seat, off)

    def _pile(self, seat: int, centre: Point, direction: int, number: int) -> Iterator[Shape]:
        man, unit = self.seats[seat], self.unit
        x, y = centre
        for each in range(min(number, _TALLEST)):
            centre = (x, y + direction * each * 0.985 * unit)
            yield Circle(centre, 0.47 * unit, man.colour, edge_of(man), 0.045 * unit)
            yield Circle(centre, 0.3 * unit, None, edge_of(man), 0.025 * unit)
        if number > _TALLEST:
            yield Circle(centre, 0.32 * unit, man.colour)
            yield Text(centre, str(number), 0.46 * unit, ink_on(man))

    def _tray(self, seat: int, number: int) -> Iterator[Shape]:
        """Yield the men that are off, seen from the side."""
        man, unit = self.seats[seat], self.unit
        inwards = -1 if seat == 0 else 1
        thick = 0.29 * unit
        rim = self.middle - inwards * (_HALF - 0.12) * unit
        for each in range(number):
            y = rim + inwards * each * 1.1 * thick
            corner = (self.tray + 0.15 * unit, min(y, y + inwards * thick))
            yield Box(corner, (_TRAY - 0.3) * unit, thick, thick / 3, man.colour, edge_of(man), 0.035 * unit)
        if number:
            yield Text(
                (self.tray + _TRAY / 2 * unit, self.middle - inwards * 0.25 * unit), str(number), 0.4 * unit, PAGE
            )

    def dice(self, before: Position | None) -> Iterator[Shape]:
        """Yield the dice that are left to play, on the right of their seat, and smaller those that the other played."""
        shown = [(self.position, self.unit)]
        if before is not None and before.seat != self.position.seat:
            shown.append((before, 0.75 * self.unit))
        for position, unit in shown:
            dice = dice_to_play(position.state)
            for each, die in enumerate(dice):
                x = self._half_of(position.seat) + (each - (len(dice) - 1) / 2) * _DIE * unit
                yield from self._die(self.seats[position.seat], (x, self.middle), die, unit)

    def controls(self) -> Controls:
        """Return what can be pressed besides the locations: the dice, and buttons and the cube in their place."""
        unit, legal = self.unit, self.position.legal_actions
        at_dice = self._half_of(self.position.seat), self.middle
        buttons = [action for action in legal if action >= NO_MOVE]
        if buttons:
            whole = self._room_for(len(buttons), beside_dice=buttons == [NO_MOVE])
            (x, y), width = whole.centre, whole.width / len(buttons)
            left = x - whole.width / 2
            places = [Area((left + (each + 0.5) * width, y), width, whole.height) for each in range(len(buttons))]
            cube = Area(self._centre_of_cube(), 1.6 * _TRAY * unit, _PRESSED * unit)
            taps = {DOUBLE: cube} if DOUBLE in buttons else {}
            return Controls(dict(zip(buttons, places, strict=True)), taps=taps)
        dice = dice_to_play(self.state)
        can_swap = len(set(dice)) > 1
        by_die = sorted(legal, key=lambda action: -STEPS[action][1])
        swaps = Area(at_dice, 2 * _DIE * unit, _PRESSED * unit) if can_swap else None
        return Controls({}, by_die, swaps, hint=_HINT + _NO_LOOK * self.has_cube)

    def _room_for(self, buttons: int, beside_dice: bool) -> Area:
        """Return the room for buttons in the mover's half of the board, where they cover neither men nor its dice.

        It is over the widest run of columns whose men are out of the way; where that is too narrow, it is as high as
        the room between the tallest piles. Beside the dice it is above or below them.
        """
        unit, middle = self.unit, self._half_of(self.position.seat)
        side = 1 if self.position.seat == 0 else -1
        heights = [(_PRESSED, way * (_PRESSED / 2 + 0.5) if beside_dice else 0.0) for way in (side, -side)]
        heights.append((2 * (_HALF - _TALLEST) - 0.1, 1.2 * side if beside_dice else 0.0))
        runs = [self._free_columns(middle, away - height / 2, away + height / 2) for height, away in heights]
        widths = [min(other - one, _NARROWEST * buttons) for one, other in runs]  # (what is wide enough is as good)
        best = widths.index(max(widths))
        (height, away), run = heights[best], runs[best]
        x = middle + (run[0] + run[1] - 6) / 2 * unit
        return Area((x, self.middle + away * unit), (run[1] - run[0]) * unit, height * unit)

    def _free_columns(self, middle: float, top: float, bottom: float) -> tuple[int, int]:
        """Return the widest run of columns of a half in which no men are between two heights, from the middle."""
        taken = set[int]()
        for seat in (0, 1):
            _, *points, _ = men_of(self.state, seat)
            for own_point, number in enumerate(points, start=1):
                point = own_point if seat == 0 else POINTS + 1 - own_point
                column = round((self._column(point) - middle) / self.unit + 2.5)
                reach = _HALF - min(number, _TALLEST)  # (from the middle to the man nearest to it)
                if number and 0 <= column < 6 and (-top if self._inwards(point) > 0 else bottom) > reach:
                    taken.add(column)
        runs = [
            (one, other) for one in range(6) for other in range(one, 7) if not taken.intersection(range(one, other))
        ]
        return max(runs, key=lambda run: run[1] - run[0])

    def _die(self, man: Man, centre: Point, die: int, unit: float) -> Iterator[Shape]:
        x, y = centre
        side = 0.84 * unit
        yield Box((x - side / 2, y - side / 2), side, side, side / 5, man.colour, edge_of(man), 0.05 * unit)
        for spot in _SPOTS[die]:
            row, column = divmod(spot, 3)
            yield Circle((x + (column - 1) * 0.24 * unit, y + (row - 1) * 0.24 * unit), 0.085 * unit, ink_on(man))

    def cube(self) -> Iterator[Shape]:
        """Yield the cube: at its owner's edge, in the middle, or on the board where it is offered."""
        unit, turned = self.unit, int(self.state[CUBE]) + int(self.state[STAGE] == DOUBLED)
        x, y = self._centre_of_cube()
        side = 0.96 * unit
        yield Box((x - side / 2, y - side / 2), side, side, side / 6, PAGE, INK, 0.06 * unit)
        is_crawford = len(self.state) > CRAWFORD and self.state[CRAWFORD]
        yield Text((x, y), "Cr" if is_crawford else str(2**turned), 0.5 * unit, INK)

    def _centre_of_cube(self) -> Point:
        if self.state[STAGE] == DOUBLED:
            return self._half_of(1 - self.position.seat), self.middle
        from_middle = int(self.state[OWNER]) * (_HALF - 0.75) * self.unit
        return _MARGIN + (_RIM + _TRAY / 2) * self.unit, self.middle + from_middle

    def words(self) -> Iterator[Shape]:
        """Yield the names of the seats, and the caption below."""
        for seat, y in ((1, self.top - 9), (0, self.bottom + 11)):
            yield Text((CANVAS / 2, y), self.seats[seat].name, 12, FAINT, is_outside=True)
        for line, text in enumerate(caption(self.position).split("; ", 1)):
            size = min((17, 14)[line], _WIDEST / len(text))
            yield Text((CANVAS / 2, self.bottom + 33 + 21 * line), text, size, INK, is_outside=True)

    def _half_of(self, seat: int) -> float:
        """Return the middle of the half board to the right of a seat, as it sees it."""
        return (self.right if seat == 0 else self.left) + 3 * self.unit

    def _column(self, point: int) -> float:
        """Return the middle of a point, from left to right."""
        across = (POINTS - point if point <= POINTS // 2 else point - 1) % 12
        return (self.left if across < 6 else self.right) + (across % 6 + 0.5) * self.unit

    @staticmethod
    def _inwards(point: int) -> int:
        """Return the direction from a point's rim to the middle: 1 (down) or -1 (up)."""
        return 1 if point > POINTS // 2 else -1
