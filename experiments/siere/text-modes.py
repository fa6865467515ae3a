"""Five modes are enough"""
import numpy as np

from _paper import DAMPING
from phiflex.experiments import below, item

ITEM = item(
    number="text, section 4.3", grade="B",
    says="Section 4.3: for every example it was verified that results with s = 10 and s = 20 are not significantly different visually "
         "from s = 5.",
    asks="How far are simulations with s = 5 from those with s = 20?",
    differs=["Not significantly different visually is taken as: the root mean square distance over vertices and time is below 10 % of "
             "that of the motion.",
             "The bodies are ball, honeycomb sheet, Moebius ball and toy tower of the generator."],
    full=dict(resolution=6, cells_moebius=34, cells_tower=84, frames=100, beta=0),
    quick=dict(resolution=4, cells_moebius=8, cells_tower=9, frames=30), open=dict(beta=DAMPING))


def run(x):
    toy = {"bodies.0.transform.scale": 0.01, "constraints.0.where.half_space.point": [0, 0.002, 0]}
    bodies = {"ball": ("ball", 0.005, {"bodies.0.mesh.resolution": x.resolution}), "sheet": ("honeycomb", 0.01, {}),
              "Moebius ball": ("moebius", 0.02, {"bodies.0.mesh.cells": x.cells_moebius}),
              "tower": ("tower", 0.1, {"bodies.0.mesh.cells": x.cells_tower, **toy})}
    plot = x.plot("Root mean square distance to s = 20 over that of the motion", "s", "", log="xy")
    for name, (scene, h, more) in bodies.items():
        runs = {s: x.run(f"{name}, s = {s}", scene, {**more, "integrator.refactor": "auto", "bodies.0.damping.stiffness": x.beta},
                         f"siere:modes={s}",
                         end=h * x.frames) for s in (5, 10, 20)}

        def distance(s):
            best = runs[20].positions
            return np.sqrt(np.mean((runs[s].positions - best) ** 2) / np.mean((best - best[0]) ** 2))

        def largest(s):
            return runs[s].err(runs[20]) / runs[20].motion

        x.claim("behaviour", f"{name}: s = 5 is not significantly different from s = 20",
                lambda: below("the distance over the motion", distance(5), 0.1),
                ours=True, cause="stand-in", why="load and size are not printed, and more than five modes of the stand-in move")
        for s in (5, 10):
            x.row(f"{name}: distance of s = {s} to s = 20 over the motion, root mean square", lambda: distance(s))
            x.row(f"{name}: the same, largest", lambda: largest(s))
        plot.line_and_dots(name, lambda: [5, 10], lambda: [distance(s) for s in (5, 10)])
