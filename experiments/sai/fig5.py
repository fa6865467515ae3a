"""Bristles over teeth"""
from phiflex.experiments import item

KEYS = [{"time": 0}, {"time": 0.05, "translate": [0, -0.001, 0]}, {"time": 0.15, "translate": [0.005, -0.001, 0]},
        {"time": 0.35, "translate": [-0.005, -0.001, 0]}, {"time": 0.5, "translate": [0, -0.001, 0]}]
ITEM = item(
    number="Figure 5", grade="C",
    says="Section 4.4, Figure 5: a picture of tooth brushing simulated with SAI, coloured by the plaque that is removed.",
    asks="What do bristles do on teeth, and how much work do the contacts do?",
    differs=["Length of the bristles, stroke and teeth are not printed: 10 mm, a plate that presses them by 1 mm onto a row of three "
             "spheres and moves to and fro.",
             "The plaque model is not given: the work of contact is shown instead; the frames have it for every vertex.",
             "The figure is a picture and claims nothing that could be measured; nor do we. It is not made by SAI, which does not get "
             "through this motion "
             "(sai-table1-5), but by backward Euler, with 1e8 Pa instead of 3.2e10, so that bristles bend."],
    full=dict(bristles=40, end=0.5, h=0.002, young=1e8, seconds=600), quick=dict(bristles=8, end=0.25, seconds=12))


def run(x):
    x.note("Not the paper's method: backward Euler ran, SAI cannot; Young's modulus is 1/320 of the printed one.")
    x.mesh("bodies.0", None, stand_in=f"{x.bristles} bristles on three spheres")
    teeth = [{"type": "sphere", "center": [c, -0.0036, 0], "radius": 0.004, "mode": "project"} for c in (-0.008, 0, 0.008)]
    body = {"constraints.0.keys": KEYS, "bodies.0.springs.count": x.bristles, "bodies.0.springs.young": x.young,
            "bodies.0.springs.shear_modulus": 0.4 * x.young}
    go = lambda name, more, **how: x.run(name, "bristles", {**body, **more}, "be", step=x.h, end=x.end, max_seconds=x.seconds,
                                         **how)  # noqa: E731
    brush, free = go("with teeth", {"contacts": teeth, "output.measures": True}, frames=True), go("without teeth", {})
    x.row("largest distance to bristles without teeth (a thickness is 0.12 mm)", lambda: brush.err(free), unit="m")
    x.row("work of contact on all vertices", lambda: brush.at("contact_work", x.end), unit="J")
    plot = x.plot("Work of contact on all vertices", "time, s", "J")
    plot.line("with teeth", lambda: brush.t, lambda: brush["contact_work"])
    x.strip([brush], ["bristles"], moments=6, colour="speed", azimuth=10, elevation=5)
