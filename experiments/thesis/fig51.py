"""Swinging rope of springs with MSSI"""
import numpy as np

from phiflex.experiments import item

ITEM = item(
    number="Figure 5.1", grade="C",
    says="Section 5.1, Figure 5.1: a picture of a swinging rope of springs; nothing is asserted.",
    asks="How does a rope of springs swing with MSSI, beside SI?",
    differs=["Only a picture: 20 springs, 1 m, 1 kg, 1e3 N/m and h = 0.01 s are ours, as is the start, horizontal."],
    full=dict(k=1000), open=dict(k=("the stiffness is not printed", [10000])))


def run(x):
    r = {m: x.run(m.upper(), "rope", {"bodies.0.springs.spring_constant": x.k}, m, frames=True) for m in ("mssi", "si")}
    plot = x.plot("Kinetic energy", "time, s", "J")
    for m, one in r.items():
        x.row(f"{m.upper()}: largest change of energy over the largest kinetic energy",
              lambda: max(abs(one["numerical_loss"])) / max(one["kinetic"]))
        x.row(f"{m.upper()}: farthest that the end gets from its hold", lambda: max(np.hypot(one["end_x"], one["end_y"])), unit="m")
        plot.line(m.upper(), lambda: one.t, lambda: one["kinetic"])
    x.strip([r["si"], r["mssi"]], ["SI", "MSSI"], moments=6)
