"""Contests in words and drawings: turns, results, and who has won."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardgames_cli.board_text import board_text
from boardgames_cli.printing import console

if TYPE_CHECKING:
    from boardgames_agents.people.endings import Ending
    from boardgames_agents.people.session import PlaySession
    from boardgames_env import Game
    from boardgames_env.contest import Turn


def say(text: str, style: str = "") -> None:
    """Print a sentence: between words it is broken to the width of a terminal, elsewhere it stays one line."""
    console.print(text, style=style, soft_wrap=not console.is_terminal)


def print_turn(turn: "Turn", with_dice: bool = True) -> None:
    """Print a whole turn as one move, after the dice if there are any and they have not been shown."""
    from boardgames_agents.people.clicks import locations_of
    from boardgames_env.render.layout import caption

    game = turn.before.game
    if game.rules.has_chance and with_dice:
        say(caption(turn.before))
    plays = " plays" if locations_of(turn.before, turn.actions[0]) else ":"  # (such as double, take, no move)
    say(f"{game.men[turn.seat].name}{plays} {turn.text}", "bold")
    _print_end_of_game(turn)


def _print_end_of_game(turn: "Turn") -> None:
    """Print who wins one of the games of a match, and the score, where the match goes on."""
    position, game = turn.after, turn.before.game
    points = position.part.outcome
    if points is None or position.is_over or game.score is None:
        return
    names = [man.name for man in game.men]
    both = ", ".join(map("{} {}".format, names, game.score(position.state).after(points).points))
    say(f"{result_text(points, is_cut=False, names=names)}; the score is {both}", "bold")


def man_text(game: "Game", seat: int) -> str:
    """Return the name of a seat's men, with the letter that they are drawn as."""
    man = game.men[seat]
    return man.name if man.name == man.letter else f"{man.name} ({man.letter} on the board)"


def print_position(session: "PlaySession", with_labels: bool = False) -> None:
    """Print the position of a session, with the last turn and the line that has decided the contest marked."""
    from boardgames_agents.people.endings import ending_of

    ending = ending_of(session)
    line = ending.line if ending else ()
    drawn = board_text(session.position, session.before_last_turn, line, with_labels)
    console.print(drawn, soft_wrap=True)


def result_text(points: int, is_cut: bool, names: Sequence[str], wins: str = "wins") -> str:
    """Return the result of a contest: who wins and how many points, a draw, or that a limit cut it short."""
    if points == 0:
        return "cut short by a limit" if is_cut else "a draw"
    amount = f" {abs(points)} points" if abs(points) > 1 else ""
    return f"{names[0 if points > 0 else 1]} {wins}{amount}"


def sentence_of(ending: "Ending") -> str:
    """Return the reason of an ending as a sentence."""
    return f"{ending.sentence[0].upper()}{ending.sentence[1:]}."
