"""One implicit step of six models"""
from _organs import CELLS, DIFFERS, ELEMENTS, IMPLICIT_MS, NAMES, implicit

from phiflex.experiments import between, exponent, item

ITEM = item(
    number="Table 1", grade="C",
    says="Section 3.2, Table 1: an implicit step takes 157 ms for the kidney of 433 elements and 1940 ms for the brain of 6605, an "
         "exponent of 0.93; the text "
         "says that the cost goes with the square of the dimension.",
    asks="How does the cost of an implicit step (Newmark, one Newton iteration, factorized anew) grow with the number of elements?",
            differs=DIFFERS,
    found="The exponent is about 1.35, between the printed times (0.93) and the text (2). The printed 157 ms for 433 elements are some "
          "hundred times what sparse "
          "code needs.")


def run(x):
    seconds = implicit(x)
    slope = exponent(ELEMENTS, seconds)
    x.claim("number", "The printed times grow like elements to the power 0.93", lambda: between("the exponent", slope, 0.83, 1.03),
            ours=True, cause="paper",
            why="The times seem to hold a large part that does not depend on the size: a sparse factorization grows faster than linearly.")
    x.claim("cost", "The cost goes with the square of the dimension", lambda: between("the exponent", slope, 1.8, 2.2), ours=True,
            cause="paper",
            why="Neither the printed times nor a sparse factorization of bodies of this size do.")
    x.row("exponent of the cost in elements", slope, printed=exponent(ELEMENTS, IMPLICIT_MS))
    for k, name in enumerate(NAMES):
        x.row(f"{name}: cost over that of the kidney", lambda: seconds[k] / seconds[0], printed=IMPLICIT_MS[k] / IMPLICIT_MS[0])
        x.row(f"{name}: elements", 6 * CELLS[k][0] * CELLS[k][1] * CELLS[k][2], printed=ELEMENTS[k])
    plot = x.plot("Cost of an implicit step", "elements", "seconds", log="xy")
    plot.line_and_dots("measured", ELEMENTS, seconds)
    plot.dashed("printed", ELEMENTS, [one / 1000 for one in IMPLICIT_MS])
