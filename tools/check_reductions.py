#!/usr/bin/env python3
"""No reduction over a vector that ranks share outside of the named functions of linalg/team.h and MassMatrix::dot.

The files below are what phiflex-mpi steps with (docs/cluster.md). A line of them that reduces names a team, or is one of
EXCEPT with its reason: in a shared system each rank holds a part of every vector, and a branch on a part is taken by some
ranks alone, for which the others wait for ever. linalg/modes.cpp is not among them: compute_modes belongs to what
phiflex-mpi refuses (`emx`, modes at rest); `siere` starts its modes in followed_modes.cpp."""

import pathlib
import re
import sys

FILES = """linalg/implicit_matrix.cpp linalg/pencil.cpp integrate/evaluate.h integrate/newton.cpp integrate/em_solver.cpp
integrate/em_method.cpp integrate/em_ladder.cpp integrate/anderson.cpp integrate/si.cpp integrate/be.cpp
integrate/midpoint.cpp integrate/newmark.cpp integrate/rk4.cpp integrate/verlet.cpp integrate/leapfrog.cpp
integrate/symplectic_euler.cpp integrate/linearized_stage.cpp integrate/tangent_solver.cpp integrate/stable_step.cpp
model/energy_ledger.cpp model/friction_kick.cpp model/deformable_two_state.cpp model/deformable_model.cpp model/energy_watch.cpp
model/constraint_map.cpp model/projection_filter.cpp run/simulation.cpp run/simulation_method.cpp
linalg/outer_solver.cpp linalg/beside_solver.cpp linalg/davidson.cpp linalg/ritz_space.cpp linalg/followed_modes.cpp
linalg/shift_inverse.cpp matfun/mass_block.cpp matfun/spectral_bounds.cpp matfun/chebyshev.cpp matfun/lanczos.cpp
matfun/rational.cpp matfun/recycled_rational.cpp matfun/auto_phi.cpp matfun/pencil_phi.cpp matfun/first_order_form.cpp
matfun/general_phi.cpp matfun/kiops.cpp matfun/krylov_evaluator.cpp matfun/arnoldi.cpp matfun/phi_input.cpp
matfun/unit_time.cpp matfun/augmented_operator.cpp integrate/ere.cpp integrate/linearized_flow.cpp
integrate/tangent_phi.cpp integrate/siere.cpp integrate/siere_woodbury.h integrate/contact_guard.cpp
integrate/step_memory.h""".split()
REDUCES = re.compile(r"\.dot\(|\.norm\(\)|\.squaredNorm\(\)|lpNorm|allFinite\(\)|isZero|(max|min)Coeff|\.sum\(\)|[!=]= w_\b|\bmultiply_transposed\(|transpose\(\) \*|binary_unit_of\(")
TEAM = re.compile(r"team|mass\(\)\.dot|mass_?\.dot")
SMALL, SUMMED, ALONE = "a small vector", "summed over the team behind it", "of one vertex, or of a whole model"
LOW_RANK, OF_ALL = "low-rank corrections are not shared", "a norm that is reduced inside"
EXCEPT = {
    "modal_values().minCoeff()": SMALL,
    "low->scale.maxCoeff()": SMALL,
    "mass.diagonal().array()).maxCoeff()": SUMMED,
    "AssembledPencil(": "its norm is reduced inside",
    "const bool finite = state.q.allFinite()": SUMMED,
    "std::array products{": SUMMED,
    "dd_.col(j).dot(dr_.col(latest_))": SUMMED,
    "dd_.col(i).dot(r)": SUMMED,
    "if (!gamma_.allFinite()) return;": SMALL,
    "dot(y_.segment<3>": SUMMED,
    "dot(f_.segment<3>": SUMMED,
    "dot(r_now_.segment<3>": SUMMED,
    "h_ * w.dot(residual_)": SUMMED,
    "description.vertex_mass.allFinite()": ALONE,
    "coordinates.maxCoeff()": ALONE,
    "if (!share()) return": ALONE,
    "w->x.segment<3>(place).allFinite()": ALONE,
    "squaredNorm()": ALONE,
    "n.cwiseAbs().minCoeff": ALONE,
    "(*turn)[row].transpose() * g": ALONE,
    "g.dot(diagonal * g)": ALONE,
    "low.MU.transpose()": LOW_RANK,
    "low.U.transpose()": LOW_RANK,
    "low->MU.transpose()": LOW_RANK,
    "w.dot(near.normal)": ALONE,
    "w_t.norm()": ALONE,
    "(after - v).dot(u)": ALONE,
    "std::array sums{mean_.dot": SUMMED,
    "(now_->q - clear_q_).lpNorm": "decides which of this rank's distances are looked at again; no rank waits for it",
    "pencil.norm()": OF_ALL,
    "pencil().norm()": OF_ALL,
    "pencil_.norm()": OF_ALL,
    "J_.norm()": OF_ALL,
    "scale_[j] = W.col(j).dot(MU_.col(j))": SUMMED,
    "y.dot(p)": SMALL,
    "p.norm()": SMALL,
    "multiply_transposed(Y, T_": SMALL,
    "modes_.residual.maxCoeff()": SMALL,
    "norms[j] = X.col(j).dot(P.col(j))": SUMMED,
    "eigen.eigenvectors()": SMALL,
    "b_norm_.isZero(0)": SMALL,
    "A_block_.norm()": SMALL,
    "products[2 * j": SUMMED,
    "multiply_transposed(S, g_": SMALL,
    "multiply_transposed(S_.topLeftCorner": SMALL,
    "value_.row(row)": SMALL,
    "amplitude_.topRows(size_)": SMALL,
    "g_.topRows(kept + width)": SMALL,
    "coefficients.norm()": SMALL,
    "h.noalias() = basis.transpose()": SUMMED,
    "c.noalias() = basis.transpose()": SUMMED,
    "maxCoeff<Eigen::PropagateNaN>()": SUMMED,
    "B_.row(i).cwiseAbs().sum()": SUMMED,
    "y.noalias() = U.transpose() * x": SUMMED,
    "Matrix xr = MU_.transpose() * x": SUMMED,
    'throw ArchiveError("the state is not finite")': "ends this rank, and with it all",
}


def main():
    root = pathlib.Path(__file__).resolve().parent.parent / "src" / "phiflex"
    bad, used = [], set()
    for name in FILES:
        for number, line in enumerate((root / name).read_text().splitlines(), 1):
            code = line.split("//")[0]
            if not REDUCES.search(code) or TEAM.search(code):
                continue
            reasons = [words for words in EXCEPT if words in code]
            used.update(reasons)
            if not reasons:
                bad.append(f"{name}:{number}: {line.strip()}")
    unused = sorted(set(EXCEPT) - used)
    for line in bad:
        print(f"{line}\n  reduces a vector that ranks share: use linalg/team.h", file=sys.stderr)
    for words in unused:
        print(f"tools/check_reductions.py: no line has {words!r} any more", file=sys.stderr)
    return 1 if bad or unused else 0


sys.exit(main())
