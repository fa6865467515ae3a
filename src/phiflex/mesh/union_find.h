// Disjoint sets of 0 .. n-1.
#pragma once

#include <numeric>
#include <vector>

namespace phiflex {

class UnionFind {
 public:
  explicit UnionFind(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int i, int j) { parent_[find(i)] = find(j); }

 private:
  std::vector<int> parent_;
};

}  // namespace phiflex
