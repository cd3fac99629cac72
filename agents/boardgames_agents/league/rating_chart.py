"""A chart of ratings over decision times."""

from collections.abc import Sequence
from typing import Any

from boardgames_agents.experiments.table import new_figure, png_of
from boardgames_agents.league.standings import Standings

_COLUMNS = 3
_INCHES = (4.2, 3.6)
_MARKERS = "osD^v<>PXph*"
_SOONEST = 1e-7
"""Least number of seconds on the logarithmic axis."""


def picture(found: Sequence[Standings]) -> bytes:
    """Return a panel for each game: ratings with 95 % bars over the time of a decision, as PNG."""
    from matplotlib.lines import Line2D

    columns = min(_COLUMNS, len(found))
    rows = -(-len(found) // columns)
    figure = new_figure((_INCHES[0] * columns + 2.4, _INCHES[1] * rows))
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True).flatten()
    names = sorted({each.name for game in found for each in game.standings})  # (so that looks do not depend on ranks)
    looks: dict[str, dict[str, Any]] = {
        name: {"color": _colour(k), "marker": _MARKERS[k % len(_MARKERS)]} for k, name in enumerate(names)
    }
    for axes, game in zip(panels, found, strict=False):
        for each in game.standings:
            axes.errorbar(
                max(each.seconds, _SOONEST),
                each.rating.rating,
                yerr=1.96 * each.rating.standard_error,
                linestyle="",
                markersize=7,
                capsize=3,
                alpha=0.9,
                **looks[each.name],
            )
        axes.set_xscale("log")
        axes.set_title(game.game, fontsize="medium")
        axes.grid(alpha=0.3)
        axes.tick_params(labelbottom=True)
    for axes in panels[len(found) :]:
        axes.remove()
    figure.supxlabel("seconds a decision", fontsize="medium")
    figure.supylabel("rating (95 % bars)", fontsize="medium")
    handles = [Line2D([], [], linestyle="", markersize=7, label=name, **looks[name]) for name in names]
    figure.legend(handles=handles, loc="outside right upper", fontsize="small", frameon=False)
    return png_of(figure)


def _colour(number: int) -> Any:
    """Return one of ten strong and ten pale colours; with twelve markers, sixty agents look different."""
    from matplotlib import colormaps

    return colormaps["tab20"].colors[2 * (number % 10) + number // 10 % 2]  # type: ignore[attr-defined]
