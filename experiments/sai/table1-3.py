"""Tower of girders: admissible steps for two stiffness settings"""
from _methods import NAMES, READING, admissible, curves, family

from phiflex.experiments import below, item, near

PRINTED = {"SAI": [0.1, 0.1], "EI": [0.023, 0.0181], "NR": [0.0032, 0.0022]}
ITEM = item(
    number="Table 1, rows 3a and 3b", grade="C",
    says="Table 1, rows 3a and 3b, and section 4.3: when the upper part is made a hundred times stiffer, SAI's step stays at 0.1 s, EI's "
         "falls from 23.0 to 18.1 ms "
         "and Newton-Raphson's from 3.2 to 2.2 ms.",
    asks="Is SAI's admissible step the same when the upper part is made a hundred times stiffer, while those of EI and NR fall?",
    differs=["Nodes, masses and load of the girder network are not printed: a straight lattice mast of 10 m, 0.1 kg/m, pushed by 1 g "
             "sideways for 1 s; the upper "
             "half is soft.", f"{NAMES} Truth is the energy-momentum method, its step halved.", *READING, "The quick variant has 8 bays "
                     "and 1 s."],
    full=dict(bays=40, density=0.1, stiffnesses=[1e2, 1e4], end=12, sample=0.2, truth_step=0.0125, truth_seconds=600, seconds=600,
              sai_steps=[0.4, 0.2, 0.1, 0.05, 0.025, 0.0125], ei_steps=[0.05, 0.025, 0.0125, 0.00625], nr_steps=[0.0125, 0.00625,
                      0.003125]),
    quick=dict(bays=8, end=1, sample=0.2, truth_seconds=6, seconds=5, sai_steps=[0.2, 0.1, 0.05, 0.025], ei_steps=[0.05, 0.025, 0.0125],
               nr_steps=[0.05, 0.0125, 0.003125, 0.00078125]),
    open=dict(density=("the mass of the bars, kg/m", [1, 10])),
    found="SAI's step falls when the upper part is made stiffer, as do those of EI and NR.")


def run(x):
    steps, made, truth = {"SAI": x.sai_steps, "EI": x.ei_steps, "NR": x.nr_steps}, {}, {}
    x.mesh("bodies.0", None, stand_in="a straight lattice mast for the tower's network of girders")
    for k in x.stiffnesses:
        body = {"bodies.0.springs.bays": x.bays, "bodies.0.springs.linear_density": x.density,
                "bodies.0.regions.0.springs.spring_constant": k}
        for m, some in steps.items():
            made[m, k] = family(x, f", {k:g} N/m", m, "tower", body, some, sample=x.sample)
        truth[k] = x.truth(f"truth, {k:g} N/m", "tower", {**body, "integrator.type": "em"}, step=x.truth_step / 8, end=x.end,
                           sample=x.sample,
                           judges=[made["SAI", k][x.sai_steps[-1]]], seconds=x.truth_seconds)
    soft, stiff = x.stiffnesses
    step = lambda m, k: admissible(made[m, k], lambda r: r.relative_err(truth[k]), 0.1)  # noqa: E731
    x.claim("behaviour", "SAI's step is the same in both settings",
            lambda: near("SAI's step with the stiff upper part over that with the soft one", step("SAI", stiff) / step("SAI", soft), 1,
                         0.2), ours=True,
            cause="stand-in", why="A mast of a few bays with a load of our own stands in for the tower.")
    for m in ("EI", "NR"):
        x.claim("behaviour", f"{m}'s step falls when the upper part gets stiffer",
                lambda: below(f"{m}'s step with the stiff upper part", step(m, stiff), step(m, soft), unit="s"), cause="stand-in",
                why="As above.")
    for m, printed in PRINTED.items():
        for k, one in zip(x.stiffnesses, printed):
            x.row(f"step of {m}, upper part {k:g} N/m", lambda: step(m, k), printed=one, unit="s")
    for k in x.stiffnesses:
        curves(x, f"Error of position over the step, upper part {k:g} N/m", {m: made[m, k] for m in PRINTED},
               lambda r: r.relative_err(truth[k]))
