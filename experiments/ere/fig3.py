"""The ghost at one huge step"""
import numpy as np

from phiflex.experiments import below, exact_oscillator, item, oscillator

ITEM = item(
    number="Figure 3", grade="A",
    says="Section 3.2, Figure 3: with w = 200 and h = 1 s the first step of backward Euler skips many oscillations and yet lands on the "
         "curve of the damped ghost equation.",
    asks="Where does one step of 1 s, 32 periods long, land?",
    differs=["\"On the curve\" is read as: within 5 % of the ghost's envelope at t = 1 s."],
    found="It lands on the envelope (to 0.04 %), on the other side of the axis than the ghost: only the decay is the ghost's.")


def run(x):
    w, h = 200, 1
    d = np.log(1 + (w * h)**2) / h
    be = oscillator("be", w, 0, h, 1, 0, 1)
    ghost = float(exact_oscillator(w, d, h, 0, 1))
    envelope = lambda t: np.exp(-d * t / 2) / np.sqrt(w**2 - d**2 / 4)
    x.claim("behaviour", "The first step lands where the ghost's decay leads: on its envelope",
            lambda: below("the distance from the envelope", abs(abs(be[1]) - envelope(h)), 0.05 * envelope(h), unit="m"))
    x.claim("remark", "The first step lands on the ghost's curve",
            lambda: below("the distance from the curve", abs(be[1] - ghost), 0.05 * envelope(h), unit="m"), ours=True, cause="paper",
            why="a step of 32 periods has no phase: backward Euler is at +2.50e-5 m, the ghost at -2.26e-5 m")
    x.row("d of the ghost", d, printed=10.597, unit="1/s")
    x.row("backward Euler at t = 1 s", be[1], unit="m")
    x.row("ghost at t = 1 s", ghost, unit="m")
    x.row("envelope of the ghost at t = 1 s", envelope(h), unit="m")
    for title, t in ("One step of 1 s at w = 200", np.linspace(0, 1.2, 1201)), ("The end of the step", np.linspace(0.95, 1.05, 801)):
        plot = x.plot(title, "time, s", "position, m")
        plot.dots("backward Euler", [h], [be[1]])
        plot.line("ghost", t, exact_oscillator(w, d, t, 0, 1))
        plot.dashed("envelope", t, envelope(t))
