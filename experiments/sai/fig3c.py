"""Run time of SAI over the number of unknowns"""
import numpy as np
from _methods import BUNNY, METHODS

from phiflex.experiments import between, exponent, item

ITEM = item(
    number="Figure 3c", grade="B",
    says="Section 4.1, Figure 3c: the run time of SAI over the number of unknowns shows an almost linear trend (Table 1: 8, 58 and 127 s "
         "at 3,000, 12,000 and "
         "24,000 unknowns).",
    asks="Is SAI's cost nearly linear in N?",
    differs=[BUNNY, "Balls of the generator at several sizes, the mass of a particle kept; the exponent is that of processor seconds a "
                    "step at a fixed step.",
             "The quick variant has 900 to 6,000 unknowns and the ratio 1e3."],
    full=dict(sizes=[7, 8, 9, 10, 12, 14], ratio=1e9, h=0.05, end=1, seconds=3600, mass=1),
    quick=dict(sizes=[4, 6, 8], ratio=1e3, h=0.025, end=0.1, seconds=8), open=dict(mass=("the particles' mass, kg, is not printed", [10])),
    found="The number of products does not depend on N, as the springs are the same at every size.")


def run(x):
    x.mesh("bodies.0.springs.mesh", None, stand_in="balls of the generator")
    runs = [x.run(f"SAI, resolution {n}", "bunny", {"bodies.0.springs.mesh.resolution": n, "bodies.0.springs.diagonal": x.ratio,
                                                    "bodies.0.springs.density": 1.2 * x.mass * n ** 3, **METHODS["SAI"]}, step=x.h,
                  end=x.end,
                  max_seconds=x.seconds, repeat=3) for n in x.sizes]
    unknowns = [r.dofs for r in runs]
    x.claim("cost", "SAI's run time grows almost linearly with the number of unknowns",
            lambda: between("the exponent of the cost of a step in N", exponent(unknowns, [r.cost for r in runs]), 0.8, 1.5), ours=True,
            cause="engine", why="")
    x.row("exponent of cost in N", lambda: exponent(unknowns, [r.cost for r in runs]), printed=np.log(127 / 8) / np.log(24 / 3))
    x.row("exponent of products in N", lambda: exponent(unknowns, [r.count("stiffness_products") for r in runs]))
    plot = x.plot("Cost of a step of SAI", "degrees of freedom", "processor seconds a step", log="xy")
    plot.line_and_dots("SAI", unknowns, lambda: [r.cost for r in runs])
