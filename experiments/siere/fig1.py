"""Title picture: bridge, ball and tree with SIERE"""
from phiflex.experiments import item

ITEM = item(
    number="Figure 1", grade="B",
    says="Figure 1: pictures of a stiff bridge, of a ball at an impact and of a tree, moved by SIERE.",
    asks="How do the three scenes of the title picture move with SIERE?",
    differs=["The bodies are the stand-ins of Figures 16, 10 and 17, where what the caption says of SI is judged."],
    full=dict(resolution=6, cells_bridge=140, cells_tree=103, frames=260),
    quick=dict(resolution=4, cells_bridge=10, cells_tree=10, frames=120))


def run(x):
    runs = {
        "bridge": x.run("bridge", "bridge", {"bodies.0.mesh.cells": x.cells_bridge, "integrator.refactor": "auto"}, "siere:modes=5",
                        end=0.1 * x.frames, frames=True),
        "ball": x.run("ball", "bounce", {"bodies.0.mesh.resolution": x.resolution}, "siere:modes=11", frames=True),
        "tree": x.run("tree", "tree", {"bodies.0.mesh.cells": x.cells_tree}, "siere:modes=5", frames=True)}
    plot = x.plot("Kinetic energy over its largest", "part of the run", "")
    for name, r in runs.items():
        x.row(f"largest motion, {name}", lambda: r.motion, unit="m")
        plot.line(name, lambda: r.t / max(r.t), lambda: r["kinetic"] / max(r["kinetic"]))
    x.strip(list(runs.values()), list(runs), moments=4, colour="speed", azimuth=25, elevation=15)
