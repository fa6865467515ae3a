"""Sparsity of I - hJ and of I - hJ_H"""
from phiflex.experiments import above, below, item, said
from phiflex.experiments.studies import siere_jacobian

ITEM = item(
    number="Figure 3", grade="A",
    says="Section 3.1, Figure 3: the matrix of the split system is not sparse; its fill-in has low rank, 2 s for s modes.",
    asks="Taking s modes out of the Jacobian fills it: by how much, and is the difference of rank 2 s?",
    differs=["The body is not named: a ball at rest, its top held, s = 5."],
    full=dict(resolution=5, s=5), quick=dict(resolution=4))


def run(x):
    J = siere_jacobian(x.resolution, x.s)
    x.claim("remark", "The matrix I - h J_H is not sparse: it has at least ten times as many entries as I - h J",
            lambda: above("entries of I - h J_H over those of I - h J", J.reduced_fill / J.fill, 10), ours=True, cause="stand-in",
            why="the body is too small")
    x.claim("remark", "The matrix I - h J is very sparse: less than 2 % of it is not zero",
            lambda: below("the part of I - h J that is not zero", J.fill, 0.02), ours=True, cause="stand-in", why="the body is small")
    x.claim("remark", "The difference has rank 2 s, by construction",
            lambda: said(J.rank == 2 * x.s, f"J_H - J has {J.rank} singular values above 1e-10, with s = {x.s}"), ours=True,
            cause="engine", why="modes are not what they should be")
    x.row("rank of J_H - J", J.rank, printed=2 * x.s)
    x.row("part of I - h J that is not zero", 100 * J.fill, unit="%")
    x.row("part of I - h J_H that is not zero", 100 * J.reduced_fill, unit="%")
    x.row("size of J", J.size)
    modes = [1, 2, 5, 10]
    plot = x.plot("Rank of J_H - J over the number of modes", "modes s", "rank")
    plot.dots("measured", lambda: modes, lambda: [siere_jacobian(2, m).rank for m in modes])
    plot.dashed("2 s", lambda: [1, 10], lambda: [2, 20])
