// The lowest modes of a pencil that changes, each followed by its shape through crossings of eigenvalues.
//
// With the shapes V of the latest time, by identity, and the modes U of now, U'M U = I,
//
//   o_ij = |v_i' M u_j|                                                                                   (1)
//
// is 1 where the shape is the same. Identities are given by the largest o_ij that is left, again and again. A few modes
// more than wanted are looked at, so that one that rises past its neighbours above is still found.
#pragma once

#include "phiflex/linalg/modes.h"

namespace phiflex {

class IdentifiedModes {
 public:
  explicit IdentifiedModes(Index count) : count_(count) {}

  // The modes of the pencil as it is now; the first time, identities are in the order of eigenvalues.
  ModesStatus update(const AssembledPencil& pencil, Work& work);
  const Vector& lambda() const { return lambda_; }    // by identity, 1/s^2
  const Vector& overlap() const { return overlap_; }  // (1) with the shape of before, by identity
  void forget() { V_.resize(0, 0); }                  // the next update gives identities anew

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  Index count_;
  Matrix V_;  // a shape per identity
  Vector lambda_, overlap_;
};

}  // namespace phiflex
