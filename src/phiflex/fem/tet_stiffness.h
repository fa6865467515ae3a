// Stiffness matrices of tetrahedra, by blocks, kLanes elements at a time.
//
//   K_0b = -K_1b - K_2b - K_3b    because the gradients of the shape functions sum to zero                (1)
//   K_ba = K_ab'                                                                                          (2)
#pragma once

#include "phiflex/fem/block_scatter.h"

// A kernel is a chain of small functions on registers; by default the compiler does not inline them
// in so many laws, and values travel through memory instead. Sanitizers check every one of those values:
// there speed is lost anyway, and inlining only makes the compiler work for minutes.
#ifdef PHIFLEX_SANITIZED
#define PHIFLEX_KERNEL
#else
#define PHIFLEX_KERNEL __attribute__((flatten))
#endif

namespace phiflex {

// The upper triangle; the lower one is its transpose (2).
template <int N>
struct NodeBlocks {
  Mat3<Lanes> at[N][N];  // filled for row <= column
};
using TetStiffness = NodeBlocks<4>;  // of a linear tetrahedron, or of a tangent one

// The blocks of vertex 0 from the others, (1).
inline void complete(TetStiffness& K) {
  const Mat3<Lanes> zero = Mat3<Lanes>::zero();
  K.at[0][1] = zero - (K.at[1][1] + transpose(K.at[1][2]) + transpose(K.at[1][3]));
  K.at[0][2] = zero - (K.at[1][2] + K.at[2][2] + transpose(K.at[2][3]));
  K.at[0][3] = zero - (K.at[1][3] + K.at[2][3] + K.at[3][3]);
  K.at[0][0] = zero - transpose(K.at[0][1] + K.at[0][2] + K.at[0][3]);
}

// Of a quadratic tetrahedron's matrix, what a point's tangent one makes (fem/tet_element.h, (2)): assigned to
// K for the first point, added for those that follow.
void spread_stiffness(const TetStiffness& tangent, int point, NodeBlocks<10>& K);

// The matrix of an element from tangent_at(point), the matrices of its tangent tetrahedra.
template <class TangentAt>
TetStiffness element_stiffness(Tet4, const TangentAt& tangent_at) {
  return tangent_at(0);
}
template <class TangentAt>
NodeBlocks<10> element_stiffness(Tet10, const TangentAt& tangent_at) {
  NodeBlocks<10> K;
  for (int q = 0; q < Tet10::kPoints; ++q) spread_stiffness(tangent_at(q), q, K);
  return K;
}

// Adds a complete matrix to the values of a sparse one; discarded as in add_block.
template <class Element>
void add_tet_stiffness(const TetBlockPlaces<Element>& places, const NodeBlocks<Element::kNodes>& K,
                       double* discarded, double* values) {
  for (int a = 0; a < Element::kNodes; ++a) {
    add_block(places.at[a][a], K.at[a][a], discarded, values);
    for (int b = a + 1; b < Element::kNodes; ++b) {
      add_block(places.at[a][b], K.at[a][b], discarded, values);
      add_block(places.at[b][a], transpose(K.at[a][b]), discarded, values);
    }
  }
}

}  // namespace phiflex
