"""Energy of the cape"""
from _cloth import CLOTH, DANCE, FRAME, cape
from _methods import DAMPED_ONES, METHODS, energy_lines
from phiflex.experiments import above, item, near

ITEM = item(
    number="Figure 14", grade="C",
    says="Section 5.3, Figure 14: the energy profiles of the cape; ERE does not introduce too much damping.",
    asks="Which methods take energy from the cape?",
    differs=[CLOTH, DANCE, "The moved edge does work, which the ledger books as external work."],
    full=dict(pace=1, end=5), quick=dict(end=2.5),
    open=dict(pace=("how fast the dance is; 1: as said above", [0.7, 1.4])))


def run(x):
    r = {m: x.run(name, "cape", cape(x), m, end=x.end, sample=FRAME, frames=True) for m, name in METHODS.items()}
    lost = lambda m: r[m].lost(r["midpoint"])
    mean = lambda m: r[m].mean("kinetic", 0, x.end) + r[m].mean("elastic", 0, x.end)
    for m in DAMPED_ONES:
        x.claim("behaviour", f"{METHODS[m]} loses much more energy than ERE",
                lambda: above("its loss over that of ERE", lost(m) / abs(lost("ere")), 3),
                ours=True, cause="open parameter", why="the dance is not published")
    x.claim("behaviour", "The mean energy of ERE is that of implicit midpoint",
            lambda: near("kinetic and elastic energy of ERE over that of implicit midpoint", mean("ere") / mean("midpoint"), 1, 0.2),
            ours=True, cause="open parameter", why="the dance is not published")
    for m, name in METHODS.items():
        x.row(f"{name}: energy lost", lambda: 100 * lost(m), unit="%")
        x.row(f"{name}: mean kinetic and elastic energy", lambda: mean(m), unit="J")
    energy_lines(x, "Total energy", r)
    energy_lines(x, "Numerical loss", r, "numerical_loss")
