"""Rope: time, error and energy of ERE, SI, backward Euler and implicit midpoint"""
from _methods import DAMPED_ONES, DEAR, METHODS, NEWTON_ONES, energy_lines
from _rope import DIFFERS, FRAME, OPEN, VALUES, rope, rope_truth
from phiflex.experiments import above, below, every, item, stable

ITEM = item(
    number="Figure 7", grade="B",
    says="Section 5.3, Figure 7 (rope, 1/60 s): all methods are stable; ERE is cheaper than backward Euler and implicit midpoint; its "
         "accuracy is close to implicit midpoint's and significantly better than SI's and backward Euler's, which damp out the energy at "
         "K_l = 100.",
    asks="Is ERE stable, cheap and accurate on a swinging rope at video rate?",
    differs=DIFFERS + ["SI and the Newton methods factorize in every iteration, as a plain program does.",
                       "The fifth method of the figure is the reference itself."],
    full=VALUES, open=OPEN)


def run(x):
    r = {(m, K): x.run(f"{name}, K_l = {K}", "rope", rope(x, K), m, sample=FRAME, repeat=3) for K in x.Ks for m, name in METHODS.items()}
    truth = {K: rope_truth(x, K, [r["ere", K]]) for K in x.Ks}
    err = lambda m, K: r[m, K].err(truth[K])
    lost = lambda m: r[m, 100].lost(truth[100])
    for K in x.Ks:
        x.claim("behaviour", f"K_l = {K}: all methods are stable", lambda: every(lambda: stable(r[m, K]) for m in METHODS),
                cause="open parameter", why="which particles are held is not printed")
        x.claim("behaviour", f"K_l = {K}: ERE is more accurate than SI and backward Euler",
                lambda: every(lambda: below(f"its error over that of {METHODS[m]}", err("ere", K) / err(m, K), 1) for m in DAMPED_ONES),
                cause="open parameter", why="with one end held the motion is chaotic")
        x.claim("behaviour", f"K_l = {K}: ERE's accuracy is close to implicit midpoint's",
                lambda: below("its error over that of implicit midpoint", err("ere", K) / err("midpoint", K), 2), ours=True,
                cause="open parameter", why="with one end held the motion is chaotic")
        for m in NEWTON_ONES:
            x.claim("cost", f"K_l = {K}: ERE is cheaper than {METHODS[m]}",
                    lambda: below(f"its time over that of {METHODS[m]}", r["ere", K].cost / r[m, K].cost, 1), cause="paper", why=DEAR)
        for m, name in METHODS.items():
            x.row(f"{name}, K_l = {K}: error", lambda: err(m, K), unit="m")
            x.row(f"{name}, K_l = {K}: counted work", lambda: r[m, K].work)
            x.row(f"{name}, K_l = {K}: time of a step over SI", lambda: r[m, K].cost / r["si", K].cost)
    for m in DAMPED_ONES:
        x.claim("behaviour", f"K_l = 100: {METHODS[m]} damps out energy that ERE keeps",
                lambda: above("its loss over that of ERE", lost(m) / abs(lost("ere")), 3), ours=True, cause="open parameter",
                why="which particles are held is not printed")
    for m, name in METHODS.items():
        x.row(f"{name}, K_l = 100: energy lost", lambda: 100 * lost(m), unit="%")
    errors, times = x.plot("Error", "K_l, N/m", "largest distance, m", log="xy"), x.plot("Time of a step", "K_l, N/m", "seconds", log="xy")
    for m, name in METHODS.items():
        errors.line_and_dots(name, x.Ks, lambda: [err(m, K) for K in x.Ks])
        times.line_and_dots(name, x.Ks, lambda: [float(r[m, K].cost) for K in x.Ks])
    energy_lines(x, "Total energy, K_l = 100", {**{m: r[m, 100] for m in METHODS}, "reference": truth[100]})
