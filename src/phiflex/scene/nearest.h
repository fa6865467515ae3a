// Suggestions for misspelt words.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace phiflex {

// The candidate that needs the fewest single-letter edits (insert, delete, replace, swap of neighbours),
// when they are at most a third of the longer word's letters, half of them where both words start alike, or
// one; nothing when no candidate is so near.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates);

// "a", "b", "c"
std::string quoted_list(const std::vector<std::string>& words);

// `; did you mean "material"?`, or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace phiflex
