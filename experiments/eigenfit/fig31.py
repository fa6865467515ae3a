"""Linear armadillo: fine, EigenFit, coarse"""
from _pair import DAMPING, figure, ratio, shake, show
from phiflex.experiments import below, item

ITEM = item(
    number="Figure 3.1", grade="B",
    says="Sections 3.1 and 3.4.1, Figure 3.1: for linear materials EigenFit performs exceptionally well: it matches the modes to the "
    "frequencies of "
         "the fine mesh, so that the trajectories are consistent, and often outperforms the alternatives.",
    asks="How much of the coarse mesh's error does EigenFit leave on a linear armadillo, and how much DAC?",
    differs=["Young's modulus (1e6 Pa) and the integrator (midpoint) are ours; the feet are shaken by 0.005 m sin(2 pi t/0.3 s), a tenth "
             "of that of Figure 3.7: linear elasticity distorts under large motion, and its ratios of errors do not depend on the "
             "amplitude.",
             "The quick variant pairs 2,315 with 13,371 tetrahedra for half a second."],
    full=dict(coarse="armadillo_tet_5k.mesh", fine="armadillo_tet_54k.mesh", frames=200, beta=0.01),
    quick=dict(coarse="armadillo_tet_2k.mesh", fine="armadillo_tet_13k.mesh", frames=50), open=dict(beta=DAMPING))


def run(x):
    linear = {"type": "linear", "young": 1e6, "poisson": 0.45, "density": 1000}
    r = figure(x, x.coarse, x.fine).runs({"bodies.0.material": linear, "bodies.0.damping.stiffness": x.beta,
                                          "constraints.0.path": shake(0.005)}, "midpoint", frames=True)
    x.claim("behaviour", "EigenFit makes the coarse trajectory consistent with the fine one",
            lambda: below("its error over that of the plain coarse mesh", ratio(r), 0.5), ours=True, cause="open parameter",
            why="modulus, integrator and motion are not printed")
    x.claim("behaviour", "EigenFit outperforms DAC", lambda: below("its error over that of DAC", ratio(r) / ratio(r, "dac"), 1),
            cause="open parameter", why="modulus, integrator and motion are not printed")
    show(x, r)
