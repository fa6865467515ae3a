// Tests that run once for every method of the catalogue.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "phiflex/integrate/catalogue.h"
#include "tests/integrate/test_systems.h"

namespace phiflex {
inline void PrintTo(const MethodEntry& entry, std::ostream* out) {
  *out << entry.info->name;
}
}  // namespace phiflex

namespace phiflex::testing {

class MethodTest : public ::testing::TestWithParam<MethodEntry> {
 public:
  const MethodInfo& info() const { return *GetParam().info; }
  std::unique_ptr<Integrator> make(const MechanicalSystem& system,
                                   const IntegratorOptions& options = tight()) const {
    return GetParam().make(system, options);
  }
  // Solver errors far below those of the methods.
  static IntegratorOptions tight() {
    IntegratorOptions options;
    options.newton_tolerance = 1e-13;
    options.linear_tolerance = 1e-14;
    options.phi.tolerance = 1e-13;
    options.modes_tolerance = 1e-11;
    options.em_tolerance = 1e-12;
    options.energy_tolerance = 1e-14;
    options.modes = 2;  // with all modes of a small system, siere would be ere
    return options;
  }
};

inline auto every_method() {
  return ::testing::ValuesIn(integrator_catalogue().begin(), integrator_catalogue().end());
}
inline auto every_method_that(bool (*declares)(const MethodInfo&)) {
  std::vector<MethodEntry> entries;
  for (const MethodEntry& entry : integrator_catalogue())
    if (declares(*entry.info)) entries.push_back(entry);
  return ::testing::ValuesIn(entries);
}
inline std::string method_name(const ::testing::TestParamInfo<MethodEntry>& parameter) {
  std::string name(parameter.param.info->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// n steps of length h from a state; the test fails where a step does.
inline State run(Integrator& integrator, State state, double h, int n) {
  State next;
  for (int i = 0; i < n; ++i) {
    const StepStatus status = integrator.step(state, h, next).status;
    if (status != StepStatus::ok) {
      ADD_FAILURE() << "step " << i << ": " << describe(status);
      return state;
    }
    std::swap(state, next);
  }
  return state;
}

inline double distance(const State& a, const State& b) {
  return std::sqrt((a.q - b.q).squaredNorm() + (a.v - b.v).squaredNorm());
}

}  // namespace phiflex::testing
