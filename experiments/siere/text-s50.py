"""Cost of many modes"""
from _paper import MEANS, WOODBURY
from phiflex.experiments import below, between, item

ITEM = item(
    number="text, sections 3.2 and 4", grade="B",
    says="Section 3.2: for some of the very stiff examples s = 50 costs roughly 5 times SI. Section 4: under 20 % of the run time of "
         "SIERE's linear algebra is the eigenproblem.",
    asks="What do 50 modes cost, and what part of SIERE's linear algebra is the eigenproblem?",
    differs=["Bodies are not named: the toy tower and the honeycomb sheet of the generator.", MEANS,
             "The share counts modes, factorizations and solves over the whole run, the cold start of the modes in the first step "
             "included. It is by the clock, of seven runs, which other work disturbs."],
    full=dict(cells=84, frames=20), quick=dict(cells=9, frames=20))


def run(x):
    toy = {"bodies.0.mesh.cells": x.cells, "bodies.0.transform.scale": 0.01, "constraints.0.where.half_space.point": [0, 0.002, 0]}
    why = "the block Davidson method follows modes from step to step; on bodies this small that costs more than a factorization"
    plot = x.plot("Cost of SIERE over SI", "s", "", log="xy")
    for body, (scene, h, more) in {"tower": ("tower", 0.1, toy), "sheet": ("honeycomb", 0.01, {})}.items():
        si = x.run(f"{body}, SI", scene, more, "si", end=h * x.frames, repeat=3)
        siere = {s: x.run(f"{body}, s = {s}", scene, {**more, **WOODBURY}, f"siere:modes={s}", end=h * x.frames, repeat=7)
                 for s in (5, 10, 20, 50)}

        def share(s):
            return siere[s].share("modes", ("modes", "factorization", "solve"))

        x.claim("number", f"{body}: s = 50 costs roughly five times SI: 3 to 8 times",
                lambda: between("s = 50 over SI", siere[50].cost / si.cost, 3, 8),
                ours=True, cause="engine", why=why)
        x.claim("cost", f"{body}: under 20 % of SIERE's linear algebra is the eigenproblem",
                lambda: below("the share of the eigenproblem, s = 5", share(5), 0.2),
                cause="engine", why=why)
        for s in (5, 50):
            x.row(f"SIERE with s = {s} over SI, {body}", lambda: siere[s].cost / si.cost, printed=5 if s == 50 else None)
            x.row(f"share of the eigenproblem, s = {s}, {body}", lambda: share(s), printed=0.2 if s == 5 else None)
        plot.line_and_dots(body, lambda: list(siere), lambda: [float(r.cost / si.cost) for r in siere.values()])
