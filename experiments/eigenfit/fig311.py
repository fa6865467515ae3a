"""Heterogeneous rampant (stand-in)"""
from _pair import DAMPING, MOTION, box, figure, improves, shake, show, velocity_ratio
from phiflex.experiments import item

ITEM = item(
    number="Figure 3.11", grade="C",
    says="Section 3.4.4, Figure 3.11 (ARAP, 1e8 down to 2e6): EigenFit improves the results of the coarse mesh, in position and velocity.",
    asks="Does EigenFit pay for a body whose stiffness varies from 1e8 to 2e6?",
    differs=["The mesh and its map of stiffness are not published: an armadillo stands in, with soft ankles (ARAP stiffness 2e6, elsewhere "
             "1e8).", MOTION, "The quick variant pairs 2,315 with 13,371 tetrahedra for half a second."],
    full=dict(coarse="armadillo_tet_5k.mesh", fine="armadillo_tet_54k.mesh", frames=200, beta=0.01),
    quick=dict(coarse="armadillo_tet_2k.mesh", fine="armadillo_tet_13k.mesh", frames=50), open=dict(beta=DAMPING))


def run(x):
    x.note("An armadillo stands in for the body of the figure: the effect can be seen, its size cannot be compared.")
    material = {"type": "arap", "young": 2e8, "density": 1000}
    ankles = [{"where": box([-9, 0.08, -9], [9, 0.2, 9]), "material": {"young": 4e6}}]
    r = figure(x, x.coarse, x.fine).runs({"bodies.0.damping.stiffness": x.beta, "bodies.0.material": material, "bodies.0.regions": ankles,
                                          "constraints.0.path": shake(0.05)}, frames=True)
    x.claim("behaviour", "EigenFit improves the positions of the coarse mesh", lambda: improves("the error", r), cause="stand-in",
            why="the body and its map of stiffness are missing")
    x.claim("behaviour", "EigenFit improves the velocities", lambda: improves("the velocity error after the shake", r, velocity_ratio),
            cause="stand-in", why="the body and its map of stiffness are missing")
    x.row("velocity error of EigenFit over plain, after the shake", lambda: velocity_ratio(r))
    show(x, r, colour="region")
