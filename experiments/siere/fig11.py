"""Soft body: speed of the flesh"""
from _paper import ANEW, MODES, body
from phiflex.experiments import above, item

ITEM = item(
    number="Figure 11", grade="C",
    says="Section 4.4, Figure 11: after a pulse SIERE with s = 6 keeps visible oscillations of the soft tissue long after the force ends; "
         "with SI no visible effects are left in later frames.",
    asks="Does the flesh move on with SIERE and not with SI?",
    differs=["The paper's body and its inner surface are not public: a figure of the generator with a held core of half its thickness.",
             "The pulse is 2 g upward for 50 frames; the damping is 0.005 s times the current stiffness.", MODES],
    full=dict(cells=107, frames=500, pulse=19.62, damping_of="current"), quick=dict(cells=14, frames=250),
    open=dict(pulse=("the strength of the pulse is not printed", [9.81, 39.24]),
              damping_of=("the paper damps by 0.005 K v; of which state K is, it does not say", ["rest"])))


def run(x):
    si, siere = [x.run(m.upper(), "body", {**body(x), **ANEW, "output.measures": True}, m, end=0.008 * x.frames) for m in ("si", "siere")]

    def ratio():
        return siere.mean("mean_speed", 1.2, 1.6) / si.mean("mean_speed", 1.2, 1.6)

    x.claim("behaviour", "Long after the force ends the flesh moves faster with SIERE than with SI",
            lambda: above("mean speed in frames 150 to 200, SIERE over SI", ratio(), 1), cause="stand-in",
            why="the body is not the paper's")
    x.claim("behaviour", "With SI no visible effects are left in later frames", None,
            open="the paper's body is not public; a figure in coarse elements swings slowly, and SI damps slow motion little")
    x.row("mean speed of SIERE over SI, frames 150 to 200", ratio)
    plot = x.plot("Mean speed of the vertices", "time, s", "m/s")
    for r in (si, siere):
        plot.line(r.name, lambda: r.t, lambda: r["mean_speed"])
