"""Spring bunny: admissible steps over size"""
from _methods import BUNNY, NAMES, READING, TRUTH, admissible, curves, family

from phiflex.experiments import below, between, exponent, item

PRINTED = {"SAI": [0.0729, 0.0691, 0.0566], "EI": [0.0405, 0.0334, 0.0104], "NR": [0.0062, 0.0055, 0.0021]}
ITEM = item(
    number="Table 1, rows 1a to 1c", grade="C",
    says="Table 1, rows 1a to 1c, and section 4.1: for 3,000, 12,000 and 24,000 unknowns SAI takes 8, 58 and 127 s, an almost linear "
         "trend; its step falls from "
         "72.9 to 56.6 ms, EI's from 40.5 to 10.4.",
    asks="Does SAI's cost grow about linearly with N, and does its admissible step fall less than that of EI?",
    differs=[BUNNY, f"{NAMES} {TRUTH}", *READING,
             "Balls of the generator; row 1c repeats SAI's numbers of row 0b in the paper. The quick variant has 400 to 1,600 unknowns and "
             "the ratio 1e3."],
    full=dict(sizes=[8, 12, 15], ratio=1e9, load=9.81, end=5, sample=0.1, truth_step=0.0125, truth_seconds=7200, seconds=3600, mass=1,
              sai_steps=[0.1, 0.05, 0.025, 0.0125], ei_steps=[0.05, 0.025, 0.0125, 0.00625, 0.003125], nr_steps=[0.0125, 0.00625, 0.003125,
                      0.0015625]),
    quick=dict(sizes=[3, 4, 5], ratio=1e3, end=0.2, seconds=6, truth_seconds=6, sai_steps=[0.1, 0.05, 0.025], ei_steps=[0.0125, 0.003125,
            0.00078125],
               nr_steps=[0.0125, 0.003125]),
    open=dict(mass=("the particles' mass, kg, is not printed", [10]), load=("the load, m/s2: only its direction is printed", [0.981])),
    found="Neither SAI's step nor EI's falls with the size at our sizes, so that the second claim has nothing to hold on to.")


def run(x):
    steps, made, truth = {"SAI": x.sai_steps, "EI": x.ei_steps, "NR": x.nr_steps}, {}, {}
    for n in x.sizes:
        x.mesh("bodies.0.springs.mesh", None, stand_in="balls of the generator")
        body = {"bodies.0.springs.mesh.resolution": n, "bodies.0.springs.diagonal": x.ratio, "bodies.0.springs.density": 1.2 * x.mass *
                n ** 3,
                "gravity": [0, -x.load, 0]}
        for m, some in steps.items():
            made[m, n] = family(x, f", resolution {n}", m, "bunny", body, some, sample=x.sample, repeat=3 if m == "SAI" else 1)
        truth[n] = x.truth(f"truth, resolution {n}", "bunny", {**body, "integrator.type": "pexprb43", "integrator.tolerance": 1e-7},
                           step=x.truth_step,
                           end=x.end, sample=x.sample, judges=[made["SAI", n][x.sai_steps[-1]]], seconds=x.truth_seconds)
    step = lambda m, n: admissible(made[m, n], lambda r: r.relative_state_err(truth[n]), 0.1)  # noqa: E731
    first, last = x.sizes[0], x.sizes[-1]
    middle = [made["SAI", n][x.sai_steps[1]] for n in x.sizes]
    x.claim("cost", "SAI's cost grows almost linearly with the number of unknowns",
            lambda: between("the exponent of the cost of a step in N", exponent([r.dofs for r in middle], [r.cost for r in middle]), 0.8,
                            1.4), ours=True,
            cause="engine", why="")
    small = "Bodies of 400 to 1,600 unknowns stand in for 3,000 to 24,000: neither step falls." if x.quick else None
    x.claim("behaviour", "SAI's step falls less than EI's from the smallest to the largest body",
            lambda: below("SAI's step at the smallest size times EI's at the largest", step("SAI", first) * step("EI", last),
                          step("EI", first) * step("SAI", last)), cause="stand-in", why="", open=small)
    for m, printed in PRINTED.items():
        for n, one in zip(x.sizes, printed):
            x.row(f"step of {m}, resolution {n}", lambda: step(m, n), printed=one, unit="s")
    for n in x.sizes:
        curves(x, f"Error over the step, resolution {n}", {m: made[m, n] for m in PRINTED}, lambda r: r.relative_state_err(truth[n]))
