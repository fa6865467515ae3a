"""Twisted bar: fine, EigenFit, DAC, coarse"""
from _pair import bar, ratio, show
from phiflex.experiments import above, below, item

ITEM = item(
    number="Figure 3.5", grade="B",
    says="Section 3.4.1, Figure 3.5 (linear, Y = 1e5 Pa, Poisson's ratio 0.45, midpoint, 0.01 s, beta = 0.01 s, ten modes): EigenFit "
         "reproduces the fine mesh faithfully, its error at the corner is consistently lower than those of the plain coarse mesh and of "
         "DAC, which disagree visibly.",
    asks="Is EigenFit's error consistently the smallest, and DAC's between it and the plain coarse mesh's?",
    differs=["The twist (45 degrees) and which end is held are not printed.",
             "Errors are the largest over all vertices, not those of one corner.",
             "The quick variant has boxes of 1,080 and 8,640 tetrahedra for one second."],
    full=dict(coarse="bar_tet_5k.mesh", fine="bar_tet_73k.mesh", frames=290, angle=45), quick=dict(coarse=None, fine=None, frames=100),
    open=dict(angle=("the twist is not printed, degrees", [90])))


def run(x):
    r = bar(x, x.coarse, x.fine).runs({"bodies.0.initial.twist.angle": x.angle}, frames=True)
    better = lambda: float((r["plain"].fine_errs(r["fine"]) > r["eigenfit"].fine_errs(r["fine"])).sum() / x.frames)
    why = "where the first and the third ratio are alike, DAC does as well for a pure twist"
    x.claim("behaviour", "EigenFit's error is lower than DAC's", lambda: below("the ratio", ratio(r) / ratio(r, "dac"), 1),
            cause="open parameter", why=why)
    x.claim("behaviour", "EigenFit's error is lower than the plain coarse mesh's", lambda: below("the ratio", ratio(r), 1))
    x.claim("behaviour", "It is so consistently",
            lambda: above("part of the frames in which EigenFit is below the plain coarse mesh", better(), 0.9),
            ours=True, cause="open parameter", why="the twist is not printed")
    x.claim("behaviour", "DAC's error is below the plain coarse mesh's", lambda: below("the ratio", ratio(r, "dac"), 1), ours=True,
            cause="open parameter", why="the twist is not printed")
    show(x, r)
