"""Twisted bar released: energy and cost over stiffness"""
from _bar import BOX, LOST, PLAIN, bar
from _methods import DAMPED_ONES, DEAR, METHODS, NEWTON_ONES, energy_lines
from phiflex.experiments import above, item

ITEM = item(
    number="Figure 15", grade="B",
    says="Section 5.3, Figure 15 (Y from 10 Pa to 10 kPa): SI and backward Euler lose too much energy, while the fully implicit methods, "
    "backward "
         "Euler and implicit midpoint, are too slow.",
    asks="Which method keeps a twisted bar swinging, and at what cost?",
    differs=[PLAIN, BOX, "The twist is not printed (180 degrees over the length); there is no gravity, under which a bar of 10 Pa would be "
             "a puddle.",
             LOST, "The printed damping acts on the stiffness of the initial state and is not blind to rotation: it turns the swinging of "
                   "the bar into creeping."],
    full=dict(twist=180, Ys=[10, 100, 1000, 10000], cells=[20, 5, 5], end=2),
    quick=dict(cells=[12, 3, 3], end=0.5, Ys=[10, 1000, 10000]),
    open=dict(twist=("angle over the length, degrees", [90])))


def run(x):
    r = {(m, Y): x.run(f"{name}, {Y} Pa", "bar", {**bar(x, Y), "bodies.0.initial.twist.angle": x.twist}, m, end=x.end, repeat=3,
                       frames=True)
         for Y in x.Ys for m, name in METHODS.items()}
    lost = lambda m, Y: r[m, Y].lost(r["midpoint", Y])
    for Y in x.Ys:
        for m in DAMPED_ONES:
            x.claim("behaviour", f"{Y} Pa: {METHODS[m]} loses more energy than ERE",
                    lambda: above("its loss over that of ERE", lost(m, Y) / abs(lost("ere", Y)), 1), cause="open parameter",
                    why="twist and size of the bar are not printed")
            x.claim("behaviour", f"{Y} Pa: {METHODS[m]} loses at least twice as much",
                    lambda: above("its loss over that of ERE", lost(m, Y) / abs(lost("ere", Y)), 2), ours=True, cause="open parameter",
                    why="twist and size of the bar are not printed")
        for m in NEWTON_ONES:
            x.claim("cost", f"{Y} Pa: {METHODS[m]} is slower than ERE",
                    lambda: above("its time over that of ERE", r[m, Y].cost / r["ere", Y].cost, 1), cause="paper", why=DEAR)
        for m, name in METHODS.items():
            x.row(f"{name}, {Y} Pa: energy lost", lambda: 100 * lost(m, Y), unit="%")
            x.row(f"{name}, {Y} Pa: time of a step over SI", lambda: r[m, Y].cost / r["si", Y].cost)
        x.row(f"ERE, {Y} Pa: substeps of expv per step", lambda: r["ere", Y].count("substeps") / r["ere", Y].steps)
    energy_lines(x, "Total energy, 1 kPa", {m: r[m, 1000] for m in METHODS})
    plot = x.plot("Time of a step", "Young's modulus, Pa", "seconds", log="xy")
    for m, name in METHODS.items():
        plot.line_and_dots(name, x.Ys, lambda: [float(r[m, Y].cost) for Y in x.Ys])
    x.strip([r["si", 1000], r["ere", 1000]], ["SI", "ERE"], moments=5, colour="speed", azimuth=25, elevation=15)
