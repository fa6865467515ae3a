#include "phiflex/record/page_marks.h"

#include <algorithm>

namespace phiflex {

std::string with_marks_filled(std::string_view page,
                              std::span<const std::pair<std::string_view, std::string>> parts) {
  std::string result;
  for (std::size_t mark; (mark = page.find("{{")) != page.npos;) {
    result.append(page.substr(0, mark));
    page.remove_prefix(mark);
    const auto part = std::find_if(parts.begin(), parts.end(),
                                   [&](const auto& candidate) { return page.starts_with(candidate.first); });
    result.append(part == parts.end() ? page.substr(0, 2) : std::string_view(part->second));
    page.remove_prefix(part == parts.end() ? 2 : part->first.size());
  }
  return result.append(page);
}

}  // namespace phiflex
