"""Swimming bacterium"""
from phiflex.experiments import above, below, item

ITEM = item(
    number="Figure 6", grade="C",
    says="Section 4.5, Figure 6: a bacterium swims in a viscous fluid, driven by a constant torque at the base of its flagellum, simulated "
         "with SAI.",
    asks="Does it swim, and the other way when the torque is reversed?",
    differs=["No physical parameter is printed: a model of 14 cm in an oil of 100 Pa s, 77 particles, a motor of 0.05 N m "
             "(scenes/bacterium).",
             "It is not made by SAI, which does not get through this motion (sai-table1-6), but by backward Euler."],
    full=dict(end=2, h=0.01, seconds=120, torque=0.05), quick=dict(end=1, seconds=10),
    open=dict(torque=("of the motor, N m: no physical parameter is printed", [0.02])),
    found="It swims 3.1 mm in a second, about a thirtieth of its length in a turn, and as far backward with the torque reversed; sideways "
          "it drifts by 0.4 mm.")


def run(x):
    x.note("Not the paper's method: backward Euler ran, SAI cannot. What it shows is a remark on our bacterium.")
    x.mesh("bodies.0", None, stand_in="a bacterium of our own")
    forward, backward = (x.run(name, "bacterium", {"forces.1.torque": torque}, step=x.h, end=x.end, max_seconds=x.seconds,
                               frames=name == "forward")
                         for name, torque in (("forward", x.torque), ("backward", -x.torque)))
    way = lambda r, c="x": r.at(f"axle_{c}", x.end) - r[f"axle_{c}"][0]  # noqa: E731
    x.claim("behaviour", "A bacterium that a motor drives swims, simulated with SAI",
            open="SAI does not get through this motion (sai-table1-6)")
    ours = dict(ours=True, cause="stand-in", why="Body, fluid and method are not the paper's.")
    x.claim("remark", "By backward Euler our bacterium swims along its axis",
            lambda: above("its way along the axis over its drift", abs(way(forward)) / max(abs(way(forward, "y")), abs(way(forward, "z"))),
                          1), **ours)
    x.claim("remark", "By backward Euler it swims the other way with the torque reversed",
            lambda: below("the way backward over the way forward", way(backward) / way(forward), 0), **ours)
    for r in (forward, backward):
        for c in "xyz":
            x.row(f"way along {c}, {r.name}", lambda: way(r, c), unit="m")
    plot = x.plot("Way of the axle", "time, s", "m")
    for r in (forward, backward):
        plot.line(r.name, lambda: r.t, lambda: r["axle_x"])
    x.strip([forward], ["bacterium"], moments=6, colour="speed", azimuth=20)
