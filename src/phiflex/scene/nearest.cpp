#include "phiflex/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace phiflex {
namespace {

// Optimal string alignment: D(i,j) over prefixes, three rows of the table at a time. Case counts half a
// letter, so distances are in halves.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  auto replace_cost = [&](char p, char q) { return p == q ? 0u : lower(p) == lower(q) ? 1u : 2u; };
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = 2 * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = 2 * i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + replace_cost(a[i - 1], b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 2);
    }
  }
  return row[b.size()];
}

constexpr std::size_t longest_word = 64;       // nothing longer is a misspelt key
constexpr std::size_t most_candidates = 1000;  // nothing is searched for ever
constexpr std::size_t most_listed = 30;

}  // namespace

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.size() > longest_word) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = 2 * longest_word;
  for (std::size_t i = 0; i < std::min(candidates.size(), most_candidates); ++i) {
    const std::string& candidate = candidates[i];
    if (candidate.size() > longest_word) continue;
    const std::size_t letters = std::max(word.size(), candidate.size());
    const std::size_t distance = edit_distance(word, candidate);
    const bool same_start = !word.empty() && !candidate.empty() && word[0] == candidate[0];
    if (distance < best_distance &&
        distance <= 2 * std::max<std::size_t>(1, letters / (same_start ? 2 : 3))) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string quoted_list(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most_listed); ++i) {
    text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", words[i]);
  }
  return words.size() > most_listed ? fmt::format("{} and {} more", text, words.size() - most_listed) : text;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::optional<std::string> best = nearest(word, candidates);
  return best ? fmt::format("; did you mean \"{}\"?", *best) : "";
}

}  // namespace phiflex
