#include "phiflex/fem/element_schedule.h"

#include <algorithm>
#include <stdexcept>

namespace phiflex {

ElementSchedule::ElementSchedule(std::span<const int> vertices, int arity, int elements_per_chunk) {
  if (arity < 1 || elements_per_chunk < 1 || vertices.size() % arity != 0)
    throw std::invalid_argument("ElementSchedule: sizes do not fit");
  if (std::any_of(vertices.begin(), vertices.end(), [](int v) { return v < 0; }))
    throw std::invalid_argument("ElementSchedule: a vertex has a negative number");
  const int elements = static_cast<int>(vertices.size()) / arity;
  const int chunks = (elements + elements_per_chunk - 1) / elements_per_chunk;
  const auto chunk_of_element = [&](int e) { return e / elements_per_chunk; };

  // The chunks at each vertex, ascending, each once: chunk numbers from start[v] to start[v + 1].
  const int vertex_count = vertices.empty() ? 0 : *std::max_element(vertices.begin(), vertices.end()) + 1;
  std::vector<int> start(vertex_count + 1, 0), last_seen(vertex_count, -1);
  const auto for_each_vertex_of_a_chunk = [&](const auto& body) {
    std::fill(last_seen.begin(), last_seen.end(), -1);
    for (int e = 0; e < elements; ++e) {
      for (int v : vertices.subspan(std::size_t(arity) * e, arity)) {
        if (last_seen[v] == chunk_of_element(e)) continue;
        last_seen[v] = chunk_of_element(e);
        body(v, chunk_of_element(e));
      }
    }
  };
  for_each_vertex_of_a_chunk([&](int v, int) { ++start[v + 1]; });
  for (int v = 0; v < vertex_count; ++v) start[v + 1] += start[v];
  std::vector<int> chunk_at(start.back()), end(start.begin(), start.end() - 1);
  for_each_vertex_of_a_chunk([&](int v, int chunk) { chunk_at[end[v]++] = chunk; });

  // Greedy: the lowest colour that no earlier neighbour has.
  std::vector<int> color(chunks, -1), taken_by;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const int first = chunk * elements_per_chunk, last = std::min(first + elements_per_chunk, elements);
    for (int v : vertices.subspan(std::size_t(arity) * first, std::size_t(arity) * (last - first)))
      for (int k = start[v]; k < start[v + 1] && chunk_at[k] < chunk; ++k)
        taken_by[color[chunk_at[k]]] = chunk;
    color[chunk] =
        static_cast<int>(std::find_if(taken_by.begin(), taken_by.end(), [&](int by) { return by != chunk; }) -
                         taken_by.begin());
    if (color[chunk] == static_cast<int>(taken_by.size())) taken_by.push_back(-1);
  }

  color_start_.assign(taken_by.size() + 1, 0);
  for (int c : color) ++color_start_[c + 1];
  for (std::size_t c = 0; c < taken_by.size(); ++c) color_start_[c + 1] += color_start_[c];
  std::vector<int> next(color_start_.begin(), color_start_.end() - 1);
  chunks_.resize(chunks);
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const int first = chunk * elements_per_chunk;
    chunks_[next[color[chunk]]++] = {first, std::min(first + elements_per_chunk, elements)};
  }
}

}  // namespace phiflex
