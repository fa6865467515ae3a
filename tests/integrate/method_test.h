// Tests that run once for every method of the catalogue.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>

#include <algorithm>
#include <string>

#include "phiflex/integrate/catalogue.h"
#include "phiflex/integrate/integrator.h"
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
    options.set("newton_tolerance", 1e-13);
    options.set("linear_tolerance", 1e-14);
    options.set("tolerance", 1e-13);
    options.set("modes_tolerance", 1e-11);
    options.set("em_tolerance", 1e-12);
    options.set("energy_tolerance", 1e-14);
    options.set("modes", 2);  // with all modes of a small system, siere would be ere
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

// A run of `steps` that is saved after each of `stops`, and loaded, ends with the bits of one that is not. make
// gives a new integrator.
template <class Make>
void expect_bitwise_restart(const Make& make, const State& start, double h, int steps,
                            std::initializer_list<int> stops) {
  const auto whole = make();
  const State end = run(*whole, start, h, steps);
  ArchiveWriter whole_memory;
  whole->save(whole_memory);
  for (const int stop : stops) {
    const auto before = make(), after = make();
    const State middle = run(*before, start, h, stop);
    ArchiveWriter out;
    before->save(out);
    ArchiveReader in(out.bytes());
    after->load(in);
    EXPECT_TRUE(in.at_end());
    const State resumed = run(*after, middle, h, steps - stop);
    EXPECT_EQ(resumed.q, end.q) << "stopped after " << stop;
    EXPECT_EQ(resumed.v, end.v) << "stopped after " << stop;
    ArchiveWriter memory;
    after->save(memory);
    EXPECT_EQ(memory.bytes(), whole_memory.bytes()) << "stopped after " << stop;
  }
}

inline double distance(const State& a, const State& b) {
  return std::sqrt((a.q - b.q).squaredNorm() + (a.v - b.v).squaredNorm());
}

}  // namespace phiflex::testing
