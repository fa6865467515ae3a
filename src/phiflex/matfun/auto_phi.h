// The default: phi-functions of a mechanical system by whichever method is cheapest for it.
//
// Costs are counted in products of K with one vector, never timed. With c columns (nonzero halves of the u_k),
// x = h sqrt(|A|), the cost that a method is expected to have is
//
//   lanczos     c (0.3 x + 8),      c 0.7 x when that is more than its memory holds: substeps              (1)
//   chebyshev   c (0.55 x + 40)                                                                            (2)
//   rational    prepare + 8 c (solve + 2)           smooth data, at most 12 blocks (with few digits: all)  (3)
//
// each times what it did cost the last time over what (1) to (3) expected then: that is how the smoothness of the
// data is learnt. A method that fails hands over to the next in the same call and then waits 4, 8, ... up to 64
// calls (none, when it served the call before); every 32 calls all are given a new chance. A damping that is not
// alpha M + beta K needs a general
// evaluator: kiops.
#pragma once

#include <memory>

#include "phiflex/matfun/catalogue.h"

namespace phiflex {

std::unique_ptr<MechanicalPhi> make_auto_phi(const MechanicalPhiOptions& options);

}  // namespace phiflex
