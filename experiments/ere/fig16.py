"""Hanging bars: cost over stiffness, energy at 10 kPa"""
from _bar import BOX, LOST, PLAIN, bar
from _methods import DAMPED_ONES, DEAR, METHODS, NEWTON_ONES, energy_lines
from phiflex.experiments import above, between, item

ITEM = item(
    number="Figure 16", grade="B",
    says="Section 5.3, Figure 16 (Y from 10 to 50 kPa, one end fixed): the time of ERE increases with the stiffness as predicted by Figure "
         "5; SI and backward Euler lose too much energy, the fully implicit methods are too slow.",
    asks="How does the cost of ERE grow with stiffness on a hanging bar, and who keeps its energy?",
    differs=[PLAIN, BOX, "Five values of Young's modulus are assumed; the bar starts horizontal.", LOST],
    full=dict(Ys=[10, 20, 30, 40, 50], cells=[20, 5, 5], end=2), quick=dict(cells=[12, 3, 3], end=0.5, Ys=[10, 30, 50]))


def run(x):
    r = {(m, Y): x.run(f"{name}, {Y} kPa", "hanging", bar(x, 1000 * Y), m, end=x.end, repeat=3) for Y in x.Ys for m,
         name in METHODS.items()}
    ours = {Y: x.run(f"ERE with our default evaluator, {Y} kPa", "hanging",
                     {**bar(x, 1000 * Y), "integrator.evaluator": "auto", "integrator.tolerance": 1e-4}, "ere", end=x.end) for Y in x.Ys}
    lost = lambda m: r[m, 10].lost(r["midpoint", 10])
    growth = lambda: r["ere", 50].work / r["ere", 10].work
    x.claim("cost", "The time of ERE increases with the stiffness",
            lambda: above("time at 50 kPa over time at 10 kPa", r["ere", 50].cost / r["ere", 10].cost, 1),
            cause="open parameter", why="size and mesh of the bar are not printed")
    x.claim("cost", "Its work grows like the square root of the stiffness",
            lambda: between("work at 50 kPa over work at 10 kPa", growth(), 1.5, 3),
            ours=True, cause="open parameter", why="size and mesh of the bar are not printed")
    for Y in x.Ys:
        for m in NEWTON_ONES:
            x.claim("cost", f"{Y} kPa: {METHODS[m]} is slower than ERE",
                    lambda: above("its time over that of ERE", r[m, Y].cost / r["ere", Y].cost, 1), cause="paper", why=DEAR)
    for m in DAMPED_ONES:
        x.claim("behaviour", f"10 kPa: {METHODS[m]} loses much more energy than ERE",
                lambda: above("its loss over that of ERE", lost(m) / abs(lost("ere")), 3),
                ours=True, cause="open parameter", why="size and mesh of the bar are not printed")
    x.row("work of ERE at 50 kPa over that at 10 kPa (the root of 5 is 2.236)", growth)
    x.row("the same with our default evaluator", lambda: ours[50].work / ours[10].work)
    for m, name in METHODS.items():
        x.row(f"{name}, 10 kPa: energy lost", lambda: 100 * lost(m), unit="%")
        for Y in x.Ys:
            x.row(f"{name}, {Y} kPa: time of a step over SI", lambda: r[m, Y].cost / r["si", Y].cost)
    plot = x.plot("Time of a step", "Young's modulus, kPa", "seconds", log="xy")
    for m, name in METHODS.items():
        plot.line_and_dots(name, x.Ys, lambda: [float(r[m, Y].cost) for Y in x.Ys])
    plot.line_and_dots("ERE, our default evaluator", x.Ys, lambda: [float(ours[Y].cost) for Y in x.Ys])
    energy_lines(x, "Total energy, 10 kPa", {m: r[m, 10] for m in METHODS})
