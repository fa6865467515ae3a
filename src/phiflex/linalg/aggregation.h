// The graph side of an aggregation multigrid (multigrid.h): rows of column numbers, and aggregates of the nodes of a
// matrix by (1) there.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace phiflex {

// Rows of column numbers, ascending.
struct BlockRows {
  std::vector<int> start{0}, column;
  int count() const { return int(start.size()) - 1; }
};

// Which rows have a column, and at which place: the transposed pattern.
struct BlockColumns {
  std::vector<int> start, row, place;
};
BlockColumns transposed(const BlockRows& rows, int columns);

// Row i of the result: what visit(i, add) adds by add(column), each column once.
template <class Visit>
BlockRows collect_rows(int rows, int columns, const Visit& visit) {
  BlockRows result;
  result.start.reserve(std::size_t(rows) + 1);
  std::vector<int> seen(std::size_t(columns), -1);
  for (int i = 0; i < rows; ++i) {
    const std::size_t first = result.column.size();
    visit(i, [&](int c) {
      if (seen[std::size_t(c)] == i) return;
      seen[std::size_t(c)] = i;
      result.column.push_back(c);
    });
    std::sort(result.column.begin() + std::ptrdiff_t(first), result.column.end());
    result.start.push_back(int(result.column.size()));
  }
  return result;
}

struct Aggregates {
  std::vector<int> of;  // each node's; -1: coupled to nothing
  int count = 0;
};

// Of the nodes of a pattern with both halves (rows start[i] to start[i + 1] of column), from the norms of its blocks.
// A root takes all nodes that are strongly coupled to it, if all of them are free; a node that is left over then joins
// the aggregate of the neighbour that it is coupled to most strongly; what is still free makes aggregates of its own.
Aggregates aggregate(std::span<const int> start, std::span<const int> column, std::span<const float> norms);

}  // namespace phiflex
