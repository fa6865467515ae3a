"""Backward Euler follows a damped ghost equation"""
import numpy as np

from phiflex.experiments import below, exact_oscillator, item, near, oscillator, spectral_radius

ITEM = item(
    number="Figure 2", grade="A",
    says="Section 3.2, Figure 2: with w = 20 and h = 1/w, from q = 0 and v = 1, backward Euler approximates the solution of the ghost "
         "equation with d of equation (6) rather than the true, undamped one.",
    asks="Does backward Euler follow the damped equation rather than the undamped one?",
    differs=["The paper shows a plot; the distances are our reading of it: largest over 20 steps."],
    found="Over 20 steps the ghost is nearer than the undamped solution. Only the envelope is the ghost's: backward Euler turns by 0.785 "
          "rad per step, the ghost by 0.938.")


def run(x):
    w, h, n = 20, 0.05, 20
    d = np.log(1 + (w * h)**2) / h
    t, fine = h * np.arange(n + 1), np.linspace(0, n * h, 401)
    be = oscillator("be", w, 0, h, n, 0, 1)
    ghost, exact = exact_oscillator(w, d, t, 0, 1), exact_oscillator(w, 0, t, 0, 1)
    to_ghost, to_exact = max(abs(be - ghost)), max(abs(be - exact))
    x.claim("behaviour", "Backward Euler is damped as the ghost: its envelope falls by exp(-d h/2) per step",
            lambda: below("the difference", abs(spectral_radius("be", w * h) - np.exp(-d * h / 2)), 1e-12))
    x.claim("behaviour", "Backward Euler approximates the ghost rather than the undamped solution",
            lambda: below("its distance to the ghost", to_ghost, to_exact, unit="m"))
    x.claim("number", "d of the ghost is w ln 2", lambda: near("d", d, 13.863, 1e-4, unit="1/s"))
    x.row("d of the ghost", d, printed=13.863, unit="1/s")
    x.row("envelope per step", spectral_radius("be", 1.0), printed=0.70711)
    x.row("largest distance to the ghost", to_ghost, unit="m")
    x.row("largest distance to the undamped solution", to_exact, unit="m")
    x.row("backward Euler at step 4", be[4], unit="m")
    x.row("ghost at step 4", ghost[4], unit="m")
    plot = x.plot("Backward Euler and its ghost", "time, s", "position, m")
    plot.dots("backward Euler", t, be)
    plot.dashed("ghost", fine, exact_oscillator(w, d, fine, 0, 1))
    plot.line("undamped", fine, exact_oscillator(w, 0, fine, 0, 1))
