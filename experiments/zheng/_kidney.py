"""The kidney under a force in stairs, by the implicit and by the proposed method: Figures 6 to 8."""
DIFFERS = ["The force is only in a figure that the text has lost: ten stairs up to 1 N in 50 steps and down again, on one vertex.",
           "Mesh, material, step and fixed points are not printed: a generated kidney, 1e5 Pa, h = 0.01 s, 5 % of its length held."]
OPEN = dict(young=("Young's modulus, Pa: no material is printed", [1e4, 1e6]), beta=("damping on the stiffness, s: none is printed", [0]))


def runs(x):
    """The implicit run under f, and the proposed method's under each of the factors times f."""
    body = {"bodies.0.material.young": x.young, "bodies.0.damping.stiffness": x.beta}
    implicit = x.run("implicit, f", "kidney", body, "newmark", frames=True)
    stairs = lambda factor: {f"forces.{i}.force": [-0.1 * factor, 0, 0] for i in range(10)}  # noqa: E731
    return implicit, {f: x.run(f"proposed, {f} f", "kidney", {**stairs(f), **body}, "zheng", frames=True) for f in x.factors}


def moved(run):
    """Displacement of the loaded point along x, m."""
    return run["loaded_x"] - run["loaded_x"][0]


def distance(run, implicit):
    """Largest distance to the implicit run, in parts of its largest displacement."""
    return abs(moved(run) - moved(implicit)).max() / abs(moved(implicit)).max()
