"""The neo-Hookean bars of Section 5.3."""
BOX = "Size, mesh, step (0.01 s) and the law are assumed, from the authors' public code where it has them: a box of 0.2 x 0.05 x 0.05 m."
PLAIN = "SI and the Newton methods factorize in every iteration, as a plain program does; ours would keep factorizations."
LOST = "The energy lost is compared with the largest energy of the implicit midpoint run."


def bar(x, young):
    return {"bodies.0.mesh.cells": x.cells, "bodies.0.material.young": young}
