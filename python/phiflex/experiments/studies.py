"""Small studies of their own, which a few items need."""

from __future__ import annotations

import time
from typing import Any, Dict, List, Mapping, NamedTuple

import numpy as np

from .. import _phiflex
from ..errors import StepError
from ..simulation import overrides as as_overrides
from .numbers import MOST_REPEATS, Measured, Open, from_repeats, is_steady

# -- Static states and single steps


class StaticState(NamedTuple):
    time: float
    positions: np.ndarray
    residual: float  #: largest force on a free vertex over the largest on a held one
    inverted: int  #: tetrahedra turned inside out


def _changes(x, set: Mapping[str, Any]) -> List[str]:
    return list(x.order_of("", set).overrides)


def static_state(x, scene: str, set: Mapping[str, Any] = {}) -> StaticState:
    """The state at the end of a scene that brings its body to rest under a moved constraint."""
    try:
        made = _phiflex.static_state(x.scene_file(scene), _changes(x, set))
    except StepError as error:
        raise Open(str(error)) from None
    return StaticState(made["time"], made["positions"], made["residual"], made["inverted"])


def one_step(x, state: StaticState, scene: str, set: Mapping[str, Any], method: str, tau: float) -> Dict[str, float]:
    """The counted work of one step of a method from a static state, all velocities zero."""
    try:
        return _phiflex.one_step(x.scene_file(scene), _changes(x, set), method, float(tau), state.time, state.positions)
    except StepError as error:
        raise Open(str(error)) from None


def _fastest(rounds) -> Measured:
    """Of several rounds of steps the fastest of each, with their band."""
    values: List[float] = []
    while len(values) < 3 or (not is_steady(values) and len(values) < MOST_REPEATS):
        try:
            values.append(min(rounds()))
        except StepError as error:
            raise Open(str(error)) from None
    return from_repeats(values)


def newmark_seconds(x, scene: str, set: Mapping[str, Any], iterations: int) -> Measured:
    """Processor seconds of a step of Newmark's method that assembles and factorizes in each of its Newton iterations."""
    return _fastest(lambda: _phiflex.newmark_seconds(x.scene_file(scene), _changes(x, set), int(iterations), 4))


def step_seconds(x, scene: str, set: Mapping[str, Any], method: str) -> Measured:
    """Processor seconds of a step of a method, the first one left out."""
    return _fastest(lambda: _phiflex.step_seconds(x.scene_file(scene), _changes(x, set), method, 8))


# -- Spectra


def penalty_curves(start: float, end: float, count: int) -> Dict[str, Any]:
    """Lowest eigenvalues of the thesis's square of two triangles over the penalty: penalty, bz, ip, and continuous (a number)."""
    made = _phiflex.penalty_curves(float(start), float(end), int(count))
    return {name: np.array(value) if isinstance(value, list) else value for name, value in made.items()}


def wave_eigenvalue(elements: int, b: float = 1.0) -> float:
    """Lowest eigenvalue of the wave equation on [0, 1] by linear elements; b: off-diagonal of the mass, 1: consistent."""
    n, h = elements - 1, 1 / elements
    off = np.eye(n, k=1) + np.eye(n, k=-1)
    K, M = (2 * np.eye(n) - off) / h, h / 6 * (4 * np.eye(n) + b * off)
    L = np.linalg.cholesky(M)
    inverse = np.linalg.inv(L)
    return float(np.linalg.eigvalsh(inverse @ K @ inverse.T)[0])


def laplacian_modes_seconds(nx: int, ny: int, s: int) -> Measured:
    """Processor seconds for the s smallest eigenpairs of the five-point Laplacian on nx times ny points."""
    return _fastest(lambda: [_phiflex.laplacian_modes_seconds(nx, ny, s)])


class SiereJacobian(NamedTuple):
    rank: int  #: of J_H - J
    fill: float  #: of I - h J
    reduced_fill: float  #: of I - h J_H
    size: int


def siere_jacobian(resolution: int, count: int) -> SiereJacobian:
    """SIERE's split of the Jacobian of a ball that is held at its top: how dense and of what rank the parts are."""
    from ..simulation import Simulation
    from ..system import modes

    scene = {"time": {"step": 0.005, "end": 0.005}, "bodies": [
        {"name": "ball", "mesh": {"generate": "ball", "radius": 0.1, "resolution": int(resolution)},
         "material": {"type": "neo-hookean", "young": 1e6, "poisson": 0.45, "density": 1000}}],
        "constraints": [{"type": "fix", "body": "ball", "where": {"half_space": {"point": [0, 0.08, 0], "normal": [0, -1, 0]}}}]}
    system = Simulation(scene).system
    n = system.dofs
    found = modes(system, int(count), 1e-10)
    U, MU = found.vectors, system.mass @ found.vectors
    above, below = U @ MU.T, (U * found.eigenvalues) @ MU.T
    K = system.stiffness(np.zeros(n))
    A = K.toarray()
    entries, diagonal = 4.0 * n * n, 2.0 * n
    rank = sum(int((s > 1e-10 * s[0]).sum()) for s in (np.linalg.svd(one, compute_uv=False) for one in (above, below)))
    stored = float((A != 0).sum())
    A = system.mass.power(-1).toarray() @ A if hasattr(system.mass, "power") else A / system.mass.diagonal()[:, None]
    dense = float((np.eye(n) - above != 0).sum() + (A - below != 0).sum())
    return SiereJacobian(rank, (diagonal + n + stored) / entries, (diagonal + dense) / entries, 2 * n)


# -- Square roots of matrices


class SquareRoot(NamedTuple):
    residual: float  #: |X X - L| / |L| at the end
    best: float  #: of the best iterate
    seconds: float
    iterations: int


def matrix_of_condition(n: int, condition: float) -> np.ndarray:
    """A symmetric matrix with eigenvalues spread geometrically from 1 to its condition."""
    Q, _ = np.linalg.qr(np.random.default_rng(20170403).standard_normal((n, n)))
    L = (Q * condition ** np.linspace(0, 1, n)) @ Q.T
    return (L + L.T) / 2


def square_root(way: str, n: int, condition: float, limit: int = 100) -> SquareRoot:
    """By "newton", "denman-beavers", "schur" or "eigen", of a random matrix of that condition."""
    L = matrix_of_condition(n, condition)
    with np.errstate(all="ignore"):
        if way in ("newton", "denman-beavers"):
            return _iterated_root(way, L, limit)
        start = time.process_time()
        if way == "eigen":
            values, Q = np.linalg.eigh(L)
            X = (Q * np.sqrt(np.maximum(values, 0))) @ Q.T
        elif way == "schur":
            from scipy.linalg import sqrtm

            X = np.real(sqrtm(L))
        else:
            raise ValueError(f"{way} is no way to a square root")
        seconds = time.process_time() - start
        return SquareRoot(_residual(X, L), _residual(X, L), seconds, 1)


def _residual(X: np.ndarray, L: np.ndarray) -> float:
    value = float(np.linalg.norm(X @ X - L) / np.linalg.norm(L))
    return value if np.isfinite(value) else float("inf")


def _iterated_root(way: str, L: np.ndarray, limit: int) -> SquareRoot:
    """Until the iterate stands still; residuals are not part of the time."""
    identity, X, M = np.eye(len(L)), L.copy(), L.copy()
    best = residual = float("inf")
    seconds, n = 0.0, 0
    for n in range(1, limit + 1):
        before, start = X, time.process_time()
        try:
            if way == "newton":
                X = (X + np.linalg.solve(X, L)) / 2
            else:
                inverse = np.linalg.inv(M)
                X, M = X @ (identity + inverse) / 2, (identity + (M + inverse) / 2) / 2
        except np.linalg.LinAlgError:
            break
        seconds += time.process_time() - start
        residual = _residual(X, L)
        best = min(best, residual)
        change = np.linalg.norm(X - before) / np.linalg.norm(X)
        if not np.isfinite(change) or change <= len(L) * np.finfo(float).eps:
            break
    return SquareRoot(residual, best, seconds, n)
