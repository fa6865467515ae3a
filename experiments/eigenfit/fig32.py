"""One factor (DAC) cannot mend several modes"""
from _pair import NAMES, bar
from phiflex.experiments import above, item

ITEM = item(
    number="Figure 3.2", grade="B",
    says="Figure 3.2 (Y = 4 kPa, Poisson's ratio 0.3): DAC takes one factor from the first mode, a bending; the twisting (3rd mode) and "
         "the stretching (6th mode) motions stay inconsistent.",
    asks="Do the ratios of bending, twist and stretch differ so much that one factor cannot serve them?",
    differs=["Stretch (10 %) and twist (45 degrees) are ours; nothing but the material is printed.",
             "The quick variant has boxes of 1,080 and 8,640 tetrahedra for one second."],
    full=dict(coarse="bar_tet_5k.mesh", fine="bar_tet_73k.mesh", frames=290, twist=45, stretch=1.1),
    quick=dict(coarse=None, fine=None, frames=100),
    open=dict(twist=("degrees over the length; the loading is not printed", [20]), stretch=("of the length; not printed", [1.2])))


def run(x):
    pair = bar(x, x.coarse, x.fine)
    load = {"bodies.0.material.young": 4000, "bodies.0.material.poisson": 0.3,
            "bodies.0.initial": {"stretch": {"axis": "x", "factor": x.stretch}, "twist": {"axis": "x", "angle": x.twist}}}
    r = pair.runs(load)
    rest = x.modes("bar at rest", "bar", {**load, **pair.coarse}, 6, fine=pair.fine)
    along = lambda name: max(abs(r[name]["tip_x"] - r["fine"]["tip_x"]))
    x.claim("behaviour", "The first six modes need different factors",
            lambda: above("the largest ratio less the smallest", max(rest.ratios[:6]) - min(rest.ratios[:6]), 0.1), ours=True,
            cause="stand-in", why="a box has other elements than the thesis's bar")
    x.claim("behaviour", "The stretching motion stays inconsistent with DAC",
            lambda: above("DAC's error along the bar over that of the plain coarse mesh", along("dac") / along("plain"), 1), ours=True,
            cause="open parameter", why="stretch and twist are not printed")
    for i in range(6):
        x.row(f"ratio r{i + 1}", lambda: rest.ratios[i])
    for name in "plain", "dac", "eigenfit":
        x.row(f"largest error of the tip along the bar, {NAMES[name]}", lambda: along(name), unit="m")
    plot = x.plot("Tip along the bar", "time, s", "x, m")
    for name in r:
        plot.line(NAMES[name], lambda: r[name].t, lambda: r[name]["tip_x"])
