"""The applied force"""
import numpy as np
from _kidney import DIFFERS

from phiflex.experiments import item

ITEM = item(
    number="Figure 6", grade="C",
    says="Section 5.2.2, Figure 6: the external force on one point of the kidney over 100 steps. Its values are in the figure alone.",
    asks="Which force moves the kidney in the next two figures?",
    differs=[*DIFFERS, "The figure claims nothing, and neither do we: what is shown is our assumption and that the run has it."])


def run(x):
    implicit = x.run("implicit, f", "kidney", {}, "newmark", frames=True)
    stairs = lambda n: np.clip(np.minimum(1 + np.floor((n + 0.1) / 5), 20 - np.floor((n + 0.1) / 5)), 0, 10) / 10  # noqa: E731
    n = np.arange(100)
    assumed = (stairs(n) + stairs(n + 1)) / 2
    in_run = lambda: (np.diff(implicit["external_work"]) / -np.diff(implicit["loaded_x"]))[2:]  # noqa: E731
    x.row("largest force, work over path", lambda: in_run().max(), unit="N")
    x.row("largest difference to the assumed stairs", lambda: abs(in_run() - assumed[2:]).max(), unit="N")
    plot = x.plot("Force in -x", "step", "force, N")
    plot.line("assumed", n, assumed)
    plot.dots("in the run", n[2:], in_run)
