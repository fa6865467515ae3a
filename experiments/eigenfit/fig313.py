"""Failure under large deformation"""
from _pair import bar, ratio, show
from phiflex.experiments import above, item

ITEM = item(
    number="Figure 3.13", grade="C",
    says="Section 3.4.3, Figure 3.13: under large deformation both EigenFit and DAC may perform poorly; in the case shown both are worse "
         "than the plain coarse mesh.",
    asks="Do EigenFit and DAC make a strongly deformed nonlinear body worse?",
    differs=["The object is not named: a neo-Hookean bar of 1e4 Pa, twisted by 180 degrees.",
             "Our EigenFit tests whether its modes are still those at rest and is switched off where they are not.",
             "The quick variant has boxes of 1,080 and 8,640 tetrahedra for 60 frames."],
    full=dict(coarse="bar_tet_5k.mesh", fine="bar_tet_73k.mesh", frames=290, angle=180), quick=dict(coarse=None, fine=None, frames=60),
    open=dict(angle=("the deformation is only a picture: the twist, degrees", [90, 270])))


def run(x):
    soft = {"type": "neo-hookean", "volumetric": "isochoric", "young": 1e4, "poisson": 0.45, "density": 1000}
    r = bar(x, x.coarse, x.fine).runs({"bodies.0.material": soft, "bodies.0.initial.twist.angle": x.angle}, "si", frames=True)
    for name, words in ("eigenfit", "EigenFit"), ("dac", "DAC"):
        x.claim("behaviour", f"{words} fails to improve on the plain coarse mesh",
                lambda: above("its error over that of the plain coarse mesh", ratio(r, name), 1), cause="open parameter",
                why="object and deformation of the figure are not named; on this bar the correction still helps")
    x.row("EigenFit is switched off (1: yes)", lambda: float(r["eigenfit"].fell_back("eigenfit is switched off")))
    show(x, r)
