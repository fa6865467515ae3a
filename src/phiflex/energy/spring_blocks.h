// Where the blocks of spring elements lie in a matrix over the free vertices.
#pragma once

#include <stdexcept>
#include <vector>

#include "phiflex/energy/potential_term.h"
#include "phiflex/energy/spring.h"

namespace phiflex {

// Blocks between the arms of one element: B[j][k] is 3 x 3, and B[k][j] its transpose.
template <class Element>
using ArmBlocks = std::array<std::array<Mat3<double>, Element::kArms>, Element::kArms>;

// Throws std::invalid_argument when the pattern lacks a block.
template <class Element>
class SpringBlocks {
 public:
  SpringBlocks(const std::vector<Element>& elements, const FreeVertices& free,
               const SparsityPattern& pattern) {
    places_.reserve(elements.size());
    for (const Element& element : elements) {
      const auto nodes = element.nodes();
      Places p;
      for (int i = 0; i < Element::kNodes; ++i)
        for (int k = 0; k < Element::kNodes; ++k) {
          const int row = free.row_of_vertex[nodes[i]], column = free.row_of_vertex[nodes[k]];
          const bool both = row >= 0 && column >= 0;
          p[i][k] = both ? pattern.find(row, column) : -1;
          if (both && p[i][k] < 0)
            throw std::invalid_argument("SpringTerm: a block is missing in the pattern");
        }
      places_.push_back(p);
    }
  }

  // K_ik += sum w_ji B_jl w_lk over the arms j, l of element e.
  void add(int e, const ArmBlocks<Element>& B, SparseMatrix& K) const {
    for (int i = 0; i < Element::kNodes; ++i)
      for (int k = 0; k < Element::kNodes; ++k) {
        if (places_[e][i][k] < 0) continue;
        double* to = K.block(places_[e][i][k]);
        for (int j = 0; j < Element::kArms; ++j)
          for (int l = 0; l < Element::kArms; ++l) {
            const double weight = Element::kWeights[j][i] * Element::kWeights[l][k];
            if (weight == 0) continue;
            for (int entry = 0; entry < 9; ++entry) to[entry] += weight * B[j][l].e[entry];
          }
      }
  }

 private:
  // Numbers of blocks; -1 where a vertex has no row.
  using Places = std::array<std::array<int, Element::kNodes>, Element::kNodes>;
  std::vector<Places> places_;
};

}  // namespace phiflex
