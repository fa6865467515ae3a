// A term whose elements another rank counts: forces and stiffness are those of the term, energies, rates and what
// damping takes are none. Without a term it stands for a body of which this rank has no element.
#pragma once

#include <memory>

#include "phiflex/energy/potential_term.h"
#include "phiflex/energy/two_state_term.h"

namespace phiflex {

// of: null for no elements.
std::shared_ptr<const PotentialTerm> make_uncounted_term(std::shared_ptr<const PotentialTerm> of);

}  // namespace phiflex
