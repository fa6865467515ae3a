// Adding the 3x3 blocks of element matrices to a sparse matrix, kLanes elements at a time.
//
// A block of the matrix is nine numbers in a row, a block in lanes is nine registers with one number of each
// element. Two 4x4 transpositions turn the first eight registers into two pieces of four numbers for every
// element; the ninth numbers go one by one.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "phiflex/fem/tet_batches.h"
#include "phiflex/linalg/sparse_matrix.h"

namespace phiflex {

// Where the blocks (a, b) of a batch's elements lie in a pattern: numbers of blocks, or -1 when one of the
// two vertices has no row.
template <class Element>
struct TetBlockPlaces {
  int at[Element::kNodes][Element::kNodes][kLanes];
};

// row_of_vertex: a vertex's block row, or -1. Throws std::invalid_argument when the pattern lacks a block.
template <class Element>
std::vector<TetBlockPlaces<Element>> make_block_places(const TetBatchesOf<Element>& tets,
                                                       std::span<const int> row_of_vertex,
                                                       const SparsityPattern& pattern);

inline void transpose_lanes(Lanes::Raw& a, Lanes::Raw& b, Lanes::Raw& c, Lanes::Raw& d) {
  static_assert(kLanes == 4);
  const Lanes::Raw ab_low = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Lanes::Raw ab_high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Lanes::Raw cd_low = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Lanes::Raw cd_high = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

inline void add_four(Lanes::Raw piece, double* to) {
  Lanes::Raw sum;
  std::memcpy(&sum, to, sizeof sum);
  sum += piece;
  std::memcpy(to, &sum, sizeof sum);
}

// Block places[lane] of values += lane of K. What has no place is added to `discarded`, nine numbers that
// belong to the calling thread: cheaper than a branch.
inline void add_block(const int (&places)[kLanes], const Mat3<Lanes>& K, double* discarded, double* values) {
  Lanes::Raw head[4] = {K.e[0].raw, K.e[1].raw, K.e[2].raw, K.e[3].raw};
  Lanes::Raw tail[4] = {K.e[4].raw, K.e[5].raw, K.e[6].raw, K.e[7].raw};
  transpose_lanes(head[0], head[1], head[2], head[3]);
  transpose_lanes(tail[0], tail[1], tail[2], tail[3]);
  for (int lane = 0; lane < kLanes; ++lane) {
    double* to = places[lane] >= 0 ? values + 9 * Index(places[lane]) : discarded;
    add_four(head[lane], to);
    add_four(tail[lane], to + 4);
    to[8] += K.e[8][lane];
  }
}

// Asks for the memory of a batch's blocks before it is needed; a block of nine numbers spans two cache lines.
template <class Element>
void prefetch_blocks(const TetBlockPlaces<Element>& places, const double* values) {
  for (const auto& row : places.at) {
    for (const auto& of_lanes : row) {
      for (int place : of_lanes) {
        const double* block = values + 9 * Index(std::max(place, 0));
        __builtin_prefetch(block, 1);
        __builtin_prefetch(block + 8, 1);
      }
    }
  }
}

}  // namespace phiflex
