"""Hanging ball: energy of SI, SIERE and ERE"""
from _paper import ball
from phiflex.experiments import above, below, item

ITEM = item(
    number="Figure 9", grade="B",
    says="Section 4.3.1, Figure 9: SI shows a typical decline in energy; ERE and SIERE are close to conserving it.",
    asks="Does SI take the ball's energy while SIERE and ERE keep it?",
    differs=["No damping: with the 1e-4 s of the authors' public code no method would keep the energy that the figure shows.",
             "Density, damping and held vertices are not printed: 1000 kg/m^3, none, and y > 0.08 m.",
             "Losses are told in parts of the oscillation's energy, the truth's largest kinetic energy: under a sudden pull the largest "
             "elastic energy is four times that, and a method that stops the ball at once loses no more than a quarter of it.",
             "Truth is a fourth-order exponential method whose step is halved."],
    full=dict(mesh_file="ball_tet_5k.mesh", frames=100, beta=0), quick=dict(mesh_file=None, frames=60))


def run(x):
    end = 0.005 * x.frames
    runs = {m: x.run(m.upper(), "ball", ball(x), m, end=end, sample=0.005) for m in ("si", "siere", "ere")}
    truth = x.truth("truth", "ball", {**ball(x), "integrator.tolerance": 1e-6}, "pexprb43", end=end, sample=0.005,
                    judges=list(runs.values()))

    def loss(r):
        return r.loss / max(truth["kinetic"])

    x.claim("behaviour", "SI shows a decline in energy: at least half of the oscillation's is lost by the end",
            lambda: above("what SI takes of the oscillation's energy", loss(runs["si"]), 0.5), ours=True, cause="open parameter",
            why="density and support are not printed")
    x.claim("behaviour", "SIERE is close to conserving the energy: it loses at most 15 %",
            lambda: below("what SIERE takes of the oscillation's energy", loss(runs["siere"]), 0.15), ours=True, cause="open parameter",
            why="density and support are not printed")
    x.claim("behaviour", "ERE is close to conserving the energy: it loses at most 5 %",
            lambda: below("what ERE takes of the oscillation's energy", loss(runs["ere"]), 0.05), ours=True, cause="open parameter",
            why="density and support are not printed")
    for m, r in runs.items():
        x.row(f"energy lost by {r.name}", lambda: loss(r), unit="of the oscillation's energy")
        x.row(f"largest distance of {r.name} to the truth", lambda: r.err(truth), unit="m")
    plot = x.plot("Elastic energy", "time, s", "J")
    taken = x.plot("What the method itself took", "time, s", "J")
    for r in (truth, *runs.values()):
        plot.line(r.name, lambda: r.t, lambda: r["elastic"])
    for r in runs.values():
        taken.line(r.name, lambda: r.t, lambda: r["numerical_loss"])
