"""Matrix functions for users of scipy: heat in a plate with a source, and a membrane that swings.

    u' = A u + s            u(t) = u(0) + t phi_1(t A) (A u(0) + s)                                         (1)
    M w'' + K w = 0         w(t) = cos(t sqrt(M^-1 K)) w(0) + sqrt(M^-1 K)^-1 sin(t sqrt(M^-1 K)) w'(0)     (2)
"""
import numpy as np
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, expm_multiply

from phiflex import matfun

n = 60
line = scipy.sparse.diags([1, -2, 1], [-1, 0, 1], (n, n)) * (n + 1) ** 2
A = scipy.sparse.kronsum(line, line, format="csr")  # the Laplacian on a grid of n x n points
u, source = np.zeros(n * n), np.ones(n * n)

heat = matfun.phi(A, A @ u + source, t=0.05)  # (1); order 1 is the default
print(f"heat: {heat.evaluator}, {heat.products} products, {heat.solves} solves, error about {heat.error_estimate:.0e}")
hottest = 0.05 * heat.max()

# The same by the exponential of a matrix with one more row and column, and from products alone.
W = scipy.sparse.bmat([[A, source[:, None]], [None, np.zeros((1, 1))]], format="csr")
by_scipy = expm_multiply(0.05 * W, np.append(u, 1))[:-1]
by_products = matfun.phi(LinearOperator(A.shape, A.dot, dtype=float), source, t=0.05, evaluator="kiops")
print(f"hottest {hottest:.6f}; scipy {by_scipy.max():.6f}; from products alone {0.05 * by_products.max():.6f}")
assert np.allclose(0.05 * heat, by_scipy, rtol=1e-6) and np.allclose(heat, by_products, rtol=1e-6)

K, M = -A, np.full(n * n, 2.0)
x, y = np.meshgrid(*2 * [np.arange(1, n + 1) / (n + 1)])
w = (np.sin(np.pi * x) * np.sin(np.pi * y)).ravel()  # an eigenvector: it swings with one frequency
omega = np.sqrt(2 * (2 * (n + 1) * np.sin(np.pi / (2 * (n + 1)))) ** 2 / 2)
swung = matfun.cos_sqrt(K, M, w, t=1.0)  # (2)
print(f"membrane: {swung.products} products; error {np.abs(swung - np.cos(omega) * w).max():.1e}")
assert np.allclose(swung, np.cos(omega) * w, atol=1e-6)
