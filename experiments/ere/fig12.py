"""Cloth on the sphere, half soft and half stiff"""
from _cloth import CLOTH, FRAME, RELEASE, SPHERE, TOUCH, on_sphere
from _methods import DAMPED_ONES, METHODS
from phiflex.experiments import item, below

ITEM = item(
    number="Figure 12", grade="B",
    says="Section 5.3, Figure 12 (K_l = 20 and 200): SI and backward Euler damp non-uniformly and miss the state of the cloth even "
         "qualitatively; ERE looks qualitatively similar to implicit midpoint.",
    asks="Does ERE handle two stiffnesses in one cloth?",
    differs=[CLOTH, SPHERE, "After the first bounce the motion is chaotic: distances are judged up to 1 s after the touch."],
    full=dict(release=100, end=5), quick=dict(end=1.3), open=dict(release=RELEASE))


def run(x):
    r = {m: x.run(name, "mixed", on_sphere(x), m, end=x.end, sample=FRAME, frames=True) for m, name in METHODS.items()}
    away = lambda m: r[m].err(r["midpoint"], TOUCH + 1)
    for m in DAMPED_ONES:
        x.claim("behaviour", f"ERE is similar to implicit midpoint where {METHODS[m]} is not",
                lambda: below(f"ERE's distance to implicit midpoint over that of {METHODS[m]}", away("ere") / away(m), 0.5), ours=True,
                cause="open parameter", why="sphere, size of the cloth and whether its corners stay held are not printed")
    for m in "ere", "si", "be":
        x.row(f"{METHODS[m]}: largest distance to implicit midpoint", lambda: away(m), unit="m")
    plot = x.plot("Distance to implicit midpoint", "time, s", "largest distance, m")
    for m in "ere", "si", "be":
        plot.line(METHODS[m], lambda: r[m].common_times(r["midpoint"]), lambda: r[m].errs(r["midpoint"]))
    x.strip([r["si"], r["ere"]], ["SI", "ERE"], moments=5, colour="speed", azimuth=30, elevation=20)
