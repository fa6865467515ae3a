"""Iterations of Newton's method and of BFGS on the backward Euler steps of a row of particles. A step minimizes

  E(q) = |q - q_n - h v_n|^2/2 + h^2/m W(q),   W = sum_springs k/2 (|d| - l)^2 + m g sum_i y_i             (1)

over the free particles. Both start from the place of the step before, halve their step until E falls enough (Armijo), and stop when the
largest component of the gradient is below tolerance (1 + that of the start). Newton raises the diagonal where the Hessian is not positive
definite; BFGS starts each step from the unit matrix and leaves out updates with s'y <= 0, so that its matrix stays positive definite.
"""
import numpy as np

from phiflex.experiments import Open

PARTICLES, LENGTH, MASS, GRAVITY, H, STEPS = 5, 1.0, 1.0, 9.81, 0.1, 20  # the first one is held; m, kg, m/s^2, s
TOLERANCE, LIMIT, PROMISED = 1e-6, 10000, 1e-4
REST = LENGTH / (PARTICLES - 1)
DOWN = np.tile([0.0, 1.0, 0.0], PARTICLES - 1)


class StepEnergy:
    """E of (1), its gradient and its Hessian, at a stiffness k."""

    def __init__(self, k, target):
        self.k, self.target, self.scale = k, target, H * H / MASS

    @staticmethod
    def _springs(q):
        places = np.vstack([np.zeros(3), q.reshape(-1, 3)])
        d = np.diff(places, axis=0)
        return d, np.linalg.norm(d, axis=1)

    def value(self, q):
        _, lengths = self._springs(q)
        W = self.k / 2 * ((lengths - REST)**2).sum() + MASS * GRAVITY * q @ DOWN
        return (q - self.target) @ (q - self.target) / 2 + self.scale * W

    def gradient(self, q):
        d, lengths = self._springs(q)
        f = self.scale * self.k * (1 - REST / lengths)[:, None] * d
        f[:-1] -= f[1:]  # what the next spring pulls
        return q - self.target + self.scale * MASS * GRAVITY * DOWN + f.ravel()

    def hessian(self, q):
        d, lengths = self._springs(q)
        Hessian = np.eye(q.size)
        for i, (one, length) in enumerate(zip(d, lengths)):
            along = np.outer(one, one) / length**2
            k = self.scale * self.k * (along + (1 - REST / length) * (np.eye(3) - along))
            here, before = slice(3 * i, 3 * i + 3), slice(3 * i - 3, 3 * i)
            Hessian[here, here] += k
            if i > 0:
                Hessian[before, before] += k
                Hessian[before, here] -= k
                Hessian[here, before] -= k
        return Hessian


def newton_direction(Hessian, g):
    shift = 0.0
    while True:
        try:
            L = np.linalg.cholesky(Hessian + shift * np.eye(g.size))
            return -np.linalg.solve(L.T, np.linalg.solve(L, g))
        except np.linalg.LinAlgError:
            shift = 10 * shift if shift else 1e-3


def backtracked(energy, q, direction, slope):
    """The length at which E falls by a part of what the slope promises; 0 where it never does."""
    E, length = energy.value(q), 1.0
    while length > 1e-14:
        if energy.value(q + length * direction) <= E + PROMISED * length * slope:
            return length
        length /= 2
    return 0.0


def minimize(energy, way, q):
    """The minimizer and the iterations to it."""
    g = energy.gradient(q)
    small, B, unit = TOLERANCE * (1 + abs(g).max()), np.eye(q.size), np.eye(q.size)
    for n in range(LIMIT):
        if abs(g).max() <= small:
            return q, n
        direction = newton_direction(energy.hessian(q), g) if way == "newton" else -B @ g
        length = backtracked(energy, q, direction, g @ direction)
        if length == 0:  # rounding ends the descent
            if abs(g).max() <= 100 * small:
                return q, n
            break
        s = length * direction
        q = q + s
        y, g = energy.gradient(q) - g, energy.gradient(q)
        if s @ y > 0:
            left = unit - np.outer(s, y) / (s @ y)
            B = left @ B @ left.T + np.outer(s, s) / (s @ y)
    raise Open(f"{way} did not converge at stiffness {energy.k:g}")


def row_iterations(way, k):
    """Of all steps together; way: "newton" or "bfgs"."""
    q = np.zeros((PARTICLES - 1, 3))
    q[:, 0] = REST * np.arange(1, PARTICLES)
    q = q.ravel()
    v, total = np.zeros_like(q), 0
    for _ in range(STEPS):
        moved, n = minimize(StepEnergy(k, q + H * v), way, q)
        total += n
        v, q = (moved - q) / H, moved
    return total
