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
#include "phiflex/base/function_ref.h"
#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/pencil.h"

namespace phiflex {

class Davidson;

struct Modes {
  Vector lambda;    // 1/s^2, ascending
  Matrix U;         // a mode per column
  Vector residual;  // (2)
  Index count() const { return lambda.size(); }
};

enum class [[nodiscard]] ModesStatus{ok, not_converged, not_positive_definite, not_finite};

struct ModesOptions {
  double tolerance = 1e-8;  // of (2)
  int sweep_limit = 300;
};
// count is at most size(). not_converged: modes hold what was reached.
ModesStatus compute_modes(const AssembledPencil& pencil, Index count, const ModesOptions& options,
                          Modes& modes, Work& work);

// Modes that follow a moving body. They are kept as long as they meet the tolerance, first as they are, then
// turned with the body (block_rotations.h), and only then refreshed by sweeps. Whether all s of them still do is
// seen from one product with K: with signs e_i,
//
//   y = sum_i e_i u_i/|K u_i|,   |K y - M sum_i e_i lambda_i u_i/|K u_i||^2 ~ sum_i r_i^2,                  (3)
//
// the cross terms being as often negative as positive.
class WarmModes {
 public:
  explicit WarmModes(Index count, double tolerance = 1e-2);  // tolerance of (2)
  ~WarmModes();
  WarmModes(WarmModes&&) noexcept;
  WarmModes& operator=(WarmModes&&) noexcept;

  // The modes of the pencil as it is now; the first time, or when sweeps from the last ones do not converge, from
  // a cold start on the same inverse. `turning` is asked for the rotations since the latest refresh, when they
  // are of use; where there are none, or M is not lumped, nothing turns. Counts sweeps in work.mode_sweeps.
  // A pencil of fewer unknowns than `count` has that many modes. After a failure modes() is as it was.
  using Turning = FunctionRef<const BlockRotations&()>;
  ModesStatus update(const Pencil& pencil, ShiftInverse& inverse, Turning turning, Work& work);
  ModesStatus update(const Pencil& pencil, ShiftInverse& inverse,
                     Work& work);  // of a body that does not turn
  // The latest successful update() found new modes, rather than keep old ones.
  bool refreshed() const { return refreshed_; }
  const Modes& modes() const { return modes_; }
  // The largest of (2) at the latest update(), or (3) when modes were kept.
  double residual() const { return refreshed_ ? modes_.residual.maxCoeff() : kept_residual_; }
  void forget();                        // the next update starts cold
  void save(ArchiveWriter& out) const;  // bit for bit
  void load(ArchiveReader& in);         // of one with the same count

 private:
  bool keeps(const Pencil& pencil, Work& work);
  ModesStatus refresh(const Pencil& pencil, ShiftInverse& inverse, Work& work);
  void show_basis();  // modes_.U is the basis as it is

  Index count_;
  double tolerance_;
  Modes modes_;
  // The modes and a few vectors more, which guard the last of them against their neighbours above, as they were
  // at the latest refresh; modes_.U may be turned.
  std::unique_ptr<Davidson> davidson_;
  bool warm_ = false, refreshed_ = false, turned_ = false;
  double norm_ = 0;           // of A, at the cold start
  double kept_residual_ = 0;  // (3)
  Vector weights_;            // e_i/|K u_i| of (3)
  Vector combined_;
  Matrix y_, z_, Ky_, Mz_;  // one column
};

}  // namespace phiflex
