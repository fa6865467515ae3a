"""Damping of backward Euler and BDF2 over x = h w"""
from phiflex.experiments import above, damping, geometric, item

ITEM = item(
    number="Figure 18", grade="A",
    says="Appendix, Figure 18: curves of the artificial damping d/w of BE and BDF2 over h w; the damping is significant where h w is not "
         "small.",
    asks="How much less than backward Euler does BDF2 damp?",
    differs=["The figure's caption is lost in the text that we have; it is Figure 6.1 of Chen's thesis (2019), whose curves have no printed "
             "numbers."],
    full=dict(at=[0.1, 0.5, 1, 2, 10, 100]))


def run(x):
    h_w = geometric(0.01, 100, 201)
    curves = {m: damping(m, h_w) for m in ("be", "bdf2")}
    x.claim("behaviour", "Backward Euler damps more than BDF2 at every h w up to 100",
            lambda: above("the smallest difference of d/w, BE less BDF2,", min(curves["be"] - curves["bdf2"]), 0), cause="paper",
            why="the curves cross")
    x.claim("behaviour", "Both damp significantly where h w is not small: by more than a tenth of critical damping at h w = 1",
            lambda: above("d/w of BDF2 at h w = 1", float(damping("bdf2", 1.0)), 0.1), ours=True, cause="paper",
            why="BDF2 damps little there")
    for at in x.at:
        x.row(f"d/w of BDF2 at h w = {at:g}", float(damping("bdf2", float(at))))
    plot = x.plot("Artificial damping", "h w", "d/w", log="x")
    for m, d in curves.items():
        plot.line(m.upper(), lambda: h_w, lambda: d)
