"""A mesh of discontinuous triangles in motion"""
from phiflex.experiments import below, item

ITEM = item(
    number="Figure 5.3", grade="C",
    says="Section 5.3.2, Figure 5.3: a picture of a triangle of discontinuous elements in motion; nothing is asserted.",
    asks="Do the gaps between discontinuous triangles stay small while they move with DGSI?",
    differs=["Mesh, mass and start are ours, as in Figure 5.4; the amplitude is 0.01 m."],
    full=dict(amplitude=0.01, frames=500), quick=dict(frames=300), open=dict(amplitude=("m; the motion is only a picture", [0.03])))


def run(x):
    r = x.run("DGSI", "dg", {"bodies.0.initial.mode.amplitude": x.amplitude}, end=0.01 * x.frames, sample=0.02, frames=True)
    size = 0.5 / 7
    x.claim("behaviour", "Neighbouring elements stay together", lambda: below("the largest gap over an element's size", r.gap / size, 0.1),
            ours=True, cause="open parameter", why="how far the mesh is bent is not printed")
    x.row("largest gap", lambda: r.gap, unit="m")
    x.row("size of an element", size, unit="m")
    x.plot("Corner of the triangle", "time, s", "x, m").line("corner", lambda: r.t, lambda: r["corner_x"])
    x.strip([r], ["DGSI"], moments=5, azimuth=0, elevation=0)
