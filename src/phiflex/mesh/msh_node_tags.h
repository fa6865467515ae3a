// The node tags of a Gmsh file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "phiflex/mesh/tet_mesh.h"

namespace phiflex {

// From node tags to vertex indices, whatever their order and gaps.
class NodeTags {
 public:
  void reserve(std::size_t n) { tags_.reserve(n); }
  void push_back(std::int64_t tag) { tags_.push_back(tag); }
  std::size_t size() const { return tags_.size(); }
  std::int64_t lowest() const { return sorted_.empty() ? 0 : sorted_.front().first; }
  std::int64_t highest() const { return sorted_.empty() ? 0 : sorted_.back().first; }

  // Sorts; gives the first tag that occurs twice, if any. Reorders `vertices` by tag.
  std::optional<std::int64_t> sort(std::vector<Point3>& vertices) {
    sorted_.clear();
    for (std::size_t i = 0; i < tags_.size(); ++i) sorted_.emplace_back(tags_[i], i);
    std::sort(sorted_.begin(), sorted_.end());
    std::vector<Point3> ordered(vertices.size());
    for (std::size_t i = 0; i < sorted_.size(); ++i) ordered[i] = vertices[sorted_[i].second];
    vertices = std::move(ordered);
    for (std::size_t i = 1; i < sorted_.size(); ++i)
      if (sorted_[i].first == sorted_[i - 1].first) return sorted_[i].first;
    return std::nullopt;
  }

  // -1 when there is no such node.
  int find(std::int64_t tag) const {
    if (sorted_.empty() || tag < lowest() || tag > highest()) return -1;
    if (highest() - lowest() == static_cast<std::int64_t>(sorted_.size()) - 1)
      return static_cast<int>(tag - lowest());
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(tag, std::size_t{0}));
    return at != sorted_.end() && at->first == tag ? static_cast<int>(at - sorted_.begin()) : -1;
  }

 private:
  std::vector<std::int64_t> tags_;
  std::vector<std::pair<std::int64_t, std::size_t>> sorted_;  // by tag; position in the file
};

}  // namespace phiflex
