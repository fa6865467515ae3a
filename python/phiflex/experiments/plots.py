"""Plots as SVG that follows the page's light or dark colours. Drawn by matplotlib."""

from __future__ import annotations

import io
import re
from typing import Any, Callable, List, NamedTuple, Union

import numpy as np

from ..errors import EvaluationError, StepError
from .numbers import Measured, Open

MOST_POINTS = 1200  # of a curve on a page
_STYLES = {"line": dict(ls="-"), "dashed": dict(ls="--"), "dots": dict(ls="", marker="o", ms=4),
           "line_and_dots": dict(ls="-", marker="o", ms=4)}
# Colours that matplotlib is given and what the page makes of them.
_INK, _MUTED, _LINE = "#010203", "#020304", "#030405"
_SERIES = [f"#0405{i:02x}" for i in range(8)]
_COLOURS = {_INK: "var(--ink)", _MUTED: "var(--muted)", _LINE: "var(--line)",
            **{colour: f"var(--s{i})" for i, colour in enumerate(_SERIES)}}
Values = Union[Any, Callable[[], Any]]


class Curve(NamedTuple):
    name: str
    x: np.ndarray
    y: np.ndarray
    style: str


class Plot:
    """A plot of curves over x."""

    def __init__(self, title: str, x: str, y: str, log: str = ""):
        self.title, self.x, self.y, self.log = title, x, y, log
        self.curves: List[Curve] = []

    def add(self, name: str, x: Values, y: Values, style: str = "line") -> None:
        """A curve; what it needs and is not there makes a curve less (the claims say why)."""
        try:
            xs, ys = _numbers(x), _numbers(y)
        except (Open, StepError, EvaluationError):
            return
        count = min(len(xs), len(ys))
        self.curves.append(Curve(name, xs[:count], ys[:count], style))

    def line(self, name: str, x: Values, y: Values) -> None:
        self.add(name, x, y, "line")

    def dashed(self, name: str, x: Values, y: Values) -> None:
        self.add(name, x, y, "dashed")

    def dots(self, name: str, x: Values, y: Values) -> None:
        self.add(name, x, y, "dots")

    def line_and_dots(self, name: str, x: Values, y: Values) -> None:
        self.add(name, x, y, "line_and_dots")


def _numbers(values: Values) -> np.ndarray:
    values = values() if callable(values) else values
    if isinstance(values, np.ndarray):
        return np.atleast_1d(values).astype(float)
    return np.array([_number(one) for one in values], float)


def _number(one: Any) -> float:
    try:
        one = one() if callable(one) else one
    except (Open, StepError, EvaluationError):
        return float("nan")
    return one.value if isinstance(one, Measured) else float(one)


def thinned(curve: Curve, most: int) -> Curve:
    """Of each run of points the lowest and the highest, in their order."""
    if len(curve.x) <= most or "dots" in curve.style:
        return curve
    kept = {0, len(curve.x) - 1}
    with np.errstate(invalid="ignore"):
        for group in np.array_split(np.arange(len(curve.x)), max(most // 2, 1)):
            y = np.nan_to_num(curve.y[group], nan=0.0)
            kept |= {int(group[np.argmin(y)]), int(group[np.argmax(y)])}
    places = sorted(kept)
    return curve._replace(x=curve.x[places], y=curve.y[places])


def drawn(plot: Plot, width: float = 7.6, height: float = 3.7, lettering: bool = True) -> str:
    """The plot as an SVG element. ImportError without matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    settings = {"svg.fonttype": "none", "svg.hashsalt": plot.title, "font.size": 10, "axes.linewidth": 0.8, "axes.edgecolor": _MUTED,
                "axes.labelcolor": _INK, "xtick.color": _MUTED, "ytick.color": _MUTED, "text.color": _INK, "grid.color": _LINE,
                "axes.prop_cycle": matplotlib.cycler(color=_SERIES), "axes.unicode_minus": True, "path.simplify": True}
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.add_subplot()
        figure.patch.set_alpha(0)
        axes.patch.set_alpha(0)
        if "x" in plot.log:
            axes.set_xscale("log")
        if "y" in plot.log:
            axes.set_yscale("log")
        for curve in plot.curves:
            some = thinned(curve, MOST_POINTS)
            y = np.where(np.isfinite(some.y) & ((some.y > 0) | ("y" not in plot.log)) & (np.abs(some.y) < 1e100), some.y, np.nan)
            x = np.where((some.x > 0) | ("x" not in plot.log), some.x, np.nan)
            axes.plot(x, y, label=curve.name, lw=1.5, **_STYLES[curve.style])
        axes.grid(True, lw=0.6)
        axes.set_axisbelow(True)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        if lettering:
            axes.set_xlabel(plot.x)
            axes.set_ylabel(plot.y)
            if len(plot.curves) > 1 or (plot.curves and plot.curves[0].name):
                if len(plot.curves) > 5:
                    axes.legend(frameon=False, fontsize=8.5, loc="center left", bbox_to_anchor=(1.01, 0.5))
                else:
                    axes.legend(frameon=False, fontsize=9)
        else:
            axes.tick_params(labelsize=0, labelcolor="none", length=0, which="both")
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _for_pages(text.getvalue(), plot.title)


def _for_pages(svg: str, title: str) -> str:
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r"font: ([^;\"]*?)'[^;\"]*", r"font: \1system-ui, sans-serif", svg)
    for colour, variable in _COLOURS.items():
        svg = svg.replace(colour, variable)
    label = title.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)


def alone(svg: str, css: str) -> str:
    """The same as a file of its own, with its colours."""
    colours = css[css.index(":root"):css.index("* {")]
    return svg.replace(">", f"><style>{colours}</style>", 1)
