"""MSSI and DGSI fail for large stiff systems"""
from phiflex.experiments import item, said

ITEM = item(
    number="text, Section 5.4", grade="B",
    says="Section 5.4: as the system's size and stiffness were increased, both MSSI and DGSI became unstable.",
    asks="Is there a size and a stiffness at which MSSI and DGSI diverge while SI does not?",
    differs=["Sizes and stiffnesses are ours: ropes of 5 to 200 springs of 1e2 to 1e6 N/m; triangles of 49 to 784 elements of 1e5 to 1e7 "
             "Pa; one second."],
    full=dict(segments=[5, 20, 80, 200], ks=[1e2, 1e4, 1e6], cells=[7, 14, 28], stiffer=[1, 10, 100], glue=1, h=0.01),
    quick=dict(segments=[5, 40, 200], cells=[7, 14], stiffer=[1, 100]),
    open=dict(h=("s; fixed, its size is not printed", [0.005, 0.02]),
              glue=("whether the penalty between elements grows with their stiffness (1) or stays at 100 (0); not printed", [0])))


def run(x):
    ropes = {(m, n, k): x.run(f"{m.upper()}, {n} springs of {k:g} N/m", "rope",
                              {"bodies.0.springs.segments": n, "bodies.0.springs.spring_constant": k},
                              m, step=x.h, end=1) for m in ("mssi", "si") for n in x.segments for k in x.ks}
    meshes = {(m, n, f): x.run(f"{m.upper()}, {n} cells, {1e5 * f:g} Pa", m[:2],
                               {"bodies.0.mesh.cells": n, "bodies.0.material.young": 1e5 * f,
                               **({"bodies.0.penalty": 100 * f**x.glue} if m == "dgsi" else {})}, step=x.h, end=1)
              for m in ("dgsi", "cgsi") for n in x.cells for f in x.stiffer}
    for method, safe, runs in ("mssi", "si", ropes), ("dgsi", "cgsi", meshes):
        found = [key[1:] for key, one in runs.items() if key[0] == method and one.diverged and one.steps and
                 runs[(safe, *key[1:])].done]
        first = runs[(method, *found[0])] if found else None
        x.claim("behaviour", f"{method.upper()} becomes unstable as size and stiffness grow",
                lambda: said(found, f"{first.name}: it diverges at step {first.failed_at}, where SI does not" if found else "",
                             "it diverges in no case where SI does not"), cause="open parameter",
                why="sizes, stiffnesses and step at which it was observed are not printed")
        for key, one in runs.items():
            if key[0] == method:
                x.row(f"{one.name}: step at which it diverges (0: none)", one.failed_at)
