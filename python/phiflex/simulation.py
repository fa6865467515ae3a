"""Simulations: a scene or a model in motion."""

from __future__ import annotations

import json
import os
import pathlib
import sys
import tempfile
import time
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import _phiflex
from .errors import refuse
from .pages import framed
from .tables import Energy, Ledger, Probes

SceneLike = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def plain(value: Any) -> Any:
    """numpy's numbers and arrays as JSON has them."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a {type(value).__name__} has no place in a scene")


def to_json(scene: Any) -> str:
    try:
        return json.dumps(scene, default=plain)
    except (TypeError, ValueError) as error:
        raise refuse("scene", str(error)) from None


def overrides(settings: Optional[Mapping[str, Any]]) -> List[str]:
    """Changes of a scene as the command's --set takes them."""
    if settings is None:
        return []
    if not isinstance(settings, Mapping):
        raise refuse("set", 'expected a dict of places and values, e.g. {"integrator.type": "em"}')
    return [f"{place}={to_json(value)}" for place, value in settings.items()]


class Frame(NamedTuple):
    """What :meth:`Simulation.run` yields. Arrays are the simulation's own: copy what must outlive the next step."""

    step: int
    time: float  # s
    simulation: "Simulation"

    def positions(self, body=None) -> np.ndarray:
        return self.simulation.positions(body)

    def velocities(self, body=None) -> np.ndarray:
        return self.simulation.velocities(body)

    @property
    def energy(self) -> Energy:
        return self.simulation.energy


class Simulation:
    """A scene in motion. ``scene`` is a file or a dict with the keys of one; ``set`` changes values by their places.

    >>> sim = phiflex.Simulation("scene.json", set={"integrator.type": "em"})
    >>> for frame in sim.run(until=2.0, every=10): ...

    A simulation serves one thread at a time; several may be advanced in several threads, since every step releases the
    interpreter's lock. Wrong input raises :class:`phiflex.InputError` with every problem.
    """

    def __init__(self, scene: SceneLike, set: Optional[Mapping[str, Any]] = None):
        if isinstance(scene, Mapping):
            name = str(scene.get("name", "scene"))
            self._start(_phiflex.simulation_from_text(to_json(dict(scene)), "scene", overrides(set)), name)
        elif isinstance(scene, (str, os.PathLike)):
            path = os.fspath(scene)
            self._start(_phiflex.simulation_from_file(path, overrides(set)), pathlib.Path(path).stem)
        else:
            raise refuse("scene", f"a {type(scene).__name__} is not allowed; expected a file or a dict")

    @classmethod
    def _of(cls, handle, name: str) -> "Simulation":
        made = cls.__new__(cls)
        made._start(handle, name)
        return made

    def _start(self, handle, name: str) -> None:
        self._handle = handle
        self.name = name
        self._bodies: Dict[str, tuple] = {body[0]: body[1:3] for body in handle.bodies()}
        vertices = sum(count for _, count in self._bodies.values())
        # One array for each body and one for all, under the key None; a call only looks them up.
        self._positions: Dict[Optional[str], np.ndarray] = {None: handle.positions(0, vertices)}
        self._velocities: Dict[Optional[str], np.ndarray] = {None: handle.velocities(0, vertices)}
        for body, (first, count) in self._bodies.items():
            self._positions[body] = handle.positions(first, count)
            self._velocities[body] = handle.velocities(first, count)
        self._system = None

    # -- What moves

    @property
    def bodies(self) -> List[str]:
        """Names of the bodies."""
        return list(self._bodies)

    def positions(self, body=None) -> np.ndarray:
        """Positions of a body's vertices (of all bodies' without a name), (n, 3), m. Read-only; the same array at every
        call, refreshed after each step."""
        try:
            return self._positions[body]
        except (KeyError, TypeError):
            return self._positions[self._name_of(body)]

    def velocities(self, body=None) -> np.ndarray:
        """Velocities, (n, 3), m/s. What is written here is taken at the start of the next step: held vertices keep
        theirs, the change of energy is external work, and the integrator starts without its memory."""
        try:
            return self._velocities[body]
        except (KeyError, TypeError):
            return self._velocities[self._name_of(body)]

    def _name_of(self, body) -> str:
        name = getattr(body, "name", body)
        if not isinstance(name, str) or name not in self._bodies:
            raise refuse("body", f'"{name}" is not a body; there are: {", ".join(self._bodies)}')
        return name

    @property
    def time(self) -> float:
        """s"""
        return self._handle.time

    @property
    def step_count(self) -> int:
        """Steps made so far."""
        return self._handle.step

    @property
    def step_size(self) -> float:
        """s"""
        return self._handle.h

    @property
    def end(self) -> float:
        """Where the scene ends, s."""
        return self._handle.steps * self._handle.h

    @property
    def integrator(self) -> str:
        """The method that steps, also where the scene says "auto"."""
        return self._handle.method()

    # -- Steps

    def step(self, count: int = 1) -> None:
        """Makes steps. At the scene's end, or where a step fails, :class:`phiflex.StepError`."""
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 0:
            raise refuse("count", f"{count} is not allowed; expected a whole number >= 0")
        made = self._handle.advance(int(count))
        if made < count:
            from .errors import StepError

            raise StepError(f"the end, t = {self.end:.6g} s, is reached after {made} of {count} steps; "
                            "a larger time.end goes on", "the end is reached")

    def run(self, until: Optional[float] = None, every: int = 1, progress: bool = False) -> Iterator[Frame]:
        """Steps to the time ``until`` (s; default: the scene's end), as the caller iterates: a :class:`Frame` after every
        ``every`` steps and after the last one. :meth:`advance` does the same without frames.

        progress: a line on stderr with step, time, energy and loss. Ctrl-C ends it after the current step.
        """
        last = self._steps_until(until)
        if isinstance(every, bool) or not isinstance(every, (int, np.integer)) or every < 1:
            raise refuse("every", f"{every} is not allowed; expected a whole number >= 1")
        return self._frames(last, int(every), progress)

    def advance(self, until: Optional[float] = None, progress: bool = False) -> "Simulation":
        """Steps to the time ``until`` (s; default: the scene's end) and returns the simulation."""
        last = self._steps_until(until)
        for _ in self._frames(last, max(1, (last - self.step_count) // 100) if progress else 2**62, progress):
            pass
        return self

    def _steps_until(self, until: Optional[float]) -> int:
        handle = self._handle
        if until is None:
            if handle.steps >= 2**40:
                raise refuse("until", "missing: this simulation has no end of its own")
            return handle.steps
        try:
            until = float(until)
            last = round(until / handle.h)
        except (TypeError, ValueError, OverflowError):
            raise refuse("until", f"{until} is not allowed; expected a time in seconds") from None
        if abs(last * handle.h - until) > 1e-9 * max(abs(until), handle.h):
            raise refuse("until", f"{until} s is no whole number of steps of {handle.h} s")
        if last > handle.steps:
            raise refuse("until", f"{until} s is after the end, {self.end:.6g} s; a larger time.end goes on")
        return last

    def _frames(self, last: int, every: int, progress: bool) -> Iterator[Frame]:
        line = _Progress(last, self.step_count) if progress else None
        while self._handle.step < last:
            self._handle.advance(min(every, last - self._handle.step))
            if line:
                line.show(self)
            yield Frame(self._handle.step, self._handle.time, self)

    # -- What it knows

    @property
    def hash(self) -> str:
        """One number for the state, 16 hexadecimal digits: that of ``run.json`` for the same scene and step."""
        return self._handle.hash()

    @property
    def energy(self) -> Energy:
        """Energies of the current state, J."""
        return Energy(*self._handle.latest()[2:7])

    @property
    def ledger(self) -> Ledger:
        """The energy ledger: the latest row, and ``table()`` with a row for every step."""
        return Ledger(self._handle.ledger, self._handle.latest())

    @property
    def probes(self) -> Probes:
        """Positions of the scene's probes at every step."""
        return Probes(self._handle.probe_names(), self._handle.ledger()[:, 1], self._handle.probes())

    @property
    def work(self) -> Dict[str, float]:
        """Counts of what the steps have cost (factorizations, solves, ...), and seconds by phase."""
        return self._handle.work()

    @property
    def warnings(self) -> List[str]:
        """Warnings: keys without effect, and those of the steps so far."""
        return self._handle.warnings()

    @property
    def system(self):
        """The mechanical system with the constraints of the current time (:class:`phiflex.System`)."""
        from .system import System

        if self._system is None or self._system_time != self.time:
            self._system, self._system_time = System(self._handle.system()), self.time
        return self._system

    @property
    def state(self):
        """The state of the free degrees of freedom (:class:`phiflex.State`), copied."""
        from .integrator import State

        return State(*self._handle.state())

    # -- Files

    def save(self, file) -> None:
        """Writes the state with the integrator's memory, so that :meth:`restore` continues with the same bits."""
        self._handle.save(os.fspath(file))

    def restore(self, file) -> None:
        """Goes back, or on, to a saved state of the same scene or model."""
        self._handle.restore(os.fspath(file))

    def write(self, folder, overwrite: bool = False):
        """Writes a run folder (docs/run_folder.md) of what was recorded: ledger and probes of every step, up to 64
        frames. Returns it as a :class:`phiflex.Run`."""
        from .run import Run

        self._handle.write(os.fspath(folder), overwrite, self.bodies)
        return Run(folder)

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            return framed(self.write(os.path.join(folder, "run")).page())

    def __repr__(self) -> str:
        return (f"Simulation({self.name!r}, {self.integrator}, step {self.step_count}, t = {self.time:.6g} s, "
                f"h = {self.step_size:.6g} s)")


class _Progress:
    """A line on stderr: rewritten on a terminal, now and then elsewhere."""

    def __init__(self, last: int, first: int):
        self.first, self.last, self.start, self.printed = first, last, time.monotonic(), 0.0
        self.terminal = sys.stderr.isatty()

    def show(self, sim: Simulation) -> None:
        now, over = time.monotonic(), sim.step_count >= self.last
        if not over and now - self.printed < (0.1 if self.terminal else 10):
            return
        self.printed = now
        ledger = sim.ledger
        made = max(1, sim.step_count - self.first)
        text = (f"step {sim.step_count}/{self.last}  t = {sim.time:.6g} s  energy {ledger.total:.5g} J  "
                f"loss {ledger.numerical_loss:.3g} J  {1e3 * (now - self.start) / made:.3g} ms/step")
        end = "\n" if over or not self.terminal else ""
        sys.stderr.write(("\r\033[K" if self.terminal else "") + text + end)
        sys.stderr.flush()
