"""Cost of an implicit step over the number of Newton iterations"""
from _organs import DIFFERS, ELEMENTS, NAMES, implicit

from phiflex.experiments import above, every, item

ITEM = item(
    number="Figure 1", grade="B",
    says="Section 3.2, Figure 1: the time of an implicit step grows with the number of Newton iterations (1, 3 and 5), and with the size "
         "of the model for "
         "each of them.",
    asks="How does the cost of an implicit step grow with 1, 3 and 5 Newton iterations?",
    differs=[*DIFFERS, "For a linear system the second iteration finds a residual of 0; all are made nevertheless, each with its "
                       "factorization: that equal "
             "iterations add up is no finding, so the ratios are rows and not claims."])


def run(x):
    times = {n: implicit(x, n) for n in (1, 3, 5)}
    x.claim("cost", "The cost grows with the size of the model, whatever the number of iterations",
            lambda: every(lambda: above(f"{n} iteration{'s' * (n > 1)}: the brain's cost over the kidney's", one[-1] / one[0], 1)
                          for n, one in times.items()),
            cause="paper", why="")
    for k, name in enumerate(NAMES):
        x.row(f"{name}: three iterations over one", lambda: times[3][k] / times[1][k])
        x.row(f"{name}: five iterations over one", lambda: times[5][k] / times[1][k])
    plot = x.plot("Cost of an implicit step", "elements", "processor seconds")
    for n, one in times.items():
        plot.line_and_dots(f"{n} iteration{'s' * (n > 1)}", ELEMENTS, one)
