"""Comparisons, analyses and sweeps."""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import shutil
import tempfile
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

import numpy as np

from . import _phiflex
from .errors import StepError, refuse
from .integrator import Integrator
from .pages import framed
from .run import Run, read_table
from .simulation import SceneLike, Simulation, overrides, to_json


def _words(integrators: Sequence[Any]) -> List[str]:
    if isinstance(integrators, str) or not isinstance(integrators, Sequence):
        raise refuse("integrators", 'expected a list of names, e.g. ["si", "em", "siere:modes=10"]')
    return [one.name if isinstance(one, type) and issubclass(one, Integrator) else str(one) for one in integrators]


class Comparison:
    """A comparison's folder: ``table()`` has a row for each run, ``errors()`` the errors over time."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.info: Dict[str, Any] = json.loads((self.folder / "compare.json").read_text())

    def table(self) -> Dict[str, Any]:
        """The columns of ``compare.csv``: run, method, h, result, seconds, errors against the reference (m, m/s),
        numerical_loss (J), ...; ``pandas.DataFrame`` takes it."""
        return read_table(self.folder / "compare.csv")

    def errors(self) -> Dict[str, Any]:
        """Errors at the common times: run, time, position_error, velocity_error."""
        return read_table(self.folder / "errors.csv")

    @property
    def runs(self) -> Dict[str, Run]:
        """The runs by their names, "em@0.01"."""
        return {one["run"]: Run(self.folder / one["folder"])
                for one in self.info["runs"]}

    def plot(self, axes=None):
        """Error over seconds of every run, on logarithmic scales; returns matplotlib's axes."""
        import matplotlib.pyplot as plt

        axes = axes or plt.subplots()[1]
        table = self.table()
        for method in dict.fromkeys(table["method"]):
            rows = [i for i, one in enumerate(table["method"]) if one == method]
            axes.loglog(table["seconds"][rows], table["position_error"][rows], "o-", label=method)
        axes.set_xlabel("seconds")
        axes.set_ylabel("largest error [m]")
        axes.legend()
        return axes

    def page(self) -> str:
        """The self-contained HTML page of the comparison."""
        return (self.folder / "report.html").read_text()

    def _repr_html_(self) -> str:
        return framed(self.page())

    def __repr__(self) -> str:
        table = self.table()
        lines = [f"{'run':<28}{'seconds':>10}{'error [m]':>12}{'loss [J]':>12}  result"]
        for i, run in enumerate(table["run"]):
            lines.append(f"{run:<28}{table['seconds'][i]:>10.3g}{table['position_error'][i]:>12.3g}"
                         f"{table['numerical_loss'][i]:>12.3g}  {table['result'][i]}")
        return "\n".join(lines)


def compare(scene: SceneLike, integrators: Sequence[Any], steps: Sequence[float] = (),
            set: Optional[Mapping[str, Any]] = None, *, reference: str = "", reference_seconds: float = 300.0,
            folder=None, overwrite: bool = False, frames: bool = True,
            on_message: Optional[Callable[[str], None]] = None) -> Comparison:
    """The same scene with several integrators and steps, against a converged reference (docs/compare.md).

    integrators: names, "name:key=value", or classes derived from :class:`phiflex.Integrator`. steps: s, default the
    scene's. reference: "METHOD" or "METHOD:H", by default the most accurate applicable one. folder: where the runs go; by
    default a temporary one that lives as long as the result. on_message: called with a sentence
    after every run.
    """
    words = _words(integrators)
    if not words:
        raise refuse("integrators", "are none; expected one or more")
    try:
        lengths = [float(step) for step in steps]
    except (TypeError, ValueError):
        raise refuse("steps", "expected a list of seconds") from None
    if any(not (0 < step < np.inf) for step in lengths):
        raise refuse("steps", "expected numbers > 0")
    temporary = None
    if folder is None:
        temporary = tempfile.mkdtemp(prefix="phiflex-")
        folder = os.path.join(temporary, "compare")
    try:
        with tempfile.TemporaryDirectory() as written:
            if isinstance(scene, Mapping):
                path = os.path.join(written, str(scene.get("name", "scene")) + ".json")
                pathlib.Path(path).write_text(to_json(dict(scene)))
            else:
                path = os.fspath(scene)
            _phiflex.compare(path, overrides(set), words, lengths, reference, reference_seconds, os.fspath(folder),
                             overwrite, frames, on_message)
        made = Comparison(folder)
    except BaseException:
        if temporary:
            shutil.rmtree(temporary, ignore_errors=True)
        raise
    if temporary:
        weakref.finalize(made, shutil.rmtree, temporary, True)
    return made


class Analysis:
    """What methods do to ``q'' + d q' + w^2 q = 0`` over x = h w."""

    def __init__(self, topic, abscissa, quantities, curves, findings):
        self.topic: str = topic
        self.abscissa: str = abscissa
        self.quantities: List[str] = quantities
        #: method -> {abscissa: array, quantity: array, ...}
        self.curves: Dict[str, Dict[str, np.ndarray]] = {
            method: {abscissa: np.array(at), **{name: np.array(one) for name, one in zip(quantities, values)}}
            for method, at, values in curves}
        self.findings: List[str] = findings  #: a sentence per method

    def table(self) -> Dict[str, Any]:
        """All curves below each other: method, abscissa, quantities."""
        columns: Dict[str, Any] = {"method": [m for m, c in self.curves.items() for _ in c[self.abscissa]]}
        for name in [self.abscissa, *self.quantities]:
            columns[name] = np.concatenate([curve[name] for curve in self.curves.values()])
        return columns

    def plot(self, quantity: Optional[str] = None, axes=None):
        """One quantity over x; returns matplotlib's axes."""
        import matplotlib.pyplot as plt

        axes = axes or plt.subplots()[1]
        quantity = quantity or self.quantities[0]
        for method, curve in self.curves.items():
            axes.semilogx(curve[self.abscissa], curve[quantity], label=method)
        axes.set_xlabel(self.abscissa)
        axes.set_ylabel(quantity)
        axes.legend()
        return axes

    def __repr__(self) -> str:
        return "\n".join(self.findings)


def analyze(topic: str, integrators: Sequence[Any] = (), *, start: float = 0.01, end: float = 1000.0, points: int = 241,
            damping_ratio: float = 0.0) -> Analysis:
    """Measures methods (default: all of the catalogue) on the scalar oscillator, for h w from ``start`` to ``end``.

    topic: "damping" (artificial), "stability" (spectral radius) or "accuracy" (period elongation, amplitude decay).
    damping_ratio: of the oscillator itself.
    """
    words = _words(integrators)
    try:
        return Analysis(str(topic), *_phiflex.analyze(str(topic), words, float(start), float(end), int(points),
                                                      float(damping_ratio)))
    except TypeError as error:
        raise refuse("analyze", str(error)) from None


class Sweep:
    """The rows of a sweep: ``table()`` gives columns, ``simulations`` is empty unless they were kept."""

    def __init__(self, columns: Dict[str, Any], simulations: List[Simulation]):
        self._columns, self.simulations = columns, simulations

    def table(self) -> Dict[str, Any]:
        """The swept values, status, hash, the ledger's last row, and what ``measure`` returned."""
        return self._columns

    def __getitem__(self, column: str):
        return self._columns[column]

    def __len__(self) -> int:
        return len(self._columns["status"])

    def plot(self, x: str, y: str, axes=None):
        """One column over another; returns matplotlib's axes."""
        import matplotlib.pyplot as plt

        axes = axes or plt.subplots()[1]
        axes.plot(self._columns[x], self._columns[y], "o-")
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        return axes

    def __repr__(self) -> str:
        return f"Sweep({len(self)} runs; {', '.join(self._columns)})"


_LAST = ("time", "kinetic", "elastic", "total", "external_work", "dissipated", "numerical_loss")


def sweep(scene: SceneLike, values: Mapping[str, Sequence[Any]], *, set: Optional[Mapping[str, Any]] = None,
          until: Optional[float] = None, measure: Optional[Callable[[Simulation], Mapping[str, Any]]] = None,
          workers: int = 1, keep: bool = False) -> Sweep:
    """Runs a scene with all combinations of values, ``workers`` at a time, to ``until`` (s; default: its end).

    values: places of the scene and what to put there, ``{"bodies.0.material.young": [1e5, 1e6]}``. measure: a function of
    the finished simulation whose dict becomes columns. keep: the simulations stay in the result. A run that fails
    numerically is a row with its reason as status.
    """
    if not isinstance(values, Mapping) or not values:
        raise refuse("values", 'expected a dict of places and lists, e.g. {"bodies.0.material.young": [1e5, 1e6]}')
    if isinstance(workers, bool) or not isinstance(workers, (int, np.integer)) or workers < 1:
        raise refuse("workers", f"{workers} is not allowed; expected a whole number >= 1")
    try:
        rows = [dict(zip(values, row)) for row in itertools.product(*(list(one) for one in values.values()))]
    except TypeError:
        raise refuse("values", "expected a list of values for each place") from None
    if not rows:
        raise refuse("values", "are none; expected one or more for each place")

    def one(row: Dict[str, Any]):
        simulation = Simulation(scene, set={**(set or {}), **row})
        status = "done"
        try:
            simulation.advance(until)
        except StepError as error:
            status = str(error)
        ledger = simulation.ledger
        made = {**row, "status": status, "hash": simulation.hash, **{name: getattr(ledger, name) for name in _LAST}}
        if measure:
            made.update(measure(simulation))
        return made, simulation if keep else None

    with ThreadPoolExecutor(int(workers)) as pool:
        results = list(pool.map(one, rows))
    columns: Dict[str, Any] = {}
    for name in results[0][0]:
        column = [made.get(name) for made, _ in results]
        numeric = all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in column)
        columns[name] = np.array(column) if numeric else column
    return Sweep(columns, [simulation for _, simulation in results if simulation is not None])
