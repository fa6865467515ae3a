// The levels of a multigrid by aggregation for the matrix of tet_layout.h. Level 0 is the mesh's free vertices. A
// level's nodes are gathered into aggregates, connected groups of about kFirstSize (of vertices) or kNextSize of them,
// which are the nodes of the next level, until kMostDense or fewer are left.
//
// An aggregate moves as a rigid body: six numbers. All lists are in ascending order, so that every sum has one order.
#pragma once

#include <vector>

#include "phiflex/cuda/tet_layout.h"

namespace phiflex::device {

inline constexpr int kFirstSize = 48, kNextSize = 8;
inline constexpr int kMostDense = 150;  // nodes of the last level

struct LevelLayout {
  int nodes = 0;
  std::vector<int> parent_of;                  // of each node of the level before: its aggregate
  std::vector<int> member_start, member;       // of each aggregate, the nodes of the level before
  std::vector<int> row_start, column, row_of;  // blocks of its matrix, the diagonal among them
  std::vector<int> diagonal;                   // of each row, its block on the diagonal
  std::vector<int> share_start, share;         // of each block, blocks of the matrix before
};

// Levels 1, 2, ... below the matrix; none where there are too few vertices to gather.
std::vector<LevelLayout> make_levels(const TetLayout& layout);

}  // namespace phiflex::device
