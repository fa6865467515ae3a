"""Error over stiffness: bar"""
from _pair import bar
from _table33 import ALL, ERROR, errors, judge
from phiflex.experiments import above, below, item

ITEM = item(
    number="Table 3.3, bar", grade="B",
    says="Section 3.4.3 and Table 3.3 (bar, neo-Hookean): with the same forces the error is smaller the stiffer the object gets; 1.431, "
         "0.7281, 0.22, 0.247, 0.292 for 1e4, 1e5, 5e5, 1e6 and 1e7.",
    asks="How does EigenFit's error, as a part of the plain coarse mesh's, depend on the stiffness?",
    differs=["Twisted by 45 degrees and released, semi-implicit: the loading is not printed.", ERROR,
             "The quick variant has boxes of 1,080 and 8,640 tetrahedra for 60 frames, two stiffnesses."],
    full=dict(coarse="bar_tet_5k.mesh", fine="bar_tet_73k.mesh", frames=290, ks=ALL, twist=45),
    quick=dict(coarse=None, fine=None, frames=60, ks=[1e4, 5e5]),
    open=dict(twist=("degrees over the length; the loading is not printed", [90, 180])))


def run(x):
    law = {"type": "neo-hookean", "volumetric": "isochoric", "poisson": 0.45, "density": 1000}
    found = errors(x, bar(x, x.coarse, x.fine), lambda k: {"bodies.0.material": {**law, "young": k}, "integrator.type": "si",
                                                           "bodies.0.initial.twist.angle": x.twist})
    judge(x, [1.431, 0.7281, 0.22, 0.247, 0.292], found, "open parameter",
          "the loading is not printed: a twist of 45 degrees deforms the soft bar too little")
    x.claim("behaviour", "At 1e4 EigenFit is worse than the plain coarse mesh", lambda: above("the error", found[1e4](), 1),
            cause="open parameter", why="the loading is not printed: a twist of 45 degrees deforms the soft bar too little")
    for k in [k for k in x.ks if k >= 5e5]:
        x.claim("behaviour", f"At {k:g} EigenFit is much better", lambda: below("the error", found[k](), 0.5), ours=True,
                cause="open parameter", why="the loading is not printed")
