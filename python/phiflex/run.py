"""Run folders read back (docs/run_folder.md)."""

from __future__ import annotations

import csv
import json
import pathlib
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from . import _phiflex
from .errors import FileError, InputError, refuse
from .pages import framed
from .tables import LEDGER_COLUMNS, Ledger, Probes


def read_table(path: pathlib.Path) -> Dict[str, Any]:
    """A CSV file by columns: numbers as arrays, anything else as lists of text. A last line without its end, which a
    killed run leaves, is left out."""
    try:
        text = path.read_text()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    rows = list(csv.reader(text[:text.rfind("\n") + 1].splitlines()))
    if not rows:
        raise InputError(f"{path}: is empty", [(str(path), "", "is empty")])
    columns: Dict[str, Any] = {}
    for i, name in enumerate(rows[0]):
        try:
            values: List[Any] = [row[i] for row in rows[1:]]
        except IndexError:
            raise InputError(f"{path}: a row is too short", [(str(path), "", "a row is too short")]) from None
        try:
            columns[name] = np.array([float(value) if value else np.nan for value in values])
        except ValueError:
            columns[name] = values
    return columns


class RecordedFrame:
    """A frame of a run. Arrays are read when asked for; a body's name selects its vertices."""

    def __init__(self, run: "Run", number: int, time: float, path: str):
        self._run, self.number, self.time, self._path = run, number, time, path
        self._parts: Optional[Dict[str, np.ndarray]] = None

    def _part(self, name: str, body) -> np.ndarray:
        if self._parts is None:
            self._parts = _phiflex.read_frame(self._path, False)
        values = self._parts[name]
        return values if body is None else values[self._run._range(body)]

    def positions(self, body=None) -> np.ndarray:
        """(n, 3), m"""
        return self._part("positions", body)

    def displacement(self, body=None) -> np.ndarray:
        """From the rest shape, (n, 3), m"""
        return self._part("displacement", body)

    def velocity(self, body=None) -> np.ndarray:
        """(n, 3), m/s"""
        return self._part("velocity", body)

    @property
    def strain_energy_density(self) -> np.ndarray:
        """Of all elements, J/m^3 (springs: J/m)."""
        return self._part("strain_energy_density", None)

    def __repr__(self) -> str:
        return f"RecordedFrame({self.number}, t = {self.time:.6g} s)"


class Frames(Sequence):
    def __init__(self, frames: List[RecordedFrame]):
        self._frames = frames

    def __getitem__(self, index):
        return self._frames[index]

    def __len__(self) -> int:
        return len(self._frames)

    def __repr__(self) -> str:
        return f"Frames({len(self)})"


class Run:
    """A run folder: ``run.frames[10].displacement("bar")``, ``run.probes["tip"]``, ``run.ledger.table()``.

    The files are read when asked for, so that a run may still be going on."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.info  # refuses now what is no run folder
        self._ranges: Optional[Dict[str, slice]] = None

    @property
    def info(self) -> Dict[str, Any]:
        """run.json: status, scene, sizes, seconds, counts, energy, hash."""
        path = self.folder / "run.json"
        try:
            info = json.loads(path.read_text())
            if not isinstance(info, dict):
                raise ValueError("is no object")
            return info
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None
        except ValueError as error:
            raise InputError(f"{path}: {error}", [(str(path), "", str(error))]) from None

    @property
    def status(self) -> str:
        return self.info["status"]

    @property
    def hash(self) -> str:
        """Of the last state."""
        return self.info["hash"]

    @property
    def bodies(self) -> List[str]:
        return [body["name"] for body in self.info["scene"]["bodies"]]

    @property
    def frames(self) -> Frames:
        """The frames that were written, in order of time."""
        return Frames([RecordedFrame(self, number, time, file)
                       for number, (time, file) in enumerate(_phiflex.frame_list(str(self.folder)))])

    @property
    def ledger(self) -> Ledger:
        """The energy ledger: its last row, and ``table()``."""
        table = read_table(self.folder / "energy.csv")
        rows = np.column_stack([table[name] for name in LEDGER_COLUMNS])
        return Ledger(lambda: rows)

    @property
    def probes(self) -> Probes:
        """Positions of the probes at every step."""
        path = self.folder / "probes.csv"
        if not path.exists():
            return Probes([], np.empty(0), np.empty((0, 0)))
        table = read_table(path)
        columns = list(table)[2:]
        names = [column[:-2] for column in columns[::3]]
        return Probes(names, table["time"], np.column_stack([table[name] for name in columns]))

    def report(self) -> pathlib.Path:
        """Writes (or refreshes) report.html and returns its path."""
        return pathlib.Path(_phiflex.write_report(str(self.folder)))

    def page(self) -> str:
        """The self-contained HTML page of the run."""
        return self.report().read_text()

    def _range(self, body) -> slice:
        if self._ranges is None:
            self._ranges = self._find_ranges()
        name = getattr(body, "name", body)
        if name not in self._ranges:
            raise refuse("body", f'"{name}" is not a body; there are: {", ".join(self._ranges)}')
        return self._ranges[name]

    def _find_ranges(self) -> Dict[str, slice]:
        """Vertices lie body by body; where a body's elements begin and end tells the bodies apart."""
        entries = _phiflex.frame_list(str(self.folder))
        if not entries:
            raise refuse("frames", f"{self.folder} has no frames")
        first = _phiflex.read_frame(entries[0][1], True)
        owner = np.repeat(first["body"], np.diff(first["offsets"], prepend=0))
        names, count = self.bodies, len(first["positions"])
        starts = [0]
        for number in range(1, len(names)):
            low = first["connectivity"][owner == number].min()
            if first["connectivity"][owner == number - 1].max() + 1 != low:
                raise refuse("body", f'the vertices between "{names[number - 1]}" and "{names[number]}" belong to no '
                                     "element: the frames do not say whose they are")
            starts.append(int(low))
        return {name: slice(start, end) for name, start, end in zip(names, starts, starts[1:] + [count])}

    def _repr_html_(self) -> str:
        return framed(self.page())

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, {self.status})"
