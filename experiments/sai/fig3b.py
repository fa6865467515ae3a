"""Energy of the spring bunny over three minutes, three stiffness ratios"""
from phiflex.experiments import below, both, item, stable

ITEM = item(
    number="Figure 3b", grade="B",
    says="Section 4.1, Figure 3b: over three minutes the discrete energy of SAI oscillates about the true one, the oscillations do not "
         "grow with time, and "
         "not significantly with stiffness (ratios of 1e6, 1e8 and 1e10).",
    asks="Does SAI's energy at its large step oscillate without growing?",
    differs=["Masses, load and support are not printed: about 1 kg a particle, the lowest tenth held, and a load of 1 g, which decides: it "
             "is swept.",
             "The energy error is told in parts of the largest elastic energy.",
             "The quick variant is a ball of about 150 particles with diagonals 1e2 to 1e4 times as stiff as the edges, for 4 s: the cost "
             "of polynomial "
             "Krylov methods grows with the root of stiffness."],
    full=dict(mesh_file="bunny_tet.msh", density=500, ratios=[1e6, 1e8, 1e10], end=180, h=0.05, load=9.81, seconds=3600),
    quick=dict(mesh_file=None, density=33, ratios=[1e2, 1e3, 1e4], end=4, seconds=8),
    open=dict(load=("the load, m/s2: only its direction is printed", [0.981, 0.0981]), density=("it gives the particles' masses", [7.5,
            750])),
    found="At 1 g SAI diverges within 53 steps of 50 ms at all three ratios, with an evaluator's tolerance of 1e-6 as with 1e-8; at a "
          "tenth of the load its "
          "energy error is at most 1.2 %. `pexprb43` and `exprb42` keep it to 0.3 % at 1 g with the same tangent and step.")


def run(x):
    body = x.mesh("bodies.0.springs.mesh", x.mesh_file, {"constraints.0.where.half_space.point": [0, -0.03, 0]}, "a ball of the generator")
    methods = {"SAI": {"integrator.type": "epirk4s3", "integrator.evaluator": {"type": "phipm", "tolerance": 1e-6}},
               **{m: {"integrator.type": m, "integrator.tolerance": 1e-6} for m in ("pexprb43", "exprb42")}}
    runs = {(m, k): x.run(f"{m}, ratio {k:g}", "bunny", {**body, "bodies.0.springs.diagonal": k, "bodies.0.springs.density": x.density,
                                                         "gravity": [0, -x.load, 0], **how}, step=x.h, end=x.end, max_seconds=x.seconds)
            for k in x.ratios for m, how in methods.items()}
    error = lambda r, a, b: max(abs(r.max("numerical_loss", a, b)), abs(r.min("numerical_loss", a, b))) / r["elastic"].max()  # noqa: E731
    for k in x.ratios:
        r = runs["SAI", k]
        ends = lambda: stable(r)  # noqa: E731
        hangs = dict(ours=True, cause="open parameter", why="The load is not printed; at a tenth of ours the energy stays within 2 %.")
        x.claim("behaviour", f"Ratio {k:g}: the energy error stays small",
                lambda: both(ends, lambda: below("the largest energy error", error(r, 0, x.end), 0.1)), **hangs)
        x.claim("behaviour", f"Ratio {k:g}: the oscillations of the energy do not grow with time",
                lambda: both(ends, lambda: below("their size in the last third over that in the first", error(r, x.end * 2 / 3, x.end) /
                                                 error(r, 0, x.end / 3), 1.2)), **hangs)
    for (m, k), r in runs.items():
        x.row(f"largest energy error of {m}, ratio {k:g}", lambda: error(r, 0, x.end), unit="of the largest elastic energy")
    plot = x.plot("Energy error of SAI", "time, s", "of the largest elastic energy")
    for k in x.ratios:
        r = runs["SAI", k]
        plot.line(f"ratio {k:g}", lambda: r.t, lambda: -r["numerical_loss"] / r["elastic"].max())
