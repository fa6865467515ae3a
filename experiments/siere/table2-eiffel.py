"""Toy tower: cost"""
from _paper import DAMPING, DEFAULT, EXPV, MEANS, WOODBURY, tower
from phiflex.experiments import above, below, item

ITEM = item(
    number="Table 2, Eiffel tower", grade="B",
    says="Section 4.7, Table 2: on the toy Eiffel tower SI takes 631 s, SIERE 2,315 s, and ERE far more than 20 times SIERE.",
    asks="Is SIERE a small multiple of SI on the toy tower, and ERE prohibitive?",
    differs=["The size of the toy is not printed: the mesh's units are centimetres, a tower of 45 cm.",
             "Supports, load and density are not printed: the feet held, 1 g sideways for 10 frames, then nothing.", MEANS],
    full=dict(mesh_file="eiffel_tet_69k.mesh", scale=0.01, frames=100, ere_frames=2, beta=0),
    quick=dict(mesh_file=None, frames=15, ere_frames=3),
    open=dict(scale=("the size of the toy is not printed: 20 cm and 90 cm", [0.0045, 0.02]), beta=DAMPING))


def run(x):
    scene, end = tower(x), 0.1 * x.frames
    si = x.run("SI", "tower", scene, "si", end=end, repeat=3)
    siere = x.run("SIERE", "tower", {**scene, **WOODBURY}, "siere", end=end, repeat=3)
    ere = x.run("ERE", "tower", {**scene, **EXPV}, "ere", end=0.1 * x.ere_frames)
    default = {m: x.run(f"{m.upper()}, default", "tower", {**scene, **DEFAULT}, m, end=end) for m in ("si", "siere")}
    x.claim("cost", "SIERE is a small multiple of SI: below four", lambda: below("SIERE over SI", siere.cost / si.cost, 4), ours=True,
            cause="engine", why="following the modes costs more than a factorization")
    x.claim("cost", "ERE takes far more than 20 times as long as SIERE", lambda: above("ERE over SIERE", ere.cost / siere.cost, 20),
            cause="open parameter", why="the size of the toy is not printed")
    x.row("SIERE over SI", lambda: siere.cost / si.cost, printed=2315 / 631)
    x.row("ERE over SIERE", lambda: ere.cost / siere.cost, printed=20, unit="(printed: far more than)")
    x.row("default SIERE over default SI", lambda: default["siere"].cost / default["si"].cost)
    x.row("products with K in a step of ERE", lambda: ere.count("stiffness_products") / ere.steps)
