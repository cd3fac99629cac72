"""Draw the pictures of the gallery and of first positions: `python -m tests.boardgames_cli.web.pictures`."""

from boardgames_cli.web.pages.gallery import FIRST_POSITIONS, PICTURES, drawn_picture
from boardgames_env import make_game, registered_games
from boardgames_env.render.svg import draw_svg


def draw() -> None:
    """Draw the pictures of the package's own games."""
    for folder in (PICTURES, FIRST_POSITIONS):
        folder.mkdir(exist_ok=True)
    for name in registered_games():
        (PICTURES / f"{name}.svg").write_text(drawn_picture(name), encoding="utf-8")
        (FIRST_POSITIONS / f"{name}.svg").write_text(draw_svg(make_game(name).initial), encoding="utf-8")


if __name__ == "__main__":
    draw()
