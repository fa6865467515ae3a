// What springs do to vectors over all vertices and to matrices over the free ones.
#pragma once

#include <vector>

#include "phiflex/base/mat3.h"
#include "phiflex/energy/spring_term.h"

namespace phiflex {

// x_a - x_b.
inline Vec3<double> difference(const Vector& x, const Spring& spring) {
  const double *a = x.data() + 3 * Index(spring.a), *b = x.data() + 3 * Index(spring.b);
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// +value at a, -value at b.
inline void add_pair(const Spring& spring, const Vec3<double>& value, Vector& y) {
  double *a = y.data() + 3 * Index(spring.a), *b = y.data() + 3 * Index(spring.b);
  for (int i = 0; i < 3; ++i) {
    a[i] += value[i];
    b[i] -= value[i];
  }
}

// Where the blocks of springs lie in a pattern. Throws std::invalid_argument when the pattern lacks one.
class SpringBlocks {
 public:
  SpringBlocks(const std::vector<Spring>& springs, const FreeVertices& free, const SparsityPattern& pattern);

  // +block at (a, a) and (b, b), -block at (a, b) and (b, a) of spring e; the block is symmetric.
  void add(int e, const Mat3<double>& block, SparseMatrix& K) const {
    const Places& at = places_[e];
    add(at.aa, 1, block, K);
    add(at.bb, 1, block, K);
    add(at.ab, -1, block, K);
    add(at.ba, -1, block, K);
  }

 private:
  // Numbers of blocks; -1 for a vertex without a row.
  struct Places {
    int aa = -1, bb = -1, ab = -1, ba = -1;
  };

  static void add(int place, double sign, const Mat3<double>& block, SparseMatrix& K) {
    if (place < 0) return;
    double* to = K.block(place);
    for (int k = 0; k < 9; ++k) to[k] += sign * block.e[k];
  }

  std::vector<Places> places_;
};

}  // namespace phiflex
