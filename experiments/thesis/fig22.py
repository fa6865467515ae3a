"""Numerical stiffening of the wave equation in one dimension"""
import numpy as np

from phiflex.experiments import above, falling, item, near
from phiflex.experiments.studies import wave_eigenvalue

ITEM = item(
    number="Figure 2.2", grade="A",
    says="Section 2.2.2, Figure 2.2 (linear elements, c = 1): the lowest eigenvalue approaches pi^2 monotonically from above as the mesh "
    "improves.",
    asks="How much too stiff is a coarse mesh?",
    differs=["The printed mass matrix has 4 and 2 where linear elements have 4 and 1, and K has the wrong sign; the right ones are used, "
             "the printed mass is shown beside them: it would approach 0.75 pi^2 and look too soft."])


def run(x):
    n = [2, 4, 8, 16, 32, 64]
    lowest, as_printed = [wave_eigenvalue(i) for i in n], [wave_eigenvalue(i, 2) for i in n]
    x.claim("behaviour", "The eigenvalue falls monotonically as the mesh improves", lambda: falling("the lowest eigenvalue", lowest))
    x.claim("behaviour", "It comes from above", lambda: above("the eigenvalue of the finest mesh less pi^2", lowest[-1] - np.pi**2, 0))
    x.claim("behaviour", "It approaches pi^2", lambda: near("the eigenvalue of 512 elements", wave_eigenvalue(512), np.pi**2, 1e-5))
    for i, value in zip(n, lowest):
        x.row(f"lowest eigenvalue, {i} elements", value)
    x.row("with the printed mass matrix, 64 elements (0.75 pi^2 = 7.402)", as_printed[-1])
    plot = x.plot("Lowest eigenvalue over the number of elements", "elements", "lowest eigenvalue", log="x")
    plot.line_and_dots("consistent mass", n, lowest)
    plot.line_and_dots("mass as printed", n, as_printed)
    plot.dashed("pi^2", [2, 64], [np.pi**2, np.pi**2])
