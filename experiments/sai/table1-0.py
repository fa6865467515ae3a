"""Spring bunny: admissible steps over the stiffness ratio"""
from _bunny import FULL, OPEN, QUICK, runs
from _methods import BUNNY, NAMES, READING, SMALL, TRUTH, admissible, curves

from phiflex.experiments import above, below, every, item, largest, smallest

PRINTED = {"SAI": [0.0571, 0.0566, 0.0567], "EI": [0.0172, 0.0123, 0.0095], "NR": [0.0039, 0.0026, 0.0017]}
ITEM = item(
    number="Table 1, rows 0a to 0c", grade="C",
    says="Table 1, rows 0a to 0c: at a relative error of 10 % SAI's step is 57 ms whatever the stiffness ratio, EI's falls from 17.2 to "
         "9.5 ms and "
         "Newton-Raphson's from 3.9 to 1.7 ms; SAI's time is the same, 126 and 127 s.",
    asks="Is SAI's admissible step the same whatever the ratio of diagonal to structural springs, three times EI's and nine times NR's, at "
         "the same work?",
    differs=[BUNNY, f"{NAMES} {TRUTH}", *READING, SMALL], full=dict(FULL, nr_steps=[0.0125, 0.00625, 0.003125, 0.0015625]),
    quick=dict(QUICK, nr_steps=[0.003125, 0.000390625]), open=OPEN,
    found="SAI's step is 10 to 40 times EI's, and EI's more than 3 times NR's. The work is not flat: products grow 3.5 times over two "
          "decades of the ratio, since "
          "a polynomial Krylov space must follow the largest frequency.")


def run(x):
    made, truth = runs(x, {"SAI": x.sai_steps, "EI": x.ei_steps, "NR": x.nr_steps})
    step = lambda m, k: admissible(made[m, k], lambda r: r.relative_state_err(truth[k]), 0.1)  # noqa: E731
    x.claim("behaviour", "SAI's admissible step does not depend on the stiffness ratio",
            lambda: below("the largest step over the smallest", largest(step("SAI", k) for k in x.ratios) / smallest(step("SAI",
                    k) for k in x.ratios), 1.1),
            ours=True, cause="open parameter", why="Load and mass are not printed; at a tenth of our load every step tried is good.")
    for a, b in (("SAI", "EI"), ("EI", "NR")):
        x.claim("number", f"{a}'s step is three times {b}'s or more, at every ratio",
                lambda: every(lambda: above(f"ratio {k:g}: {a}'s step", step(a, k), 3 * step(b, k), unit="s") for k in x.ratios), ours=True,
                cause="open parameter",
                why="Load and mass are not printed.")
    products = lambda k: made["SAI", k][x.sai_steps[1]].count("stiffness_products") / x.end  # noqa: E731
    x.claim("cost", "SAI's work for the same time does not grow with the ratio",
            lambda: below("products at the largest ratio over those at the smallest", products(x.ratios[-1]) / products(x.ratios[0]), 1.1),
            ours=True,
            cause="paper", why="A polynomial Krylov space must follow the largest frequency: theory has the root of the stiffness.")
    for m, printed in PRINTED.items():
        for k, one in zip(x.ratios, printed):
            x.row(f"step of {m}, ratio {k:g}", lambda: step(m, k), printed=one, unit="s")
    for k in x.ratios:
        x.row(f"SAI: products with the stiffness in a simulated second, ratio {k:g}, h = {x.sai_steps[1]:g} s", lambda: products(k),
              unit="1/s")
    for k in x.ratios:
        curves(x, f"Error over the step, ratio {k:g}", {m: made[m, k] for m in PRINTED}, lambda r: r.relative_state_err(truth[k]))
