"""Pictures of the kidney: implicit with f, proposed with 100 f and 200 f"""
from _kidney import DIFFERS, OPEN, distance, moved, runs

from phiflex.experiments import below, item

ITEM = item(
    number="Figure 8", grade="B",
    says="Section 5.2.2, Figure 8: at the loaded point the deformation of the proposed method under 100 and 200 times the force is much "
         "like that of the "
         "implicit method under the force itself.",
    asks="Does the proposed method under 100 times the force look like the implicit one?",
    differs=DIFFERS, full=dict(factors=[1, 100, 200], young=1e5, beta=0.01), open=OPEN,
    found="The runs with f agree to 1 % of the displacement; with 100 f the point goes 100 times as far, as linearity wants.")


def run(x):
    implicit, proposed = runs(x)
    x.claim("behaviour", "Under 100 f the loaded point of the proposed method moves like that of the implicit one under f",
            lambda: below("the largest distance to the implicit run over its displacement", distance(proposed[100], implicit), 0.2),
            ours=True, cause="paper", why="Both are the same recurrence on a linear system: the factor that fits is 1 (Figure 7).")
    for f in x.factors:
        x.row(f"proposed with {f} f: largest distance to the implicit run over its displacement", lambda: distance(proposed[f], implicit))
    plot = x.plot("Displacement of the loaded point", "time, s", "displacement in x, m")
    plot.line("implicit, f", lambda: implicit.t, lambda: moved(implicit))
    for f in x.factors:
        plot.dashed(f"proposed, {f} f", lambda: proposed[f].t, lambda: moved(proposed[f]))
    x.strip([implicit, proposed[1]], ["implicit, f", "proposed, f"])
