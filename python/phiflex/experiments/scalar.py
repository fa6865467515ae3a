"""What the catalogue's methods do to the scalar test equation q'' + d q' + w^2 q = 0, measured on their step functions."""

from __future__ import annotations

import numpy as np

from .. import _phiflex


def _shaped(x, values):
    values = np.array(values, float)
    return values if np.ndim(x) else float(values[0])


def _list(x):
    return [float(one) for one in np.atleast_1d(x)]


def damping(method: str, x):
    """Artificial damping d/w over x = h w; the amplitude decays with d/2."""
    xs = _list(x)
    return _shaped(x, -2 * np.log(_phiflex.spectral_radii(method, xs, 0.0, False, 1.0)) / np.array(xs))


def spectral_radius(method: str, x, xi: float = 0.0, printed: bool = False):
    """The spectral radius of a step; printed: generalized-alpha as it is misprinted."""
    return _shaped(x, _phiflex.spectral_radii(method, _list(x), float(xi), printed, 1.0))


def stiffened_radius(method: str, x, ratio: float):
    """The same for a body that has become ``ratio`` times as stiff as its rest shape, of which x is."""
    return _shaped(x, _phiflex.spectral_radii(method, [one * ratio ** 0.5 for one in _list(x)], 0.0, False, float(ratio)))


def _principal(method: str, x, xi: float, folded: bool):
    for at, (root, angle) in zip(_list(x), _phiflex.principal_roots(method, _list(x), float(xi))):
        with np.errstate(divide="ignore"):
            yield at, root, float(np.arctan(np.abs(np.divide(root.imag, root.real)))) if folded else angle


def period_elongation(method: str, x, xi: float, folded: bool = False):
    """x sqrt(1 - xi^2) / theta - 1; folded: theta = arctan|Im z / Re z|, as Zheng and others print it."""
    return _shaped(x, [at * (1 - xi * xi) ** 0.5 / theta - 1 for at, _, theta in _principal(method, x, xi, folded)])


def amplitude_decay(method: str, x, xi: float, folded: bool = False):
    """-ln|z| / theta, the damping ratio that the numerical oscillation shows."""
    return _shaped(x, [-np.log(abs(root)) / theta for _, root, theta in _principal(method, x, xi, folded)])


def oscillator(method: str, w: float, d: float, h: float, n: int, q0: float, v0: float) -> np.ndarray:
    """Positions after 0 to n steps of a method; not a number after one that fails."""
    return np.array(_phiflex.oscillator(method, float(w), float(d), float(h), int(n), float(q0), float(v0)))


def exact_oscillator(w: float, d: float, t, q0: float, v0: float):
    """The exact position at t."""
    return _shaped(t, _phiflex.exact_oscillator(float(w), float(d), _list(t), float(q0), float(v0)))
