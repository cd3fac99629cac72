"""A league as one page of HTML, which is well-formed XML and needs no other files."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape

from boardgames_agents.league.league_tables import (
    cross_table,
    entrants_table,
    notes_of,
    ratings_table,
    standings_table,
    winners_table,
)
from boardgames_agents.league.round_robin import League
from boardgames_agents.league.standings import Standings
from boardgames_env import __version__

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; margin: 2rem auto; padding: 0 2rem; max-width: 110rem; }
p, li { max-width: 60rem; }
section { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; font-size: 0.9rem; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid #ddd; text-align: left; white-space: nowrap; }
th.figure, td.figure { text-align: right; font-variant-numeric: tabular-nums; }
img { max-width: 100%; height: auto; }
"""

_READING = (
    "Ratings are Davidson's, in Elo points above the average of those who play the game, with standard errors; they "
    "cannot be compared between games. Power is the percentage of contests won, reliability of those won or drawn, "
    "with 95 % intervals. The winner has the highest rating; tied with it are the agents that it leads by less "
    "than 1.96 standard errors of the lead. The first seat is the value of moving first, in rating points. Times are "
    "medians, over blocks of contests, of a block's mean, and depend on the machine and on what else it did."
)


def page(league: League, found: Sequence[Standings], png: bytes) -> str:
    """Return the page."""
    games = "".join(
        f"<section>\n<h2>{escape(each.game)}</h2>\n{standings_table(each).html()}\n{cross_table(each).html()}\n"
        "</section>\n"
        for each in found
    )
    notes = "".join(f"<li>{escape(note)}</li>\n" for note in notes_of(found))
    return f"""<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width"/>
<title>League</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>League</h1>
<p>{len(league.entrants)} agents, {len(found)} games, {league.contests:,} contests of each pair, seed {league.seed};
boardgames-env {escape(__version__)}.</p>
<p>{escape(_READING)}</p>
<section>
{winners_table(found).html()}
{ratings_table(found).html()}
</section>
<p><img alt="Ratings over decision times" src="data:image/png;base64,{b64encode(png).decode()}"/></p>
{games}<section>
<h2>Agents</h2>
{entrants_table(league).html()}
</section>
{f"<h2>Notes</h2><ul>{chr(10)}{notes}</ul>" if notes else ""}
</body>
</html>
"""
