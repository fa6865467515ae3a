// Loops over elements that add to their vertices, in parallel and with the same bits for any number of
// threads.
//
// The elements, in the order given, are cut into chunks of fixed length. Chunks are coloured greedily such
// that two chunks of one colour share no vertex. The colours run one after the other, the chunks of a colour
// in parallel: every vertex, and every block of a matrix, receives its sums in the order of (colour, chunk,
// element), which does not depend on the threads, and no two threads write to the same place.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "phiflex/base/parallel.h"

namespace phiflex {

class ElementSchedule {
 public:
  struct Chunk {
    int first, last;  // elements first <= e < last
  };

  // Element e has the vertices vertices[arity e], ..., vertices[arity e + arity - 1].
  ElementSchedule(std::span<const int> vertices, int arity, int elements_per_chunk);

  // body(first, last) for every chunk; it may add to what belongs to the chunk's vertices.
  template <class Body>
  void for_each_chunk(const Body& body) const {
    for (std::size_t color = 0; color + 1 < color_start_.size(); ++color) {
      const int begin = color_start_[color];
      parallel_for(color_start_[color + 1] - begin, [&](std::ptrdiff_t i) {
        const Chunk& chunk = chunks_[begin + i];
        body(chunk.first, chunk.last);
      });
    }
  }

  // The sum of part(first, last) over all chunks, in an order that does not depend on the threads.
  template <class Part>
  double sum(const Part& part) const {
    constexpr std::ptrdiff_t kSections = 64;  // partial sums on the stack: no allocation
    std::array<double, kSections> partial{};
    const auto count = static_cast<std::ptrdiff_t>(chunks_.size());
    parallel_for(kSections, [&](std::ptrdiff_t s) {
      for (std::ptrdiff_t c = s * count / kSections; c < (s + 1) * count / kSections; ++c)
        partial[s] += part(chunks_[c].first, chunks_[c].last);
    });
    double total = 0;
    for (double value : partial) total += value;
    return total;
  }

  int colors() const { return static_cast<int>(color_start_.size()) - 1; }
  // Sorted by colour.
  std::span<const Chunk> chunks() const { return chunks_; }
  std::span<const Chunk> chunks(int color) const {
    return std::span(chunks_).subspan(color_start_[color], color_start_[color + 1] - color_start_[color]);
  }

 private:
  std::vector<Chunk> chunks_;
  std::vector<int> color_start_;
};

}  // namespace phiflex
