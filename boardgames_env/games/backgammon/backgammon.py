"""Backgammon: two seats roll dice, race fifteen men each past one another, and hit and block on the way.

## Rules

Seat 0 (white) moves its men from its point 24 down to its point 1 and off the board; seat 1 (black) moves the other
way round, so that each counts the points from its own end and its point *p* is the other's *25 − p*. Each begins with
two men on its 24-point, five on its 13-point, three on its 8-point and five on its 6-point.

Each seat rolls a die, again if they are alike; the larger begins, and plays both. From then on a turn begins with a
roll of two dice. A die moves one man that many points forward, to a point that is not held by two or more of the other
seat's men; a double is played four times. A single man that the other seat moves onto, a *blot*, is *hit*: it is put on
the *bar*, and enters the other seat's home board with a later roll. A seat with men on the bar moves no other man.
When all its men are in its home board, points 1 to 6, a seat bears them off: with a die that shows the man's point, or
a larger one if no man stands further back. As many dice must be played as can be, and if either can be played but not
both, the larger. A seat that cannot play any passes.

With the *doubling cube* a seat may double before its roll what the contest is worth, if it owns the cube or nobody
does. The other seat drops, and loses what it was worth before, or takes, and then owns the cube. It shows at most 64.
There are no automatic doubles and no raccoons. A contest is worth points, as in a money session. `cube=True` adds the
cube. With `jacoby=True` gammons and backgammons count only once it has been turned; with `beavers=True` a seat that
takes may double again at once and keep the cube, and the doubler takes that or drops.

In a *match* games are played until a seat has as many points as agreed, or more. In the *Crawford game*, the first one
in which a seat needs a single point, nobody may double. A cube may be turned that is *dead*, because its owner wins
the match without. With `match_length=7` a contest is a match to 7 points. With `score=(3, 5)` as well, a contest is the
one game of that match at a score, and is worth its points; where a seat needs one point that is the Crawford game, or
with `post_crawford=True` a game after it.

## Board

```text
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | O           X    |   | X              O |
 | O           X    |   | X              O |
 | O           X    |   | X                |
 | O                |   | X                |
 | O                |   | X                |
 |                  |BAR|                  |
 | X                |   | O                |
 | X                |   | O                |
 | X           O    |   | O                |
 | X           O    |   | O              X |
 | X           O    |   | O              X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
```

White, O, is seat 0. The points are numbered as the seat to move counts them; before the opening roll, as seat 0 does.

## Actions

151, one for each die: action *25 (d − 1) + p − 1* moves a man from the mover's own point *p* with a die that shows
*d*, where point 25 is the bar: `24/18`, `bar/20`, `6/off`, and with a die that is too large `4/off(6)`. Action 150
passes: `no move`. Legal are the actions that begin a play of as many dice as can be played. `cube=True` has five more:
151 rolls, 152 doubles, 153 takes, 154 drops, 155 beavers.

The dice are thrown by chance: `Position.awaits_chance`, `events` and `happen`. Whole plays in the usual notation
(`bar/20*`, `8/4*(2) 6/4(2)`) are written and read by `boardgames_env.games.backgammon.notation`, gnubg's position IDs
and XGIDs by `position_id`, match files (`.mat`) by `match_file` beside it.

## Observation

211 features from 0 to 1. For each of the observer's own points 1 to 24, four for its men there: at least one, at least
two, at least three, and a twelfth of those beyond three (0–95); the same for the other seat's men (96–191). The
observer's and the other's men on the bar (192, 193) and off (194, 195), as shares of a seat's men. A quarter of the
number of dice left that show 1 to 6 (196–201). Whether the observer is to move (202). What the position waits for, one
of eight: the opening roll, a roll, a move, a roll or a double, the answer to a double, that to a beaver; or nothing,
because a double was dropped, or because a seat is done (203–210). `cube=True` has three more: how often the cube has
been turned, by six, whether the observer owns it, and whether the other seat does. `match_length=n` has three more
after those: the points that the observer and the other seat still need, each as a share of *n*, and whether this is
the Crawford game.

## Rewards

+1 to the seat that first has all its men off, −1 to the other; ±2 (a *gammon*) if the loser has borne off none; ±3 (a
*backgammon*) if it also has a man on the bar or in the winner's home board. All times the number on the cube. A whole
match is worth +1 to its winner and −1 to the other seat.

## End of the contest

A seat has borne off all its men, or dropped a double; a match goes on with the opening roll of the next game until a
seat has enough points. No limit cuts a contest short.

## Known value

Not known. There are 18,528,584,051,601,162,496 ways to place the men. Of the opening rolls, 2-1 leads to 15 different
positions, 3-1 to 16, 3-2 to 17, 4-1 to 14, 4-2 to 18, 4-3 to 17, 5-1 and 5-2 to 8, 5-3 and 5-4 to 9, 6-1 to 10, 6-2,
6-3 and 6-4 to 14, 6-5 to 7 (computed).

## Sources

The rules are the common ones, as on T. Keith's *Backgammon Galore* (bkgm.com). G. Tesauro, *Temporal Difference
Learning and TD-Gammon*, Communications of the ACM 38 (1995), describes the game and its scoring. The number of
positions is also given on bkgm.com; it counts every way to place the men, whether or not a contest leads there. The
position ID is described in the *GNU Backgammon Manual*.
"""

from dataclasses import asdict
from functools import partial

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.backgammon.inputs.expert_inputs import expert_inputs
from boardgames_env.games.backgammon.inputs.phases import by_phase
from boardgames_env.games.backgammon.inputs.raw_inputs import READINGS, raw_inputs
from boardgames_env.games.backgammon.notation import PLAYS
from boardgames_env.games.backgammon.notation.words import board_text, note, score_of, turn
from boardgames_env.games.backgammon.picture import areas, controls, names, seen_by, shapes
from boardgames_env.games.backgammon.rules.backgammon_board import (
    BLACK,
    BOARD,
    MOST_TURNS_OF_THE_CUBE,
    POINTS,
    WHITE,
    BackgammonOptions,
    BackgammonRules,
    actions,
)
from boardgames_env.games.backgammon.rules.backgammon_rules import UNITS, Start, board_end, losses, num_features, rules
from boardgames_env.games.backgammon.rules.legality import legality
from boardgames_env.games.backgammon.rules.turns import stake
from boardgames_env.games.backgammon.setting_up import complete, settings
from boardgames_env.render.shapes import Drawing

_START = ((24, 2), (13, 5), (8, 3), (6, 5))


@game(version=0, options=BackgammonOptions, is_well_known=True)
def backgammon(options: BackgammonOptions) -> Game:
    """Two seats roll dice, race fifteen men each past one another, and hit and block on the way."""
    return backgammon_game("Backgammon", _START, options)


def backgammon_game(title: str, start: Start, options: BackgammonOptions) -> Game:
    """Return backgammon from a starting position."""
    family = BackgammonRules(men=sum(number for _, number in start), **asdict(options))
    men, cube, is_whole = family.men, family.cube, family.is_whole_match
    made = rules(start, family)
    encodings = {**{name: raw_inputs(men, name) for name in READINGS}, "expert": expert_inputs(men)}
    return Game(
        title=title,
        board=BOARD,
        rules=made,
        state_size=family.state_size,
        num_features=num_features(family),
        men_features=(POINTS, UNITS),
        men=(WHITE, BLACK),
        actions=actions(cube),
        family=family,
        note=partial(note, family.match_length),
        settings=settings(family),
        complete=partial(complete, family),
        notation=PLAYS,
        drawing=Drawing(shapes, board_text, turn, areas, seen_by, names, controls),
        check=legality(made.initial, family),
        slot_bounds=family.slot_bounds,
        stake=stake if cube and not is_whole else None,
        most_points=1 if is_whole else 3 * 2**MOST_TURNS_OF_THE_CUBE if cube else 3,
        can_draw=False,
        losses=None if is_whole else partial(losses, family.jacoby),
        score=partial(score_of, family.match_length) if family.match_length else None,
        part_options={"score": (0, 0)} if is_whole else {},
        board_end=board_end,
        encodings=encodings | {f"{name}_by_phase": by_phase(encodings[name], men) for name in ("raw", "expert")},
    )
