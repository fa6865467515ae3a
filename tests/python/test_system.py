"""The system itself: forces, energies, matrices, modes."""

import gc

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg

import phiflex
from conftest import bar_model, command


@pytest.fixture
def system():
    return bar_model().system()


def test_the_force_is_the_derivative_of_the_energy(system, random):
    q, d = 0.002 * random.standard_normal(system.dofs), random.standard_normal(system.dofs)
    e = 1e-6
    slope = (system.energy(q + e * d) - system.energy(q - e * d)) / (2 * e)
    # Central differences: e^2 of the third derivative, and rounding of the energy over e.
    assert system.force(q) @ d == pytest.approx(-slope, rel=1e-5)


def test_the_stiffness_is_the_derivative_of_the_force(system, random):
    q, d = 0.002 * random.standard_normal(system.dofs), random.standard_normal(system.dofs)
    e = 1e-7
    change = (system.force(q - e * d) - system.force(q + e * d)) / (2 * e)
    K = system.stiffness(q)
    assert isinstance(K, scipy.sparse.bsr_matrix) and K.blocksize == (3, 3)
    assert np.allclose(K @ d, change, rtol=1e-5, atol=1e-5 * np.abs(change).max())
    assert np.allclose(K @ d, system.apply_K(q, d), rtol=1e-12, atol=1e-9)
    assert abs(K - K.T).max() < 1e-9 * abs(K).max()


def test_the_values_of_the_stiffness_are_no_copy(system):
    tangent = system.tangent(np.zeros(system.dofs))
    K, again = tangent.K, tangent.K
    assert np.shares_memory(K.data, again.data) and np.shares_memory(K.indices, again.indices)
    assert not K.data.flags.owndata and not K.data.flags.writeable
    del tangent, again
    gc.collect()
    assert np.isfinite(K @ np.ones(K.shape[0])).all()


def test_the_mass_is_a_sparse_matrix_of_all_free_vertices(system):
    assert system.mass.shape == (system.dofs, system.dofs)
    # The body weighs 4 kg; the four held vertices carry an eighth of it.
    assert system.mass.diagonal().sum() / 3 == pytest.approx(4 * 7 / 8)
    f = np.arange(system.dofs, dtype=float)
    assert np.allclose(system.mass @ system.solve_mass(f), f)
    consistent = bar_model(mass="consistent").system()
    assert scipy.sparse.issparse(consistent.mass) and consistent.mass.nnz > system.dofs
    assert np.allclose(consistent.mass @ consistent.solve_mass(f), f)


def test_damping_has_its_matrix_and_the_undamped_none(system):
    assert system.tangent(np.zeros(system.dofs)).D is None
    damped = bar_model(damping={"mass": 0.5, "stiffness": 0.01}).system()
    tangent = damped.tangent(np.zeros(damped.dofs))
    expected = 0.5 * damped.mass + 0.01 * tangent.K
    assert abs(tangent.D - expected).max() < 1e-9 * abs(expected).max()
    assert np.allclose(tangent.load_rate, 0)


def test_the_two_state_force_does_the_work_that_the_energy_loses(system, random):
    q, v = 0.002 * random.standard_normal(system.dofs), np.zeros(system.dofs)
    w, h = random.standard_normal(system.dofs) * 0.1, 0.01
    f = system.two_state_force(q, v, w, h)
    assert h * w @ f == pytest.approx(system.energy(q) - system.energy(q + h * w), rel=1e-9)


def test_modes_are_those_of_the_command_and_solve_their_equation(bar, tmp_path):
    import json

    (tmp_path / "bar.json").write_text(json.dumps(bar))
    told = json.loads(command("modes", tmp_path / "bar.json", "--count", 6, "-o", tmp_path / "modes", "--json"))
    for source in (bar, tmp_path / "bar.json", bar_model(), phiflex.Simulation(bar)):
        found = phiflex.modes(source, 6)
        assert np.allclose(found.frequencies, [mode["frequency_hz"] for mode in told["modes"]], rtol=1e-9)
    system = bar_model().system()
    K, U = system.stiffness(np.zeros(system.dofs)), found.vectors
    assert np.allclose(U.T @ (system.mass @ U), np.eye(6), atol=1e-9)
    assert np.allclose(K @ U, (system.mass @ U) * found.eigenvalues, atol=1e-5 * found.eigenvalues.max())
    assert found.shapes.shape == (6, 20, 3) and np.all(found.shapes[:, ::5] == 0)
    assert len(found.table()["frequency"]) == 6


def test_a_free_body_has_six_rigid_modes():
    body = phiflex.Body.box((0.4, 0.1, 0.1), (4, 1, 1), phiflex.NeoHookean(2e5, 0.4, 1000))
    frequencies = phiflex.modes(phiflex.Model([body]), 8).frequencies
    assert np.all(frequencies[:6] == 0) and frequencies[6] > 1


def test_wrong_vectors_are_refused(system):
    n = system.dofs
    for q in (np.zeros(n + 1), np.zeros((n, 1)), np.full(n, np.nan), np.zeros(n, complex), "q", None, [[]]):
        with pytest.raises(phiflex.InputError):
            system.force(q)
        with pytest.raises(phiflex.InputError):
            system.stiffness(q)
    with pytest.raises(phiflex.InputError, match="from 1 to"):
        phiflex.modes(system, n + 1)
    assert system.force(np.zeros(2 * n)[::2]).shape == (n,)  # not contiguous, and good
    assert np.array_equal(system.force(np.zeros(n, np.float32)), system.force([0] * n))


def test_systems_may_be_used_from_several_threads(system):
    import threading

    q = 0.001 * np.sin(np.arange(system.dofs))
    expected, found = system.force(q), []

    def work():
        for _ in range(50):
            found.append(np.array_equal(system.force(q), expected) and np.isfinite(system.apply_K(q, q)).all())

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 150 and all(found)
