"""Shaken cloth at 1.7 s: who still moves"""
from _cloth import AMPLITUDE, CLOTH, FRAME, SHAKE, shaken, shaken_truth
from _methods import DAMPED_ONES, METHODS, energy_lines
from phiflex.experiments import below, between, item

ITEM = item(
    number="Figure 9", grade="B",
    says="Section 5.3, Figure 9 (K_l = 100, t = 1.7 s): the cloth looks more damped with SI and backward Euler, the ground truth is more "
         "dynamic; ERE is only slightly damped.",
    asks="What is left of the waves half a second after the shake?",
    differs=[CLOTH, "The reference is a converged fourth-order exponential method.", SHAKE,
             "The pictures are read as kinetic energy over that of the reference, mean over 1.5 to 1.9 s."],
    full=dict(shake=0.1, end=5), quick=dict(end=2), open=dict(shake=AMPLITUDE))


def run(x):
    r = {m: x.run(name, "shaken", shaken(x, 100), m, end=x.end, sample=FRAME) for m, name in METHODS.items()}
    truth = shaken_truth(x, 100, [r["ere"], r["si"]])
    part = lambda m: r[m].mean("kinetic", 1.5, 1.9) / truth.mean("kinetic", 1.5, 1.9)
    for m in "ere", "midpoint":
        x.claim("behaviour", f"{METHODS[m]} moves as the truth does",
                lambda: between("its kinetic energy over the truth's", part(m), 0.8, 1.2),
                ours=True, cause="open parameter", why="the shake is not printed")
    for m in DAMPED_ONES:
        x.claim("behaviour", f"{METHODS[m]} looks more damped", lambda: below("its kinetic energy over the truth's", part(m), 0.7),
                ours=True, cause="open parameter", why="the shake is not printed")
    for m, name in METHODS.items():
        x.row(f"{name}: kinetic energy over that of the reference", lambda: part(m))
    energy_lines(x, "Kinetic energy", {**r, "reference": truth}, "kinetic")
