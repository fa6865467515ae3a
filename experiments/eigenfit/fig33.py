"""Lowest eigenvalue of two discontinuous triangles over the penalty"""
import numpy as np

from phiflex.experiments import above, below, item, said
from phiflex.experiments.studies import penalty_curves

ITEM = item(
    number="Figure 3.3", grade="B",
    says="Figure 3.3 (square of two triangles; BZ, IP and continuous elements): the penalty can be used to adjust the effective stiffness "
    "and to "
         "alleviate numerical stiffening somewhat.",
    asks="Can the penalty of discontinuous elements tune their stiffness below and above that of continuous ones?",
    differs=["The square of 0.5 m and density 1 are those of the author's public code; the penalty runs from 0.01 to 100 (N/m^3) as "
             "printed, and to 1e4 where the curves meet the continuous "
             "elements.", "The interior penalty is indefinite for small penalties."])


def run(x):
    curves = penalty_curves(0.01, 1e4, 61)
    penalty, continuous = curves["penalty"], curves["continuous"]
    x.claim("behaviour", "The penalty adjusts the stiffness: BZ rises with it",
            lambda: said((np.diff(curves["bz"]) > 0).all(), "the lowest eigenvalue rises throughout",
                         "the lowest eigenvalue does not rise throughout"))
    for name, words in ("bz", "BZ"), ("ip", "IP"):
        x.claim("behaviour", f"{words} can be made softer than the continuous elements, which alleviates stiffening",
                lambda: below("its smallest positive eigenvalue over the continuous one", min(curves[name][curves[name] > 0]) / continuous,
                              0.99),
                ours=True)
        x.claim("behaviour", f"{words} can be made as stiff as the continuous elements",
                lambda: above("its largest eigenvalue over the continuous one", max(curves[name]) / continuous, 0.99), ours=True)
        x.row(f"{words}: lowest eigenvalue at penalty 100", np.interp(100, penalty, curves[name]), unit="1/s^2")
    x.row("continuous: lowest eigenvalue", continuous, unit="1/s^2")
    plot = x.plot("Lowest eigenvalue", "penalty, N/m^3", "1/s^2", log="x")
    plot.line("BZ", penalty, curves["bz"])
    plot.line("IP", penalty, curves["ip"])
    plot.dashed("continuous", [penalty[0], penalty[-1]], [continuous, continuous])
