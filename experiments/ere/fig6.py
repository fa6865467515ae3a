"""The compressed and the stretched cylinder"""
from _cylinder import CLAMPED, LAW, SIZE, held
from phiflex.experiments import below, item
from phiflex.experiments.studies import static_state

ITEM = item(
    number="Figure 6", grade="B",
    says="Section 5.1, Figure 6: pictures of a neo-Hookean cylinder of 2,383 tetrahedra under compression and stretch; nothing is "
         "asserted.",
    asks="Do the static states at 50 % compression and at 100 % stretch exist, without inverted elements?",
    differs=[SIZE, CLAMPED, "The cylinder of the generator has 2,376 tetrahedra."],
    full=dict(law="isochoric"), open=LAW)


def run(x):
    plot = x.plot("Elastic energy while the end moves", "part of the way", "energy, J")
    for strain in -0.5, 1:
        state = static_state(x, "cylinder", held(strain, x.law))
        x.claim("behaviour", f"Strain {strain}: there is a state at rest",
                lambda: below("the residual, of the force at the ends", state.residual, 1e-6), ours=True)
        x.claim("behaviour", f"Strain {strain}: no element is inverted", lambda: below("inverted elements", state.inverted, 0), ours=True)
        x.row(f"strain {strain}: residual", lambda: state.residual)
        r = x.run(f"strain {strain}", "cylinder",
                  {"constraints.1.where.half_space.point.0": 3.999, "constraints.1.path.1.offset.0": 4 * strain},
                  frames=True)
        plot.line_and_dots(f"to strain {strain}", lambda: r.t / 2e7, lambda: r["elastic"])
        x.strip([r], [f"strain {strain}"], moments=3)
