"""Whatever is given: an exception with a sentence, never a crash."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import phiflex
from conftest import BAR, ROOT, bar_model
from random_arguments import call_constructors, call_functions

CALLS = 10000


def test_random_arguments_of_constructors_raise_or_work(random):
    worked, refused = call_constructors(random, CALLS)
    assert worked + refused == CALLS and worked > CALLS // 100 and refused > CALLS // 10, (worked, refused)


def test_random_arguments_of_functions_raise_or_work(random):
    call_functions(random, CALLS // 5)


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
