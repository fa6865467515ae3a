// Phi-functions of a mechanical system by a general evaluator on its first-order form J: any damping.
#pragma once

#include <memory>

#include "phiflex/matfun/catalogue.h"

namespace phiflex {

// make: the evaluator's factory. Its bases are orthonormal, and its errors measured, in the norm of a step or
// in the energy product, rebuilt for every call.
std::unique_ptr<MechanicalPhi> make_general_phi(std::unique_ptr<PhiEvaluator> (*make)(const PhiOptions&),
                                                std::string_view name, const MechanicalPhiOptions& options);

}  // namespace phiflex
