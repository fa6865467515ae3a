#include "phiflex/mesh/region_tags.h"

#include <algorithm>

namespace phiflex {

std::vector<int> region_tags(std::vector<int> tags) {
  if (std::all_of(tags.begin(), tags.end(), [](int tag) { return tag == 0; })) tags.clear();
  return tags;
}

void NumberedVertexSets::add(int group, std::span<const int> vertices) {
  if (group == 0) return;
  std::vector<int>& set = sets_[group];
  set.insert(set.end(), vertices.begin(), vertices.end());
}

std::map<std::string, std::vector<int>> NumberedVertexSets::finish(
    const std::map<int, std::string>& names) const {
  std::map<std::string, std::vector<int>> out;
  for (const auto& [group, vertices] : sets_) {
    const auto name = names.find(group);
    std::vector<int>& set = out[name == names.end() ? std::to_string(group) : name->second];
    set.insert(set.end(), vertices.begin(), vertices.end());
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
  return out;
}

}  // namespace phiflex
