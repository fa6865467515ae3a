"""ARAP skater, feet shaken"""
from _pair import DAMPING, MOTION, figure, ratio, shake, show, velocity_ratio
from phiflex.experiments import below, item

ITEM = item(
    number="Figure 3.9", grade="B",
    says="Section 3.4.2, Figure 3.9 (ARAP, 1e6, SI, 200 frames): EigenFit tracks the fine skater much better than the plain coarse mesh, "
         "in position and velocity.",
    asks="Does EigenFit follow the fine skater?",
    differs=[MOTION, "The quick variant pairs 2,003 with 9,584 tetrahedra for half a second."],
    full=dict(coarse="skater_tet_10k.mesh", fine="skater_tet_42k.node", frames=200, beta=0.01),
    quick=dict(coarse="skater_tet_2k.mesh", fine="skater_tet_10k.mesh", frames=50), open=dict(beta=DAMPING))


def run(x):
    r = figure(x, x.coarse, x.fine, -0.53).runs({"bodies.0.damping.stiffness": x.beta, "constraints.0.path": shake(0.05)}, frames=True)
    x.claim("behaviour", "EigenFit tracks the fine mesh much better than the plain coarse mesh",
            lambda: below("its error over that of the plain coarse mesh", ratio(r), 0.7), ours=True, cause="open parameter",
            why="the motion of the feet is not published")
    x.claim("behaviour", "So it does in velocity", lambda: below("its velocity error over that of the plain coarse mesh, after the shake",
                                                                velocity_ratio(r), 1), cause="open parameter",
            why="the motion of the feet is not published")
    show(x, r)
