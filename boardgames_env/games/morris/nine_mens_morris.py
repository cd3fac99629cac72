"""Nine men's morris: nine men each on three squares; three in a row capture.

## Board

The game is also called the mill, merels or *Mühle*. The numbers, row by row, are points. Black is seat 0. Each of the
sixteen lines has three points, and is a mill. There are 16 automorphisms, 8 of them symmetries of the plane; where both
seats fly, only mills matter, which have 48.

## Actions

112: action *i* below 24 places a man on point *i*. Actions 24 to 87 are the slides, written *from-to*, in the
order of the point they come from and then of the one they go to. Action 88 + *i* captures the man on point *i*,
written *xi*: an action of its own, by the seat that has made a mill. With flying there are 552 moves, from any
point to any other, and 600 actions in all.

## Known value

With flying (`fly_at=3`) a draw (Gasser 1996); without flying, not known. Nobody has published a value of these rules.

## Sources

S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*, whose rules know no flying. R. Gasser, *Solving Nine Men's Morris*, Games of No Chance
(1996), plays with flying at three, and finds the value; so does OpenSpiel play, which has no draw by repetition
and ends a contest after 200 turns.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import three_squares
from boardgames_env.games.morris.morris_game import MorrisOptions, morris_game


@game(version=0, family=three_squares, options=MorrisOptions, also_called=("mill", "merels"), is_well_known=True)
def nine_mens_morris(options: MorrisOptions) -> Game:
    """Nine men each on three squares; three in a row capture."""
    is_drawn = options.fly_at == 3 and not options.any_capture and not options.capture_each_mill
    rules = options.rules(three_squares.BOARD, 9)
    return morris_game("Nine men's morris", rules, options, value=0 if is_drawn else None)
