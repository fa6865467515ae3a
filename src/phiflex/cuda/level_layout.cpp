#include "phiflex/cuda/level_layout.h"

#include <algorithm>
#include <utility>

namespace phiflex::device {
namespace {

// The neighbours of each node; columns from `nodes` on are held vertices and are left out.
struct Neighbours {
  int nodes;
  const std::vector<int>&start, &column;
};

// Groups of `size` nodes, each found breadth first from the first node that has none. What is left over in pieces of
// less than a third of the size joins a neighbouring group, where there is one.
std::vector<int> gather_nodes(const Neighbours& of, int size, int& groups) {
  std::vector<int> group(std::size_t(of.nodes), -1), queue, counts;
  for (int first = 0; first < of.nodes; ++first) {
    if (group[std::size_t(first)] >= 0) continue;
    const int own = int(counts.size());
    queue.assign(1, first);
    group[std::size_t(first)] = own;
    for (std::size_t next = 0; next < queue.size() && int(queue.size()) < size; ++next) {
      const int i = queue[next];
      for (int c = of.start[std::size_t(i)]; c < of.start[std::size_t(i) + 1] && int(queue.size()) < size;
           ++c) {
        const int j = of.column[std::size_t(c)];
        if (j >= of.nodes || group[std::size_t(j)] >= 0) continue;
        group[std::size_t(j)] = own;
        queue.push_back(j);
      }
    }
    counts.push_back(int(queue.size()));
    if (int(queue.size()) > size / 3) continue;
    int other = -1;  // the smallest neighbouring group
    for (const int i : queue)
      for (int c = of.start[std::size_t(i)]; c < of.start[std::size_t(i) + 1]; ++c)
        if (const int j = of.column[std::size_t(c)]; j < of.nodes) {
          const int candidate = group[std::size_t(j)];
          if (candidate >= 0 && candidate != own &&
              (other < 0 || counts[std::size_t(candidate)] < counts[std::size_t(other)]))
            other = candidate;
        }
    if (other < 0) continue;
    for (const int i : queue) group[std::size_t(i)] = other;
    counts[std::size_t(other)] += int(queue.size());
    counts.pop_back();
  }
  groups = int(counts.size());
  return group;
}

// Blocks of the new level and what they are the sums of. On the first level, whose matrix before has no diagonal
// blocks, a diagonal block takes all blocks of its rows (level_kernels.h).
void list_level_blocks(const Neighbours& before, bool first, LevelLayout& level) {
  struct Share {
    int column, block;
    bool operator<(const Share& other) const {
      return column != other.column ? column < other.column : block < other.block;
    }
  };
  std::vector<Share> shares;
  level.row_start = {0};
  for (int row = 0; row < level.nodes; ++row) {
    shares.clear();
    for (int m = level.member_start[std::size_t(row)]; m < level.member_start[std::size_t(row) + 1]; ++m) {
      const int i = level.member[std::size_t(m)];
      for (int b = before.start[std::size_t(i)]; b < before.start[std::size_t(i) + 1]; ++b) {
        const int j = before.column[std::size_t(b)];
        const int column = j < before.nodes ? level.parent_of[std::size_t(j)] : row;
        if (first) shares.push_back({row, b});
        if (!first || column != row) shares.push_back({column, b});
      }
    }
    if (shares.empty()) shares.push_back({row, -1});  // a vertex of no tetrahedron
    std::sort(shares.begin(), shares.end());
    for (std::size_t s = 0; s < shares.size(); ++s) {
      if (s == 0 || shares[s].column != shares[s - 1].column) {
        if (shares[s].column == row) level.diagonal.push_back(int(level.column.size()));
        level.share_start.push_back(int(level.share.size()));
        level.column.push_back(shares[s].column);
        level.row_of.push_back(row);
      }
      if (shares[s].block >= 0) level.share.push_back(shares[s].block);
    }
    level.row_start.push_back(int(level.column.size()));
  }
  level.share_start.push_back(int(level.share.size()));
}

LevelLayout make_level(const Neighbours& before, int size, bool first) {
  LevelLayout level;
  level.parent_of = gather_nodes(before, size, level.nodes);
  level.member_start.assign(std::size_t(level.nodes) + 1, 0);
  for (const int parent : level.parent_of) ++level.member_start[std::size_t(parent) + 1];
  for (int k = 0; k < level.nodes; ++k)
    level.member_start[std::size_t(k) + 1] += level.member_start[std::size_t(k)];
  level.member.resize(level.parent_of.size());
  std::vector<int> next(level.member_start.begin(), level.member_start.end() - 1);
  for (int i = 0; i < before.nodes; ++i)
    level.member[std::size_t(next[std::size_t(level.parent_of[std::size_t(i)])]++)] = i;
  list_level_blocks(before, first, level);
  return level;
}

}  // namespace

std::vector<LevelLayout> make_levels(const TetLayout& layout) {
  std::vector<LevelLayout> levels;
  if (layout.free < 2 * kFirstSize) return levels;
  levels.push_back(make_level({layout.free, layout.row_start, layout.column}, kFirstSize, true));
  while (levels.back().nodes > kMostDense) {
    const LevelLayout& last = levels.back();
    LevelLayout next = make_level({last.nodes, last.row_start, last.column}, kNextSize, false);
    // Many bodies that touch nowhere cannot be gathered further.
    if (next.nodes > 3 * last.nodes / 4) break;
    levels.push_back(std::move(next));
  }
  return levels;
}

}  // namespace phiflex::device
