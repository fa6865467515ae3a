"""Matrix square root by Newton: cost and stability"""
from phiflex.experiments import below, every, item
from phiflex.experiments.studies import square_root

WAYS = ("newton", "denman-beavers", "schur", "eigen")
ITEM = item(
    number="Section 3.6.1", grade="A",
    says="Section 3.6.1: the iteration X <- (X + X^-1 L)/2 from X = L offers unconditional quadratic convergence, for 8/3 N^3 operations a "
         "step.",
    asks="Is Newton's iteration a safe way to the square root, as its quadratic convergence suggests?",
    differs=["Random symmetric matrices of given condition, eigenvalues even on a logarithmic scale.", "To be generous the best iterate is "
            "judged, too."],
    full=dict(sizes=[50, 200, 1000]), quick=dict(sizes=[50, 100]),
    found="In exact arithmetic it converges. Rounding errors grow by |1 - sqrt(l_i/l_j)|/2 a step, so that the iteration is unstable above "
          "a condition of 9 (Higham, "
          "Functions of Matrices, 2008). The other ways stay at 1e-13, and the energy inner product needs no square root at all.")


def run(x):
    conditions = [2, 10, 100, 1e4, 1e6]
    roots = {(way, n, c): square_root(way, n, c) for way in WAYS for n in x.sizes[:1 if way != "newton" else None] for c in [*conditions,
            1e8]}
    for c in conditions:
        reason = dict(ours=True, cause="paper", why="Rounding errors are amplified in every step when the condition is above 9.")
        x.claim("behaviour", f"Condition {c:g}: the best iterate of Newton is accurate",
                lambda: every(lambda: below(f"n = {n}: the relative residual", roots["newton", n, c].best, 1e-8) for n in x.sizes),
                **reason)
        x.claim("behaviour", f"Condition {c:g}: Newton's iteration converges and stays",
                lambda: every(lambda: below(f"n = {n}: the relative residual at the end", roots["newton", n, c].residual, 1e-8)
                              for n in x.sizes), **reason)
    n = x.sizes[0]
    for way in WAYS:
        for c in [*conditions, 1e8]:
            x.row(f"{way}, n = {n}, condition {c:g}: residual at the end", lambda: roots[way, n, c].residual)
    plot = x.plot(f"Relative residual of the square root, n = {n}", "condition", "residual", log="xy")
    for way in WAYS:
        plot.line_and_dots(way, [*conditions, 1e8], lambda: [roots[way, n, c].residual for c in [*conditions, 1e8]])
    plot.dashed("newton, best iterate", [*conditions, 1e8], lambda: [roots["newton", n, c].best for c in [*conditions, 1e8]])
