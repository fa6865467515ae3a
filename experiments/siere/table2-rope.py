"""Uncoiling rope: cost and failure"""
from _paper import DAMPING, EXPV, INDEFINITE, SOLVER, WOODBURY, rope
from phiflex.experiments import above, item, stable, unstable

ITEM = item(
    number="Table 2, rope", grade="B",
    says="Section 4.1, Table 2: on the rope SI diverges, SIERE with s = 1 takes 651 s, ERE far more than 20 times that.",
    asks="Does SI diverge on the uncoiling rope, SIERE with s = 1 not, and is ERE prohibitive?",
    differs=["Sizes, supports, load and density are not printed: as in Figure 5.", SOLVER, "Modes are computed to 10 %."],
    full=dict(mesh_file="rope_coil_tet_47k.node", young=1e6, frames=400, ere_frames=20, scale=0.001, beta=0),
    quick=dict(mesh_file=None, young=4e4, frames=160, ere_frames=10),
    open=dict(beta=DAMPING, scale=("the length of a mesh unit is not printed", [0.003, 0.01])))


def run(x):
    scene, end = {**rope(x), **INDEFINITE}, 0.01 * x.frames
    si = x.run("SI", "rope", scene, "si", end=end, frames=True)
    siere = x.run("SIERE, s = 1", "rope", {**scene, **WOODBURY}, "siere:modes=1", end=end)
    ere = x.run("ERE", "rope", {**scene, **EXPV}, "ere", end=0.01 * x.ere_frames)
    stand_in = dict(cause="stand-in", why="a soft rope in 720 long elements is neither stiff nor strongly deformed at its tip")
    open_size = dict(cause="open parameter", why="size, load and support of the rope are not printed")
    x.claim("behaviour", "SI diverges", lambda: unstable(si), **(stand_in if x.quick else open_size))
    x.claim("behaviour", "SIERE with s = 1 does not", lambda: stable(siere), cause="engine", why="SIERE diverges")
    x.claim("cost", "ERE takes far more than 20 times as long as SIERE", lambda: above("ERE over SIERE", ere.cost / siere.cost, 20),
            **(stand_in if x.quick else open_size))
    x.row("ERE over SIERE", lambda: ere.cost / siere.cost, printed=20, unit="(printed: far more than)")
    for r in (si, siere, ere):
        x.row(f"step at which {r.name} fails, 0: none", lambda: r.failed_at)
    x.row("products with K in a step of ERE", lambda: ere.count("stiffness_products") / ere.steps)
