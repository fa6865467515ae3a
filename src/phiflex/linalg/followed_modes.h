// The lowest modes of a body as it moves, at a small part of the cost of a step. Modes are kept as long as they meet
// the tolerance, first as they are, then (and from then on) turned with the body (block_rotations.h), and only then
// refreshed by sweeps from the last ones. Their error is measured in one of two ways:
//
//   residual   r_i = |K u_i - lambda_i M u_i| / |K u_i|, (2) of modes.h; the tolerance bounds each of them.
//   energy     e_i^2 = r_i'(K + sigma M)^-1 r_i / max(lambda_i, sigma),   r_i = K u_i - lambda_i M u_i      (1)
//
// e_i is the sine of the angle, in the norm of K, between u_i and the nearest combination of modes, and e_i^2 the
// relative error of lambda_i; the tolerance bounds the root mean square of the e_i. The residual gives stiff parts of
// a body, which hardly move, a weight by their stiffness; the energy does not. The inverse may be that of an earlier
// K: (1) is then known to a factor near one.
//
// Whether modes still meet the tolerance is seen from one product with K, and for the energy one solve: with signs s_i,
//
//   y = sum_i w_i u_i,   r = K y - M sum_i w_i lambda_i u_i,
//   w_i = s_i/|K u_i|:                     |r|^2 ~ sum_i r_i^2                                             (2)
//   w_i = s_i/sqrt(max(lambda_i, sigma)):  r'(K + sigma M)^-1 r ~ sum_i e_i^2                              (3)
//
// since the cross terms are as often negative as positive. Modes by the residual may be kept by either: e_i is at most
// about r_i, and where a sweep by (2) would only settle the stiff parts, (3) spares it.
#pragma once

#include <memory>

#include "phiflex/base/archive.h"
#include "phiflex/base/function_ref.h"
#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/modes.h"

namespace phiflex {

class Davidson;

class FollowedModes {
 public:
  // Sweeps go on by the residual. Modes are kept by it or, by_either, also while (3) alone meets the tolerance. The
  // first update() starts cold.
  enum class Keeping { by_residual, by_either };
  explicit FollowedModes(Index count, double tolerance = 1e-2, Keeping keeping = Keeping::by_residual);
  // By the energy, from modes of the pencil at the beginning: `count` wanted ones and any number above them, which
  // guard the last of these.
  FollowedModes(const Modes& start, Index count, double tolerance);
  ~FollowedModes();
  FollowedModes(FollowedModes&&) noexcept;
  FollowedModes& operator=(FollowedModes&&) noexcept;

  // The modes of the pencil as it is now; the first time, or when sweeps from the last ones do not converge, from
  // a cold start: on the same inverse, or, by the energy, on a factorization of its own. `turning` is called for the
  // rotations since the latest refresh when they are needed; where they are empty, or M is not lumped, nothing turns.
  // Counts sweeps in work.mode_sweeps.
  // A pencil of fewer unknowns than `count` has that many modes. After a failure modes() is as it was.
  using Turning = FunctionRef<const BlockRotations&()>;
  ModesStatus update(const AssembledPencil& pencil, ShiftInverse& inverse, Turning turning, Work& work);
  // Of a body that does not turn.
  ModesStatus update(const AssembledPencil& pencil, ShiftInverse& inverse, Work& work);
  bool refreshed() const { return refreshed_; }  // the latest successful update() found new modes
  bool turned() const { return turned_; }        // it kept old ones, turned
  const Modes& modes() const { return modes_; }
  // The measure at the latest update(). Kept modes: (2) or (3). After a refresh: the largest residual, or the root
  // mean square of (1) before the last sweep.
  double error() const { return error_; }
  void forget();                        // the next update starts cold
  void save(ArchiveWriter& out) const;  // bit for bit
  // Of one with the same counts. all_rows: of the pencil, on all ranks; 0: it belongs to this one alone.
  void load(ArchiveReader& in, Index all_rows = 0);

 private:
  enum class Measure { residual, energy, either };
  void combine(const Pencil& pencil, Work& work);
  bool keeps(const Pencil& pencil, ShiftInverse& inverse, Work& work, ModesStatus& status);
  bool keeps_by_energy(const Pencil& pencil, ShiftInverse& inverse, Work& work, ModesStatus& status);
  ModesStatus refresh(const AssembledPencil& pencil, ShiftInverse& inverse, Work& work);
  ModesStatus sweep(const Pencil& pencil, ShiftInverse& inverse, Work& work);
  void make_basis(Index rows, Index all_rows);
  void show_basis();  // modes_.U is the basis as it is

  Measure measure_;
  const Team* team_ = &alone();  // of the latest pencil
  Index count_, kept_;           // kept: with the guards; of the energy alone
  double tolerance_;
  Modes modes_;
  // The basis as of the latest refresh: the modes, guards, and modes before. modes_.U may be turned against it.
  std::unique_ptr<Davidson> davidson_;
  bool warm_ = false, refreshed_ = false, turned_ = false;
  double norm_ = 0;  // of A, at the cold start
  double error_ = 0;
  Vector weights_, combined_;  // w_i, w_i lambda_i
  Vector saved_weights_;       // of (2), while those of (3) take their place
  Matrix y_, z_, Ky_, Mz_;     // one column
};

}  // namespace phiflex
