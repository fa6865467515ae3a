#include "phiflex/energy/spring_blocks.h"

#include <stdexcept>

namespace phiflex {

SpringBlocks::SpringBlocks(const std::vector<Spring>& springs, const FreeVertices& free,
                           const SparsityPattern& pattern) {
  for (const Spring& spring : springs) {
    const int a = free.row_of_vertex[spring.a], b = free.row_of_vertex[spring.b];
    Places p;
    if (a >= 0) p.aa = pattern.diagonal(a);
    if (b >= 0) p.bb = pattern.diagonal(b);
    if (a >= 0 && b >= 0) {
      p.ab = pattern.find(a, b);
      p.ba = pattern.find(b, a);
      if (p.ab < 0 || p.ba < 0) throw std::invalid_argument("SpringTerm: a block is missing in the pattern");
    }
    places_.push_back(p);
  }
}

}  // namespace phiflex
