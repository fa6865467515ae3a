#include "phiflex/fem/block_scatter.h"

#include <stdexcept>

#include "phiflex/base/parallel.h"

namespace phiflex {

template <class Element>
std::vector<TetBlockPlaces<Element>> make_block_places(const TetBatchesOf<Element>& tets,
                                                       std::span<const int> row_of_vertex,
                                                       const SparsityPattern& pattern) {
  constexpr int kNodes = Element::kNodes;
  std::vector<TetBlockPlaces<Element>> places(tets.batches().size());
  tets.schedule().for_each_chunk([&](int first, int last) {
    for (int i = first; i < last; ++i) {
      for (int lane = 0; lane < kLanes; ++lane) {
        int row[kNodes];
        for (int a = 0; a < kNodes; ++a) row[a] = row_of_vertex[tets.batches()[i].vertex[a][lane]];
        for (int a = 0; a < kNodes; ++a) {
          for (int b = 0; b < kNodes; ++b) {
            const bool free = row[a] >= 0 && row[b] >= 0 && pattern.owns(row[a]);
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

template std::vector<TetBlockPlaces<Tet4>> make_block_places(const TetBatchesOf<Tet4>&, std::span<const int>,
                                                             const SparsityPattern&);
template std::vector<TetBlockPlaces<Tet10>> make_block_places(const TetBatchesOf<Tet10>&,
                                                              std::span<const int>, const SparsityPattern&);

}  // namespace phiflex
