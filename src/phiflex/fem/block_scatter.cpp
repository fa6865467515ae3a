#include "phiflex/fem/block_scatter.h"

#include <stdexcept>

#include "phiflex/base/parallel.h"

namespace phiflex {

std::vector<TetBlockPlaces> make_block_places(const TetBatches& tets, std::span<const int> row_of_vertex,
                                              const SparsityPattern& pattern) {
  std::vector<TetBlockPlaces> places(tets.batches().size());
  tets.schedule().for_each_chunk([&](int first, int last) {
    for (int i = first; i < last; ++i) {
      for (int lane = 0; lane < kLanes; ++lane) {
        int row[4];
        for (int a = 0; a < 4; ++a) row[a] = row_of_vertex[tets.batches()[i].vertex[a][lane]];
        for (int a = 0; a < 4; ++a) {
          for (int b = 0; b < 4; ++b) {
            const bool free = row[a] >= 0 && row[b] >= 0;
            places[i].at[a][b][lane] = free ? pattern.find(row[a], row[b]) : -1;
            if (free && places[i].at[a][b][lane] < 0)
              throw std::invalid_argument("make_block_places: a block is missing in the pattern");
          }
        }
      }
    }
  });
  return places;
}

}  // namespace phiflex
