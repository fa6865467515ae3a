"""First three eigenvalues in time: soft and stiff bar"""
from _pair import box
from phiflex.experiments import above, below, item, order_changes

ITEM = item(
    number="Figure 3.4", grade="B",
    says="Figure 3.4 (neo-Hookean bar): at 1e4 Pa the curves of the first three eigenvalues cross, at 1e5 Pa they do not.",
    asks="Do the eigenvalues of a soft bar cross on the way, and those of a stiff one not?",
    differs=["Which end is held and the load (gravity) are ours.", "Modes are followed by their overlap in the mass product.",
             "The quick variant ends after 100 of the 200 frames."],
    full=dict(file="bar_tet_5k.mesh", frames=200, load=[0, -9.81, 0]), quick=dict(frames=100),
    open=dict(load=("gravity across the thick or across the thin side of the bar, m/s^2; not printed", [[0, 0, -9.81]])))


def run(x):
    body = x.mesh("bodies.0.mesh", x.file, also={"constraints.0.where": box([-9, -9, -9], [0.02, 9, 9])}, stand_in="a box of the generator")
    changes = lambda r: order_changes([r[f"lambda_{i}"] for i in (1, 2, 3)])
    for young, crosses in (1e4, True), (1e5, False):
        r = x.run(f"{young:g} Pa", "bar", {
            **body, "bodies.0.material": {"type": "neo-hookean", "volumetric": "isochoric", "young": young, "poisson": 0.45,
                                          "density": 1000},
            "bodies.0.damping.stiffness": 0, "bodies.0.initial": {}, "gravity": x.load, "output.modes": 3}, "si", end=0.01 * x.frames)
        if crosses:
            x.claim("behaviour", "At 1e4 Pa modes cross", lambda: above("changes of order of the first three modes", changes(r), 1),
                    cause="stand-in", why="the box of the generator has its modes further apart than the thesis's bar")
        else:
            x.claim("behaviour", "At 1e5 Pa no modes cross", lambda: below("changes of order of the first three modes", changes(r), 0),
                    cause="open parameter", why="the load is not printed")
        x.row(f"changes of order at {young:g} Pa", lambda: changes(r))
        x.row(f"smallest overlap of a shape with itself a step before, {young:g} Pa", lambda: min(r.min(f"overlap_{i}") for i in (1, 2, 3)))
        plot = x.plot(f"Eigenvalues, {young:g} Pa", "time, s", "1/s^2")
        for i in 1, 2, 3:
            plot.line(f"mode {i}", lambda: r.t, lambda: r[f"lambda_{i}"])
