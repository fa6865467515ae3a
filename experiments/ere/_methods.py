"""What the items of this paper share: the four methods of its comparisons. Scenes have its damping, alpha = beta = 0.01 (Section 5)."""

METHODS = {"ere": "ERE", "si": "SI", "be": "backward Euler", "midpoint": "implicit midpoint"}
DAMPED_ONES = ("si", "be")  # what the paper finds strongly damped
NEWTON_ONES = ("be", "midpoint")  # what the paper finds dear

DEAR = ("one substep of expv makes 31 products, and a plain Newton step needs two or three factorizations of a small matrix; the paper's "
        "times are of Matlab code, in which forces and matrices are dear to assemble")


def energy_lines(x, title, runs, column="total"):
    plot = x.plot(title, "time, s", "energy, J")
    for name, r in runs.items():
        plot.line(METHODS.get(name, name), lambda: r.t, lambda: r[column])
