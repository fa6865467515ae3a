"""Heterogeneous arm"""
from _pair import DAMPING, arm, box, improves, shake, show, velocity_ratio
from phiflex.experiments import item

ITEM = item(
    number="Figure 3.10", grade="B",
    says="Section 3.4.4, Figure 3.10 (neo-Hookean, 1e8 down to 2e4 Pa): EigenFit improves the results of the coarse mesh, in position and "
    "velocity.",
    asks="Does EigenFit pay for an arm whose stiffness varies from 1e8 to 2e4 Pa?",
    differs=["The map of the stiffness is only a picture: 1e8 Pa, and 2e4 Pa at the elbow (0.3 m of its length). The two meshes choose the "
             "elbow by their own tetrahedra and so are two bodies; divided into eight, the coarse mesh is one body with its fine one "
             "(docs/coarsening.md).",
             "Table 3.2 calls it ARAP, the text neo-Hookean: neo-Hookean here.",
             "The shoulder is shaken by 0.02 m sin(2 pi t/0.3 s), along the arm or across.",
             "The quick variant has 60 frames."],
    full=dict(coarse="arm_tet_9k.node", fine="arm_tet_19k.node", frames=200, beta=0.01, axis=0), quick=dict(frames=60),
    open=dict(beta=DAMPING, axis=("along which axis the arm is shaken; not printed", [1])))


def run(x):
    path = [{"time": key["time"], "offset": [key["offset"][0] if i == x.axis else 0 for i in range(3)]} for key in shake(0.02)]
    elbow = [{"where": box([-0.15, -9, -9], [0.15, 9, 9]), "material": {"young": 2e4}}]
    r = arm(x, x.coarse, x.fine).runs({"bodies.0.damping.stiffness": x.beta, "bodies.0.regions": elbow, "constraints.0.path": path},
                                      frames=True)
    why = "the map of the stiffness is not printed: the two meshes have different elbows, and the largest errors lie at their border"
    x.claim("behaviour", "EigenFit improves the positions of the coarse mesh", lambda: improves("the error", r), cause="open parameter",
            why=why)
    x.claim("behaviour", "EigenFit improves the velocities", lambda: improves("the velocity error after the shake", r, velocity_ratio),
            cause="open parameter", why=why)
    x.row("velocity error of EigenFit over plain, after the shake", lambda: velocity_ratio(r))
    show(x, r, colour="region")
