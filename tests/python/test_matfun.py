"""Matrix functions for users of scipy."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg

import phiflex
from phiflex import matfun


def laplacian(n):
    return scipy.sparse.diags([1, -2, 1], [-1, 0, 1], (n, n), format="csr") * float(n)


def dense_phi(A, k):
    """By the exponential of a larger matrix: phi_k(A) is a block of exp of [A I 0; 0 0 I; 0 0 0]."""
    n = A.shape[0]
    W = np.zeros(((k + 1) * n, (k + 1) * n))
    W[:n, :n] = A
    for i in range(k):
        W[i * n:(i + 1) * n, (i + 1) * n:(i + 2) * n] = np.eye(n)
    return scipy.linalg.expm(W)[:n, k * n:]


@pytest.mark.parametrize("evaluator", ["auto", "lanczos", "rational", "kiops", "phipm", "taylor", "dense", "expv"])
def test_every_evaluator_gives_what_dense_matrices_give(evaluator, random):
    A, b = laplacian(40), random.standard_normal(40)
    for order in (0, 1, 2):
        y = matfun.phi(A, b, 0.3, order, evaluator, 1e-8)
        expected = dense_phi(0.3 * A.toarray(), order) @ b
        assert np.linalg.norm(y - expected) < 2e-7 * np.linalg.norm(expected), order


def test_sparse_dense_and_operator_arguments_agree(random):
    A = laplacian(300) + scipy.sparse.random(300, 300, 0.01, random_state=1)
    b = random.standard_normal((300, 2))
    by_matrix = matfun.phi(A, b, 0.1)
    for other in (A.toarray(), A.tocsc(), A.tocoo(), scipy.sparse.linalg.aslinearoperator(A)):
        y = matfun.phi(other, b, 0.1)
        assert y.value.shape == (300, 2) and np.allclose(y, by_matrix, rtol=1e-6, atol=1e-8)
    expected = dense_phi(0.1 * A.toarray(), 1) @ b
    assert np.linalg.norm(by_matrix - expected) < 1e-7 * np.linalg.norm(expected)


def test_the_result_is_an_array_with_its_costs(random):
    b = random.standard_normal(300)
    y = matfun.exp(laplacian(300), b, 0.01)
    assert isinstance(y.value, np.ndarray) and y.products > 0 and 0 <= y.error_estimate < 1e-8
    assert y.shape == (300,) and len(y) == 300 and y[3] == y.value[3] and y.evaluator in phiflex.evaluators
    assert np.array_equal(2 * y + 1, 2 * y.value + 1) and np.array_equal(np.asarray(y), y.value)
    assert np.isclose(np.linalg.norm(y), np.linalg.norm(y.value)) and y.sum() == y.value.sum()
    assert np.array_equal(matfun.phi(laplacian(300), b, 0.0, 2), b / 2)


def test_cosines_of_pencils_are_the_motion_of_a_linear_system(random):
    n = 120
    K, t = -laplacian(n) * 10, 0.7
    masses = 1 + random.random(n)
    T = scipy.sparse.diags([1, 4, 1], [-1, 0, 1], (n, n), format="csr") / 6
    b = random.standard_normal(n)
    for M, dense in ((masses, np.diag(masses)), (scipy.sparse.diags(masses), np.diag(masses)), (T, T.toarray()),
                     (None, np.eye(n))):
        w2, U = scipy.linalg.eigh(K.toarray(), dense)
        c = U.T @ (dense @ b)
        for evaluator in ("auto", "lanczos", "chebyshev", "rational"):
            cosine = matfun.cos_sqrt(K, M, b, t, evaluator)
            assert np.allclose(cosine, U @ (np.cos(t * np.sqrt(w2)) * c), atol=1e-6 * np.abs(b).max()), evaluator
            sine = matfun.sinc_sqrt(K, M, b, t, evaluator)
            assert np.allclose(sine, U @ (np.sin(t * np.sqrt(w2)) / np.sqrt(w2) * c), atol=1e-6), evaluator


def test_wrong_matrices_and_settings_are_refused():
    A, b = laplacian(10), np.ones(10)
    bad = [((A[:5], b), {}), ((A, b[:5]), {}), ((A * 1j, b), {}), ((A, b * np.nan), {}), ((A, b), {"t": np.inf}),
           ((A, b), {"order": -1}), ((A, b), {"order": 1.5}), ((A, b), {"evaluator": "none"}), ((A, b), {"tolerance": 0}),
           ((A, "text"), {}), ((None, b), {}), (("A", b), {}), ((np.full((10, 10), np.nan), b), {}),
           ((np.zeros((0, 0)), []), {}), ((scipy.sparse.linalg.LinearOperator((3, 4), lambda x: x, dtype=float), b), {})]
    for arguments, settings in bad:
        with pytest.raises(phiflex.InputError):
            matfun.phi(*arguments, **settings)
    lopsided = A.copy()
    lopsided[0, 5] = 3
    with pytest.raises(phiflex.InputError, match="symmetric"):
        matfun.phi(lopsided, b, evaluator="lanczos")
    with pytest.raises(phiflex.InputError, match="K: is not symmetric"):
        matfun.cos_sqrt(lopsided, None, b)
    with pytest.raises(phiflex.InputError, match="M: is not positive definite"):
        matfun.cos_sqrt(A, -np.ones(10), b)
    with pytest.raises(phiflex.InputError, match="needs the matrix itself"):
        matfun.phi(scipy.sparse.linalg.aslinearoperator(A), b, evaluator="lanczos")

    def broken(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        matfun.phi(scipy.sparse.linalg.LinearOperator((10, 10), broken, dtype=float), b)
    with pytest.raises(phiflex.InputError, match="product"):
        matfun.phi(scipy.sparse.linalg.LinearOperator((10, 10), lambda x: np.array(["a"] * 10), dtype=float), b)
