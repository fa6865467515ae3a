#include "phiflex/base/own_files.h"

#include <algorithm>
#include <string>

namespace phiflex {
namespace {

namespace fs = std::filesystem;

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

bool fits(std::string_view name, std::string_view pattern) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool digit = pattern[i] == '#';
    if (at == name.size() || (digit ? !is_digit(name[at]) : name[at] != pattern[i])) return false;
    ++at;
    const bool last_of_row = digit && (i + 1 == pattern.size() || pattern[i + 1] != '#');
    while (last_of_row && at < name.size() && is_digit(name[at])) ++at;
  }
  return at == name.size();
}

}  // namespace

bool is_own_file(std::string_view name, const std::vector<std::string_view>& patterns, OwnFiles which) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
    return (which == OwnFiles::files_and_drafts && fits(name, pattern)) ||
           fits(name, std::string(pattern) + ".part#");
  });
}

void remove_own_files(const fs::path& folder, const std::vector<std::string_view>& patterns, OwnFiles which) {
  if (fs::symlink_status(folder).type() != fs::file_type::directory) return;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.symlink_status().type() != fs::file_type::directory &&
        is_own_file(entry.path().filename().string(), patterns, which))
      found.push_back(entry.path());
  for (const fs::path& path : found) fs::remove(path);
}

}  // namespace phiflex
