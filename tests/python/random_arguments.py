"""Calls with random arguments: whatever is given, an exception with a sentence or a result, never a crash.

By pytest (test_bad_input.py), or alone, so that it also runs under the address sanitizer (tools/sanitize_python.sh):
PYTHONPATH=build/python /usr/bin/python3 tests/python/random_arguments.py --calls 10000 --seed 1
"""

import argparse

import numpy as np

import phiflex

BAR = {"time": {"step": 0.01, "end": 0.2}, "integrator": {"type": "em"}, "gravity": [0, -9.81, 0],
       "bodies": [{"name": "bar", "mesh": {"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]},
                   "material": {"type": "neo-hookean", "young": 2e5, "poisson": 0.4, "density": 1000}}],
       "constraints": [{"body": "bar", "where": {"box": [[0, 0, 0], [0, 1, 1]]}, "type": "fix"}]}
# How the engine refuses. Everything else, a KeyError of our own code for example, is a fault.
REFUSALS = (ValueError, TypeError, phiflex.StepError, phiflex.EvaluationError, OverflowError)


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
    return good if random.random() < 0.94 else anything(random)


CURVE = {"knots": [0.5, 1.0, 2.0], "values": [-0.5, 0.0, 1.0]}


def material(random):
    """A law of the catalogue with parameters of its own: examples, arrays, and now and then anything."""
    law = phiflex.laws._LAWS[random.choice(list(phiflex.materials)).item()]
    given = {}
    for parameter in law["parameters"]:
        good = {"number": parameter["example"][0], "direction": parameter["example"], "curve": None}[parameter["kind"]]
        if parameter["kind"] == "curve" and random.random() < 0.3:
            good = CURVE
        if parameter["kind"] != "curve" and random.random() < 0.2:
            good = np.tile(good, (6, 1) if parameter["kind"] == "direction" else 6)
        if random.random() < 0.95:
            given[parameter["key"]] = maybe(random, good)
    if random.random() < 0.03:
        given["nonsense"] = anything(random)
    return maybe(random, phiflex.Material(maybe(random, law["name"]), density=maybe(random, 1000.0), **given))


def part(random, good_body, vertices):
    """Something about a body."""
    kinds = [phiflex.Fix, phiflex.Move, phiflex.Force, phiflex.Probe, phiflex.Sphere, phiflex.Floor, phiflex.Plane,
             phiflex.Capsule, phiflex.Cuboid, phiflex.Load, phiflex.Wind, phiflex.Springs, phiflex.Contact]
    about = kinds[random.integers(len(kinds))]
    if about is phiflex.Springs:
        return about(maybe(random, vertices + [3, 0, 0]), maybe(random, np.array([[0, 1]])), maybe(random, 0.1),
                     constant=maybe(random, 5.0), triangles=maybe(random, None))
    if about is phiflex.Contact:
        return about(maybe(random, "all"), friction=maybe(random, 0.1), distance=maybe(random, None),
                     stiffness=maybe(random, None))
    if about is phiflex.Floor and random.random() < 0.5:
        return about(maybe(random, -1.0), friction=maybe(random, 0.3), distance=maybe(random, 0.01),
                     thickness=maybe(random, 0.0), at_start=maybe(random, "push"))
    arguments = [anything(random) for _ in range(random.integers(1, 4))]
    if about in (phiflex.Fix, phiflex.Move, phiflex.Force):
        arguments.insert(0, maybe(random, good_body))
    return about(*arguments)


def call_constructors(random, calls):
    """Models and simulations; how many worked, and how many were refused."""
    vertices, tets = phiflex.box_mesh((1, 1, 1), (1, 1, 1))
    good_body = phiflex.Body(vertices, tets, phiflex.NeoHookean(1e5, 0.3, 1000), name="good")
    refused = worked = 0
    for _ in range(calls):
        try:
            regions = [(maybe(random, [0, 3]), material(random))] if random.random() < 0.2 else []
            body = phiflex.Body(maybe(random, vertices + [0, 2, 0]), maybe(random, tets), material(random),
                                name=maybe(random, "bar"), mass=maybe(random, "lumped"), positions=maybe(random, None),
                                velocities=maybe(random, None), damping=maybe(random, {"mass": 0.1}),
                                regions=maybe(random, regions))
            about = part(random, good_body, vertices)
            chosen = [[good_body, about], [body, about], [body], [good_body, body]][random.integers(4)]
            model = phiflex.Model(chosen, gravity=maybe(random, (0, -9.81, 0)))
            sim = model.simulate(step=maybe(random, 0.01), integrator=maybe(random, "si"))
            sim.step()
            worked += 1
        except REFUSALS as error:
            assert str(error), type(error)
            refused += 1
    return worked, refused


def call_functions(random, calls):
    """Functions and methods of things that are good themselves."""
    sim = phiflex.Simulation(BAR)
    system, batch = sim.system, phiflex.Batch([phiflex.Simulation(BAR)])
    q = np.zeros(system.dofs)
    functions = [lambda a, b: system.force(maybe(random, q), a, maybe(random, 0.0)), lambda a, b: system.energy(a),
                 lambda a, b: system.stiffness(a), lambda a, b: system.two_state_force(q, q, a, b),
                 lambda a, b: system.apply_K(q, a), lambda a, b: system.solve_mass(a), lambda a, b: phiflex.modes(system, a),
                 lambda a, b: sim.positions(a), lambda a, b: sim.velocities(a), lambda a, b: sim.run(a, b),
                 lambda a, b: batch.step(0 if isinstance(a, (int, np.integer)) else a), lambda a, b: phiflex.matfun.phi(a, b),
                 lambda a, b: phiflex.matfun.cos_sqrt(a, maybe(random, None), b), lambda a, b: phiflex.box_mesh(a, b),
                 lambda a, b: phiflex.Simulation(a, set=b), lambda a, b: phiflex.Batch(a),
                 lambda a, b: phiflex.analyze(a, b), lambda a, b: phiflex.sweep(BAR, a)]
    for _ in range(calls):
        try:
            functions[random.integers(len(functions))](anything(random), anything(random))
        except (*REFUSALS, OSError, RuntimeError, KeyError, IndexError) as error:
            assert str(error) or isinstance(error, (KeyError, IndexError))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    generator = np.random.default_rng(arguments.seed)
    made, turned_down = call_constructors(generator, arguments.calls)
    call_functions(generator, arguments.calls // 5)
    print(f"{arguments.calls} models: {made} worked, {turned_down} were refused; {arguments.calls // 5} functions; no crash")
