"""The spring bunny with three stiffness ratios: Figure 3a and rows 0a to 0c of Table 1."""
from _methods import family

FULL = dict(mesh_file="bunny_tet.msh", density=500, ratios=[1e6, 1e8, 1e10], load=9.81, end=5, sample=0.1, seconds=3600, truth_step=0.0125,
            truth_seconds=7200, sai_steps=[0.1, 0.05, 0.025, 0.0125, 0.00625], ei_steps=[0.05, 0.025, 0.0125, 0.00625, 0.003125])
QUICK = dict(mesh_file=None, density=33, ratios=[1e2, 1e3, 1e4], end=0.2, seconds=6, truth_seconds=6, sai_steps=[0.1, 0.05, 0.025, 0.0125],
             ei_steps=[0.05, 0.0125, 0.003125, 0.00078125])
OPEN = dict(load=("the load, m/s2: only its direction is printed", [0.981]), density=("it gives the particles' masses", [330]))


def runs(x, steps):
    """{(method, ratio): family} and {ratio: truth}."""
    mesh = x.mesh("bodies.0.springs.mesh", x.mesh_file, {"constraints.0.where.half_space.point": [0, -0.03, 0]}, "a ball of the generator")
    body = {k: {**mesh, "bodies.0.springs.diagonal": k, "bodies.0.springs.density": x.density, "gravity": [0, -x.load,
            0]} for k in x.ratios}
    made = {(m, k): family(x, f", ratio {k:g}", m, "bunny", body[k], some, sample=x.sample) for m, some in steps.items() for k in x.ratios}
    truth = {k: x.truth(f"truth, ratio {k:g}", "bunny", {**body[k], "integrator.type": "pexprb43", "integrator.tolerance": 1e-7},
                        step=x.truth_step,
                        end=x.end, sample=x.sample, judges=[list(made["SAI", k].values())[-1]], seconds=x.truth_seconds) for k in x.ratios}
    return made, truth
