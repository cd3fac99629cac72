"""Hypergammon: backgammon with three men a seat.

## Rules

Those of backgammon, but each seat has three men, which begin one each on its points 24, 23 and 22. The options are
backgammon's.

## Board

```text
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 |                  |   |          O  O  O |
 |                  |   |                  |
 |                  |   |                  |
 |                  |   |                  |
 |                  |   |                  |
 |                  |BAR|                  |
 |                  |   |                  |
 |                  |   |                  |
 |                  |   |                  |
 |                  |   |                  |
 |                  |   |          X  X  X |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
```

White, O, is seat 0. The points are numbered as the seat to move counts them; before the opening roll, as seat 0
does.

## Known value

Under best play, who wins the opening roll wins 52.1 % of the contests, 31.0 % by a gammon or a backgammon; that is
+0.084 points, and +0.116 with the cube. Before it, both seats are alike (computed). There are 7,959,904 ways to place
the men (computed).

## Sources

The rules are those of GNU Backgammon's *HyperGammon (3)*. Counts and values are computed, by ``boardgames solve
hypergammon``.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.backgammon import backgammon
from boardgames_env.games.backgammon.rules.backgammon_board import BackgammonOptions

_START = ((24, 1), (23, 1), (22, 1))


@game(version=0, family=backgammon, options=BackgammonOptions)
def hypergammon(options: BackgammonOptions) -> Game:
    """Backgammon with three men a seat."""
    return backgammon.backgammon_game("Hypergammon", _START, options)
