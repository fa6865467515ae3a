"""The methods of Table 1, families of runs over their steps, and the largest step that is good enough."""
from phiflex.experiments import Open, admissible_step

PHIPM = {"type": "phipm", "tolerance": 1e-6}
METHODS = {"SAI": {"integrator.type": "epirk4s3", "integrator.evaluator": PHIPM},
           "EI": {"integrator.type": "gautschi", "integrator.filter": "gautschi", "integrator.tolerance": 1e-6},
           "NR": {"integrator.type": "be", "integrator.hessian_correction": "diagonal", "integrator.halve_step": False},
           "ER": {"integrator.type": "exprb42", "integrator.evaluator": PHIPM}}
NAMES = ("SAI is `epirk4s3` with `phipm`, EI `gautschi` with its linear part at rest, NR backward Euler with raised diagonal, ER "
         "`exprb42`.")
READING = ["The admissible step is read off the error's curve over the steps tried, on logarithmic scales; beyond the largest and below "
           "the smallest "
           "step tried it is known from one side only.",
           "The printed seconds are the same per step for 360 and for 90,000 unknowns; steps are compared, seconds are not."]
BUNNY = ("Masses, load, support and duration of the comparison are not printed: about 1 kg a particle, the lowest tenth held, and a load "
         "of 1 g; errors are "
         "judged over a short time, since an undamped network of springs is chaotic over three minutes.")
TRUTH = "Truth is `pexprb43`, its step halved until it has converged; the paper's Runge-Kutta method at 1e-10 s is out of reach."
SMALL = ("The quick variant is a ball of about 150 particles with diagonals 1e2 to 1e4 times as stiff as the edges: the cost of polynomial "
         "Krylov methods "
         "grows with the root of stiffness.")


def family(x, name, method, scene, body, steps, **how):
    """Runs of a method at several steps, {h: run}."""
    return {h: x.run(f"{method}{name}, {1000 * h:.4g} ms", scene, {**body, **METHODS[method]}, step=h, end=x.end, max_seconds=x.seconds,
                     **how)
            for h in steps}


def told(runs):
    """Those of a family that were not stopped by their limit of processor seconds: these say nothing of their step."""
    made = {h: one for h, one in runs.items() if one.diverged or not one.stopped}
    if not made:
        raise Open(f"all of {', '.join(repr(one.name) for one in runs.values())} were stopped")
    return made


def admissible(runs, error, limit):
    """The largest good step of a family; error: of a run, infinite where it diverged."""
    made = told(runs)
    return admissible_step(list(made), [error(one) for one in made.values()], limit)


def curves(x, title, families, error):
    """Error over the step, a curve for each family."""
    plot = x.plot(title, "step, s", "relative error", log="xy")
    for name, runs in families.items():
        style = plot.line_and_dots if name.startswith("SAI") else plot.dashed if name.startswith("E") else plot.dots
        style(name, lambda: list(told(runs)), lambda: [min(10, error(one)) for one in told(runs).values()])
