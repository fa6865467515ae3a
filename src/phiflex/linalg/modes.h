// The s smallest eigenpairs of a pencil,
//
//   K u_i = lambda_i M u_i,   U'M U = I,   lambda ascending,                                              (1)
//
// cold (from nothing, on a factorization of its own) and warm (from the modes of the last step, on the
// factorization the step has anyway: shift-invert at -1/s is (M + s K)^-1). Rigid modes of free bodies
// (lambda = 0) are modes like any other, and clusters and multiple eigenvalues are found complete. The
// residual of a pair:
//
//   r_i = |K u_i - lambda_i M u_i|_2 / |K u_i|_2                                                          (2)
//
// where |K u_i| is replaced by lambda_max |M u_i| when |lambda_i| <= 1e-6 lambda_max: for a rigid mode K u_i is
// rounding itself. lambda_max is the largest |lambda| of the set, or that of the first elastic mode of a free
// body when fewer than seven are wanted, and 1e-8 |A| at least. What rounding leaves, some epsilon |A| |M u_i|,
// counts as converged.
#pragma once

#include <memory>

#include "phiflex/base/archive.h"
#include "phiflex/linalg/pencil.h"

namespace phiflex {

class Davidson;

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
  ~WarmModes();
  WarmModes(WarmModes&&) noexcept;
  WarmModes& operator=(WarmModes&&) noexcept;

  // The modes of the pencil as it is now: sweeps with the inverse until (2) holds; the first time, or when the
  // warm start does not converge, from a cold start on the same inverse. When the modes of the last update
  // still meet the tolerance, that costs a product per mode and no solve. Counts sweeps in work.mode_sweeps.
  // A pencil of fewer unknowns than `count` has that many modes. After a failure modes() is as it was.
  ModesStatus update(const Pencil& pencil, ShiftInverse& inverse, Work& work);
  const Modes& modes() const { return modes_; }
  void forget();                        // the next update starts cold
  void save(ArchiveWriter& out) const;  // bit for bit
  void load(ArchiveReader& in);         // of one with the same count

 private:
  Index count_;
  double tolerance_;
  Modes modes_;
  // The modes and a few vectors more, which guard the last of them against their neighbours above.
  std::unique_ptr<Davidson> davidson_;
  bool warm_ = false;
  double norm_ = 0;  // of A, at the cold start
};

}  // namespace phiflex
