"""Integrators written in Python."""

import pickle

import numpy as np
import pytest

import phiflex
from conftest import bar_model


class Leapfrog(phiflex.Integrator):
    """Velocity Verlet, as the catalogue's verlet with one substep."""

    name, order, symplectic, stability_limit = "py-leapfrog", 2, True, 2.0

    def step(self, now, h, next):
        half = now.v + h / 2 * self.system.solve_mass(self.system.force(now.q, now.v, now.t))
        next.q = now.q + h * half
        next.v = half + h / 2 * self.system.solve_mass(self.system.force(next.q, half, next.t))


class BDF2(phiflex.Integrator):
    """BDF2 with one linearized solve, started by a linearly implicit Euler step."""

    name, order = "py-bdf2", 2

    def __init__(self):
        self.before = None

    def step(self, now, h, next):
        import scipy.sparse.linalg as linalg

        s = self.system
        M, K = s.mass, s.stiffness(now.q, now.v, now.t)
        if now.continues and self.before is not None:
            q, v = (4 * now.q - self.before[0]) / 3, (4 * now.v - self.before[1]) / 3
            g = 2 * h / 3
        else:
            q, v, g = now.q, now.v, h
        # v+ = v + g M^-1 f(q + g v+), f linearized at q_n
        f = s.force(now.q, now.v, now.t) - K @ (q + g * v - now.q)
        dv = linalg.spsolve((M + g * g * K).tocsc(), g * f)
        next.v[:] = v + dv
        next.q[:] = q + g * next.v
        self.before = (now.q, now.v)

    def save(self):
        return pickle.dumps(self.before)

    def load(self, memory):
        self.before = pickle.loads(memory)


def test_an_integrator_in_python_makes_the_steps_of_the_same_one_in_cpp():
    model = bar_model()
    mine = model.simulate(step=2e-4, integrator="py-leapfrog").advance(until=0.05)
    theirs = model.simulate(step=2e-4, integrator="verlet:substeps=1").advance(until=0.05)
    assert mine.integrator == "py-leapfrog"
    assert np.allclose(mine.positions(), theirs.positions(), atol=1e-12)
    assert mine.work["force_evaluations"] == 2 * 250
    assert abs(mine.ledger.numerical_loss) < 1e-3 * mine.energy.kinetic  # the engine keeps its ledger


def test_scenes_name_it_and_classes_do():
    assert bar_model().simulate(step=1e-4, integrator=Leapfrog).integrator == "py-leapfrog"
    with pytest.raises(phiflex.InputError, match="py-leapfrog"):  # in the list of what is allowed
        bar_model().simulate(step=1e-4, integrator="py-leapfrg")


def test_memory_is_saved_and_forgotten_when_the_state_was_changed(tmp_path):
    model = bar_model()
    sim = model.simulate(step=0.01, integrator="py-bdf2")
    sim.step(5)
    sim.save(tmp_path / "state")
    whole = sim.advance(until=0.2).hash
    again = model.simulate(step=0.01, integrator="py-bdf2")
    again.restore(tmp_path / "state")
    assert again.advance(until=0.2).hash == whole
    flags = []

    class Told(Leapfrog):
        name = "py-told"

        def step(self, now, h, next):
            flags.append(now.continues)
            super().step(now, h, next)

    sim = model.simulate(step=1e-4, integrator=Told)
    sim.step(2)
    sim.velocities()[:] = 0
    sim.step(2)
    assert flags == [False, True, False, True]


def test_the_second_order_is_seen_in_a_comparison(bar, tmp_path):
    bar["time"]["end"] = 0.1
    compared = phiflex.compare(bar, ["si", "py-bdf2", BDF2], steps=[0.01, 0.005], folder=tmp_path / "compare")
    table = compared.table()
    assert list(table["run"]) == ["si@0.01", "si@0.005", "py-bdf2@0.01", "py-bdf2@0.005"]
    errors = dict(zip(table["run"], table["position_error"]))
    assert errors["py-bdf2@0.005"] < errors["si@0.005"]
    assert errors["py-bdf2@0.01"] / errors["py-bdf2@0.005"] > 2.5  # 4 in the limit; first order: 2


def test_it_is_analyzed_like_the_others():
    mine, theirs = phiflex.analyze("stability", ["py-leapfrog", "central-difference"], start=0.1, end=1.9,
                                   points=9).curves.values()
    assert np.allclose(mine["spectral_radius"], theirs["spectral_radius"], atol=1e-9)


def test_released_constraints_make_a_new_instance():
    made = []

    class Counted(Leapfrog):
        name = "py-counted"

        def __init__(self):
            made.append(self)
            assert self.system.dofs > 0

    body = phiflex.Body.box((0.4, 0.1, 0.1), (4, 1, 1), phiflex.NeoHookean(2e5, 0.4, 1000))
    model = phiflex.Model([body, phiflex.Fix(body, lambda x: x[:, 0] == 0, until=0.001)], gravity=(0, -9.81, 0))
    sim = model.simulate(step=1e-4, integrator=Counted)
    sim.step(20)
    assert len(made) == 2
    with pytest.raises(RuntimeError, match="belonged to an integrator that is gone"):
        made[0].system.force(np.zeros(48))
    del sim
    with pytest.raises(RuntimeError, match="belonged to an integrator that is gone"):
        made[1].system.energy(np.zeros(60))


def test_a_tangent_kept_beyond_its_system_is_refused_and_its_matrix_stays():
    kept = []

    class Keeping(Leapfrog):
        name = "py-keeping"

        def step(self, now, h, next):
            kept.append(self.system.tangent(now.q))
            kept.append(kept[-1].K)
            super().step(now, h, next)

    sim = bar_model().simulate(step=1e-4, integrator=Keeping)
    sim.step()
    del sim
    with pytest.raises(RuntimeError, match="gone"):
        kept[0].apply_K(np.zeros(48))
    assert np.isfinite(kept[1].data).all()


@pytest.mark.parametrize("body, error, words", [
    ("raise KeyError('mine')", KeyError, "mine"),
    ("pass", phiflex.InputError, "wrote nothing into next.q"),
    ("next.q = now.q", phiflex.InputError, "wrote nothing into next.v"),
    ("next.q = None", phiflex.InputError, "left no numbers in next.q"),
    ("next.q = 'text'", phiflex.InputError, "left no numbers in next.q"),
    ("next.q = next.v = now.q[:3]", phiflex.InputError, "left 3 numbers in next.q; expected 48"),
    ("return 7", phiflex.InputError, "must return nothing or the word"),
    ("return 'nonsense'", phiflex.InputError, "not_converged"),
    ("return 'not_converged'", phiflex.StepError, "did not converge"),
    ("next.q = now.q + float('inf'); next.v = now.v", phiflex.StepError, "not finite"),
])
def test_an_integrator_that_fails_says_so_and_leaves_the_state(body, error, words):
    space = {}
    exec(f"def step(self, now, h, next):\n    {body}", space)
    bad = type("Bad", (phiflex.Integrator,), {"name": "py-bad", "step": space["step"]})
    sim = bar_model().simulate(step=0.01, integrator=bad)
    before = sim.hash
    with pytest.raises(error, match=words):
        sim.step()
    assert sim.hash == before and sim.step_count == 0


def test_a_class_without_what_it_needs_is_refused():
    for settings, words in (({"name": "em", "step": Leapfrog.step}, "method of the catalogue"),
                            ({"name": "no step"}, "without blanks"), ({"name": "nostep"}, "no method step"),
                            ({"name": "x", "order": "2", "step": Leapfrog.step}, "whole number >= 1")):
        with pytest.raises(ValueError, match=words):
            type("Bad", (phiflex.Integrator,), settings)
    type("Base", (phiflex.Integrator,), {})  # without a name: a base class


def test_an_init_that_raises_is_heard():
    class Broken(Leapfrog):
        name = "py-broken"

        def __init__(self):
            raise OSError("no data")

    with pytest.raises(OSError, match="no data"):
        bar_model().simulate(step=0.01, integrator=Broken)


def test_an_exponential_method_with_matrix_functions_is_exact_on_linear_motion():
    class Exponential(phiflex.Integrator):
        """q+ = q + h sinc_sqrt v + h^2 ..., exact for a linear force without damping."""

        name, order = "py-exponential", 2

        def step(self, now, h, next):
            s = self.system
            K, M = s.stiffness(now.q), s.mass.diagonal()
            a = s.solve_mass(s.force(now.q, now.v, now.t))
            # w = v(t) solves w'' = -A w, w(0) = v, w'(0) = a; the displacement is its integral.
            f = phiflex.matfun
            next.v = f.cos_sqrt(K, M, now.v, h) + f.sinc_sqrt(K, M, a, h)
            # K (q+ - q) = M (a - a+), by a solve-free formula: (1 - cos)/A = 2 sinc_sqrt(h/2)^2
            half = f.sinc_sqrt(K, M, f.sinc_sqrt(K, M, a, h / 2).value, h / 2)
            next.q = now.q + f.sinc_sqrt(K, M, now.v, h) + 2 * half

    body = phiflex.Body.box((0.4, 0.1, 0.1), (4, 1, 1), phiflex.Linear(2e5, 0.4, 1000))
    model = phiflex.Model([body, phiflex.Fix(body, lambda x: x[:, 0] == 0)], gravity=(0, -9.81, 0))
    coarse = model.simulate(step=0.1, integrator=Exponential).advance(until=0.3)
    fine = model.simulate(step=0.01, integrator=Exponential).advance(until=0.3)
    assert np.allclose(coarse.positions(), fine.positions(), atol=1e-7)
    assert abs(coarse.ledger.numerical_loss) < 1e-6 * abs(coarse.energy.gravity)
