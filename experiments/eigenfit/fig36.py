"""First three modes of the bar"""
from _pair import box
from phiflex.experiments import above, below, item

ITEM = item(
    number="Figure 3.6", grade="A",
    says="Figure 3.6 and Section 3.4.1: the first three modes of the bar are two bendings and, as the third, a rotation.",
    asks="Are the first three modes two bendings and a twist?",
    differs=["Measured is the cosine, in the mass product, of each mode with a turn that grows evenly from the held end.",
             "Without the mesh a box of the same size stands in."])


def run(x):
    body = x.mesh("bodies.0.mesh", "bar_tet_5k.mesh", also={"constraints.0.where": box([-9, -9, -9], [0.02, 9, 9])},
                  stand_in="a box of the generator")
    rest = x.modes("bar at rest", "bar", body, 3)
    x.claim("behaviour", "Mode 3 is a twist", lambda: above("its cosine with a pure twist", rest.twist[2], 0.9), ours=True)
    x.claim("behaviour", "Modes 1 and 2 are not", lambda: below("their largest cosine with a pure twist", max(rest.twist[:2]), 0.5),
            ours=True)
    for i in range(3):
        x.row(f"mode {i + 1}: cosine with a pure twist", lambda: rest.twist[i])
        x.row(f"mode {i + 1}: angular frequency", lambda: rest.omega[i], unit="rad/s")
