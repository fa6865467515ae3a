"""What the items of this paper share: its bodies with the values that it leaves open, and its means.

Y. J. Chen, S. H. Sheen, U. M. Ascher, D. K. Pai: SIERE: A Hybrid Semi-Implicit Exponential Integrator for Efficiently
Simulating Stiff Deformable Objects, 2020.
"""

# The scenes factorize anew in every step, with the exact stiffness, as the paper does. Its solver takes indefinite matrices; Cholesky is
# faster where the matrix is definite, so that costs are measured with it, and stability without it.
INDEFINITE = {"integrator.factorization": "indefinite"}
# Modes as it has them, computed anew in every step. Where they are kept until they are wrong by 1 or 5 %, SIERE fails on the slivers of
# the cuboid and in strong wind, and damps the soft body, so that these are judged with better ones.
ANEW = {"integrator.modes_tolerance": 0.001}
# Its form of SIERE: 2 s + 1 solves by the formula of Sherman, Morrison and Woodbury. Phiflex makes the same step with one solve.
WOODBURY = {"integrator.form": "woodbury"}
# Its matrix exponential. It took Krylov bases of 30 vectors; the tolerance is that of the code it names.
EXPV = {"integrator.evaluator": {"type": "expv", "m": 30, "tolerance": 1e-7}}
DEFAULT = {"integrator.refactor": "auto", "integrator.project_hessian": True, "integrator.halve_step": True,
           "integrator.modes_tolerance": 0.05}

DAMPING = ("the paper prints none; the authors' public code has 1e-4 s on the stiffness at rest", [1e-4])
MEANS = ("Costs are judged with the paper's means: a new factorization in every step, the exact stiffness, SIERE with low-rank updates of "
         "2 s + 1 solves, ERE with expv of 30 vectors to 1e-7. Modes are kept to Phiflex's own 5 %; the paper computes them anew in "
         "every step. Rows called default are what Phiflex does by itself.")
SOLVER = ("The step's matrix is factorized as it is, by an LU with pivots (factorization: indefinite); the paper has Pardiso. "
          "Nothing is projected.")
MODES = "Modes are kept until they are wrong by 0.1 %; the paper computes them anew in every step."


def ball(x, factor=1.0):
    """The hanging ball: a shell of 1e8 Pa and 2 cm around a core of 1e6 Pa, times a factor."""
    return {**x.mesh("bodies.0.mesh", x.mesh_file, stand_in="a ball of the generator, 1,280 tetrahedra"),
            "bodies.0.material.young": 1e8 * factor, "bodies.0.regions.0.material.young": 1e6 * factor,
            "bodies.0.damping.stiffness": x.beta}


def rope(x):
    """The coil, its upper end held; its length and modulus are the item's. A mesh unit is x.scale metres."""
    mesh = x.mesh("bodies.0.mesh", x.mesh_file, stand_in="a helix of three of the five turns, 720 tetrahedra, softer")
    top = 266 if mesh else 157
    return {**mesh, "bodies.0.material.young": x.young, "bodies.0.damping.stiffness": x.beta, "bodies.0.transform.scale": x.scale,
            "constraints.0.where.half_space.point": [0, top * x.scale, 0], "probes.0.at": [50 * x.scale, 0, 0]}


def cuboid(x, angle, both_ends=False):
    """The cuboid, released from a twist about its length (degrees), one end held, or both."""
    held = [{"type": "fix", "body": "cuboid", "where": {"half_space": {"point": [at, 0, 0], "normal": [away, 0, 0]}}}
            for at, away in ([0.02, 1], [1, -1])]
    return {**x.mesh("bodies.0.mesh", x.mesh_file, stand_in="a box of the same size, 1,680 tetrahedra"),
            "bodies.0.initial.twist.angle": angle, "bodies.0.damping.stiffness": x.beta, **({"constraints": held} if both_ends else {})}


def honeycomb(x, factor=1.0):
    """The sheet with stiff edges. A body c times as large moves as one with 1/c^2 of its stiffness and 1/c of its load: so it is run."""
    c = x.scale / 0.001
    mesh = x.mesh("bodies.0.mesh", x.mesh_file, stand_in="a honeycomb of 4 x 3 cells, 432 tetrahedra",
                  also={"bodies.0.transform.translate": [0.164, -0.0105, 0], "probes.0.at": [0.07, 0, 0.005],
                        "bodies.0.regions.0.where.box": [[0.005, 0.005, -1], [0.144, 0.1145, 1]],
                        "constraints.0.where.half_space.point": [0, 0.1175, 0]})
    return {**mesh, "bodies.0.material.young": 1e8 * factor / c**2, "bodies.0.regions.0.material.young": 1e6 * factor / c**2,
            "gravity": [0, 0, -9.81 / c], "bodies.0.damping.stiffness": x.beta}


def moebius(x, core=1e10, spiral=1e8):
    """The Moebius ball, its lowest part held, pulled sideways; scaled as the sheet is."""
    c = x.scale / 0.001
    mesh = x.mesh("bodies.0.mesh", x.mesh_file, also={"bodies.0.transform.translate": [-0.0015, 0, 0.0022]},
                  stand_in="a column and three spiral ribs of the generator, about 1,300 tetrahedra")
    return {**mesh, "bodies.0.regions.0.material.young": core / c**2, "bodies.0.material.young": spiral / c**2,
            "forces.0.acceleration": [9.81 * x.load / c, 0, 0], "bodies.0.damping.stiffness": x.beta}


def tower(x):
    """The toy tower, its feet held, pulled sideways for a second. A mesh unit is x.scale metres: 45 units are its height."""
    return {**x.mesh("bodies.0.mesh", x.mesh_file, stand_in="a lattice tower of the generator, about 1,000 tetrahedra"),
            "bodies.0.transform.scale": x.scale, "constraints.0.where.half_space.point": [0, 0.2 * x.scale, 0],
            "bodies.0.damping.stiffness": x.beta}


def bridge(x):
    """A bridge of 240 m, both ends held, pushed sideways for 1.5 s; stiff but for the edges of its deck."""
    mesh = x.mesh("bodies.0.mesh", x.mesh_file, stand_in="a deck hanging from two arches, about 900 tetrahedra",
                  also={"bodies.0.transform.scale": 12, "bodies.0.regions.0.where.box": [[-200, 36, -40], [200, 60, -30]],
                        "bodies.0.regions.1.where.box": [[-200, 36, 30], [200, 60, 40]], "probes.0.at": [0, 48, 0],
                        "probes.1.at": [0, 48, 30]})
    return {**mesh, "bodies.0.damping.stiffness": x.beta}


def tree(x):
    """The tree, its foot held, in a wind of x.wind times gravity with gusts. A mesh unit is x.scale metres: 138 units are its height."""
    return {**x.mesh("bodies.0.mesh", x.mesh_file, stand_in="a tree whose branches fork into three, about 1,300 tetrahedra"),
            "bodies.0.transform.scale": x.scale, "constraints.0.where.half_space.point": [0, x.scale, 0],
            "probes.0.at": [0, 138 * x.scale, 0], "forces.0.acceleration": [9.81 * x.wind, 0, 0], "bodies.0.damping.stiffness": x.beta}


def body(x):
    """The soft body around a held core, pushed upward for 50 frames."""
    return {"bodies.0.mesh.cells": x.cells, "forces.0.acceleration": [0, x.pulse, 0], "bodies.0.damping.stiffness_of": x.damping_of}
