#include "phiflex/mesh/box_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace phiflex {
namespace {

constexpr int kLeaf = 4;
constexpr int kDepth = 128;  // more than a halved tree of any size has

double squared_distance(const Point3& x, const Bounds& box) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double out = std::max({0.0, box.low[i] - x[i], x[i] - box.high[i]});
    sum += out * out;
  }
  return sum;
}

}  // namespace

void BoxTree::build(std::span<const Bounds> boxes) {
  boxes_.assign(boxes.begin(), boxes.end());
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.clear();
  looked_at_ = 0;
  if (!boxes.empty()) build_node(0, static_cast<int>(boxes.size()));
}

int BoxTree::build_node(int first, int count) {
  const int node = static_cast<int>(nodes_.size());
  Bounds box = boxes_[order_[first]], centres;
  for (int i = 0; i < 3; ++i) centres.low[i] = centres.high[i] = box.centre(i);
  for (int k = first; k < first + count; ++k) {
    const Bounds& item = boxes_[order_[k]];
    box = united(box, item);
    const Point3 centre{item.centre(0), item.centre(1), item.centre(2)};
    centres = united(centres, {centre, centre});
  }
  nodes_.push_back({box, first, count, -1});
  if (count <= kLeaf) return node;
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (centres.length(i) > centres.length(axis)) axis = i;
  const int half = count / 2;
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [&](int a, int b) {
    const double at_a = boxes_[a].centre(axis), at_b = boxes_[b].centre(axis);
    return at_a != at_b ? at_a < at_b : a < b;
  });
  build_node(first, half);
  nodes_[node].right = build_node(first + half, count - half);
  return node;
}

void BoxTree::overlapping_pairs(std::vector<std::pair<int, int>>& pairs) const {
  pairs.clear();
  if (!nodes_.empty()) pairs_within(0, pairs);
  std::sort(pairs.begin(), pairs.end());
}

void BoxTree::pairs_within(int at, std::vector<std::pair<int, int>>& pairs) const {
  const Node& node = nodes_[at];
  if (node.right >= 0) {
    pairs_within(at + 1, pairs);
    pairs_within(node.right, pairs);
    pairs_between(at + 1, node.right, pairs);
    return;
  }
  for (int k = node.first; k < node.first + node.count; ++k)
    for (int l = k + 1; l < node.first + node.count; ++l)
      if (overlap(boxes_[order_[k]], boxes_[order_[l]])) pairs.push_back(std::minmax(order_[k], order_[l]));
}

void BoxTree::pairs_between(int a, int b, std::vector<std::pair<int, int>>& pairs) const {
  const Node &left = nodes_[a], &right = nodes_[b];
  if (!overlap(left.box, right.box)) return;
  if (left.right < 0 && right.right < 0) {
    for (int k = left.first; k < left.first + left.count; ++k)
      for (int l = right.first; l < right.first + right.count; ++l)
        if (overlap(boxes_[order_[k]], boxes_[order_[l]])) pairs.push_back(std::minmax(order_[k], order_[l]));
  } else if (right.right < 0 || (left.right >= 0 && left.count >= right.count)) {
    pairs_between(a + 1, b, pairs);
    pairs_between(left.right, b, pairs);
  } else {
    pairs_between(a, b + 1, pairs);
    pairs_between(a, right.right, pairs);
  }
}

void BoxTree::add_overlapping(const Bounds& box, std::vector<int>& found) const {
  int stack[kDepth];
  int top = 0;
  if (!nodes_.empty()) stack[top++] = 0;
  while (top > 0) {
    const int at = stack[--top];
    const Node& node = nodes_[at];
    if (!overlap(node.box, box)) continue;
    if (node.right >= 0) {
      stack[top++] = node.right;
      stack[top++] = at + 1;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k)
      if (overlap(boxes_[order_[k]], box)) found.push_back(order_[k]);
  }
}

int BoxTree::nearest(const Point3& point, FunctionRef<double(int)> measure) const {
  int best = -1;
  double smallest = std::numeric_limits<double>::infinity();
  int stack[kDepth];
  int top = 0;
  if (!nodes_.empty()) stack[top++] = 0;
  while (top > 0) {
    const int at = stack[--top];
    const Node& node = nodes_[at];
    if (squared_distance(point, node.box) > smallest) continue;
    if (node.right >= 0) {
      const bool left_first =
          squared_distance(point, nodes_[at + 1].box) <= squared_distance(point, nodes_[node.right].box);
      stack[top++] = left_first ? node.right : at + 1;
      stack[top++] = left_first ? at + 1 : node.right;
      continue;
    }
    for (int k = node.first; k < node.first + node.count; ++k) {
      const double value = measure(order_[k]);
      if (value < smallest || (value == smallest && order_[k] < best)) {
        smallest = value;
        best = order_[k];
      }
    }
  }
  return best;
}

void BoxTree::remove_where(FunctionRef<bool(const Bounds&)> may_hold, FunctionRef<bool(int)> take) {
  if (!nodes_.empty()) remove_below(0, may_hold, take);
}

// How many it has removed.
int BoxTree::remove_below(int at, FunctionRef<bool(const Bounds&)> may_hold, FunctionRef<bool(int)> take) {
  Node& node = nodes_[at];
  if (node.count == 0) return 0;
  ++looked_at_;
  if (!may_hold(node.box)) return 0;
  int removed = 0;
  if (node.right >= 0) {
    removed = remove_below(at + 1, may_hold, take) + remove_below(node.right, may_hold, take);
  } else {
    looked_at_ += static_cast<std::size_t>(node.count);
    for (int k = node.first + node.count - 1; k >= node.first; --k)
      if (take(order_[k])) std::swap(order_[k], order_[node.first + node.count - 1 - removed++]);
  }
  node.count -= removed;
  return removed;
}

}  // namespace phiflex
