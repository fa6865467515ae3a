"""Run time of ERE and SIERE over stiffness"""
import math

from _paper import DAMPING, EXPV, MEANS, WOODBURY, ball
from phiflex.experiments import above, below, exponent, item

ITEM = item(
    number="Figure 2", grade="B",
    says="Figure 2: ERE becomes prohibitively expensive as the stiffness grows; the cost of SIERE does not grow significantly with it.",
    asks="How do the costs of ERE and of SIERE change with stiffness?",
    differs=["Neither body nor values are named: the hanging ball of Section 4.3.1, peak Young's modulus 1e6 to 1e10 Pa.", MEANS],
    found="ERE's products grow nearly with the root of stiffness. SIERE's cost falls: the softer the ball, the more it moves, and the "
          "longer its modes, started from those of the step before, take to follow.",
    full=dict(mesh_file="ball_tet_5k.mesh", frames=20, peaks=[1e6, 1e7, 1e8, 1e9, 1e10], beta=0),
    quick=dict(mesh_file=None, frames=10, peaks=[1e6, 1e8, 1e10]),
    open=dict(beta=DAMPING))


def run(x):
    def runs(name, integrator, more, repeat):
        return [x.run(f"{name}, {Y:g} Pa", "ball", {**ball(x, Y / 1e8), **more}, integrator, end=0.005 * x.frames,
                      repeat=repeat) for Y in x.peaks]

    costs = {"SI": runs("SI", "si", {}, 3), "SIERE": runs("SIERE", "siere", WOODBURY, 3), "ERE": runs("ERE", "ere", EXPV, 1),
             "ERE, default": runs("ERE, default", "ere", {}, 1)}
    siere, ere = costs["SIERE"], costs["ERE"]
    decades = math.log10(x.peaks[-1] / x.peaks[0])
    x.claim("cost", "The cost of SIERE does not grow significantly with stiffness",
            lambda: below("SIERE's cost for the stiffest over that for the softest ball", siere[-1].cost / siere[0].cost, 1.2),
            cause="engine", why="the modes of a stiffer body take more time to follow")
    x.claim("cost", "ERE gets prohibitively expensive with stiffness: at least 5 times for every two decades",
            lambda: above("ERE's cost for the stiffest over that for the softest ball", ere[-1].cost / ere[0].cost, 5 ** (decades / 2)),
            ours=True, cause="paper", why="expv's bases grow more slowly than the root of stiffness here")
    x.row("exponent of ERE's products in stiffness", lambda: exponent(x.peaks, [r.count("stiffness_products") for r in ere]), printed=0.5)
    for name, of in costs.items():
        x.row(f"exponent of the cost in stiffness, {name}", lambda: exponent(x.peaks, [float(r.cost) for r in of]))
    plot = x.plot("Cost of a step over stiffness", "peak Young's modulus, Pa", "s per step", log="xy")
    for name, of in costs.items():
        plot.line_and_dots(name, lambda: x.peaks, lambda: [float(r.cost) for r in of])
