"""Decision time against strength, as a picture."""

import io
from collections.abc import Sequence
from typing import Any

from boardgames_agents.league.standings import Standings

_COLUMNS = 3
_INCHES = (4.2, 3.6)
_DOTS = 110
_MARKERS = "osD^v<>PXph*"
_SOONEST = 1e-7
"""Seconds; a logarithmic axis has no place for 0."""


def picture(found: Sequence[Standings]) -> bytes:
    """A panel for each game: ratings with 95 % bars over the time of a decision, as PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    columns = min(_COLUMNS, len(found))
    rows = -(-len(found) // columns)
    figure = Figure(figsize=(_INCHES[0] * columns + 2.4, _INCHES[1] * rows), dpi=_DOTS, layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(rows, columns, squeeze=False, sharex=True).flatten()
    names = sorted({each.name for game in found for each in game.standings})  # (looks that do not go by who wins)
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
    png = io.BytesIO()
    figure.savefig(png, format="png", metadata={"Software": None})
    return png.getvalue()


def _colour(number: int) -> Any:
    """Ten strong colours, then ten pale ones; with twelve markers, no two of sixty agents look alike."""
    from matplotlib import colormaps

    return colormaps["tab20"].colors[2 * (number % 10) + number // 10 % 2]  # type: ignore[attr-defined]
