// A material law of a program's own, for the model builder: a type as material/material.h describes it, registered
// once, before a model names it. Its kernels are compiled in the program, which takes some 5 s.
#pragma once

#include <memory>
#include <utility>

#include "phiflex/energy/law_kernels_of.h"
#include "phiflex/material/described_law.h"

namespace phiflex {

// std::invalid_argument when a law has this name already.
template <ElasticLaw Law>
void register_law() {
  register_law(described_law<Law>(), std::make_unique<const LawKernelsOf<Law>>());
}

}  // namespace phiflex
