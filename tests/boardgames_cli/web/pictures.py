"""Draw the pictures of the gallery: `python -m tests.boardgames_cli.web.pictures`."""

from boardgames_cli.web.pages.gallery import PICTURES, drawn_picture
from boardgames_env import registered_games


def draw() -> None:
    """Draw the pictures of the package's own games."""
    PICTURES.mkdir(exist_ok=True)
    for name in registered_games():
        (PICTURES / f"{name}.svg").write_text(drawn_picture(name), encoding="utf-8")


if __name__ == "__main__":
    draw()
