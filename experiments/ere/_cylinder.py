"""The cylinder of Section 5.1: clamped at a strain, at rest, then one step of ERE."""
import math

from phiflex.experiments import Open, below, between
from phiflex.experiments.studies import one_step, static_state

SCALE = 1.9  # m, the radius: fitted on one cell, 48 substeps at k/m = 1e6 and 2 % compression
TAU = 1 / 30
KMS = [1e3, 1e4, 1e5, 1e6]
LAW = dict(law=("of the neo-Hookean law: lambda/2 (J - 1)^2 as in the public code, or lambda/2 (ln J)^2", ["log"]))
SIZE = ("The size of the cylinder is not printed and decides the number of substeps: its scale is fitted on one cell (48 substeps at k/m = "
        "1e6 "
        "and 2 % compression), all others are predictions.")
CLAMPED = "The ends are clamped at the strain, the rest is at equilibrium; then one step of ERE is counted."
UNDAMPED = ("Without damping: with the printed one (0.01 s of the stiffness) the substeps would grow like k/m, not like its root as the "
            "table does, and at k/m = 1e6 expv does not come to its tolerance.")


def held(strain, law):
    return {"bodies.0.transform.scale": SCALE, "constraints.1.where.half_space.point.0": 3.999 * SCALE,
            "constraints.1.path.1.offset.0": 4 * strain * SCALE, "bodies.0.material.volumetric": law}


def substeps(x, strain):
    """Of one step, for the four k/m; not a number where the step fails."""
    clamped, counts = held(strain, x.law), []
    for km in KMS:
        try:
            state = static_state(x, "cylinder", clamped)
            changes = {**clamped, "bodies.0.material.young": 1000 * km, "integrator.project_hessian": False}
            counts.append(one_step(x, state, "cylinder", changes, "ere", TAU)["substeps"])
        except Open:
            counts.append(math.nan)
    return counts


def judge(x, words, printed, measured, fitted=None, why=""):
    """Each printed number, within 30 % or 1; fitted: the k/m of the cell that the scale was fitted on."""
    for km, p, s in zip(KMS, printed, measured):
        if km != fitted:
            x.claim("number", f"{words}, k/m = {km:g}: {p} substeps",
                    lambda: between("the number of substeps", s, p - max(1, 0.3 * p), p + max(1, 0.3 * p)), ours=True,
                    cause="open parameter", why=why)
        x.row(f"{words}, k/m = {km:g}", s, printed=p, unit="substeps")


def grows_by_less(x, words, limit, before, after):
    for km, a, b in zip(KMS, before, after):
        x.claim("cost", f"k/m = {km:g}: {words} raises the substeps by less than a factor of {limit}",
                lambda: below("the factor", b / a, limit - 1e-9), cause="open parameter", why="the law of volume is not printed")
