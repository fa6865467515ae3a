"""The mechanical system M q'' = f(t, q, v): forces, energies, matrices, modes."""

from __future__ import annotations

from typing import Dict

import numpy as np

from .errors import EvaluationError, refuse


def _bsr(arrays, size: int):
    try:
        from scipy.sparse import bsr_matrix
    except ImportError as error:
        raise ImportError("matrices need scipy (Debian: python3-scipy)") from error
    values, columns, starts = arrays
    return bsr_matrix((values, columns, starts), shape=(size, size), copy=False)


class Tangent:
    """The linearization of the force at a state, ``df = -K dq - D dv + g dt``."""

    def __init__(self, handle, size: int):
        self._handle, self._size = handle, size

    @property
    def K(self):
        """The stiffness -df/dq, N/m, a ``scipy.sparse.bsr_matrix`` whose values are the engine's own, read-only. What
        contact adds beside the pattern is in :meth:`apply_K` only."""
        return _bsr(self._handle.matrix(False), self._size)

    @property
    def D(self):
        """The damping -df/dv, N s/m, in the same way; None where there is none."""
        arrays = self._handle.matrix(True)
        return None if arrays is None else _bsr(arrays, self._size)

    def apply_K(self, x: np.ndarray) -> np.ndarray:
        """K x"""
        return self._handle.apply(x, False)

    def apply_D(self, x: np.ndarray) -> np.ndarray:
        """D x"""
        return self._handle.apply(x, True)

    @property
    def load_rate(self) -> np.ndarray:
        """g = df/dt, N/s."""
        return self._handle.load_rate()


class System:
    """``M q'' = f(t, q, v)`` over the free degrees of freedom: vectors have ``dofs`` entries, three for each free vertex
    (two in a plane), in ascending order of the vertices. q: displacement from the rest shape, m; v: m/s; t: s.

    From :attr:`phiflex.Simulation.system`, :meth:`phiflex.Model.system` or, in an integrator, ``self.system``. Functions
    release the interpreter's lock.
    """

    def __init__(self, handle):
        self._handle = handle
        self._mass = None

    @property
    def dofs(self) -> int:
        """The number of free degrees of freedom."""
        return self._handle.dofs

    def force(self, q, v=None, t: float = 0.0) -> np.ndarray:
        """f(t, q, v), N. Without v: at rest."""
        return self._handle.force(q, v, t)

    def energy(self, q, t: float = 0.0) -> float:
        """The potential energy, J; infinite outside a material's domain."""
        return self._handle.energy(q, t)

    def kinetic_energy(self, v) -> float:
        """v'M v/2, J."""
        return self._handle.kinetic_energy(v)

    @property
    def mass(self):
        """M, kg, a sparse matrix of scipy: diagonal where masses are lumped."""
        if self._mass is None:
            given = self._handle.mass()
            if isinstance(given, tuple):
                self._mass = _bsr(given, self.dofs)
            else:
                from scipy.sparse import diags

                self._mass = diags(given)
        return self._mass

    def solve_mass(self, f) -> np.ndarray:
        """M^-1 f"""
        return self._handle.solve_mass(f)

    def tangent(self, q, v=None, t: float = 0.0, projected: bool = False) -> Tangent:
        """The linearization at a state. projected: each element's stiffness made positive semidefinite."""
        return Tangent(self._handle.tangent(q, v, t, projected), self.dofs)

    def stiffness(self, q, v=None, t: float = 0.0, projected: bool = False):
        """K at q as a ``scipy.sparse.bsr_matrix``, N/m; its values are the engine's own memory, not a copy (in an
        integrator: a copy)."""
        return self.tangent(q, v, t, projected).K

    def apply_K(self, q, x, v=None, t: float = 0.0) -> np.ndarray:
        """K(q) x. For several products at one state: :meth:`tangent`."""
        return self.tangent(q, v, t).apply_K(x)

    def two_state_force(self, q, v, w, h: float, t: float = 0.0) -> np.ndarray:
        """The force of an energy-momentum step from q, v over h seconds with the mean velocity w, N:
        ``h w . f = -(W(q + h w) - W(q))`` plus the work of loads and damping, to rounding."""
        return self._handle.two_state_force(q, v, w, h, t)

    @property
    def free_vertices(self) -> np.ndarray:
        """The vertices (numbered over all bodies) of the degrees of freedom."""
        return self._handle.free_vertices()

    def positions(self, q, t: float = 0.0) -> np.ndarray:
        """Positions of all vertices, (n, 3), m."""
        return self._handle.positions(q, t)

    def __repr__(self) -> str:
        return f"System({self.dofs} degrees of freedom)"


class Modes:
    """Natural frequencies and mode shapes, ``K u = lambda M u`` with ``u'M u = 1``."""

    def __init__(self, eigenvalues, vectors, residual, norm, free, dimension, vertices):
        self.eigenvalues: np.ndarray = eigenvalues  #: 1/s^2, ascending
        self.vectors: np.ndarray = vectors  #: (dofs, count), in the system's degrees of freedom
        self.residual: np.ndarray = residual  #: |K u - lambda M u| / |K u|
        rigid = np.abs(eigenvalues) <= 1e-12 * norm
        #: Hz; 0 for rigid motions, not a number where the rest shape is unstable
        self.frequencies: np.ndarray = np.where(
            rigid, 0.0, np.sqrt(np.where(eigenvalues > 0, eigenvalues, np.nan))) / (2 * np.pi)
        #: (count, vertices, 3), of all vertices; held ones do not move
        self.shapes: np.ndarray = np.zeros((len(eigenvalues), vertices, 3))
        self.shapes[:, free, :dimension] = vectors.T.reshape(len(eigenvalues), -1, dimension)

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def table(self) -> Dict[str, np.ndarray]:
        """Columns that ``pandas.DataFrame`` takes."""
        return {"mode": np.arange(1, len(self) + 1), "eigenvalue": self.eigenvalues, "frequency": self.frequencies,
                "residual": self.residual}

    def __repr__(self) -> str:
        return f"Modes({len(self)}; {', '.join(f'{f:.4g}' for f in self.frequencies[:6])}{', ...' * (len(self) > 6)} Hz)"


def modes(model, count: int, tolerance: float = 1e-8) -> Modes:
    """The ``count`` lowest modes of a model, simulation, scene file or scene dict, at rest with the constraints of t = 0.

    tolerance: of the relative residual. :class:`phiflex.EvaluationError` when it is not reached."""
    from .model import Model
    from .simulation import Simulation

    if isinstance(model, System):
        system = model
    elif isinstance(model, Model):
        system = model.system()
    else:
        if not isinstance(model, Simulation):
            model = Simulation(model)
        system = model.system
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
        raise refuse("count", f"{count!r} is not allowed; expected a whole number")
    status, eigenvalues, vectors, residual, norm = system._handle.modes(int(count), tolerance)
    if status != "ok":
        raise EvaluationError(f"the modes could not be found: {status}")
    vertices = len(system.positions(np.zeros(system.dofs)))
    return Modes(eigenvalues, vectors.T, residual, norm, system.free_vertices, system._handle.dimension(), vertices)
