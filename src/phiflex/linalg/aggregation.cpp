#include "phiflex/linalg/aggregation.h"

#include <cmath>

namespace phiflex {
namespace {

constexpr double kStrong = 0.08;  // theta of (1) in multigrid.h

// The strong couplings, both halves.
struct StrongGraph {
  BlockRows rows;
  std::vector<float> norm;  // of each coupling
};

StrongGraph strong_couplings(std::span<const int> start, std::span<const int> column,
                             std::span<const float> norms) {
  const std::size_t count = start.size() - 1;
  std::vector<float> largest(count, 0);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = std::size_t(start[i]); k < std::size_t(start[i + 1]); ++k)
      if (column[k] != int(i)) largest[i] = std::max(largest[i], norms[k]);
  StrongGraph graph;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = std::size_t(start[i]); k < std::size_t(start[i + 1]); ++k) {
      const double bound = kStrong * std::sqrt(double(largest[i]) * largest[std::size_t(column[k])]);
      if (column[k] == int(i) || !(norms[k] > 0) || norms[k] < bound) continue;
      graph.rows.column.push_back(column[k]);
      graph.norm.push_back(norms[k]);
    }
    graph.rows.start.push_back(int(graph.rows.column.size()));
  }
  return graph;
}

}  // namespace

BlockColumns transposed(const BlockRows& rows, int columns) {
  BlockColumns result;
  result.start.assign(std::size_t(columns) + 1, 0);
  for (const int c : rows.column) ++result.start[std::size_t(c) + 1];
  for (std::size_t c = 0; c < std::size_t(columns); ++c) result.start[c + 1] += result.start[c];
  result.row.resize(rows.column.size());
  result.place.resize(rows.column.size());
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  for (int i = 0; i < rows.count(); ++i)
    for (int k = rows.start[std::size_t(i)]; k < rows.start[std::size_t(i) + 1]; ++k) {
      const int to = next[std::size_t(rows.column[std::size_t(k)])]++;
      result.row[std::size_t(to)] = i;
      result.place[std::size_t(to)] = k;
    }
  return result;
}

Aggregates aggregate(std::span<const int> start, std::span<const int> column, std::span<const float> norms) {
  const StrongGraph graph = strong_couplings(start, column, norms);
  const BlockRows& rows = graph.rows;
  const std::size_t n = std::size_t(rows.count());
  Aggregates result;
  result.of.assign(n, -1);
  const auto neighbours = [&](std::size_t i) {
    return std::span(rows.column)
        .subspan(std::size_t(rows.start[i]), std::size_t(rows.start[i + 1] - rows.start[i]));
  };
  const auto is_free = [&](int j) { return result.of[std::size_t(j)] < 0; };
  for (std::size_t i = 0; i < n; ++i) {  // roots
    if (result.of[i] >= 0 || neighbours(i).empty()) continue;
    if (!std::all_of(neighbours(i).begin(), neighbours(i).end(), is_free)) continue;
    result.of[i] = result.count;
    for (const int j : neighbours(i)) result.of[std::size_t(j)] = result.count;
    ++result.count;
  }
  const std::vector<int> of_roots = result.of;
  for (std::size_t i = 0; i < n; ++i) {  // the strongest neighbour's
    if (result.of[i] >= 0) continue;
    float strongest = 0;
    for (int k = rows.start[i]; k < rows.start[i + 1]; ++k) {
      const int of_j = of_roots[std::size_t(rows.column[std::size_t(k)])];
      if (of_j < 0 || graph.norm[std::size_t(k)] <= strongest) continue;
      strongest = graph.norm[std::size_t(k)];
      result.of[i] = of_j;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {  // what is left over
    if (result.of[i] >= 0 || neighbours(i).empty()) continue;
    for (const int j : neighbours(i))
      if (is_free(j)) result.of[std::size_t(j)] = result.count;
    result.of[i] = result.count++;
  }
  return result;
}

}  // namespace phiflex
