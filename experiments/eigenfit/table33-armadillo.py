"""Error over stiffness: armadillo"""
from _pair import DAMPING, MOTION, figure, shake
from _table33 import ALL, ERROR, errors, judge
from phiflex.experiments import item

ITEM = item(
    number="Table 3.3, armadillo", grade="B",
    says="Section 3.4.3 and Table 3.3 (armadillo, ARAP): with the same forces the error is smaller the stiffer the object gets; 0.838, "
         "0.755, 0.622, 0.307, 0.192 for 1e4, 1e5, 5e5, 1e6 and 1e7.",
    asks="How does EigenFit's error, as a part of the plain coarse mesh's, depend on the stiffness?",
    differs=[MOTION, ERROR, "The quick variant pairs 2,315 with 13,371 tetrahedra for half a second, two stiffnesses."],
    full=dict(coarse="armadillo_tet_5k.mesh", fine="armadillo_tet_54k.mesh", frames=200, beta=0.01, ks=ALL),
    quick=dict(coarse="armadillo_tet_2k.mesh", fine="armadillo_tet_13k.mesh", frames=50, ks=[1e4, 1e7]),
    open=dict(beta=DAMPING))


def run(x):
    found = errors(x, figure(x, x.coarse, x.fine),
                   lambda k: {"bodies.0.damping.stiffness": x.beta, "bodies.0.material.young": 2 * k, "constraints.0.path": shake(0.05)})
    judge(x, [0.838, 0.755, 0.622, 0.307, 0.192], found, "open parameter", "the motion of the feet is not published")
