// Beside elastic_two_state.cpp, so that the compiler works on the two kinds of elements at the same time.
#include "phiflex/energy/elastic_two_state_of.h"

namespace phiflex {

template std::unique_ptr<TwoStateTerm> make_elastic_two_state(const std::string&, const TetBatchesOf<Tet10>&,
                                                              const std::vector<Lame<Lanes>>&,
                                                              const SplineCurves*, const FreeVertices&,
                                                              const SparsityPattern&);

}  // namespace phiflex
