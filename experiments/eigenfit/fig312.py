"""Heterogeneous fert (stand-in)"""
from _pair import DAMPING, MOTION, box, figure, improves, shake, show, velocity_ratio
from phiflex.experiments import item

ITEM = item(
    number="Figure 3.12", grade="C",
    says="Section 3.4.4, Figure 3.12 (neo-Hookean, 1e9 down to 1e5 Pa): EigenFit improves the results of the coarse mesh, in position and "
         "velocity.",
    asks="Does EigenFit pay for a neo-Hookean body whose stiffness varies from 1e9 to 1e5 Pa?",
    differs=["The body is public but missing here, its map of stiffness is not printed: an armadillo stands in, with a soft neck.", MOTION,
             "The quick variant pairs 2,315 with 13,371 tetrahedra for half a second."],
    full=dict(coarse="armadillo_tet_5k.mesh", fine="armadillo_tet_54k.mesh", frames=200, beta=0.01),
    quick=dict(coarse="armadillo_tet_2k.mesh", fine="armadillo_tet_13k.mesh", frames=50), open=dict(beta=DAMPING))


def run(x):
    x.note("An armadillo stands in for the body of the figure: the effect can be seen, its size cannot be compared.")
    material = {"type": "neo-hookean", "volumetric": "isochoric", "young": 1e9, "poisson": 0.45, "density": 1000}
    neck = [{"where": box([-9, 0.6, -9], [9, 0.72, 9]), "material": {"young": 1e5}}]
    r = figure(x, x.coarse, x.fine).runs({"bodies.0.damping.stiffness": x.beta, "bodies.0.material": material, "bodies.0.regions": neck,
                                          "constraints.0.path": shake(0.05)}, frames=True)
    x.claim("behaviour", "EigenFit improves the positions of the coarse mesh", lambda: improves("the error", r), cause="stand-in",
            why="the body and its map of stiffness are missing")
    x.claim("behaviour", "EigenFit improves the velocities", lambda: improves("the velocity error after the shake", r, velocity_ratio),
            cause="stand-in", why="the body and its map of stiffness are missing")
    x.row("velocity error of EigenFit over plain, after the shake", lambda: velocity_ratio(r))
    show(x, r, colour="region")
