// What the catalogue says of a law, from the law's own type.
#pragma once

#include "phiflex/material/catalogue.h"

namespace phiflex {

template <ElasticLaw Law>
MaterialInfo described_law() {
  MaterialInfo info{
      Law::name, Law::summary, Law::citation, Law::needs_positive_J, Law::function_of_C, law_properties<Law>,
      {}};
  auto list = [&](const ParameterInfo& parameter, auto&) { info.parameters.push_back(parameter); };
  typename Law::template Parameters<double> given{};
  Law::fields(list, given);
  return info;
}

}  // namespace phiflex
