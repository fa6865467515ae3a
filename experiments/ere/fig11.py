"""Energy of the cloth on the sphere"""
from _cloth import CLOTH, FRAME, RELEASE, SPHERE, TOUCH, on_sphere
from _methods import DAMPED_ONES, METHODS, energy_lines
from phiflex.experiments import above, item

ITEM = item(
    number="Figure 11", grade="B",
    says="Section 5.3, Figure 11: in the run of Figure 10 both SI and backward Euler introduce much more damping.",
    asks="Which methods take energy that physics does not?",
    differs=[CLOTH, SPHERE, "What the projection onto the sphere takes is booked as contact work, not as numerical loss."],
    full=dict(release=100, end=5), quick=dict(end=2.4), open=dict(release=RELEASE))


def run(x):
    r = {m: x.run(name, "sphere", on_sphere(x), m, end=x.end, sample=FRAME, frames=True) for m, name in METHODS.items()}
    loss = lambda m: r[m].at("numerical_loss", x.end) - r[m].at("numerical_loss", TOUCH)
    for m in DAMPED_ONES:
        x.claim("behaviour", f"After the impact {METHODS[m]} damps much more than ERE",
                lambda: above("its loss over that of ERE", loss(m) / abs(loss("ere")), 2), ours=True, cause="open parameter",
                why="whether the corners stay held is not printed")
    for m, name in METHODS.items():
        x.row(f"{name}: numerical loss after the impact", lambda: loss(m), unit="J")
    energy_lines(x, "Total energy", r)
    energy_lines(x, "Numerical loss", r, "numerical_loss")
