"""Bridge: cost"""
from _paper import DAMPING, DEFAULT, EXPV, MEANS, WOODBURY, bridge
from phiflex.experiments import above, below, item

ITEM = item(
    number="Table 2, bridge", grade="C",
    says="Table 2: on the bridge SI takes 1,375 s, SIERE 4,585 s, and ERE far more than 20 times SIERE.",
    asks="Is SIERE a small multiple of SI on the bridge, and ERE prohibitive?",
    differs=["The paper's mesh (99,455 tetrahedra) is not public; the full variant has a solid arch bridge of the same authors' "
             "collection, 240 m long.",
             "Supports, load and density are not printed: both ends held, 1 g sideways for 15 frames, the edges of the deck softest and "
             "all else stiffest.", MEANS],
    full=dict(mesh_file="archbridge_tet.mesh", frames=100, ere_frames=20, beta=0), quick=dict(mesh_file=None, frames=15, ere_frames=3),
    open=dict(beta=DAMPING))


def run(x):
    scene, end = bridge(x), 0.1 * x.frames
    si = x.run("SI", "bridge", scene, "si", end=end, repeat=3)
    siere = x.run("SIERE", "bridge", {**scene, **WOODBURY}, "siere", end=end, repeat=3)
    ere = x.run("ERE", "bridge", {**scene, **EXPV}, "ere", end=0.1 * x.ere_frames)
    default = {m: x.run(f"{m.upper()}, default", "bridge", {**scene, **DEFAULT}, m, end=end) for m in ("si", "siere")}
    x.claim("cost", "SIERE is a small multiple of SI: below four", lambda: below("SIERE over SI", siere.cost / si.cost, 4), ours=True,
            cause="engine", why="following the modes costs more than a factorization")
    x.claim("cost", "ERE takes far more than 20 times as long as SIERE", lambda: above("ERE over SIERE", ere.cost / siere.cost, 20),
            cause="stand-in",
            why="the bridge has elements of 24 m (quick) and 4 m (full), the paper's of a metre or two, and h w grows in proportion")
    x.row("SIERE over SI", lambda: siere.cost / si.cost, printed=4585 / 1375)
    x.row("ERE over SIERE", lambda: ere.cost / siere.cost, printed=20, unit="(printed: far more than)")
    x.row("default SIERE over default SI", lambda: default["siere"].cost / default["si"].cost)
    x.row("products with K in a step of ERE", lambda: ere.count("stiffness_products") / ere.steps)
