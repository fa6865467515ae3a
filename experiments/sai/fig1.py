"""Hair with contacts"""
import numpy as np

from phiflex.experiments import item

ITEM = item(
    number="Figure 1", grade="C",
    says="Section 4.4, Figure 1: a picture of 60,000 fibres in a head shake, simulated with SAI.",
    asks="What do fibres on a shaken head look like, and which methods carry them through?",
    differs=["Head, motion and damping of the hair are not printed: fibres on a cap of a sphere that turns by 45 degrees to and fro, "
             "damped by 2 per second.",
             "The picture of 60,000 fibres becomes a cap of a few that is shaken, with contact against the head.",
             "The figure is a picture and claims nothing that could be measured; nor do we. It is not made by SAI, which does not get "
             "through this motion "
             "(sai-table1-4), but by backward Euler; SI is shown beside it."],
    full=dict(strands=200, end=1, h=0.01, seconds=600, damping=2), quick=dict(strands=4, end=0.4, seconds=12),
    found="Backward Euler carries the strands through the shake, attached, of constant length and off the head.")


def run(x):
    x.note("Not the paper's method: backward Euler and SI ran, SAI cannot.")
    x.mesh("bodies.0", None, stand_in=f"{x.strands} fibres for 60,000")
    body = {"bodies.0.springs.count": x.strands, "contacts": [{"type": "sphere", "center": [0, 0, 0], "radius": 0.0899, "mode": "project"}],
            "bodies.0.damping.mass": x.damping}
    runs = {name: x.run(name, "hair", body, method, step=x.h, end=x.end, max_seconds=x.seconds, frames=True)
            for name, method in (("SI", "si"), ("backward Euler", "be"))}
    for name, r in runs.items():
        away = lambda: np.sqrt(r["tip_x"] ** 2 + r["tip_y"] ** 2 + r["tip_z"] ** 2)  # noqa: E731
        x.row(f"{name}: steps made of {round(x.end / x.h)}", r.steps)
        x.row(f"{name}: largest distance of the tip of the strand at the pole (0.21 at rest)", lambda: away().max(), unit="m")
        x.row(f"{name}: smallest distance of that tip (the head: 0.0899)", lambda: away().min(), unit="m")
    plot = x.plot("Tip of a strand", "time, s", "m")
    for name, r in runs.items():
        for c in "xyz":
            (plot.line if name == "SI" else plot.dashed)(f"{name}, {c}", lambda: r.t, lambda: r[f"tip_{c}"])
    x.strip(list(runs.values()), list(runs), colour="speed")
