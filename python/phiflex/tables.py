"""Tables of numbers by columns: the ledger and the probes of a simulation or a run."""

from __future__ import annotations

from typing import Dict, Iterator, List, Mapping, NamedTuple

import numpy as np

from . import _phiflex
from .errors import refuse

LEDGER_COLUMNS: List[str] = _phiflex.ledger_columns.split(",")


class Energy(NamedTuple):
    """Energies of the current state, J."""

    kinetic: float
    elastic: float
    gravity: float
    contact: float
    total: float


class Ledger:
    """The energy ledger: the latest row as attributes, all rows by :meth:`table`.

    ``kinetic``, ``elastic``, ``gravity``, ``contact`` and ``total`` are energies of the state; ``external_work``,
    ``dissipated`` and ``numerical_loss`` sums since the start (all in J), with
    ``numerical_loss = total(0) + external_work - dissipated - total``.
    """

    step: int
    time: float
    kinetic: float
    elastic: float
    gravity: float
    contact: float
    total: float
    external_work: float
    dissipated: float
    numerical_loss: float
    modified_energy: float
    momentum_x: float
    momentum_y: float
    momentum_z: float
    angular_momentum_x: float
    angular_momentum_y: float
    angular_momentum_z: float

    def __init__(self, rows, latest=None):
        self._rows = rows  # a function without arguments: all rows, an array (steps + 1, columns)
        for name, value in zip(LEDGER_COLUMNS, rows()[-1] if latest is None else latest):
            setattr(self, name, int(value) if name == "step" else float(value))

    def table(self) -> Dict[str, np.ndarray]:
        """The columns of ``energy.csv`` by their names, a row for every step; ``pandas.DataFrame`` takes it."""
        rows = self._rows()
        return {name: rows[:, i].copy() for i, name in enumerate(LEDGER_COLUMNS)}

    def __repr__(self) -> str:
        return (f"Ledger(time={self.time:.6g}, total={self.total:.6g}, external_work={self.external_work:.6g}, "
                f"dissipated={self.dissipated:.6g}, numerical_loss={self.numerical_loss:.3g})")


class Probes(Mapping):
    """Positions of named points at every step: ``probes["tip"]`` is an array (steps + 1, 3), m."""

    def __init__(self, names: List[str], time: np.ndarray, rows: np.ndarray):
        self._names = list(names)
        self._rows = rows
        self.time = time  #: s, of the rows

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._names:
            raise refuse("probe", f'"{name}" is not a probe; there are: {", ".join(self._names) or "none"}')
        at = 3 * self._names.index(name)
        return self._rows[:, at:at + 3]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def table(self) -> Dict[str, np.ndarray]:
        """The columns of ``probes.csv`` by their names; ``pandas.DataFrame`` takes it."""
        columns = {"step": np.arange(len(self.time)), "time": self.time}
        for i, name in enumerate(self._names):
            for k, axis in enumerate("xyz"):
                columns[f"{name}_{axis}"] = self._rows[:, 3 * i + k]
        return columns

    def __repr__(self) -> str:
        return f"Probes({', '.join(self._names)}; {len(self.time)} rows)"
