// Region numbers of elements and numbered groups of vertices, as several formats carry them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

namespace phiflex {

// The tags as a mesh keeps them: none when no element has a number other than 0.
std::vector<int> region_tags(std::vector<int> tags);

// Collects vertices by group number; 0 means no group.
class NumberedVertexSets {
 public:
  void add(int group, std::span<const int> vertices);
  // Named by number, or by `names` where it has one; each set ascending without repetition.
  std::map<std::string, std::vector<int>> finish(const std::map<int, std::string>& names = {}) const;

 private:
  std::map<int, std::vector<int>> sets_;
};

}  // namespace phiflex
