"""A parameter sweep with a plot: how far a bar sags, by Young's modulus and by integrator.

Usage: parameter_sweep.py [PICTURE]"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import phiflex

SCENE = {
    "time": {"step": 0.01, "end": 0.5}, "gravity": [0, -9.81, 0],
    "bodies": [{"name": "bar", "mesh": {"generate": "box", "size": [0.4, 0.1, 0.1], "cells": [8, 2, 2]},
                "material": {"type": "neo-hookean", "young": 2e5, "poisson": 0.45, "density": 1000}}],
    "constraints": [{"body": "bar", "where": {"box": [[0, 0, 0], [0, 1, 1]]}, "type": "fix"}],
    "probes": [{"name": "tip", "body": "bar", "at": [0.4, 0, 0]}]}

young = [1e5, 2e5, 4e5, 8e5]
sweep = phiflex.sweep(SCENE, {"integrator.type": ["si", "em"], "bodies.0.material.young": young}, workers=2,
                      measure=lambda sim: {"sag": -sim.probes["tip"][:, 1].min()})

axes = plt.subplots()[1]
for i, method in enumerate(["si", "em"]):
    sag, loss = (sweep[name][4 * i:4 * i + 4] for name in ("sag", "numerical_loss"))
    axes.loglog(young, sag, "o-", label=method)
    print(method, "sags by", ", ".join(f"{one:.4f}" for one in sag), "m; loses", ", ".join(f"{one:.2g}" for one in loss), "J")
axes.set_xlabel("Young's modulus [Pa]")
axes.set_ylabel("largest sag of the tip [m]")
axes.legend()
picture = sys.argv[1] if len(sys.argv) > 1 else "sag.png"
plt.savefig(picture)
print("written:", picture)
