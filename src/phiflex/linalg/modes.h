// The s smallest eigenpairs of a pencil,
//
//   K u_i = lambda_i M u_i,   U'M U = I,   lambda ascending,                                              (1)
//
// cold (from nothing, on a factorization of its own) and warm (from the modes of the last step, on the
// factorization the step has anyway: shift-invert at -1/s is (M + s K)^-1). Rigid modes of free bodies
// (lambda = 0) are modes like any other, and clusters and multiple eigenvalues are found complete. The residual of a pair:
//
//   r_i = |K u_i - lambda_i M u_i|_2 / |K u_i|_2                                                          (2)
//
// where |K u_i| is replaced by lambda_s |M u_i| for modes far below the largest of the set (rigid ones).
#pragma once

#include "phiflex/base/archive.h"
#include "phiflex/linalg/pencil.h"

namespace phiflex {

struct Modes {
  Vector lambda;    // 1/s^2, ascending
  Matrix U;         // a mode per column
  Vector residual;  // (2)
  Index count() const { return lambda.size(); }
};

enum class ModesStatus { ok, not_converged, not_positive_definite, not_finite };

struct ModesOptions {
  double tolerance = 1e-8;  // of (2)
  int sweep_limit = 300;
};
// count is at most size(). not_converged: modes hold what was reached.
ModesStatus compute_modes(const AssembledPencil& pencil, Index count, const ModesOptions& options,
                          Modes& modes, Work& work);

// Modes that follow a moving body.
class WarmModes {
 public:
  explicit WarmModes(Index count, double tolerance = 1e-2);  // tolerance of (2)
  // The modes of the pencil as it is now: sweeps with the inverse until (2) holds; the first time, or when the
  // warm start does not converge, from a cold start on the same inverse. Counts sweeps in work.mode_sweeps.
  ModesStatus update(const Pencil& pencil, ShiftInverse& inverse, Work& work);
  const Modes& modes() const { return modes_; }
  void forget();                        // the next update starts cold
  void save(ArchiveWriter& out) const;  // bit for bit
  void load(ArchiveReader& in);

 private:
  Index count_;
  double tolerance_;
  Modes modes_;
};

}  // namespace phiflex
