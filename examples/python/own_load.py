"""A load of one's own: a spring that pulls the tip of a bar to a point that goes round, and drag by the air around it."""
import numpy as np

import phiflex

bar = phiflex.Body.box((0.4, 0.1, 0.1), (8, 2, 2), phiflex.NeoHookean(young=2e5, poisson=0.4, density=1000), name="bar")
tip = np.flatnonzero(bar.vertices[:, 0] > 0.399)


def pull(t, x, v):
    """N on every vertex; t: s, x: m, v: m/s, both (n, 3)."""
    target = [0.4, 0.15 + 0.05 * np.cos(6 * t), 0.05 + 0.05 * np.sin(6 * t)]
    forces = -0.05 * v  # drag
    forces[tip] += 60 / len(tip) * (target - x[tip].mean(axis=0))
    return forces


model = phiflex.Model([bar, phiflex.Fix(bar, lambda x: x[:, 0] == 0), phiflex.Load(pull, bar),
                       phiflex.Probe("tip", bar, (0.4, 0.05, 0.05))])
sim = model.simulate(step=0.005, integrator="em").advance(until=2.0)
reach = np.ptp(sim.probes["tip"][200:], axis=0)
print(f"the tip moves by {reach[1]:.3f} m up and down and {reach[2]:.3f} m to the sides")
print(f"external work {sim.ledger.external_work:.3f} J, numerical loss {sim.ledger.numerical_loss:.1e} J")
assert reach[1] > 0.01 and reach[2] > 0.01
