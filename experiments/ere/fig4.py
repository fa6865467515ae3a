"""Generalized-alpha over x, as it should be and as printed"""
from phiflex.experiments import below, damping, every, geometric, item, said, spectral_radius

ITEM = item(
    number="Figure 4", grade="A",
    says="Section 3.2, Figure 4: generalized-alpha has a knob, r in [0, 1], that is tuned to achieve a measured artificial damping.",
    asks="Is generalized-alpha stable for every step and every r, and does a smaller r damp more?",
    differs=["The legend of the figure is not readable: r = 0, 0.5, 0.9 and 1 are taken.",
             "The paper prints alpha = alpha_m + alpha_f; the method (Chung and Hulbert 1993) has the difference. The claims are judged on "
             "the method, the printed form is shown beside it."],
    found="With the difference the method is stable everywhere; as printed it is unstable already at x = 1 (1.22 for r = 0.5).")


def run(x):
    rs, at, large = [0, 0.5, 0.9, 1], geometric(0.01, 1000, 301), geometric(1.05, 1000, 200)
    radius = lambda r, where, printed=False: spectral_radius(f"generalized-alpha:rho_infinity={r}", where, printed=printed)
    for r in rs:  # 1e-10 (1 + x): what rounding in a matrix of this size does to its spectral radius
        x.claim("behaviour", f"r = {r}: the spectral radius is at most 1 for every x",
                lambda: below("the largest radius", max(radius(r, at) - 1e-10 * (1 + at)), 1), ours=True)
    x.claim("behaviour", "The knob tunes the damping: beyond x = 1 a smaller r damps more", lambda: every(
        lambda: said((radius(a, large) < radius(b, large)).all(), f"the radius of r = {a} is below that of r = {b}")
        for a, b in zip(rs, rs[1:])))
    for r in rs:
        x.row(f"radius at x = 1000, r = {r}", radius(r, 1000.0))
    x.row("as printed: radius at x = 1, r = 0.5", radius(0.5, 1.0, printed=True))
    x.row("as printed: radius at x = 1000, r = 1", radius(1, 1000.0, printed=True))
    plot = x.plot("Generalized-alpha", "x = h w", "d / w", log="x")
    radii = x.plot("Spectral radius, and as printed (alpha_m + alpha_f)", "x = h w", "spectral radius", log="xy")
    for r in rs:
        plot.line(f"r = {r}", at, damping(f"generalized-alpha:rho_infinity={r}", at))
        radii.line(f"r = {r}", at, radius(r, at))
    for r in 0.5, 1:
        radii.dashed(f"printed, r = {r}", at, radius(r, at, printed=True))
