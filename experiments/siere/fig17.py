"""Tree in wind: SI fails, SIERE moves"""
from _paper import ANEW, DAMPING, INDEFINITE, MODES, SOLVER, tree
from phiflex.experiments import above, item, stable, unstable

ITEM = item(
    number="Figure 17", grade="B",
    says="Section 4.7.1, Figure 17: in strong wind SIERE with s = 5 gives a detailed, lively motion of the branches; SI diverged because "
         "of the large force.",
    asks="Does SI diverge for a tree in strong wind while SIERE moves its branches?",
    differs=["Sizes, supports, load and density are not printed: the mesh's units are decimetres (a tree of 13.8 m), the foot held, wind "
             "as 5 g (1 + 0.5 sin(2 pi 0.7 t)) sideways.", SOLVER, MODES, "Twigs of the stand-in are as thick as its lattice is wide."],
    full=dict(mesh_file="tree_tet_79k.node", frames=130, wind=5, scale=0.1, beta=0), quick=dict(mesh_file=None),
    open=dict(wind=("the strength of the wind, in g, is not printed", [1, 20]), scale=("the length of a mesh unit is not printed", [0.01]),
              beta=DAMPING))


def run(x):
    si, siere = [x.run(m.upper(), "tree", {**tree(x), **INDEFINITE, **ANEW}, m, end=0.01 * x.frames, frames=True) for m in ("si", "siere")]
    x.claim("behaviour", "SI diverges", lambda: unstable(si), cause="stand-in" if x.quick else "open parameter",
            why="the stand-in has thick twigs in 1,300 tetrahedra" if x.quick else "size and wind are not printed")
    x.claim("behaviour", "SIERE does not", lambda: stable(siere), cause="open parameter", why="size and wind are not printed")
    x.claim("behaviour", "The branches move with SIERE: by more than a twentieth of the height",
            lambda: above("the largest motion over the height", siere.motion / (138 * x.scale), 0.05), ours=True, cause="open parameter",
            why="size and wind are not printed")
    for r in (si, siere):
        x.row(f"step at which {r.name} fails, 0: none", lambda: r.failed_at)
    x.row("largest motion with SIERE", lambda: siere.motion, unit="m")
    plot = x.plot("Elastic energy", "time, s", "J")
    for r in (si, siere):
        plot.line(r.name, lambda: r.t, lambda: r["elastic"])
    x.strip([si, siere], ["SI", "SIERE, s = 5"], moments=5, colour="speed", azimuth=10, elevation=10)
