#!/usr/bin/env python3
"""No reduction over a vector that ranks share outside of the named functions of linalg/team.h and MassMatrix::dot.

The files below are what phiflex-mpi steps with (docs/cluster.md). A line of them that reduces names a team, or is one of
EXCEPT with its reason: in a shared system each rank holds a part of every vector, and a branch on a part is taken by some
ranks alone, for which the others wait for ever."""

import pathlib
import re
import sys

FILES = """linalg/implicit_matrix.cpp linalg/pencil.cpp integrate/evaluate.h integrate/newton.cpp integrate/em_solver.cpp
integrate/em_method.cpp integrate/em_ladder.cpp integrate/anderson.cpp integrate/si.cpp integrate/be.cpp
integrate/midpoint.cpp integrate/newmark.cpp integrate/rk4.cpp integrate/verlet.cpp integrate/leapfrog.cpp
integrate/symplectic_euler.cpp integrate/linearized_stage.cpp integrate/tangent_solver.cpp integrate/stable_step.cpp
model/energy_ledger.cpp model/deformable_two_state.cpp model/deformable_model.cpp model/energy_watch.cpp
model/constraint_map.cpp run/simulation.cpp run/simulation_method.cpp""".split()
REDUCES = re.compile(r"\.dot\(|\.norm\(\)|\.squaredNorm\(\)|lpNorm|allFinite\(\)|isZero|(max|min)Coeff|\.sum\(\)|[!=]= w_\b")
TEAM = re.compile(r"team|mass\(\)\.dot|mass_\.dot")
SMALL, SUMMED, CONTACT, ALONE = "a small vector", "summed over the team behind it", "contacts are not shared", "of one vertex, or of a whole model"
EXCEPT = {
    "modal_values().minCoeff()": SMALL,
    "low->scale.maxCoeff()": SMALL,
    "mass.diagonal().array()).maxCoeff()": CONTACT,
    "AssembledPencil(": "its norm is reduced inside",
    "const bool finite = state.q.allFinite()": SUMMED,
    "lpNorm<Eigen::Infinity>(); };": CONTACT,
    "if (!trial_.allFinite()) return true;": CONTACT,
    "std::array products{": SUMMED,
    "dd_.col(j).dot(dr_.col(latest_))": SUMMED,
    "dd_.col(i).dot(r)": SUMMED,
    "if (!gamma_.allFinite()) return;": SMALL,
    "dx_.dot(r_now_ + r_)": CONTACT,
    "dot(y_.segment<3>": SUMMED,
    "dot(f_.segment<3>": SUMMED,
    "if (!w.allFinite()) return false;": CONTACT,
    "h_ * w.dot(residual_)": SUMMED,
    "description.vertex_mass.allFinite()": ALONE,
    "coordinates.maxCoeff()": ALONE,
    "if (!share()) return": ALONE,
    "if (!from.q.allFinite()": CONTACT,
    "w->x.segment<3>(place).allFinite()": ALONE,
    "squaredNorm()": ALONE,
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
