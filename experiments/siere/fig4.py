"""Cost of the s smallest eigenpairs"""
from phiflex.experiments import below, exponent, item
from phiflex.experiments.studies import laplacian_modes_seconds

ITEM = item(
    number="Figure 4", grade="B",
    says="Section 3.2, Figure 4: for a simple matrix of size 20,000 the cost of the s smallest eigenpairs grows at worst slightly faster "
         "than s.",
    asks="How does the time for the s smallest eigenpairs grow with s?",
    differs=["The matrix is not named: a five-point Laplacian of 100 x 200 points, M = I.",
             "The eigensolver is a block Davidson method on a factorization; the figure was made with Matlab's."],
    full=dict(nx=100, ny=200, s=[1, 5, 10, 20, 40, 80, 141]), quick=dict(nx=50, ny=100, s=[1, 5, 12, 30, 70, 141]))


def run(x):
    seconds = [float(laplacian_modes_seconds(x.nx, x.ny, s)) for s in x.s]
    power = exponent(x.s[1:], seconds[1:])
    x.claim("cost", "The cost grows at worst slightly faster than linearly with s: with a power of at most 1.5",
            lambda: below("the power of s with which the time grows from s = 5 on", power, 1.5), ours=True, cause="engine",
            why="the block Davidson method orthogonalizes against all modes")
    x.row("power of s, from s = 5 on", power)
    x.row("time for 141 pairs over time for 5", seconds[-1] / seconds[1])
    plot = x.plot("Time for the s smallest eigenpairs", "s", "seconds", log="xy")
    plot.line_and_dots("measured", lambda: x.s, lambda: seconds)
    plot.dashed("proportional to s", lambda: [5, 141], lambda: [seconds[1], seconds[1] * 141 / 5])
