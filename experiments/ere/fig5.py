"""Cost of expv against the size N and k/m"""
from phiflex.experiments import above, between, every, exponent, item, rising

ITEM = item(
    number="Figure 5", grade="B",
    says="Section 4.1.1, Figure 5 (steps of 1/30 s, small strain): the substeps of expv grow with k/m and with the size N of the state, "
         "with N roughly linearly, so that the time grows faster than N; at N = 738 the time depends on k/m.",
    asks="How do substeps and time of expv grow with k/m and with N?",
    differs=["The radius of the ball is not printed; it is that of the cylinder fitted in Table 1 (compression).",
             "Three steps of a ball stretched by 2 %; sizes by the ball generator, N = 738 (123 vertices) in the paper, 882 here.",
             "Exponents in k/m are taken where there are more than the smallest number of substeps, from k/m = 1e4 on."],
    full=dict(ns=[2, 3, 4, 5, 6, 8, 10], kms=[1e3, 1e4, 1e5, 1e6], damped=False),
    quick=dict(ns=[2, 3, 4, 5, 6], kms=[1e3, 1e4, 1e5]),
    open=dict(damped=("Rayleigh damping as printed (0.01 s of the stiffness at rest), or none", [True])))


def run(x):
    ball = {(n, km): x.run(f"{20 * n**3} tetrahedra, k/m = {km:g}", "ball", {
        "bodies.0.mesh.resolution": n, "bodies.0.material.young": 1000 * km,
        "bodies.0.damping.stiffness": 0.01 if x.damped else 0}, repeat=3) for n in x.ns for km in x.kms}
    substeps = lambda n, km: ball[n, km].count("substeps") / ball[n, km].steps
    size = lambda n: 6 * ball[n, x.kms[0]].vertices
    stiff, top = x.kms[1:], x.kms[-1]
    in_N = lambda km, y: exponent([size(n) for n in x.ns], [y(n, km) for n in x.ns])
    time = lambda n, km: float(ball[n, km].cost)
    x.claim("cost", "The number of substeps grows with k/m",
            lambda: every(lambda: rising(f"{20 * n**3} tetrahedra: the substeps", [substeps(n, km) for km in x.kms]) for n in x.ns[1:]))
    x.claim("cost", f"The number of substeps grows with N (k/m = {top:g})",
            lambda: rising("the substeps", [substeps(n, top) for n in x.ns]))
    for n in x.ns[1:]:
        x.claim("cost", f"{20 * n**3} tetrahedra: the substeps grow like the square root of k/m", lambda: between(
            "the exponent", exponent(stiff, [substeps(n, km) for km in stiff]), 0.35, 0.65), ours=True, cause="open parameter",
            why="with the printed damping the substeps grow like k/m")
    x.claim("cost", "The substeps grow roughly linearly with N", lambda: between("the exponent", in_N(top, substeps), 0.7, 1.3), ours=True,
            cause="paper", why="the largest frequency of uniform meshes grows like the cube root of N, and the substeps follow it")
    x.claim("cost", "The time grows faster than N", lambda: above("the exponent", in_N(top, time), 1))
    x.claim("cost", "At N = 882 the time grows with k/m", lambda: rising("the time of a step", [ball[3, km].cost for km in x.kms]))
    for km in x.kms:
        x.row(f"exponent of the substeps in N, k/m = {km:g}", lambda: in_N(km, substeps), printed=1)
        x.row(f"exponent of the time in N, k/m = {km:g}", lambda: in_N(km, time))
    for n in x.ns:
        x.row(f"exponent of the substeps in k/m, {20 * n**3} tetrahedra", lambda: exponent(stiff, [substeps(n, km) for km in stiff]))
    counts, times = x.plot("Substeps per step", "N", "substeps", log="xy"), x.plot("Time of a step", "N", "seconds", log="xy")
    for km in x.kms:
        counts.line_and_dots(f"k/m = {km:g}", lambda: [size(n) for n in x.ns], lambda: [substeps(n, km) for n in x.ns])
        times.line_and_dots(f"k/m = {km:g}", lambda: [size(n) for n in x.ns], lambda: [time(n, km) for n in x.ns])
    x.plot("Time of a step, N = 882", "k/m", "seconds", log="xy").line_and_dots("ball", x.kms, lambda: [time(3, km) for km in x.kms])
