// The form of `siere` in the original paper, for comparison, at its cost. In the notation of siere.cpp, with
// u = (q, v), J_H = J - L R', L = diag(U, U) and R' = [0, U'M; -Lambda U'M, -d U'M], it solves for the rest of the
// body with a low-rank update,
//
//   (I - h J + h L R') du_H = b,     du_H = z - Y (I + h R'Y)^-1 h R'z,    z = A^-1 b,  Y = A^-1 L,  A = I - h J   (1)
//   A (x, y) = (a, c):  (M + h D + h^2 K) y = M c - h K a,   x = a + h y                                           (2)
//
// which is 2 s + 1 solves instead of one.
#pragma once

#include "phiflex/integrate/tangent_solver.h"
#include "phiflex/linalg/dense_solvers.h"
#include "phiflex/linalg/modes.h"

namespace phiflex {

class SiereWoodbury {
 public:
  // (dq, dv) = z becomes du_H. The tangent solver holds M + h D + h^2 K; damping: d_i per mode, 1/s.
  StepStatus update(const MassMatrix& mass, TangentSolver& tangent, const Modes& modes, const Vector& damping,
                    double h, Vector& dq, Vector& dv, Work& work) {
    const Index n = modes.U.rows(), s = modes.count();
    MU_.resize(n, s);
    mass.apply(modes.U, MU_);
    X_.resize(n, 2 * s);  // the parts of Y of (1)
    Y_.resize(n, 2 * s);
    for (Index i = 0; i < 2 * s; ++i) {
      const bool of_position = i < s;
      mode_ = modes.U.col(i % s);
      if (of_position) {
        tangent.tangent().apply_K(mode_, product_);
        ++work.stiffness_products;
        rhs_ = -h * product_;
      } else {
        rhs_ = MU_.col(i % s);
      }
      const StepStatus status = to_step_status(tangent.solve(rhs_, column_, work));  // (2)
      if (status != StepStatus::ok) return status;
      Y_.col(i) = column_;
      X_.col(i) = h * column_;
      if (of_position) X_.col(i) += mode_;
    }
    const auto times_R = [&](const Matrix& x, const Matrix& y) {
      Matrix xr = MU_.transpose() * x, yr = MU_.transpose() * y;
      sum_entries(mass.team(), xr);
      sum_entries(mass.team(), yr);
      Matrix out(2 * s, x.cols());
      out.topRows(s) = yr;
      out.bottomRows(s) = -(modes.lambda.asDiagonal() * xr) - damping.asDiagonal() * yr;
      return out;
    };
    const Matrix small = Matrix::Identity(2 * s, 2 * s) + h * times_R(X_, Y_);
    const Vector weights = small.partialPivLu().solve(Vector(h * times_R(dq, dv)));
    dq.noalias() -= X_ * weights;
    dv.noalias() -= Y_ * weights;
    return StepStatus::ok;
  }

 private:
  Matrix MU_, X_, Y_;
  Vector mode_, product_, rhs_, column_;
};

}  // namespace phiflex
