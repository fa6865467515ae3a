"""The six bodies of Tables 1 and 2, and what a step of each method costs on them."""
from phiflex.experiments import studies

DIFFERS = ["Meshes are not published: boxes with about the printed numbers of elements stand in for the six organs.",
           "Young's modulus, density, damping, step and fixed points are not printed: 1e5 Pa, 1000 kg/m^3, alpha = 0.1, beta = 0.01, h = "
           "0.01 s, one "
           "end fixed.", "Processor seconds are measured with their noise, and only ratios are compared."]
NAMES = ["Kidney", "Armadillo", "Bunny", "Lung", "Heart", "Brain"]
ELEMENTS = [433, 1499, 2819, 4188, 5607, 6605]
CELLS = [[6, 4, 3], [10, 5, 5], [11, 7, 6], [14, 7, 7], [13, 9, 8], [17, 8, 8]]
IMPLICIT_MS, PROPOSED_MS = [157, 429, 780, 1298, 1610, 1940], [36, 137, 272, 409, 541, 701]
STAND_IN = "boxes of the generator for the six organs"


def implicit(x, iterations=1):
    """Seconds of a Newmark step that factorizes in each of its Newton iterations."""
    x.mesh("bodies.0.mesh", None, stand_in=STAND_IN)
    return [studies.newmark_seconds(x, "organ", {"bodies.0.mesh.cells": cells}, iterations) for cells in CELLS]


def step(x, method):
    """Seconds of a step of a method that keeps its factorization."""
    return [studies.step_seconds(x, "organ", {"bodies.0.mesh.cells": cells}, method) for cells in CELLS]
