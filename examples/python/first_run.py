"""A first run: a bar that is clamped at one end swings for two seconds; its tip and its energy.

Usage: first_run.py [SCENE]"""
import pathlib
import sys

import phiflex

gallery = pathlib.Path(__file__).resolve().parent.parent.parent / "scenes"
scene = sys.argv[1] if len(sys.argv) > 1 else gallery / "bar-drop" / "scene.json"

sim = phiflex.Simulation(scene, set={"integrator.type": "em", "bodies.0.mesh.cells": [8, 2, 2]})
x = sim.positions("bar")  # one array, refreshed after each step
for frame in sim.run(every=50):
    print(f"t = {frame.time:.2f} s: lowest point {x[:, 1].min():.3f} m, kinetic energy {frame.energy.kinetic:.4f} J")

tip = sim.probes["tip"]  # (steps + 1, 3)
print(f"the tip fell by {tip[0, 1] - tip[:, 1].min():.3f} m")
print(f"numerical loss {sim.ledger.numerical_loss:.1e} J of {-sim.ledger.table()['gravity'].min():.2f} J that gravity gave")
print(f"state {sim.hash}, as `phiflex run` writes it to run.json")
