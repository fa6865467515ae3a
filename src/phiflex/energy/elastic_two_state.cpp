#include "phiflex/energy/elastic_two_state_of.h"

namespace phiflex {

template std::unique_ptr<TwoStateTerm> make_elastic_two_state(const std::string&, const TetBatchesOf<Tet4>&,
                                                              const std::vector<Lame<Lanes>>&,
                                                              const SplineCurves*, const FreeVertices&,
                                                              const SparsityPattern&);

}  // namespace phiflex
