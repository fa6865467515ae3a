"""Whatever is given: an exception with a sentence, never a crash."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import phiflex
from conftest import BAR, ROOT, bar_model

CALLS = 10000


def anything(random):
    """An argument that somebody might pass."""
    kind = random.integers(16)
    n, m = int(random.integers(0, 7)), int(random.integers(0, 6))
    shapes = [(n,), (n, 3), (n, 4), (n, 2), (n, m), (), (n, 3, 2)]
    shape = shapes[random.integers(len(shapes))]
    if kind == 0:
        return None
    if kind == 1:
        return float(random.choice([0, -1, 1, 0.3, 1e300, -1e-300, np.inf, np.nan]))
    if kind == 2:
        return random.choice(["", "bar", "em", "linear", "x" * 50, "\x00", "é"]).item()
    if kind == 3:
        return random.integers(-3, 9, shape)
    if kind == 4:
        return random.integers(0, 2, shape).astype(bool)
    if kind == 5:
        return random.standard_normal(shape) * 10.0 ** random.integers(-300, 300)
    if kind == 6:
        return random.standard_normal((2 * n, 6))[::2, ::2]  # not contiguous
    if kind == 7:
        return np.asfortranarray(random.standard_normal((n, 3)))
    if kind == 8:
        x = random.standard_normal((n, 3))
        x[random.random((n, 3)) < 0.2] = random.choice([np.nan, np.inf])
        return x
    if kind == 9:
        return random.standard_normal(shape).astype(random.choice(["f4", "c16", "O", "S3"]))
    if kind == 10:
        return random.integers(0, 2**63, shape, dtype=np.uint64)
    if kind == 11:
        return [[1, 2], [3]] if random.random() < 0.5 else {"a": 1}
    if kind == 12:
        return lambda *arguments: anything(random)
    if kind == 13:
        return random.standard_normal((5, 3))
    if kind == 14:
        return np.array([[0, 1, 2, 3]])
    return int(random.integers(-5, 2**62))


def maybe(random, good):
    return good if random.random() < 0.85 else anything(random)


def test_random_arguments_of_constructors_raise_or_work(random):
    vertices, tets = phiflex.box_mesh((1, 1, 1), (1, 1, 1))
    good_body = phiflex.Body(vertices, tets, phiflex.NeoHookean(1e5, 0.3, 1000), name="good")
    laws = [phiflex.NeoHookean, phiflex.Linear, phiflex.StVK, phiflex.Corotated]
    refused = worked = 0
    for _ in range(CALLS):
        try:
            law = laws[random.integers(len(laws))]
            material = maybe(random, law(maybe(random, 1e5), maybe(random, 0.3), maybe(random, 1000.0)))
            body = phiflex.Body(maybe(random, vertices), maybe(random, tets), material, name=maybe(random, "bar"),
                                mass=maybe(random, "lumped"), positions=maybe(random, None),
                                velocities=maybe(random, None))
            about = [phiflex.Fix, phiflex.Move, phiflex.Force, phiflex.Probe, phiflex.Sphere, phiflex.Floor,
                     phiflex.Load, phiflex.Wind, phiflex.Springs][random.integers(9)]
            arguments = [anything(random) for _ in range(random.integers(1, 4))]
            if about in (phiflex.Fix, phiflex.Move, phiflex.Force):
                arguments.insert(0, maybe(random, good_body))
            if about is phiflex.Springs:
                arguments = [maybe(random, vertices), maybe(random, np.array([[0, 1]])), maybe(random, 0.1)]
                part = about(*arguments, constant=maybe(random, 5.0))
            else:
                part = about(*arguments)
            chosen = [good_body, part] if random.random() < 0.5 else [body, part] if random.random() < 0.5 else [body]
            model = phiflex.Model(chosen, gravity=maybe(random, (0, -9.81, 0)))
            sim = model.simulate(step=maybe(random, 0.01), integrator=maybe(random, "si"))
            sim.step()
            worked += 1
        except (ValueError, TypeError, phiflex.StepError, phiflex.EvaluationError, OverflowError) as error:
            assert str(error)
            refused += 1
    assert worked + refused == CALLS and worked > 100 and refused > 1000, (worked, refused)


def test_random_arguments_of_functions_raise_or_work(random):
    sim = phiflex.Simulation(BAR)
    system, batch = sim.system, phiflex.Batch([phiflex.Simulation(BAR)])
    q = np.zeros(system.dofs)
    calls = [lambda a, b: system.force(maybe(random, q), a, maybe(random, 0.0)), lambda a, b: system.energy(a),
             lambda a, b: system.stiffness(a), lambda a, b: system.two_state_force(q, q, a, b),
             lambda a, b: system.apply_K(q, a), lambda a, b: system.solve_mass(a), lambda a, b: phiflex.modes(system, a),
             lambda a, b: sim.positions(a), lambda a, b: sim.velocities(a), lambda a, b: sim.run(a, b),
             lambda a, b: batch.step(0 if isinstance(a, (int, np.integer)) else a), lambda a, b: phiflex.matfun.phi(a, b),
             lambda a, b: phiflex.matfun.cos_sqrt(a, maybe(random, None), b), lambda a, b: phiflex.box_mesh(a, b),
             lambda a, b: phiflex.Simulation(a, set=b), lambda a, b: phiflex.Batch(a),
             lambda a, b: phiflex.analyze(a, b), lambda a, b: phiflex.sweep(BAR, a)]
    for _ in range(CALLS // 5):
        try:
            calls[random.integers(len(calls))](anything(random), anything(random))
        except (ValueError, TypeError, OSError, RuntimeError, OverflowError, KeyError, IndexError) as error:
            assert str(error) or isinstance(error, (KeyError, IndexError))


def test_a_scene_that_is_wrong_has_all_its_problems():
    with pytest.raises(phiflex.InputError) as error:
        phiflex.Simulation({**BAR, "time": {"step": -1, "end": 1}, "gravit": [0, 0, 0]})
    places = [problem.place for problem in error.value.problems]
    assert "/time/step" in places and "/gravit" in places
    assert str(error.value).count("\n") + 1 == len(places)
    assert all(problem.file == "scene" for problem in error.value.problems)


def test_files_that_are_not_there_are_oserrors(tmp_path):
    with pytest.raises(OSError):
        phiflex.Simulation(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(phiflex.InputError, match="line 1"):
        phiflex.Simulation(tmp_path / "bad.json")
    for wrong in (None, 5, [1], b"scene.json"):
        with pytest.raises((phiflex.InputError, TypeError)):
            phiflex.Simulation(wrong)


def resident_kilobytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def test_a_thousand_constructions_leave_no_memory_behind():
    # What stays is caches that fill once: the second half must not grow by what one simulation takes.
    def make():
        sim = phiflex.Simulation(BAR)
        sim.step()
        x = sim.positions("bar")
        K = sim.system.stiffness(np.zeros(sim.system.dofs))
        model = bar_model()
        other = model.simulate(step=0.01, integrator="si")
        other.velocities()[:] = 0.1
        other.step()
        return x, K

    for _ in range(500):
        make()
    gc.collect()
    before = resident_kilobytes()
    for _ in range(500):
        make()
    gc.collect()
    # One construction holds about 100 kB: 500 leaked ones would be 50 MB.
    assert resident_kilobytes() - before < 3000


def test_another_interpreter_is_told_which_one_to_use(tmp_path):
    program = "import sys; sys.modules['numpy'] = None; import phiflex"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 1
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: phiflex needs numpy") and "python3" in last


def test_the_version_is_the_commands():
    from conftest import command

    assert phiflex.__version__ in command("--version")


def test_every_public_thing_is_documented_and_in_the_stubs():
    import inspect

    for name in phiflex.__all__:
        thing = getattr(phiflex, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert thing.__doc__, name
            for key, value in vars(thing).items() if inspect.isclass(thing) else ():
                if not key.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    inspect.signature(value.fget if isinstance(value, property) else value)
    import ast

    stub = ast.parse((ROOT / "python" / "phiflex" / "_phiflex.pyi").read_text())
    declared = {}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            declared[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            declared[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            declared[node.target.id] = None
    from phiflex import _phiflex

    there = {name for name in vars(_phiflex) if not name.startswith("__")}
    assert there == set(declared)
    for name, members in declared.items():
        if members is not None:
            real = {key for key in vars(getattr(_phiflex, name)) if not key.startswith("_")}
            assert real == {member for member in members if not member.startswith("_")}, name
