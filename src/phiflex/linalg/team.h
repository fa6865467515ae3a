// Sums over the ranks that share one system (src/phiflex/mpi). Each rank holds the numbers of the rows it owns; what
// depends on all of them goes through the functions below and through nothing else. A serial run is alone: nothing is
// sent, and all results are those of Eigen's own expressions, bit for bit.
#pragma once

#include <cmath>
#include <span>

#include "phiflex/linalg/vector.h"

namespace phiflex {

class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }
  // In place, over all ranks, with the same bits on each. Every rank must call them, in the same order.
  virtual void sum(std::span<double> numbers) const { (void)numbers; }
  virtual void largest(std::span<double> numbers) const { (void)numbers; }  // of numbers, not NaN
};

inline const Team& alone() {
  static const Team team;
  return team;
}

inline double sum(const Team& team, double x) {
  team.sum({&x, 1});
  return x;
}
inline double largest(const Team& team, double x) {
  team.largest({&x, 1});
  return x;
}
// Whether it is so on some rank.
inline bool any(const Team& team, bool here) {
  return largest(team, here ? 1 : 0) != 0;
}
// How many there are on all ranks.
inline Index total(const Team& team, Index here) {
  return team.size() > 1 ? Index(sum(team, double(here))) : here;
}
inline double dot(const Team& team, const Vector& x, const Vector& y) {
  return sum(team, x.dot(y));
}
template <class Dense>
bool all_finite(const Team& team, const Eigen::MatrixBase<Dense>& x) {
  return !any(team, !x.allFinite());
}
template <class Dense>
bool all_zero(const Team& team, const Eigen::MatrixBase<Dense>& x) {
  return !any(team, !x.isZero(0));
}
// The entries of a small matrix, each over all ranks.
inline void sum_entries(const Team& team, Eigen::Ref<Matrix> A) {
  if (team.size() == 1 || A.size() == 0) return;
  Matrix whole = A;
  team.sum({whole.data(), std::size_t(whole.size())});
  A = whole;
}
inline bool equal(const Team& team, const Vector& x, const Vector& y) {
  return !any(team, !(x == y));
}

}  // namespace phiflex
