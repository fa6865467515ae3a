// Block Davidson for the smallest eigenpairs of a pencil (Davidson 1975; thick restarts as in Stathopoulos,
// Saad and Wu: Dynamic thick restarting of the Davidson, and the implicitly restarted Arnoldi methods, 1998).
// A sweep solves the projected problem on a basis and enlarges the basis by
//
//   W = (M + s K)^-1 R,   R = K U - M U Theta   of pairs that have not converged.                         (1)
//
// Since W = (U - (M + s K)^-1 M U (I + s Theta))/s, that is a step of block Lanczos with the inverse when the
// inverse is exact; it converges as well when the inverse is only near (a factorization kept from an earlier
// K), because the true K is projected. When the room is used up, the lowest Ritz vectors remain.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "phiflex/linalg/modes.h"
#include "phiflex/linalg/pencil.h"
#include "phiflex/linalg/ritz_space.h"

namespace phiflex {

// What a failed solve means for modes.
ModesStatus modes_status(SolveStatus status);

// Residuals |K u - lambda M u| below this part of |A| |M u| are rounding: no sweep makes them smaller.
inline constexpr double kResidualRounding = 64 * std::numeric_limits<double>::epsilon();

// 1 or -1: the parity of the bits of i (Thue and Morse), which repeats no pattern that modes could have. The signs of
// a sum over modes from which a check starts.
inline double thue_morse_sign(Index i) {
  return std::popcount(std::uint64_t(i)) % 2 == 0 ? 1 : -1;
}

// Columns that go through K and the inverse at once: enough to share their memory traffic, and more than the
// multiplicities that symmetric bodies have.
inline constexpr Index kModesBlock = 8;
inline Index round_up_to_block(Index count, Index block) {
  return (count + block - 1) / block * block;
}

class Davidson {
 public:
  struct Shape {
    Index rows;      // of the pencil, of this rank
    Index all_rows;  // of all ranks: so many vectors span the space
    Index wanted;    // pairs to converge
    Index kept;      // Ritz vectors that survive a restart, the wanted ones among them
    Index previous;  // and up to so many former ones: of the sweep before, or of earlier K after resume()
    Index block;     // columns that go through K and the inverse at once
    Index sweep_columns;  // a sweep enlarges the basis by at most so many, a multiple of the block
    Index capacity;       // of the basis: at least kept + previous + sweep_columns, or rows
  };
  // From the last modes, on the inverse of a step; from nothing, on the same inverse.
  static Shape warm_shape(Index rows, Index all_rows, Index wanted);
  static Shape cold_shape(Index rows, Index all_rows, Index wanted);
  Davidson() = default;
  explicit Davidson(const Shape& shape);
  const Shape& shape() const { return shape_; }

  struct Problem {
    const Pencil& pencil;
    ShiftInverse* inverse;  // may be null when converge() is not to sweep
    double norm;            // of A
    double tolerance;       // of (2) in modes.h
    double margin;          // when sweeps are made, they go on to this part of the tolerance
    Work& work;
  };
  // A basis of smooth random vectors, the same every time.
  ModesStatus start(const Problem& problem);
  void set_basis(const ConstBlock& V) { space_.set_basis(V); }  // M-orthonormal; resume() must follow
  void turn(const BlockRotations& R) { space_.turn(R); }        // of a body whose M commutes with R; likewise
  // The same basis, another K. keep() will then leave, beside the new Ritz vectors, what the old ones and those
  // before them have that is new: modes that change smoothly with time are nearly combinations of these.
  void resume(const Problem& problem);
  ModesStatus project(const Problem& problem);  // resume(), and the Ritz pairs of the basis as it is
  // Sweeps from the basis as it is until the wanted pairs have converged.
  ModesStatus converge(const Problem& problem, int sweep_limit);
  // From a random start until nothing is missed.
  ModesStatus converge_cold(const Problem& problem, int sweep_limit);
  // Sweeps with the residuals of all `kept` pairs until the error of the wanted ones in energy, (1) of
  // followed_modes.h, is below the tolerance.
  ModesStatus converge_in_energy(const Problem& problem, int sweep_limit, double& error);
  // After convergence: looks for pairs below the last wanted one that were missed, from random vectors and
  // along the pairs above. When there are any, converge() has more to do.
  ModesStatus search_for_missed(const Problem& problem, bool& found);
  void keep() { space_.keep(shape_.kept, shape_.previous); }  // the basis becomes the lowest Ritz vectors
  void step_back() { space_.truncate(shape_.kept + shape_.previous); }  // after a failure: what was kept last

  void store(Modes& modes) const;  // the wanted pairs, after keep()

  const RitzSpace& space() const { return space_; }
  const Vector& residual() const { return residual_; }  // (2) in modes.h, of the wanted pairs
  const Vector& scales() const { return scales_; }      // the denominators of (2)

 private:
  void check(const Problem& problem);
  void gather(const Problem& problem, Index first, Index count);
  ModesStatus enlarge(const Problem& problem);
  ModesStatus add_random_block(const Problem& problem);
  ModesStatus prepare(const Problem& problem) const;

  Shape shape_ = {};
  RitzSpace space_;
  Vector residual_, scales_;
  std::vector<RitzSpace::Norms> norms_;
  Matrix R_, W_;         // rows x block
  Matrix open_;          // residuals to enlarge the basis by; rows x sweep_columns
  Index missed_ = 0;     // pairs whose residual is above the tolerance, or unknown
  Index opened_ = 0;     // how many
  Index settled_ = 0;    // the first pairs, which had converged when they were last looked at
  Index added_ = 0;      // vectors that the latest enlarge() found
  unsigned random_ = 0;  // random blocks so far
};

}  // namespace phiflex
