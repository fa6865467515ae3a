"""Backward Euler, BDF2 and implicit midpoint on a damped oscillator"""
import numpy as np

from phiflex.experiments import below, exact_oscillator, item, near, oscillator, spectral_radius

ITEM = item(
    number="Figure 19", grade="A",
    says="Appendix, Figure 19: for w = 100, d = 1 and h = 0.01 both BDF methods produce significant damping, the implicit midpoint rule "
         "none of its own.",
    asks="What is left of a slightly damped oscillation after 0.5 s?",
    differs=["The start is not printed: q = 1, v = 0. The amplitude at 0.5 s is the largest of the last seven positions; for backward "
             "Euler its envelope."],
    full=dict(w=100, d=1, h=0.01, n=50, start=[1, 0]), open=dict(start=("position and velocity at the start are not printed", [[0, 100]])))


def run(x):
    q = {m: np.asarray(oscillator(m, x.w, x.d, x.h, x.n, *x.start)) for m in ("be", "bdf2", "midpoint")}
    exact = np.exp(-x.d * x.n * x.h / 2)
    left = {"midpoint": max(abs(q["midpoint"][-7:])), "bdf2": max(abs(q["bdf2"][-7:])),
            "be": float(spectral_radius("be", x.w * x.h, x.d / (2 * x.w))) ** x.n}
    x.claim("behaviour", "The implicit midpoint rule adds no damping: it keeps the amplitude within 10 % of the exact one",
            lambda: near("what the midpoint rule leaves", left["midpoint"], exact, 0.1), ours=True, cause="paper", why="it adds damping")
    x.claim("behaviour", "BDF2 damps significantly: at most 0.1 is left of the exact 0.78",
            lambda: below("what BDF2 leaves", left["bdf2"], 0.1), ours=True,
            cause="paper", why="it damps less")
    x.claim("behaviour", "Backward Euler damps significantly: at most 1e-4 is left",
            lambda: below("what backward Euler leaves", left["be"], 1e-4), ours=True,
            cause="paper", why="it damps less")
    x.row("amplitude at 0.5 s, exact", exact, printed=0.779)
    for m, name in (("midpoint", "implicit midpoint"), ("bdf2", "BDF2"), ("be", "backward Euler, envelope")):
        x.row(name, left[m])
    t, fine = x.h * np.arange(x.n + 1), np.linspace(0, x.n * x.h, 501)
    plot = x.plot("Position", "time, s", "")
    plot.line("exact", lambda: fine, lambda: exact_oscillator(x.w, x.d, fine, *x.start))
    for m in q:
        plot.line_and_dots(m, lambda: t[-len(q[m]):], lambda: q[m])
