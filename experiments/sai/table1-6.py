"""Swimming bacterium: admissible steps"""
from _methods import METHODS, NAMES, READING, admissible, curves, family

from phiflex.experiments import Open, above, item

PRINTED = {"SAI": 0.1, "EI": 0.0254, "NR": 0.00695}
ITEM = item(
    number="Table 1, row 6", grade="C",
    says="Table 1, row 6, and section 4.5: for 2 s of swimming SAI steps by 0.1 s, EI by 25.4 ms and Newton-Raphson by 6.95 ms.",
    asks="At 10 % error of the distance swum, is SAI's step several times EI's and EI's several times NR's?",
    differs=["No physical parameter is printed: a model of 14 cm in an oil of 100 Pa s, 77 particles, a motor of 0.05 N m "
             "(scenes/bacterium).",
             "The fluid has no inertia, so the system is of first order in effect.",
             f"{NAMES} Truth is backward Euler at a small step; where halving it moves the distance by 1 % or more, nothing is judged by "
             f"it.", *READING],
    full=dict(end=2, truth_step=0.0025, seconds=120, torque=0.05, sai_steps=[0.1, 0.05, 0.025, 0.0125], ei_steps=[0.05, 0.025, 0.0125,
            0.00625],
              nr_steps=[0.1, 0.05, 0.025, 0.0125, 0.00625]),
    quick=dict(end=0.4, truth_step=0.01, seconds=2, sai_steps=[0.1, 0.0125], ei_steps=[0.05, 0.0125], nr_steps=[0.1, 0.05, 0.0125]),
    open=dict(torque=("of the motor, N m: no physical parameter is printed", [0.02])),
    found="SAI and EI end within a few steps at 12 ms, with exact matrix functions, too, where ERE does not; backward Euler has the "
          "distance within 10 % at 100 ms. "
          "Whether the paper's coupling was explicit is not said.")


def run(x):
    x.mesh("bodies.0", None, stand_in="a bacterium of our own")
    body = {"forces.1.torque": x.torque}
    made = {m: family(x, "", m, "bacterium", body, some) for m, some in (("SAI", x.sai_steps), ("EI", x.ei_steps), ("NR", x.nr_steps))}
    fine, finer = (x.run(f"truth, {1000 * h:g} ms", "bacterium", {**body, **METHODS["NR"]}, step=h, end=x.end, max_seconds=6 * x.seconds)
                   for h in (x.truth_step, x.truth_step / 2))
    swum = lambda r: r.at("axle_x", x.end)  # noqa: E731

    def error(r):
        if not (fine.done and finer.done) or abs(swum(fine) / swum(finer) - 1) >= 0.01:
            raise Open("the truth has not converged: halving its step moves the distance by 1 % or more")
        return abs(swum(r) / swum(finer) - 1) if r.done else float("inf")

    step = lambda m: admissible(made[m], error, 0.1)  # noqa: E731
    why = "The exponential methods that linearize the fluid's force once a step explode, with exact matrix functions, too."
    x.claim("number", "SAI's step is twice EI's or more", lambda: above("SAI's step", step("SAI"), 2 * step("EI"), unit="s"), ours=True,
            cause="paper", why=why)
    x.claim("number", "EI's step is twice NR's or more", lambda: above("EI's step", step("EI"), 2 * step("NR"), unit="s"), ours=True,
            cause="paper", why=why)
    x.claim("number", "SAI comes within 10 % at the printed step of 0.1 s", lambda: above("SAI's step", step("SAI"), 0.1, unit="s"),
            cause="paper", why=why)
    for m, printed in PRINTED.items():
        x.row(f"step of {m}", lambda: step(m), printed=printed, unit="s")
    x.row("distance swum", lambda: swum(finer), unit="m")
    curves(x, "Error of the distance over the step", made, error)
