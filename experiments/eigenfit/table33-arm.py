"""Error over stiffness: arm"""
from _pair import DAMPING, arm, shake
from _table33 import ALL, ERROR, errors, judge
from phiflex.experiments import below, item

ITEM = item(
    number="Table 3.3, arm", grade="B",
    says="Section 3.4.3 and Table 3.3 (arm, ARAP): with the same forces the error is smaller the stiffer the object gets; 0.91, 1.39, "
         "0.615, 0.611, 0.438 for 1e4, 1e5, 5e5, 1e6 and 1e7.",
    asks="How does EigenFit's error, as a part of the plain coarse mesh's, depend on the stiffness?",
    differs=["ARAP throughout; the shoulder is shaken along the arm by 0.02 m sin(2 pi t/0.3 s): the motion is not printed.", ERROR,
             "The quick variant has 40 frames and two stiffnesses."],
    full=dict(coarse="arm_tet_9k.node", fine="arm_tet_19k.node", frames=200, beta=0.01, ks=ALL), quick=dict(frames=40, ks=[1e4, 1e7]),
    open=dict(beta=DAMPING))


def run(x):
    found = errors(x, arm(x, x.coarse, x.fine),
                   lambda k: {"bodies.0.damping.stiffness": x.beta, "bodies.0.material": {"type": "arap", "young": 2 * k, "density": 1000},
                              "constraints.0.path": shake(0.02)})
    judge(x, [0.91, 1.39, 0.615, 0.611, 0.438], found, "open parameter",
          "the motion is not printed; shaken along the arm, the plain coarse mesh is already near the fine one")
    x.claim("behaviour", "For the stiffest arm EigenFit improves on the plain coarse mesh",
            lambda: below("the error", found[x.ks[-1]](), 1), cause="open parameter", why="the motion is not printed")
