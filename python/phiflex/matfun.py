"""Functions of matrices, applied to vectors: phi-functions and functions of pencils (docs/matfun.md)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _phiflex
from .errors import EvaluationError, InputError, refuse


class Evaluation(np.lib.mixins.NDArrayOperatorsMixin):
    """The value of a matrix function, which can be used as an array itself, and what it cost."""

    def __init__(self, value, evaluator, products, solves, krylov_vectors, substeps, error_estimate):
        self.value: np.ndarray = value
        self.evaluator: str = evaluator  #: who did the work, also for "auto"
        self.products: int = products  #: with A (or K), one for each vector
        self.solves: int = solves  #: with a factorized matrix
        self.krylov_vectors: int = krylov_vectors
        self.substeps: int = substeps
        self.error_estimate: float = error_estimate  #: relative to the value, estimated

    def __array__(self, dtype=None):
        return self.value if dtype is None else self.value.astype(dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, **settings):
        plain = [one.value if isinstance(one, Evaluation) else one for one in inputs]
        if "out" in settings:
            settings["out"] = tuple(one.value if isinstance(one, Evaluation) else one for one in settings["out"])
        return getattr(ufunc, method)(*plain, **settings)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "value" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self.value, name)  # shape, dtype, sum(), ...

    def __getitem__(self, index):
        return self.value[index]

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self):
        return iter(self.value)

    def __repr__(self) -> str:
        return (f"Evaluation({self.evaluator}: {self.products} products, {self.solves} solves, error about "
                f"{self.error_estimate:.1e}; {self.value!r})")


def _compressed_rows(A, name: str):
    """Size and the arrays of compressed rows of a sparse or dense matrix."""
    if hasattr(A, "tocsr"):
        if A.dtype.kind not in "biuf":
            raise refuse(name, f"a matrix of type {A.dtype} is not allowed; expected real numbers")
        if A.ndim != 2 or A.shape[0] != A.shape[1]:
            raise refuse(name, f"the shape {A.shape} is not allowed; expected a square matrix")
        A = A.tocsr()
        if not A.has_canonical_format:
            A = A.copy()
            A.sum_duplicates()
        n, arrays = A.shape[0], (A.indptr, A.indices, A.data)
    else:
        try:
            A = np.asarray(A)
        except ValueError:
            raise refuse(name, "is no matrix; expected a sparse matrix, an array or a LinearOperator") from None
        if A.dtype.kind not in "biuf":
            raise refuse(name, f"a matrix of type {A.dtype} is not allowed; expected real numbers")
        if A.ndim != 2 or A.shape[0] != A.shape[1]:
            raise refuse(name, f"the shape {A.shape} is not allowed; expected a square matrix")
        n = A.shape[0]
        if n > 20000:
            raise refuse(name, f"a dense matrix of {n} rows is too large; give a sparse matrix or a LinearOperator")
        arrays = (np.arange(0, n * n + 1, max(n, 1), dtype=np.int32) if n else np.zeros(1, np.int32),
                  np.tile(np.arange(n, dtype=np.int32), n), np.ascontiguousarray(A, float).ravel())
    if n == 0:
        raise refuse(name, "is empty")
    if not np.isfinite(arrays[2]).all():
        raise refuse(name, "has entries that are not finite")
    return n, arrays


def _columns(b, n: int):
    """b as columns, and how to give the result b's shape."""
    try:
        b = np.asarray(b)
    except ValueError:
        raise refuse("b", "expected an array of numbers") from None
    if b.dtype.kind not in "biuf" or b.ndim not in (1, 2) or b.shape[0] != n:
        raise refuse("b", f"an array of shape {b.shape} and type {b.dtype} is not allowed; expected ({n},) or ({n}, k) "
                          "real numbers")
    if not np.isfinite(b).all():
        raise refuse("b", "has entries that are not finite")
    columns = np.asfortranarray(b.reshape(n, -1), float)
    return columns, b.shape


def _settings(t, order, evaluator, tolerance):
    try:
        t, tolerance = float(t), float(tolerance)
    except (TypeError, ValueError):
        raise refuse("t, tolerance", "expected numbers") from None
    if not math.isfinite(t):
        raise refuse("t", f"{t} is not allowed; expected a finite number")
    if not 0 < tolerance < 1:
        raise refuse("tolerance", f"{tolerance} is not allowed; expected a number > 0 and < 1")
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or not 0 <= order <= 20:
        raise refuse("order", f"{order!r} is not allowed; expected a whole number from 0 to 20")
    names = [name for name, _ in _phiflex.evaluators()]
    if evaluator != "auto" and evaluator not in names:
        raise refuse("evaluator", f"{evaluator!r} is not allowed; expected auto, {', '.join(names)}")
    return t, int(order), tolerance


def _finished(result, shape) -> Evaluation:
    status, value, *costs = result
    if status != "ok":
        raise EvaluationError(f"the matrix function could not be evaluated: {status}")
    return Evaluation(np.ascontiguousarray(value).reshape(shape), *costs)


def phi(A, b, t: float = 1.0, order: int = 1, evaluator: str = "auto", tolerance: float = 1e-8) -> Evaluation:
    """``phi_order(t A) b``, with ``phi_0 = exp`` and ``phi_k(z) = (phi_(k-1)(z) - 1/(k-1)!) / z``.

    A: a real square sparse matrix of scipy, an array, or a ``scipy.sparse.linalg.LinearOperator``. b: (n,) or (n, k).
    evaluator: one of :data:`phiflex.evaluators`, or "auto", which looks at A's size, symmetry and norm. tolerance:
    relative, of every column in the 2-norm.
    """
    t, order, tolerance = _settings(t, order, evaluator, tolerance)
    if hasattr(A, "matvec") and not hasattr(A, "tocsr"):
        if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
            raise refuse("A", f"the shape {A.shape} is not allowed; expected a square operator")
        n = A.shape[0]

        def product(x):
            y = np.asarray(A.matvec(x))
            if y.size != n or y.dtype.kind not in "biuf":
                raise refuse("A", f"its product with a vector is no array of {n} real numbers")
            return y.reshape(n)

        columns, shape = _columns(b, n)
        return _finished(_phiflex.phi_of_operator(n, product, _norm(product, n), columns, t, order, evaluator, tolerance),
                         shape)
    n, arrays = _compressed_rows(A, "A")
    columns, shape = _columns(b, n)
    try:
        return _finished(_phiflex.phi_of_matrix(n, arrays, columns, t, order, evaluator, tolerance), shape)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise refuse("evaluator", str(error)) from None


def exp(A, b, t: float = 1.0, evaluator: str = "auto", tolerance: float = 1e-8) -> Evaluation:
    """``exp(t A) b``: :func:`phi` of order 0."""
    return phi(A, b, t, 0, evaluator, tolerance)


def _norm(product, n: int) -> float:
    """An estimate of the size of an operator from a few products: it decides first guesses of substeps only."""
    x = np.sin(12.9898 * np.arange(1, n + 1))
    largest = 0.0
    for _ in range(4):
        size = np.linalg.norm(x)
        if not 0 < size < np.inf:
            break
        x = product(x / size)
        largest = max(largest, float(np.linalg.norm(x)))
    return largest


def _pencil(name: str, K, M, b, t, evaluator, tolerance) -> Evaluation:
    t, _, tolerance = _settings(t, 1, evaluator, tolerance)
    n, stiffness = _compressed_rows(K, "K")
    if M is None:
        mass: Any = np.ones(n)
    elif np.ndim(M) == 1 and not hasattr(M, "tocsr"):
        mass = M
    else:
        size, arrays = _compressed_rows(M, "M")
        if size != n:
            raise refuse("M", f"has {size} rows and K {n}; expected the same number")
        diagonal = len(arrays[1]) == n and (np.diff(arrays[0]) == 1).all() and (arrays[1] == np.arange(n)).all()
        mass = arrays[2] if diagonal else arrays
    columns, shape = _columns(b, n)
    return _finished(_phiflex.pencil_function(name, n, stiffness, mass, columns, t, evaluator, tolerance), shape)


def cos_sqrt(K, M, b, t: float = 1.0, evaluator: str = "auto", tolerance: float = 1e-8) -> Evaluation:
    """``cos(t sqrt(M^-1 K)) b`` of a symmetric pencil: the displacement at time t of ``M q'' + K q = 0`` that starts
    from q = b at rest. K: sparse or dense, symmetric. M: a vector (diagonal), a matrix, or None for the identity.

    tolerance: relative, in the norm of M. evaluator: "lanczos" (auto), "chebyshev" or "rational"."""
    return _pencil("cos", K, M, b, t, evaluator, tolerance)


def sinc_sqrt(K, M, b, t: float = 1.0, evaluator: str = "auto", tolerance: float = 1e-8) -> Evaluation:
    """``sqrt(A)^-1 sin(t sqrt(A)) b`` with ``A = M^-1 K``: the displacement at time t of ``M q'' + K q = 0`` that starts
    from q = 0 with the velocity b. Arguments as in :func:`cos_sqrt`."""
    return _pencil("sinc", K, M, b, t, evaluator, tolerance)
