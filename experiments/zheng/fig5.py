"""Implicit against proposed, as plots"""
from _organs import DIFFERS, ELEMENTS, IMPLICIT_MS, NAMES, PROPOSED_MS, implicit, step

from phiflex.experiments import above, every, item

ITEM = item(
    number="Figure 5", grade="B",
    says="Section 5.2.1, Figure 5: for all six models the proposed method takes less time and gives more frames per second than the "
         "implicit one.",
    asks="The numbers of Table 2 as plots of time and of frames per second: is the proposed method faster for every model?",
            differs=DIFFERS)


def run(x):
    slow, fast = implicit(x), step(x, "zheng")
    x.claim("cost", "The proposed method is faster for all six models",
            lambda: every(lambda: above(f"{name}: frames per second, proposed over implicit", slow[k] / fast[k], 1) for k,
                          name in enumerate(NAMES)),
            cause="paper", why="")
    for k, name in enumerate(NAMES):
        x.row(f"{name}: frames per second, proposed over implicit", lambda: slow[k] / fast[k], printed=IMPLICIT_MS[k] / PROPOSED_MS[k])
    plot = x.plot("Time of a step", "elements", "processor seconds")
    plot.line_and_dots("implicit", ELEMENTS, slow)
    plot.line_and_dots("proposed", ELEMENTS, fast)
    plot = x.plot("Steps per processor second", "elements", "1/s", log="y")
    plot.line_and_dots("implicit", ELEMENTS, [1 / one for one in slow])
    plot.line_and_dots("proposed", ELEMENTS, [1 / one for one in fast])
