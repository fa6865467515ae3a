#include "phiflex/linalg/beside_solver.h"

#include <cmath>

namespace phiflex {

BesideSolver::Status BesideSolver::solve(Inverse inverse, const StencilBlocks& B, double c, const Vector& rhs,
                                         double tolerance, int limit, Vector& x) {
  r_ = rhs;
  x.setZero(rhs.size());
  double before = 0, first = 0;
  for (iterations_ = 0; iterations_ < limit;) {
    ++iterations_;
    inverse(r_, z_);
    const double size = dot(*team_, r_, z_);
    if (!std::isfinite(size)) return Status::not_finite;
    if (iterations_ == 1) {
      if (size < 0) return Status::not_positive_definite;
      first = size;
      p_ = z_;
      Ap_ = r_;
      if (first == 0 || !any(*team_, !B.empty())) {
        x = z_;
        return Status::ok;
      }
    } else {
      if (size <= tolerance * tolerance * first) return Status::ok;  // (2)
      const double beta = size / before;
      p_ = z_ + beta * p_;
      Ap_ = r_ + beta * Ap_;  // (1)
    }
    before = size;
    q_ = Ap_;
    B.add_product(c, p_, q_);
    const double curvature = dot(*team_, p_, q_);
    if (!std::isfinite(curvature)) return Status::not_finite;
    if (!(curvature > 0)) return Status::not_positive_definite;
    const double way = size / curvature;
    x += way * p_;
    r_ -= way * q_;
  }
  return Status::not_converged;
}

}  // namespace phiflex
