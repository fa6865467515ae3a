// The lowest modes of a body as it moves, at a small part of the cost of a step. How far the modes at hand are from
// those of the K of the moment is measured in energy,
//
//   e_i^2 = r_i'(K + sigma M)^-1 r_i / max(lambda_i, sigma),   r_i = K u_i - lambda_i M u_i                 (1)
//
// e_i is the sine of the angle, in the norm of K, between u_i and the nearest combination of modes, and e_i^2 what
// lambda_i is too large by, relative. (The norm of r_i itself says little: it weighs stiff parts of a body, which
// hardly move, by their stiffness.) Modes are kept as long as the root mean square of (1) over them is below the
// tolerance, first as they are, then (and from then on) turned with the body. It is seen from one product and one
// solve: with signs s_i,
//
//   y = sum_i s_i u_i/sqrt(lambda_i),   r = K y - M sum_i s_i sqrt(lambda_i) u_i,   r'(K + sigma M)^-1 r ~ sum_i e_i^2,  (2)
//
// the cross terms being as often negative as positive. Else they are refreshed by sweeps of Rayleigh-Ritz on
//
//   [U, (M + s K)^-1 (K U - M U Lambda)],   s = 1/sigma,                                                  (3)
//
// a step of block inverse iteration; a few vectors above the wanted ones guard the last of these. The inverse may be
// that of an earlier K: (1) is then known to a factor near one.
#pragma once

#include "phiflex/base/archive.h"
#include "phiflex/base/function_ref.h"
#include "phiflex/linalg/block_rotations.h"
#include "phiflex/linalg/modes.h"
#include "phiflex/linalg/ritz_space.h"

namespace phiflex {

class FollowedModes {
 public:
  // start: modes of the pencil at the beginning, `count` wanted ones and any number of guards above them.
  FollowedModes(const Modes& start, Index count, double tolerance);

  // The modes of the pencil as it is now. `turning` is asked for the rotations since the latest refresh, when they
  // are of use; where there are none, or M is not lumped, nothing turns. Counts sweeps in work.mode_sweeps.
  using Turning = FunctionRef<const BlockRotations&()>;
  ModesStatus update(const AssembledPencil& pencil, ShiftInverse& inverse, Turning turning, Work& work);
  bool refreshed() const { return refreshed_; }  // the latest update() found new modes
  bool turned() const { return turned_; }        // it kept old ones, turned
  const Matrix& U() const { return U_; }         // a wanted mode per column
  const Vector& lambda() const { return lambda_; }
  // The root mean square of (1) at the latest update(), after a refresh: before its last sweep.
  double error() const { return error_; }

  void save(ArchiveWriter& out) const;  // bit for bit
  void load(ArchiveReader& in);         // of one with the same counts

 private:
  bool keeps(const Pencil& pencil, ShiftInverse& inverse, Work& work, ModesStatus& status);
  ModesStatus refresh(const AssembledPencil& pencil, ShiftInverse& inverse, Work& work);
  ModesStatus sweep(const Pencil& pencil, ShiftInverse& inverse, Work& work);
  void take_basis();
  double scale(double lambda, double sigma) const;  // max(lambda, sigma)

  Index count_, kept_;
  double tolerance_;
  RitzSpace space_;  // its basis: the modes and their guards as of the latest refresh
  Matrix U_;
  Vector lambda_;
  bool refreshed_ = false, turned_ = false;
  double error_ = 0;
  Vector weights_;                  // s_i of (2), scaled
  Matrix y_, z_, Ky_, Mz_, R_, W_;  // one column; kept_ columns
  std::vector<RitzSpace::Norms> norms_;
};

}  // namespace phiflex
