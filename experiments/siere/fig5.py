"""Uncoiling rope: SIERE with one mode is stable, SI is not"""
from _paper import DAMPING, INDEFINITE, SOLVER, rope
from phiflex.experiments import Open, item, said, stable, unstable

ITEM = item(
    number="Figure 5", grade="B",
    says="Section 4.1, Figure 5: SI diverges when the uncoiling rope stiffens at the end of the process; SIERE with s = 1 stays stable "
         "throughout.",
    asks="A coil of soft rope unwinds under its weight. Does SI diverge when it is extended, and SIERE with one mode not?",
    differs=["Sizes, supports, load and density are not printed: the mesh's units are millimetres (a rope of 1.6 m), the upper end held, "
             "gravity alone, 1000 kg/m^3.", SOLVER, "Modes are computed to 10 %.",
             "Linear tetrahedra as long as those of the stand-in are about 25 times too stiff in bending: it has 4e4 Pa, or it would not "
             "unwind."],
    full=dict(mesh_file="rope_coil_tet_47k.node", young=1e6, frames=400, scale=0.001, beta=0),
    quick=dict(mesh_file=None, young=4e4, frames=160),
    open=dict(beta=DAMPING, scale=("the length of a mesh unit is not printed", [0.003, 0.01])))


def run(x):
    scene = {**rope(x), **INDEFINITE}
    si = x.run("SI", "rope", scene, "si", end=0.01 * x.frames, frames=True)
    siere = x.run("SIERE, s = 1", "rope", scene, "siere:modes=1", end=0.01 * x.frames, frames=True)

    def extended():
        y = siere["end_y"][: min(x.frames, 200)]
        return siere.t[y.argmin()]

    def late():
        if not si.diverged:
            raise Open("SI does not diverge")
        return said(si.failed_at * si.h >= extended(),
                    f"SI fails at {si.failed_at * si.h:.2f} s, the rope is extended at {extended():.2f} s")

    why = "the stand-in has 720 tetrahedra, too few for the deformation at the rope's tip that the paper blames"
    x.claim("behaviour", "SI diverges", lambda: unstable(si), cause="stand-in" if x.quick else "open parameter",
            why=why if x.quick else "size, load and support of the rope are not printed")
    x.claim("behaviour", "SIERE with s = 1 stays stable throughout", lambda: stable(siere), cause="engine", why="SIERE diverges")
    x.claim("behaviour", "SI becomes unstable at the end of the uncoiling", late, cause="open parameter", why="it fails before")
    for r in (si, siere):
        x.row(f"step at which {r.name} fails, 0: none", lambda: r.failed_at)
    x.row("time at which the rope is extended for the first time, SIERE", extended, unit="s")
    plot = x.plot("Lower end of the rope", "time, s", "m")
    for r in (si, siere):
        plot.line(r.name, lambda: r.t, lambda: r["end_y"])
    x.strip([si, siere], ["SI", "SIERE, s = 1"], moments=6, colour="speed", azimuth=20, elevation=5)
