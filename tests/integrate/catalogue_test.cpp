// The catalogue of methods.
#include <set>

#include "tests/integrate/method_test.h"

namespace phiflex::testing {
namespace {

TEST(IntegratorCatalogue, HoldsEveryMethodOnce) {
  std::set<std::string_view> names;
  for (const MethodEntry& entry : integrator_catalogue()) {
    EXPECT_TRUE(names.insert(entry.info->name).second) << entry.info->name;
    EXPECT_EQ(find_integrator(entry.info->name), &entry);
    EXPECT_FALSE(entry.info->summary.empty());
    EXPECT_FALSE(entry.info->citation.empty());
  }
  for (const char* name : {"symplectic-euler",
                           "rk4",
                           "central-difference",
                           "si",
                           "be",
                           "midpoint",
                           "bdf2",
                           "newmark",
                           "generalized-alpha",
                           "ere",
                           "exprb32",
                           "exprb42",
                           "pexprb43",
                           "epirk4s3",
                           "gautschi",
                           "siere",
                           "zheng",
                           "chen-ricles",
                           "gui",
                           "chang",
                           "mssi",
                           "dgsi",
                           "em",
                           "emx",
                           "verlet"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(IntegratorCatalogue, RefusesAnUnknownName) {
  const SpringNetwork system = oscillator(1);
  EXPECT_EQ(find_integrator("leapfog"), nullptr);
  EXPECT_THROW(make_integrator("leapfog", system, {}), std::invalid_argument);
}

TEST(IntegratorCatalogue, RefusesParametersOutOfRange) {
  const SpringNetwork system = oscillator(1);
  IntegratorOptions options;
  options.rho_infinity = 1.5;
  EXPECT_THROW(make_integrator("generalized-alpha", system, options), std::invalid_argument);
  options.newmark_beta = -1;
  EXPECT_THROW(make_integrator("newmark", system, options), std::invalid_argument);
}

}  // namespace
}  // namespace phiflex::testing
