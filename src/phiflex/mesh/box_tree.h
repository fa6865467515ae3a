// A bounding-volume hierarchy: a binary tree of boxes, halved at the median of the centres along the longer
// extent. It depends on nothing but the boxes, in their order (equal centres by number), and its answers do not
// depend on the tree: pairs come sorted, the nearest of several is the one with the lowest number.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "phiflex/base/function_ref.h"
#include "phiflex/mesh/bounds.h"

namespace phiflex {

inline bool overlap(const Bounds& a, const Bounds& b) {  // touching counts
  for (int i = 0; i < 3; ++i)
    if (a.high[i] < b.low[i] || b.high[i] < a.low[i]) return false;
  return true;
}

class BoxTree {
 public:
  // Memory of an earlier build is used again.
  void build(std::span<const Bounds> boxes);

  // All pairs (i, j), i < j, of overlapping boxes, sorted.
  void overlapping_pairs(std::vector<std::pair<int, int>>& pairs) const;

  // Appends the numbers of the boxes that overlap this one, in no order of use to the caller. May be called by several
  // threads at once.
  void add_overlapping(const Bounds& box, std::vector<int>& found) const;

  // The box whose measure(number) is smallest, for a measure that is at least the squared distance from the
  // point to the box; -1 when there are no boxes or no measure is finite.
  int nearest(const Point3& point, FunctionRef<double(int)> measure) const;

  // Calls take(number) for what lies in nodes that may hold something of interest. Whatever it is true for leaves the
  // tree, and no later question meets it.
  void remove_where(FunctionRef<bool(const Bounds&)> may_hold, FunctionRef<bool(int)> take);
  // How many nodes and boxes remove_where() has looked at since build(): what it costs.
  std::size_t looked_at() const { return looked_at_; }

 private:
  struct Node {
    Bounds box;
    int first, count;  // of order_; of an inner node: how many are below it
    int right;         // child; the left one follows its parent; -1: a leaf
  };
  int build_node(int first, int count);
  int remove_below(int node, FunctionRef<bool(const Bounds&)> may_hold, FunctionRef<bool(int)> take);
  void pairs_within(int node, std::vector<std::pair<int, int>>& pairs) const;
  void pairs_between(int a, int b, std::vector<std::pair<int, int>>& pairs) const;

  std::vector<Bounds> boxes_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
  std::size_t looked_at_ = 0;
};

}  // namespace phiflex
