"""Artificial damping of backward Euler and SI over x = h w"""
import numpy as np

from phiflex.experiments import below, between, damping, geometric, item

ITEM = item(
    number="Figure 1", grade="A",
    says="Section 3.2, equation (6) and Figure 1: backward Euler and SI, which coincide here, damp an undamped oscillator like d = ln(1 + "
         "x^2)/h, always below 2 w; x = 1, where d = w ln 2, is called close to the maximum.",
    asks="How strongly do backward Euler and SI damp q'' + w^2 q = 0?",
    differs=["The curve is measured on the step functions themselves, not drawn from the formula."],
    found="The formula holds to rounding for both. d/w rises on beyond x = 1, to 0.805 at x = 1.98.")


def run(x):
    at = geometric(0.01, 100, 401)
    be, si, formula = damping("be", at), damping("si", at), np.log(1 + at**2) / at
    close = geometric(1, 4, 2001)
    peak = close[np.argmax(damping("be", close))]
    x.claim("behaviour", "Backward Euler damps by d/w = ln(1 + x^2)/x",
            lambda: below("the largest difference from the formula", max(abs(be - formula)), 1e-12))
    x.claim("behaviour", "SI damps by the same formula",
            lambda: below("the largest difference from the formula", max(abs(si - formula)), 1e-12))
    x.claim("behaviour", "d stays below 2 w for every step", lambda: below("the largest d/w", max(be), 2))
    x.claim("number", "At x = 1 d is w ln 2", lambda: between("d/w at x = 1", damping("be", 1.0), 0.693, 0.6932))
    x.claim("remark", "x = 1 is close to where the curve has its maximum", lambda: between("x of the maximum", peak, 0.8, 1.25),
            ours=True, cause="paper", why="the formula itself has its maximum at x = 1.98, 16 % above its value at 1")
    x.row("d/w at x = 1", damping("be", 1.0), printed=0.693)
    x.row("x of the maximum", peak, printed=1)
    x.row("largest d/w", max(be))
    plot = x.plot("Artificial damping", "x = h w", "d / w", log="x")
    plot.line("backward Euler", at, be)
    plot.dashed("SI", at, si)
    plot.dots("printed formula", at[::20], formula[::20])
